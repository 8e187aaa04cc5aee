package erase

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/goanvil/notebook/interp/yaegi/celltype"
)

func (f *scope) call(p at, e *ast.CallExpr) ast.Expr {
	fun := ast.Unparen(e.Fun)
	switch tv := f.info.Types[fun]; {
	case tv.IsType():
		return f.conversion(p, e, f.typ(e))
	case tv.IsBuiltin():
		return f.builtin(p, e, builtinName(fun))
	}
	sig, ok := coreSignature(f.typ(fun))
	if !ok {
		fail(p, "call of %s", celltype.Text(f.typ(fun)))
	}
	if isErrorsAs(f.info, fun) {
		return f.errorsAs(p, e, sig)
	}
	fn, recv := f.callee(p, fun)
	outside := f.willTrace
	f.willTrace = f.traces(fun)
	defer func() { f.willTrace = outside }()
	return f.finish(p, e, fn, recv, sig)
}

// errorsAs lowers a call of errors.As. Where the target points to a variable of
// an interface that a cell declares, which is an any to compiled code, package
// support asks for the methods.
func (f *scope) errorsAs(p at, e *ast.CallExpr, sig *types.Signature) ast.Expr {
	if len(e.Args) != 2 {
		fail(p, "errors.As with the results of a call cannot run in a cell; keep them in variables first")
	}
	t := f.typ(e.Args[1])
	elem, isPointer := elemOf(t)
	switch {
	case isInterface(t):
		return p.rt("ErrorsAsAny", f.argument(e.Args[0], errorType), f.anyOf(e.Args[1]))
	case isPointer && isErased(elem):
		return p.rt("ErrorsAs", f.row(p, elem), f.row(p, t), f.argument(e.Args[0], errorType), f.anyOf(e.Args[1]))
	}
	return f.finish(p, e, f.qualified(p, "errors", "As"), nil, sig)
}

var errorType = types.Universe.Lookup("error").Type()

// isErrorsAs reports whether e is the name errors.As.
func isErrorsAs(info *types.Info, e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn, ok := info.Uses[sel.Sel].(*types.Func)
	return ok && fn.FullName() == "errors.As"
}

// coreSignature returns the signature of what is called.
func coreSignature(t types.Type) (*types.Signature, bool) {
	if t == nil {
		return nil, false
	}
	sig, ok := t.Underlying().(*types.Signature)
	return sig, ok
}

func builtinName(fun ast.Expr) string {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return "unsafe." + fun.Sel.Name
	}
	return ""
}

// callee lowers what is called; a method's receiver becomes the first argument.
func (f *scope) callee(p at, fun ast.Expr) (fn ast.Expr, recv []ast.Expr) {
	if f.declared(fun) != nil {
		return f.calledHere(f.called(p, fun)), nil
	}
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		f.direct = isFuncLit(fun)
		return f.expr(fun), nil
	}
	s := f.selection(sel)
	if s == nil || s.kind != types.MethodVal {
		return f.expr(fun), nil
	}
	m := s.obj.(*types.Func)
	x, t := f.receiver(p, sel, s)
	fn = f.methodFunc(p, t, m)
	if fn == nil {
		return p.sel(p.paren(x), harmless(m)), nil
	}
	if !isInterface(t) {
		x = f.adapt(p, x, t, m)
	}
	return fn, []ast.Expr{x}
}

// finish lowers the arguments and makes the call.
func (f *scope) finish(p at, e *ast.CallExpr, fn ast.Expr, recv []ast.Expr, sig *types.Signature) ast.Expr {
	if len(e.Args) == 1 {
		if tuple, ok := f.typ(e.Args[0]).(*types.Tuple); ok && (len(recv) > 0 || f.spreads(tuple, sig)) {
			return f.spreadCall(p, e, fn, recv, sig, tuple)
		}
	}
	args := recv
	for i, a := range e.Args {
		if _, ok := f.typ(a).(*types.Tuple); ok {
			args = append(args, f.expr(a))
			continue
		}
		args = append(args, f.argument(a, paramType(sig, i, e.Ellipsis.IsValid())))
	}
	c := p.call(fn, args...)
	if e.Ellipsis.IsValid() {
		c.Ellipsis = e.Ellipsis
	}
	return c
}

// argument lowers an argument. The interpreter cannot pass nil to a compiled
// function that wants an interface.
func (f *scope) argument(e ast.Expr, to types.Type) ast.Expr {
	if f.info.Types[e].IsNil() && isInterface(to) && !isErased(to) {
		return f.zero(f.at(e), to)
	}
	return f.exprTo(e, to)
}

// paramType returns the type of the place of argument i.
func paramType(sig *types.Signature, i int, spread bool) types.Type {
	n := sig.Params().Len()
	if !sig.Variadic() || i < n-1 || spread {
		return sig.Params().At(i).Type()
	}
	last := sig.Params().At(n - 1).Type()
	if s, ok := last.Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return last // append([]byte, string...)
}

// spreads reports whether f(g()) needs its values converted.
func (f *scope) spreads(t *types.Tuple, sig *types.Signature) bool {
	for i := range t.Len() {
		if f.needsConversion(t.At(i).Type(), paramType(sig, i, false)) {
			return true
		}
	}
	return false
}

// spreadCall lowers f(g()) by way of variables.
func (f *scope) spreadCall(p at, e *ast.CallExpr, fn ast.Expr, recv []ast.Expr, sig *types.Signature, t *types.Tuple) ast.Expr {
	var names, args []ast.Expr
	for i := range t.Len() {
		name := f.unique("t")
		names = append(names, p.id(name))
		args = append(args, f.convert(p, p.id(name), t.At(i).Type(), paramType(sig, i, false)))
	}
	var results []*ast.Field
	for v := range sig.Results().Variables() {
		results = append(results, p.field("", f.typeExpr(p, v.Type())))
	}
	call := p.call(fn, append(recv, args...)...)
	return p.call(p.function(p.funcType(nil, results),
		p.assign(token.DEFINE, names, f.expr(e.Args[0])),
		f.callStmt(p, sig, call)))
}

// conversion lowers T(x).
func (f *scope) conversion(p at, e *ast.CallExpr, to types.Type) ast.Expr {
	arg := e.Args[0]
	if f.info.Types[arg].IsNil() {
		return p.call(p.paren(f.typeExpr(p, to)), p.id("nil"))
	}
	if isInterface(to) {
		return f.exprTo(arg, to)
	}
	from := f.typ(arg)
	if tv := f.info.Types[arg]; tv.Value != nil {
		if b, ok := to.Underlying().(*types.Basic); ok && b.Info()&types.IsString == 0 {
			return f.constant(p, tv.Value, to) // T is a type parameter
		}
		from = types.Default(from)
	}
	x := f.exprTo(arg, from)
	if f.sameInner(from, to) {
		return p.paren(x)
	}
	switch u := to.Underlying().(type) {
	case *types.Array:
		return f.sliceTo(p, "ToArray", x, from, to)
	case *types.Pointer:
		if _, ok := u.Elem().Underlying().(*types.Array); ok {
			if _, ok := from.Underlying().(*types.Slice); ok {
				return f.sliceTo(p, "ToArrayPointer", x, from, to)
			}
		}
	case *types.Struct:
		fail(p, "%s to %s: a cell cannot convert between a struct of its own and one of a compiled package; copy the fields", celltype.Text(from), celltype.Text(to))
	}
	return p.call(p.paren(f.typeExpr(p, to)), x)
}

// sliceTo converts a slice to an array or to a pointer to one.
func (f *scope) sliceTo(p at, support string, x ast.Expr, from, to types.Type) ast.Expr {
	name := f.helper(support+f.s.Table.Key(to), func(name string) *ast.FuncDecl {
		t := p.funcType([]*ast.Field{p.field("v", f.typeExpr(p, from))}, []*ast.Field{p.field("", f.typeExpr(p, to))})
		return p.funcDecl(name, t, p.block(p.variable("r", f.typeExpr(p, to)), p.expr(p.rt(support, p.ref(p.id("r")), p.id("v"))), p.ret(p.id("r"))))
	})
	return p.call(p.id(name), x)
}
