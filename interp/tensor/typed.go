package tensor

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
)

// The functions in this file make syntax and record its types in c.Info, so that a checked cell need not be checked
// again. They leave out the mode in types.TypeAndValue, which later passes do not use.

// typed records t as the type of e, and returns e.
func typed[E ast.Expr](c *Cell, e E, t types.Type) E {
	c.Info.Types[e] = types.TypeAndValue{Type: t}
	return e
}

// Use returns an identifier at pos that refers to obj.
func (c *Cell) Use(pos token.Pos, obj types.Object) *ast.Ident {
	id := cell.Ident(pos, obj.Name())
	c.Info.Uses[id] = obj
	return id
}

// Define returns an identifier at pos that declares a local variable of type t, and the variable.
func (c *Cell) Define(pos token.Pos, name string, t types.Type) (*ast.Ident, *types.Var) {
	v := types.NewVar(pos, c.Pkg, name, t)
	v.SetKind(types.LocalVar)
	id := cell.Ident(pos, name)
	c.Info.Defs[id] = v
	return id, v
}

// Int returns an integer literal at pos, of type int.
func (c *Cell) Int(pos token.Pos, n int) ast.Expr {
	e := cell.Int(pos, n)
	c.Info.Types[e] = types.TypeAndValue{Type: types.Typ[types.Int], Value: constant.MakeInt64(int64(n))}
	return e
}

// String returns a string literal at pos, of type string.
func (c *Cell) String(pos token.Pos, s string) ast.Expr {
	e := cell.String(pos, s)
	c.Info.Types[e] = types.TypeAndValue{Type: types.Typ[types.String], Value: constant.MakeString(s)}
	return e
}

// Address returns &x.
func (c *Cell) Address(x ast.Expr) ast.Expr {
	e := &ast.UnaryExpr{OpPos: x.Pos(), Op: token.AND, X: x}
	return typed(c, e, types.NewPointer(c.Info.TypeOf(x)))
}

// CallAid returns a call at pos of the aid called name; see [check.AidPath].
func (c *Cell) CallAid(pos token.Pos, name string, args ...ast.Expr) *ast.CallExpr {
	fun := c.Aid(pos, name)
	results := c.Info.TypeOf(fun).(*types.Signature).Results()
	e := cell.Call(fun, args...)
	if results.Len() == 1 {
		return typed(c, e, results.At(0).Type())
	}
	return typed(c, e, types.Type(results))
}

// Qualified returns an expression at pos for an exported name of the package at path.
func (c *Cell) Qualified(pos token.Pos, path, name string) ast.Expr {
	c.Imports[path] = true
	x, sel := cell.Ident(pos, c.Env.Alias(path)), cell.Ident(pos, name)
	e := &ast.SelectorExpr{X: x, Sel: sel}
	if c.Info == nil {
		return e // the cell has not been checked, and the check will record the type
	}
	pkg, err := c.Env.Import(path)
	if err != nil {
		return e
	}
	c.Info.Uses[x] = types.NewPkgName(pos, c.Pkg, x.Name, pkg)
	if obj := pkg.Scope().Lookup(name); obj != nil {
		c.Info.Uses[sel] = obj
		typed(c, e, obj.Type())
	}
	return e
}

// TensorPackage returns an expression at pos for an exported name of the tensor package.
func (c *Cell) TensorPackage(pos token.Pos, name string) ast.Expr {
	return c.Qualified(pos, c.Path, name)
}

// Aid returns an expression at pos for the aid called name; see [check.AidPath].
func (c *Cell) Aid(pos token.Pos, name string) ast.Expr { return c.Qualified(pos, check.AidPath, name) }
