package tensor

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/goanvil/notebook/interp/cell"
)

// A System is the promotion system of a cell: the variable Name of the package at Path. The zero System is the tensor
// package's default.
//
// The library of a system is a value whose methods are the functions of the tensor package. They promote their operands
// as the system does.
type System struct{ Path, Name string }

// withFunction is the function of the tensor package that returns the library of a system.
const withFunction = "With"

// systemless has the functions and methods that do not depend on the promotion system.
var systemless = map[string]bool{withFunction: true, "At": true}

// PlaceSystem replaces functions of the tensor package and methods of tensors by the methods of the library of the
// cell's system, where the library has them: x.Add(y) becomes nv.With(promote.Torch).Add(x, y). The cell must have been
// checked.
func (c *Cell) PlaceSystem() error {
	lib := c.libMethods()
	if lib == nil {
		return nil
	}
	var err error
	leave := func(n ast.Node) ast.Node {
		var e ast.Expr // the replacement of n
		switch n := n.(type) {
		case *ast.SelectorExpr:
			e = c.libFunction(lib, n, nil)
		case *ast.IndexExpr:
			e = c.libInstance(lib, n.X)
		case *ast.CallExpr:
			if e = c.libMethod(lib, n); e != nil {
				break
			}
			if fun := c.libInstance(lib, n.Fun); fun != nil {
				e = &ast.CallExpr{Fun: fun, Lparen: n.Lparen, Args: n.Args, Ellipsis: n.Ellipsis, Rparen: n.Rparen}
			}
		}
		if e == nil {
			return n
		}
		fun := e
		if call, ok := e.(*ast.CallExpr); ok {
			fun = call.Fun
			c.Info.Types[e] = c.Info.Types[n.(*ast.CallExpr)]
		}
		if exprErr := c.Env.CheckExpr(c.Fset, c.Pkg, c.Info, fun); err == nil {
			err = exprErr
		}
		return e
	}
	for _, decl := range c.File.Decls {
		cell.Rewrite(decl, leave)
	}
	return err
}

// libMethods returns the methods of the library of the cell's system, or nil if the system is the default.
func (c *Cell) libMethods() *types.MethodSet {
	if c.System == (System{}) || c.Tensor == nil {
		return nil
	}
	pkg, err := c.Env.Import(c.Path)
	if err != nil {
		return nil
	}
	f, ok := pkg.Scope().Lookup(withFunction).(*types.Func)
	if !ok {
		return nil
	}
	return types.NewMethodSet(f.Signature().Results().At(0).Type())
}

// libSignature returns the signature of the library's function called name, or nil if the library has none.
func libSignature(lib *types.MethodSet, name string) *types.Signature {
	m := lib.Lookup(nil, name)
	if m == nil || systemless[name] {
		return nil
	}
	return m.Obj().(*types.Func).Signature()
}

// libInstance returns the library's function that replaces e if e has the form nv.F and denotes an instance of a
// generic function. It returns nil for other expressions, and if the library has no such function.
func (c *Cell) libInstance(lib *types.MethodSet, e ast.Expr) ast.Expr {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	inst, ok := c.Info.Instances[sel.Sel].Type.(*types.Signature)
	if !ok {
		return nil
	}
	return c.libFunction(lib, sel, inst)
}

// libFunction returns the library's function that replaces e if e has the form nv.F. It returns nil for other
// expressions, and if the library has no such function. instance is the signature of the instance if F is generic, and
// otherwise nil.
func (c *Cell) libFunction(lib *types.MethodSet, e *ast.SelectorExpr, instance *types.Signature) ast.Expr {
	id, ok := e.X.(*ast.Ident)
	if !ok {
		return nil
	}
	f, ok := c.Info.Uses[e.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != c.Path || f.Signature().Recv() != nil {
		return nil
	}
	sig := instance
	if sig == nil {
		sig = f.Signature()
	}
	libSig := libSignature(lib, f.Name())
	if libSig == nil || !types.Identical(libSig.Results(), sig.Results()) {
		return nil
	}
	if !types.Identical(parameters(libSig, 0), parameters(sig, 0)) {
		return nil
	}
	return &ast.SelectorExpr{X: c.library(id.Pos()), Sel: cell.Ident(e.Sel.Pos(), e.Sel.Name)}
}

// libMethod returns the call of the library's function F that replaces e if e has the form x.F(y) for a tensor x. It
// returns nil for other calls, and if the library has no such function.
func (c *Cell) libMethod(lib *types.MethodSet, e *ast.CallExpr) ast.Expr {
	sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	s := c.Info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal || len(s.Index()) != 1 {
		return nil
	}
	x := sel.X
	if p, ok := s.Recv().Underlying().(*types.Pointer); ok && c.IsTensor(p.Elem()) {
		x = typed(c, &ast.StarExpr{Star: x.Pos(), X: x}, c.Tensor)
	} else if !c.IsTensor(s.Recv()) {
		return nil
	}
	libSig, sig := libSignature(lib, sel.Sel.Name), s.Obj().(*types.Func).Signature()
	if libSig == nil || libSig.Params().Len() == 0 || !types.Identical(libSig.Results(), sig.Results()) {
		return nil
	}
	if !types.Identical(parameters(libSig, 1), parameters(sig, 0)) { // the first parameter is the receiver
		return nil
	}
	fun := &ast.SelectorExpr{X: c.library(sel.X.Pos()), Sel: sel.Sel}
	args := append([]ast.Expr{x}, e.Args...)
	return &ast.CallExpr{Fun: fun, Lparen: e.Lparen, Args: args, Ellipsis: e.Ellipsis, Rparen: e.Rparen}
}

// parameters returns a function type that has the parameters of f from index n on, and no results.
func parameters(f *types.Signature, n int) *types.Signature {
	var vars []*types.Var
	for i := n; i < f.Params().Len(); i++ {
		vars = append(vars, f.Params().At(i))
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), nil, f.Variadic() && len(vars) > 0)
}

// library returns an expression for the library of the cell's system.
func (c *Cell) library(pos token.Pos) ast.Expr {
	return cell.Call(c.TensorPackage(pos, withFunction), c.Qualified(pos, c.System.Path, c.System.Name))
}
