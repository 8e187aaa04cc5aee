package yaegi

import (
	"go/ast"
	"go/types"

	"github.com/goanvil/notebook/interp/cell"
)

// assignFunctions makes x = f(), where f returns a function, x = []T{f()}[0].
//
// Where a call of compiled code is all that is assigned, yaegi puts a function
// that it returns in the place of the variable, instead of into it: into an
// element of an array or a map nothing is put, and a variable has no address
// any more.
func assignFunctions(c *Cell) (changed bool, err error) {
	ast.Inspect(c.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			changed = c.inSlice(n.Rhs) || changed
		case *ast.ValueSpec:
			changed = c.inSlice(n.Values) || changed
		}
		return true
	})
	return changed, nil
}

// inSlice makes one call that gives a function an element of a slice, unless
// its type cannot be written.
func (c *Cell) inSlice(values []ast.Expr) bool {
	if !c.oneFunction(values) {
		return false
	}
	x := values[0]
	t, err := c.TypeExpr(x.Pos(), c.Info.TypeOf(x))
	if err != nil {
		return false
	}
	slice := &ast.CompositeLit{Type: &ast.ArrayType{Lbrack: x.Pos(), Elt: t}, Lbrace: x.Pos(), Elts: []ast.Expr{x}, Rbrace: x.End()}
	values[0] = &ast.IndexExpr{X: slice, Lbrack: x.Pos(), Index: cell.Int(x.Pos(), 0), Rbrack: x.End()}
	return true
}

// oneFunction reports whether values is one call that gives a function.
func (c *Cell) oneFunction(values []ast.Expr) bool {
	if len(values) != 1 {
		return false
	}
	call, ok := ast.Unparen(values[0]).(*ast.CallExpr)
	if !ok {
		return false
	}
	t := c.Info.TypeOf(call)
	if t == nil {
		return false
	}
	_, ok = t.Underlying().(*types.Signature)
	return ok
}
