package tensor

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/goanvil/notebook/interp/explain"
)

// Precedence returns an error for expressions like a < b & c < d, which Go parses as (a < (b & c)) < d. For numbers
// that is a type error, and for tensors it is never intended.
func (c *Cell) Precedence() (err error) {
	ast.Inspect(c.File, func(n ast.Node) bool {
		if e, ok := n.(*ast.BinaryExpr); ok && err == nil && isMisread(e) {
			middle := e.X.(*ast.BinaryExpr).Y
			var words []string
			for _, term := range terms(e) {
				word := strings.Join(term, " ")
				if len(term) > 1 {
					word = "(" + word + ")"
				}
				words = append(words, word)
			}
			err = c.Errorf(middle, "Go computes %s before it compares; write %s",
				explain.Written(middle), strings.Join(words, " "))
		}
		return err == nil
	})
	return err
}

// isMisread reports whether e is like (a < (b & c)) < d, or compares such an expression with another operand.
func isMisread(e *ast.BinaryExpr) bool {
	left, ok := e.X.(*ast.BinaryExpr)
	if !ok || !isComparison(left.Op) || !isComparison(e.Op) {
		return false
	}
	middle, ok := left.Y.(*ast.BinaryExpr)
	return ok && isBitwise(middle.Op) && (isOrdering(e.Op) || isMisread(left))
}

// terms splits e at the operators &, | and ^ as if they had the lowest precedence. For a < b & c it returns
// {"a", "<", "b"}, {"&"} and {"c"}.
func terms(e ast.Expr) [][]string {
	x, ok := e.(*ast.BinaryExpr)
	if !ok || !isComparison(x.Op) && !isBitwise(x.Op) {
		return [][]string{{explain.Written(e)}}
	}
	left, op, right := terms(x.X), []string{x.Op.String()}, terms(x.Y)
	if isBitwise(x.Op) {
		return slices.Concat(left, [][]string{op}, right)
	}
	last := len(left) - 1
	comparison := slices.Concat(left[last], op, right[0])
	return slices.Concat(left[:last], [][]string{comparison}, right[1:])
}

// isBitwise reports whether op is &, | or ^.
func isBitwise(op token.Token) bool { return op == token.AND || op == token.OR || op == token.XOR }

// isComparison reports whether op is an ordering, == or !=.
func isComparison(op token.Token) bool { return isOrdering(op) || op == token.EQL || op == token.NEQ }

// isOrdering reports whether op is <, <=, > or >=.
func isOrdering(op token.Token) bool {
	return op == token.LSS || op == token.LEQ || op == token.GTR || op == token.GEQ
}
