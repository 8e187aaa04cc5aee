package yaegi

import (
	"go/ast"
	"go/types"
)

// assignFunctions makes x = f(), where f returns a function, x = []T{f()}[0].
//
// Where a call of compiled code is all that is assigned, yaegi puts a function
// that it returns in the place of the variable, instead of into it: into an
// element of an array or a map nothing is put, and a variable has no address
// any more.
func assignFunctions(c *Cell) {
	ast.Inspect(c.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			c.inSlice(n.Rhs)
		case *ast.ValueSpec:
			c.inSlice(n.Values)
		}
		return true
	})
}

// inSlice makes one call that gives a function an element of a slice, unless
// its type cannot be written.
func (c *Cell) inSlice(values []ast.Expr) {
	if !c.oneFunction(values) {
		return
	}
	x := values[0]
	t, err := c.TypeExpr(x.Pos(), c.Info.TypeOf(x))
	if err != nil {
		return
	}
	slice := &ast.CompositeLit{Type: &ast.ArrayType{Lbrack: x.Pos(), Elt: t}, Lbrace: x.Pos(), Elts: []ast.Expr{x}, Rbrace: x.End()}
	c.Info.Types[slice] = types.TypeAndValue{Type: types.NewSlice(c.Info.TypeOf(x))}
	values[0] = &ast.IndexExpr{X: slice, Lbrack: x.Pos(), Index: c.Int(x.Pos(), 0), Rbrack: x.End()}
	c.Info.Types[values[0]] = types.TypeAndValue{Type: c.Info.TypeOf(x)}
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
