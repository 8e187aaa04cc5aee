package erase

import (
	"go/ast"
	"go/types"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/yaegi/celltype"
)

// A selection is what x.name means, type parameters replaced.
type selection struct {
	kind types.SelectionKind
	recv types.Type
	obj  types.Object
	path []int // of fields to obj, its own index last
}

// selection resolves a selector that is no qualified name.
func (f *scope) selection(e *ast.SelectorExpr) *selection {
	s := f.info.Selections[e]
	if s == nil {
		return nil
	}
	if len(f.env) == 0 {
		return &selection{s.Kind(), s.Recv(), s.Obj(), s.Index()}
	}
	recv := f.subst(f.env, s.Recv())
	obj, path, _ := types.LookupFieldOrMethod(recv, true, f.lookupPkg(s.Obj()), s.Obj().Name())
	if obj == nil {
		fail(f.at(e), "%s has no %s", celltype.Text(recv), s.Obj().Name())
	}
	return &selection{s.Kind(), recv, obj, path}
}

func (f *scope) lookupPkg(o types.Object) *types.Package {
	if o.Pkg() != nil {
		return o.Pkg()
	}
	return f.pkg
}

func (f *scope) selector(p at, e *ast.SelectorExpr) ast.Expr {
	s := f.selection(e)
	if s == nil {
		return f.packageName(p, e)
	}
	switch s.kind {
	case types.FieldVal:
		x, _ := f.walk(p, f.expr(e.X), f.typ(e.X), s.path)
		return x
	case types.MethodExpr:
		return f.methodExpr(p, e, s)
	default:
		return f.methodValue(p, e, s)
	}
}

// packageName lowers pkg.Name.
func (f *scope) packageName(p at, e *ast.SelectorExpr) ast.Expr {
	o := f.info.Uses[e.Sel]
	if _, ok := f.info.Instances[e.Sel]; ok {
		return f.instanceOf(p, e)
	}
	path := o.Pkg().Path()
	if isErrorsAs(f.info, e) {
		fail(p, "errors.As that is not called cannot run in a cell; write func(err error, target any) bool { return errors.As(err, target) }")
	}
	if _, ok := f.s.hooks.Symbols(path)[o.Name()]; !ok {
		fail(p, "%s.%s is not available to cells", o.Pkg().Name(), o.Name())
	}
	return f.qualified(p, path, o.Name())
}

// walk selects the field at path of x, which has type t, and returns its type.
func (f *scope) walk(p at, x ast.Expr, t types.Type, path []int) (ast.Expr, types.Type) {
	for n, i := range path {
		if ptr, ok := t.Underlying().(*types.Pointer); ok {
			t = ptr.Elem()
		}
		s := t.Underlying().(*types.Struct)
		field := s.Field(i)
		hidden := !field.Exported() && n < len(path)-1 && compiled(t)
		if !hidden { // compiled code's own embedding is left to the interpreter
			x = p.sel(p.paren(x), f.fieldName(t, s, i))
		}
		t = field.Type()
	}
	return x, t
}

// compiled reports whether t is a named type of a compiled package.
func compiled(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && !check.IsCell(n.Obj().Pkg())
}

func elemOf(t types.Type) (types.Type, bool) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem(), true
	}
	return t, false
}
