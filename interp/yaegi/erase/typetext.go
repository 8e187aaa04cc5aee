package erase

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/yaegi/celltype"
)

// typeExpr returns an expression for the inner type of t.
func (f *scope) typeExpr(p at, t types.Type) ast.Expr {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return f.namedExpr(p, t)
	case *types.Struct:
		return f.structExpr(p, t)
	case *types.Basic:
		return f.basicExpr(p, t)
	case *types.Pointer:
		return p.star(f.typeExpr(p, t.Elem()))
	case *types.Slice:
		return &ast.ArrayType{Lbrack: token.Pos(p), Elt: f.typeExpr(p, t.Elem())}
	case *types.Array:
		f.sizeOf(p, t) // fails where it is too large
		return &ast.ArrayType{Lbrack: token.Pos(p), Len: p.num(int(t.Len())), Elt: f.typeExpr(p, t.Elem())}
	case *types.Map:
		return &ast.MapType{Map: token.Pos(p), Key: f.typeExpr(p, t.Key()), Value: f.typeExpr(p, t.Elem())}
	case *types.Chan:
		dir := map[types.ChanDir]ast.ChanDir{types.SendRecv: ast.SEND | ast.RECV, types.SendOnly: ast.SEND, types.RecvOnly: ast.RECV}[t.Dir()]
		return &ast.ChanType{Begin: token.Pos(p), Dir: dir, Value: f.typeExpr(p, t.Elem())}
	case *types.Signature:
		return f.funcTypeExpr(p, t, nil)
	case *types.Interface:
		return f.anyExpr(p)
	}
	fail(p, "%s: cells cannot use values of this type", celltype.Text(t))
	return nil
}

func (f *scope) anyExpr(p at) ast.Expr {
	return &ast.InterfaceType{Interface: token.Pos(p), Methods: p.fields()}
}

func (f *scope) basicExpr(p at, t *types.Basic) ast.Expr {
	switch t.Kind() {
	case types.UntypedNil:
		return f.anyExpr(p)
	case types.UnsafePointer, types.Invalid:
		fail(p, "%s: cells cannot use values of this type", t)
	}
	return p.id(types.Default(t).(*types.Basic).Name())
}

func (f *scope) namedExpr(p at, t *types.Named) ast.Expr {
	obj := t.Obj()
	switch {
	case obj.Pkg() == nil: // error
		return p.id(obj.Name())
	case celltype.IsLiteral(t):
		return f.typeExpr(p, t.Underlying())
	case !check.IsCell(obj.Pkg()):
		return f.compiledExpr(p, t)
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return f.anyExpr(p)
	case *types.Struct:
		return f.structExpr(p, u)
	default:
		if celltype.Recursive(t) {
			return f.symbol(p, f.innerType(p, t))
		}
		return f.typeExpr(p, u)
	}
}

// compiledExpr names a type of a compiled package.
func (f *scope) compiledExpr(p at, t *types.Named) ast.Expr {
	obj := t.Obj()
	if _, err := f.s.Table.Inner(t); err != nil {
		fail(p, "%v", err)
	}
	if !obj.Exported() {
		return f.symbol(p, f.innerType(p, t))
	}
	return f.qualified(p, obj.Pkg().Path(), obj.Name())
}

// qualified returns an expression for a name of a compiled package.
func (f *scope) qualified(p at, path, name string) ast.Expr {
	alias := f.s.hooks.Alias(path)
	f.imports[alias] = path
	return p.sel(p.id(alias), name)
}

func (f *scope) structExpr(p at, t *types.Struct) ast.Expr {
	return f.symbol(p, f.innerType(p, t))
}

func (f *scope) innerType(p at, t types.Type) reflect.Type {
	r, err := f.s.Table.Inner(t)
	if err != nil {
		fail(p, "%v", err)
	}
	return r
}

// symbol names an inner type that the interpreter knows as one of a compiled
// package.
func (f *scope) symbol(p at, t reflect.Type) ast.Expr {
	name, ok := f.s.structs[t]
	if !ok {
		name = fmt.Sprintf("T%d", len(f.s.structs))
		f.s.structs[t] = name
	}
	f.symbols[name] = reflect.Zero(reflect.PointerTo(t))
	return p.sel(p.id(TypesName), name)
}

// funcTypeExpr returns the type of a function, with names for its parameters
// if names is not nil.
func (f *scope) funcTypeExpr(p at, sig *types.Signature, names func(*types.Var) string) *ast.FuncType {
	list := func(t *types.Tuple, variadic bool) []*ast.Field {
		var fields []*ast.Field
		for i := range t.Len() {
			v := t.At(i)
			name := ""
			if names != nil {
				name = names(v)
			}
			typ := f.typeExpr(p, v.Type())
			if variadic && i == t.Len()-1 {
				typ = &ast.Ellipsis{Ellipsis: token.Pos(p), Elt: f.typeExpr(p, v.Type().(*types.Slice).Elem())}
			}
			fields = append(fields, p.field(name, typ))
		}
		return fields
	}
	return p.funcType(list(sig.Params(), sig.Variadic()), list(sig.Results(), false))
}
