package tensor

import (
	"go/ast"
	"go/token"

	"github.com/goanvil/notebook/interp/explain"
)

// Precedence returns an error for expressions like a < b & c < d, which Go parses as (a < (b & c)) < d. For numbers
// that is a type error, and for tensors it is never intended.
func (c *Cell) Precedence() (err error) {
	ast.Inspect(c.File, func(n ast.Node) bool {
		outer, ok := n.(*ast.BinaryExpr)
		if !ok || !isOrdering(outer.Op) || err != nil {
			return err == nil
		}
		inner, ok := outer.X.(*ast.BinaryExpr)
		if !ok || !isOrdering(inner.Op) && inner.Op != token.EQL && inner.Op != token.NEQ {
			return true
		}
		middle, ok := inner.Y.(*ast.BinaryExpr)
		if ok && (middle.Op == token.AND || middle.Op == token.OR || middle.Op == token.XOR) {
			left := "(" + explain.Written(inner.X) + " " + inner.Op.String() + " " + explain.Written(middle.X) + ")"
			right := "(" + explain.Written(middle.Y) + " " + outer.Op.String() + " " + explain.Written(outer.Y) + ")"
			err = c.Errorf(middle, "Go computes %s before it compares; write %s %s %s",
				explain.Written(middle), left, middle.Op, right)
		}
		return true
	})
	return err
}

// isOrdering reports whether op is <, <=, > or >=.
func isOrdering(op token.Token) bool {
	return op == token.LSS || op == token.LEQ || op == token.GTR || op == token.GEQ
}
