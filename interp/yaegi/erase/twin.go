package erase

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// twinInstance returns a function that is an instance of a compiled generic function,
// which an interpreter cannot instantiate, by way of its twin; "" if it has none. The
// twin of
//
//	func G[T, U any](x X, f func(T) U) R
//
// is declared func GAny(x X, f any) any: every parameter and the result whose
// type mentions a type parameter becomes any (a variadic ...T becomes ...any),
// and for each type parameter that cannot be inferred from the arguments a
// leading reflect.Type is added, in their order. A call is lowered to
// GAny(x, f).(R) with R instantiated; of several results each is asserted.
// Examples:
//
//	nv.Jit(f)            nv.JitAny(f).(func(a, b nv.Tensor) nv.Tensor)
//	nv.Item[float64](x)  nv.ItemAny(reflect.TypeOf(float64(0)), x).(float64)
func (f *scope) twinInstance(p at, fn *types.Func, args []types.Type) string {
	path, twin := fn.Pkg().Path(), fn.Name()+"Any"
	if _, ok := f.s.hooks.Symbols(path)[twin]; !ok {
		return ""
	}
	var key strings.Builder
	key.WriteString("twin " + path + "." + twin)
	for _, a := range args {
		key.WriteString("[" + f.s.Table.Key(a) + "]")
	}
	return f.helper(key.String(), func(name string) *ast.FuncDecl {
		inst, err := types.Instantiate(f.types, fn.Type(), args, false)
		if err != nil {
			fail(p, "%v", err)
		}
		return f.twinFunc(p, name, fn, inst.(*types.Signature), args, f.qualified(p, path, twin))
	})
}

// twinFunc returns func(parameters) results { return twin(...) }, with any for
// what depends on a type parameter.
func (f *scope) twinFunc(p at, name string, fn *types.Func, sig *types.Signature, targs []types.Type, twin ast.Expr) *ast.FuncDecl {
	names, args := f.numbered(p, sig)
	generic := fn.Signature()
	var body []ast.Stmt
	call := p.call(twin)
	for i := range generic.TypeParams().Len() {
		if !mentions(generic.Params(), generic.TypeParams().At(i)) {
			call.Args = append(call.Args, p.rt("TypeOf", f.row(p, targs[i])))
		}
	}
	for i := range args {
		t := sig.Params().At(i).Type()
		switch last := sig.Variadic() && i == len(args)-1; {
		case !depends(generic.Params().At(i).Type()):
			call.Args = append(call.Args, args[i])
		case last:
			list := f.unique("x")
			body = append(body, f.boxedList(p, list, args[i], t.(*types.Slice).Elem())...)
			call.Args = append(call.Args, p.id(list))
		default:
			call.Args = append(call.Args, f.convert(p, args[i], t, anyType))
		}
	}
	if sig.Variadic() {
		call.Ellipsis = token.Pos(p)
	}
	body = append(body, f.assertedResults(p, generic, sig, call)...)
	return p.funcDecl(name, f.funcTypeExpr(p, names, func(v *types.Var) string { return v.Name() }), p.block(body...))
}

// boxedList makes a list of any of a variadic argument.
func (f *scope) boxedList(p at, list string, x ast.Expr, elem types.Type) []ast.Stmt {
	i := f.unique("i")
	at := &ast.IndexExpr{X: x, Lbrack: token.Pos(p), Index: p.id(i), Rbrack: token.Pos(p)}
	return []ast.Stmt{
		p.variable(list, &ast.ArrayType{Lbrack: token.Pos(p), Elt: f.anyExpr(p)}),
		&ast.RangeStmt{For: token.Pos(p), Key: p.id(i), Tok: token.DEFINE, X: x, Body: p.block(
			p.set(p.id(list), p.call(p.id("append"), p.id(list), f.convert(p, at, elem, anyType))))},
	}
}

// assertedResults returns the results of a twin's call as what the instance returns.
func (f *scope) assertedResults(p at, generic, sig *types.Signature, call ast.Expr) []ast.Stmt {
	n := sig.Results().Len()
	if n == 0 {
		return []ast.Stmt{p.expr(call)}
	}
	var names, values []ast.Expr
	for i := range n {
		name := f.unique("r")
		names = append(names, p.id(name))
		t := sig.Results().At(i).Type()
		if !depends(generic.Results().At(i).Type()) {
			values = append(values, p.id(name))
			continue
		}
		values = append(values, p.call(p.id(f.assertion(p, anyType, t, false)), p.id(name)))
	}
	return []ast.Stmt{p.assign(token.DEFINE, names, call), p.ret(values...)}
}

// depends reports whether a type mentions a type parameter.
func depends(t types.Type) bool { return mentionsParam(t, nil, map[types.Type]bool{}) }

func mentions(t *types.Tuple, param *types.TypeParam) bool {
	for v := range t.Variables() {
		if mentionsParam(v.Type(), param, map[types.Type]bool{}) {
			return true
		}
	}
	return false
}

// mentionsParam reports whether t mentions param, or any parameter if param is nil.
func mentionsParam(t types.Type, param *types.TypeParam, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	in := func(t types.Type) bool { return mentionsParam(t, param, seen) }
	tuple := func(t *types.Tuple) bool {
		for v := range t.Variables() {
			if in(v.Type()) {
				return true
			}
		}
		return false
	}
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return param == nil || t == param
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if in(a) {
				return true
			}
		}
	case *types.Map:
		return in(t.Key()) || in(t.Elem())
	case *types.Signature:
		return tuple(t.Params()) || tuple(t.Results())
	case *types.Struct:
		for v := range t.Fields() {
			if in(v.Type()) {
				return true
			}
		}
	case interface{ Elem() types.Type }:
		return in(t.Elem())
	}
	return false
}
