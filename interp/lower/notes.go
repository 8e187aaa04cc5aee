package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A Note is what the author of a cell should know of an expression that means
// something else to Go than to a mathematician. It is computed as Go means it.
type Note struct {
	Pos token.Pos
	Msg string
}

// note adds a note, once.
func (c *Cell) note(pos token.Pos, msg string) {
	if n := (Note{pos, msg}); !slices.Contains(c.notes, n) {
		c.notes = append(c.notes, n)
	}
}

// noteOperands notes what surprises about the operands of op, one of them a
// tensor.
func (o *operators) noteOperands(op token.Token, pos token.Pos, x, y ast.Expr) {
	o.noteDivisions(x)
	o.noteDivisions(y)
	if op == token.XOR && o.isTensor(x) && isExponent(y) {
		base := "x"
		if !o.made[ast.Unparen(x)] {
			base = written(x)
		}
		o.note(pos, "^ is exclusive or in Go; the power is "+o.tensorName()+".Pow("+base+", "+written(y)+")")
	}
}

// noteMethod notes that e, which is shown, is a method that nobody calls.
func (c *Cell) noteMethod(e ast.Expr) {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return
	}
	if s := c.Info.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
		c.note(sel.Sel.Pos(), written(sel)+" is a method; "+written(sel)+"() calls it")
	}
}

// noteUnused notes that own, which stands as a statement, is an operator or an
// index, which go/types refuses of numbers.
func (o *operators) noteUnused(own ast.Expr) {
	switch own.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr, *ast.IndexExpr, *ast.SliceExpr:
		o.note(o.begin(own), plain(o.asAuthored(types.ExprString(own)))+" is not used: only what a cell ends with is shown")
	}
}

// begin returns where e begins, as its author wrote it.
func (c *Cell) begin(e ast.Expr) token.Pos {
	if own := c.authored[e]; own != nil {
		return c.begin(own)
	}
	if b, ok := e.(*ast.BinaryExpr); ok {
		return c.begin(b.X)
	}
	return e.Pos()
}

// isExponent reports whether e is a number as powers have them, and bit masks
// rarely: decimal, and not 0 or 1.
func isExponent(e ast.Expr) bool {
	lit, ok := ast.Unparen(e).(*ast.BasicLit)
	if !ok {
		return false
	}
	return lit.Kind == token.FLOAT || lit.Kind == token.INT && len(lit.Value) == 1 && lit.Value > "1"
}

// noteDivisions notes the divisions in e, an operand that is no tensor, of an
// integer constant by another that leave a remainder.
func (o *operators) noteDivisions(e ast.Expr) {
	if o.isTensor(e) {
		return
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.IndexExpr, *ast.CallExpr:
			return false // where integers are meant, maybe
		case *ast.BinaryExpr:
			if n.Op == token.QUO {
				o.noteDivision(n)
			}
		}
		return true
	})
}

func (o *operators) noteDivision(e *ast.BinaryExpr) {
	x, y := o.integer(e.X), o.integer(e.Y)
	if x == nil || y == nil || constant.Sign(y) == 0 || constant.Sign(constant.BinaryOp(x, token.REM, y)) == 0 {
		return
	}
	exact := written(e.X) + ".0/" + written(e.Y)
	if _, ok := e.X.(*ast.BasicLit); !ok {
		exact = "float64(" + written(e.X) + ")/" + written(e.Y)
	}
	quotient := constant.BinaryOp(x, token.QUO_ASSIGN, y) // of integers
	o.note(e.OpPos, written(e)+" is "+quotient.ExactString()+", as Go divides integers; the fraction is "+exact)
}

// integer returns the value of e if that is a constant of an integer type.
func (o *operators) integer(e ast.Expr) constant.Value {
	tv := o.Info.Types[e]
	if tv.Value == nil || tv.Type == nil {
		return nil
	}
	if basic, ok := tv.Type.Underlying().(*types.Basic); !ok || basic.Info()&types.IsInteger == 0 {
		return nil
	}
	if v := constant.ToInt(tv.Value); v.Kind() == constant.Int {
		return v
	}
	return nil
}

// written returns e as its author wrote it.
func written(e ast.Expr) string { return plain(strings.ReplaceAll(types.ExprString(e), " / ", "/")) }

// tensorName returns what the cell calls the package of tensors.
func (c *Cell) tensorName() string {
	for name, path := range c.Env.Imports() {
		if path == c.tensorPath {
			return name
		}
	}
	return c.tensorPath[strings.LastIndex(c.tensorPath, "/")+1:]
}
