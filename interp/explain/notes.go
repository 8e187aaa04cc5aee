package explain

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/goanvil/notebook/interp/check"
)

// A Note warns the author about an expression that Go accepts, but that may not do what the author expects. Such an
// expression is evaluated as Go evaluates it.
type Note struct {
	Pos token.Pos
	Msg string
}

// A NoteOperand is an operand of an operator on tensors.
type NoteOperand struct {
	Expr     ast.Expr
	IsTensor bool
}

// Operands returns notes on the operands x and y of op at pos: on divisions such as 1/2 in operands that are not
// tensors, and on ^ if it looks like a power.
func (c *Cell) Operands(op token.Token, pos token.Pos, x, y NoteOperand) (notes []Note) {
	for _, operand := range []NoteOperand{x, y} {
		if !operand.IsTensor {
			notes = append(notes, c.divisions(operand.Expr)...)
		}
	}
	if op == token.XOR && x.IsTensor && isExponent(y.Expr) {
		base := c.InOwnNames(types.ExprString(ast.Unparen(x.Expr)))
		power := c.tensorName() + ".Pow(" + base + ", " + Written(y.Expr) + ")"
		notes = append(notes, Note{pos, "^ is exclusive or in Go; the power is " + power})
	}
	return notes
}

// Shown returns a note on e, an expression whose value is shown, if it is a method that is not called.
func (c *Cell) Shown(e ast.Expr) (notes []Note) {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	if s := c.Info.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
		notes = append(notes, Note{sel.Sel.Pos(), Written(sel) + " is a method; " + Written(sel) + "() calls it"})
	}
	return notes
}

// Unused returns a note on authored, an expression statement, if it is an operation or an index. go/types rejects such
// statements, but not the calls that replace them.
func (c *Cell) Unused(authored ast.Expr) (notes []Note) {
	switch authored.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr, *ast.IndexExpr, *ast.SliceExpr:
		text := Plain(c.asAuthored(types.ExprString(authored))) + " is not used"
		if !c.inFunction(authored) {
			text += "; only the last expression of a cell is shown"
		}
		notes = append(notes, Note{c.begin(authored), text})
	}
	return notes
}

// inFunction reports whether e is in a function that the cell declares.
func (c *Cell) inFunction(e ast.Expr) (in bool) {
	ast.Inspect(c.File, func(n ast.Node) bool {
		switch f := n.(type) {
		case *ast.FuncLit:
			in = in || f.Pos() <= e.Pos() && e.Pos() < f.End()
		case *ast.FuncDecl:
			in = in || f.Name.Name != check.Entry && f.Pos() <= e.Pos() && e.Pos() < f.End()
		}
		return !in
	})
	return in
}

// begin returns the position of e in the author's source.
func (c *Cell) begin(e ast.Expr) token.Pos {
	if authored := c.Authored[e]; authored != nil {
		return c.begin(authored)
	}
	if b, ok := e.(*ast.BinaryExpr); ok {
		return c.begin(b.X)
	}
	return e.Pos()
}

// isExponent reports whether e is a float literal, or one digit other than 0 and 1. Such literals are common as
// exponents, and rare as bit masks.
func isExponent(e ast.Expr) bool {
	lit, ok := ast.Unparen(e).(*ast.BasicLit)
	if !ok {
		return false
	}
	return lit.Kind == token.FLOAT || lit.Kind == token.INT && len(lit.Value) == 1 && lit.Value > "1"
}

// divisions returns notes on those divisions of integer constants in e that leave a remainder.
func (c *Cell) divisions(e ast.Expr) (notes []Note) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.IndexExpr, *ast.CallExpr:
			return false // integers may be intended in functions, indices and arguments
		case *ast.BinaryExpr:
			if n.Op == token.QUO {
				notes = append(notes, c.division(n)...)
			}
		}
		return true
	})
	return notes
}

// division returns a note on e, a division, if its operands are integer constants and it leaves a remainder.
func (c *Cell) division(e *ast.BinaryExpr) []Note {
	x, y := c.integer(e.X), c.integer(e.Y)
	if x == nil || y == nil || constant.Sign(y) == 0 || constant.Sign(constant.BinaryOp(x, token.REM, y)) == 0 {
		return nil
	}
	exact := Written(e.X) + ".0/" + Written(e.Y)
	if lit, ok := e.X.(*ast.BasicLit); !ok || lit.Value[0] < '1' { // not a decimal literal, but for example 0x11 or 'a'
		exact = "float64(" + Written(ast.Unparen(e.X)) + ")/" + Written(e.Y)
	}
	quotient := constant.BinaryOp(x, token.QUO_ASSIGN, y) // QUO_ASSIGN is the division of integers in go/constant
	return []Note{{e.OpPos, Written(e) + " is " + quotient.ExactString() +
		", as Go divides integers; the fraction is " + exact}}
}

// integer returns the value of e if e is a constant of an integer type, and otherwise nil.
func (c *Cell) integer(e ast.Expr) constant.Value {
	tv := c.Info.Types[e]
	if tv.Value == nil || tv.Type == nil {
		return nil
	}
	if basic, ok := tv.Type.Underlying().(*types.Basic); !ok || basic.Info()&types.IsInteger == 0 {
		return nil
	}
	return constant.ToInt(tv.Value)
}

// Written returns the source of e with names as the author wrote them.
func Written(e ast.Expr) string { return Plain(strings.ReplaceAll(types.ExprString(e), " / ", "/")) }
