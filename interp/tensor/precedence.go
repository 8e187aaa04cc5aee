package tensor

import (
	"go/ast"
	"go/token"

	"github.com/goanvil/notebook/interp/explain"
)

// Precedence refuses a < b & c < d, which Go parses as (a < (b & c)) < d: a type error for
// numbers, and never intended for tensors.
func (c *Cell) Precedence() (err error) {
	ast.Inspect(c.File, func(n ast.Node) bool {
		outer, ok := n.(*ast.BinaryExpr)
		if !ok || !ordering(outer.Op) || err != nil {
			return err == nil
		}
		inner, ok := outer.X.(*ast.BinaryExpr)
		if !ok || !ordering(inner.Op) && inner.Op != token.EQL && inner.Op != token.NEQ {
			return true
		}
		if both, ok := inner.Y.(*ast.BinaryExpr); ok && (both.Op == token.AND || both.Op == token.OR || both.Op == token.XOR) {
			left := "(" + explain.Written(inner.X) + " " + inner.Op.String() + " " + explain.Written(both.X) + ")"
			right := "(" + explain.Written(both.Y) + " " + outer.Op.String() + " " + explain.Written(outer.Y) + ")"
			err = c.Errorf(both, "Go computes %s before it compares; write %s %s %s", explain.Written(both), left, both.Op, right)
		}
		return true
	})
	return err
}

func ordering(op token.Token) bool {
	return op == token.LSS || op == token.LEQ || op == token.GTR || op == token.GEQ
}
