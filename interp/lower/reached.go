package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/goanvil/notebook/interp/check"
)

// reachedObjects returns the objects of this and earlier cells that remain in use even if their names are declared
// again: the objects that functions of this cell mention, and those whose address or function value the cell takes.
func (c *Cell) reachedObjects() []*check.Object {
	seen := map[*check.Object]bool{}
	add := func(id *ast.Ident) {
		if o := c.reachedObject(id); o != nil {
			seen[o] = true
		}
	}
	addAll := func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			add(id)
		}
		return true
	}
	called := map[*ast.Ident]bool{} // identifiers in call position, which are not function values
	ast.Inspect(c.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
				called[id] = true
			}
		case *ast.Ident:
			if _, ok := c.Info.Uses[n].(*types.Func); ok && !called[n] {
				add(n)
			}
		case *ast.FuncDecl:
			if n.Name.Name != check.Entry {
				ast.Inspect(n.Body, addAll)
			}
		case *ast.FuncLit:
			ast.Inspect(n.Body, addAll)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				ast.Inspect(n.X, addAll)
			}
		case *ast.SliceExpr:
			ast.Inspect(n.X, addAll)
		case *ast.SelectorExpr:
			if s := c.Info.Selections[n]; s != nil && takesAddress(s) {
				ast.Inspect(n.X, addAll)
			}
		}
		return true
	})
	all := make([]*check.Object, 0, len(seen))
	for o := range seen {
		all = append(all, o)
	}
	return all
}

// takesAddress reports whether the selection x.M takes the address of the variable x because M is a method with a
// pointer receiver.
func takesAddress(s *types.Selection) bool {
	if s.Kind() != types.MethodVal {
		return false
	}
	_, wantsPointer := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
	_, isPointer := s.Recv().Underlying().(*types.Pointer)
	return wantsPointer && !isPointer
}

// reachedObject returns the variable, function or constant at cell level that id refers to, or nil.
func (c *Cell) reachedObject(id *ast.Ident) *check.Object {
	obj := c.Info.Uses[id]
	switch obj.(type) {
	case *types.Var, *types.Func, *types.Const:
	default:
		return nil
	}
	for _, d := range c.declared {
		if d.Object.Object == obj {
			return d.Object
		}
	}
	if o := c.Env.Of(obj); o != nil {
		return o
	}
	return c.Env.Resolved(obj.Name())
}
