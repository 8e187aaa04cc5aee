package erase

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/yaegi/celltype"
)

// A methodVar is the variable through which a method is called, so that a
// later cell can give the method a new body.
type methodVar struct {
	name string
	sig  string // key of the signature
}

// receiver lowers the receiver of s, which stands for x.M, as the method
// wants it, and returns the type that has the method.
func (f *scope) receiver(p at, e *ast.SelectorExpr, s *selection) (ast.Expr, types.Type) {
	return f.walk(p, f.expr(e.X), f.typ(e.X), s.path[:len(s.path)-1])
}

// adapt turns a receiver of type t, pointer or not, into what m is declared on.
func (f *scope) adapt(p at, x ast.Expr, t types.Type, m *types.Func) ast.Expr {
	_, want := elemOf(m.Signature().Recv().Type())
	_, have := elemOf(t)
	switch {
	case want && !have:
		return p.ref(p.paren(x))
	case have && !want:
		return p.deref(x)
	}
	return x
}

// methodFunc returns the function, receiver first, that the method m of t is;
// nil if a compiled type has it.
func (f *scope) methodFunc(p at, t types.Type, m *types.Func) ast.Expr {
	base, _ := elemOf(t)
	switch {
	case isInterface(base):
		if !isErased(base) {
			return nil
		}
		return p.id(f.dispatcher(p, m))
	case !f.declaredHere(base):
		return nil
	}
	named := types.Unalias(base).(*types.Named)
	if named.TypeArgs().Len() > 0 {
		return p.id(f.methodInstance(p, named, m.Name()))
	}
	if f.self == m {
		return p.id(f.selfAs)
	}
	v := f.s.methods[f.methodKey(named, m.Name())]
	if v == nil {
		fail(p, "method %s of %s is not known", m.Name(), celltype.Text(named))
	}
	return p.id(v.name)
}

// ending are methods that end the process, and what is called instead.
var ending = map[string]string{
	"(*log.Logger).Fatal": "Panic", "(*log.Logger).Fatalf": "Panicf", "(*log.Logger).Fatalln": "Panicln",
}

// harmless returns the name of a method of a compiled type, or of one that does
// the same but for ending the kernel.
func harmless(m *types.Func) string {
	if instead, ok := ending[m.FullName()]; ok {
		return instead
	}
	return m.Name()
}

// declaredHere reports whether t is a cell's type or one of a std package that
// exists as source.
func (f *scope) declaredHere(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && check.IsCell(n.Obj().Pkg())
}

func (u *unit) methodKey(t *types.Named, name string) string {
	return u.s.Table.Key(t) + "." + name
}

// dispatcher returns the function that calls method m of an interface that is
// held as any.
func (f *scope) dispatcher(p at, m *types.Func) string {
	sig := f.subst(f.env, m.Signature()).(*types.Signature)
	return f.helper("call "+m.Name()+f.s.Table.Key(sig), func(name string) *ast.FuncDecl {
		names, args := f.numbered(p, sig)
		t := f.funcTypeExpr(p, names, func(v *types.Var) string { return v.Name() })
		t.Params.List = append([]*ast.Field{p.field("ꓸv", f.anyExpr(p))}, t.Params.List...)
		full := f.funcTypeExpr(p, sig, nil)
		full.Params.List = append([]*ast.Field{p.field("", p.star(p.id("int8")))}, full.Params.List...)
		call := nowhere.call(nowhere.id("ꓸf"), append([]ast.Expr{nowhere.id("ꓸp")}, args...)...)
		if sig.Variadic() {
			call.Ellipsis = token.Pos(p)
		}
		body := p.block(
			p.variable("ꓸf", full),
			p.define("ꓸp", p.rt("Method", p.id("ꓸv"), p.str(m.Name()), p.ref(p.id("ꓸf")))),
			f.callStmt(nowhere, sig, call))
		return p.funcDecl(name, t, body)
	})
}

// callStmt returns the results of a call, if it has any.
func (f *scope) callStmt(p at, sig *types.Signature, call ast.Expr) ast.Stmt {
	if sig.Results().Len() == 0 {
		return p.expr(call)
	}
	return p.ret(call)
}

// numbered returns sig with names for its parameters, and these as arguments.
func (f *scope) numbered(p at, sig *types.Signature) (*types.Signature, []ast.Expr) {
	var vars []*types.Var
	var args []ast.Expr
	for i := range sig.Params().Len() {
		name := "ꓸa" + string(rune('a'+i))
		vars = append(vars, types.NewVar(0, nil, name, sig.Params().At(i).Type()))
		args = append(args, p.id(name))
	}
	var results []*types.Var
	for v := range sig.Results().Variables() {
		results = append(results, types.NewVar(0, nil, "", v.Type()))
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), types.NewTuple(results...), sig.Variadic()), args
}

// methodValue lowers x.M that is not called: x is evaluated now.
func (f *scope) methodValue(p at, e *ast.SelectorExpr, s *selection) ast.Expr {
	m := s.obj.(*types.Func)
	x, t := f.receiver(p, e, s)
	fn := f.lasting().methodFunc(p, t, m)
	if fn == nil {
		return f.compiledValue(p, x, t, m)
	}
	if !isInterface(t) {
		x = f.adapt(p, x, t, m)
	}
	recvT := f.recvType(t, m, s)
	return f.closeOver(p, x, recvT, f.subst(f.env, s.signature(f)).(*types.Signature), func(recv ast.Expr, args []ast.Expr) *ast.CallExpr {
		return p.call(fn, append([]ast.Expr{recv}, args...)...)
	})
}

// lasting returns f for what may be called after a later cell has given the
// method that f is in another body.
func (f *scope) lasting() *scope {
	g := *f
	g.self = nil
	return &g
}

// recvType returns the type of the receiver that adapt makes.
func (f *scope) recvType(t types.Type, m *types.Func, s *selection) types.Type {
	if isInterface(t) {
		return t
	}
	return m.Signature().Recv().Type()
}

// signature returns the type of the method, without receiver.
func (s *selection) signature(f *scope) types.Type {
	m := s.obj.(*types.Func).Signature()
	return types.NewSignatureType(nil, nil, nil, m.Params(), m.Results(), m.Variadic())
}

// compiledValue binds a compiled method to x.
func (f *scope) compiledValue(p at, x ast.Expr, t types.Type, m *types.Func) ast.Expr {
	recv := t
	if _, isPtr := elemOf(m.Signature().Recv().Type()); isPtr && !isInterface(t) {
		x = f.adapt(p, x, t, m)
		if _, have := elemOf(t); !have {
			recv = types.NewPointer(t)
		}
	}
	sig := m.Signature()
	sig = types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	return f.closeOver(p, x, recv, sig, func(recv ast.Expr, args []ast.Expr) *ast.CallExpr {
		return p.call(p.sel(recv, harmless(m)), args...)
	})
}

// closeOver returns func(r) func(args) results { return func... { call } }(x).
func (f *scope) closeOver(p at, x ast.Expr, t types.Type, sig *types.Signature, call func(ast.Expr, []ast.Expr) *ast.CallExpr) ast.Expr {
	names, args := f.numbered(p, sig)
	c := call(p.id("ꓸr"), args)
	if sig.Variadic() {
		c.Ellipsis = token.Pos(p)
	}
	inner := p.function(f.funcTypeExpr(p, names, func(v *types.Var) string { return v.Name() }), f.callStmt(p, sig, c))
	outer := p.funcType([]*ast.Field{p.field("ꓸr", f.typeExpr(p, t))}, []*ast.Field{p.field("", f.funcTypeExpr(p, sig, nil))})
	return p.call(p.function(outer, p.ret(inner)), x)
}

// methodExpr lowers T.M: a function with the receiver first.
func (f *scope) methodExpr(p at, e *ast.SelectorExpr, s *selection) ast.Expr {
	sig := f.typ(e).Underlying().(*types.Signature)
	m := s.obj.(*types.Func)
	names, args := f.numbered(p, sig)
	x, t := f.walk(p, args[0], s.recv, s.path[:len(s.path)-1])
	var call *ast.CallExpr
	if fn := f.lasting().methodFunc(p, t, m); fn == nil {
		call = p.call(p.sel(p.paren(x), harmless(m)), args[1:]...)
	} else {
		if !isInterface(t) {
			x = f.adapt(p, x, t, m)
		}
		call = p.call(fn, append([]ast.Expr{x}, args[1:]...)...)
	}
	if sig.Variadic() {
		call.Ellipsis = token.Pos(p)
	}
	return p.function(f.funcTypeExpr(p, names, func(v *types.Var) string { return v.Name() }), f.callStmt(p, sig, call))
}

// declareMethods gives every method that the file declares its variable.
func (u *unit) declareMethods(file *ast.File) {
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		fn, _ := u.info.Defs[d.Name].(*types.Func)
		if fn == nil {
			continue
		}
		if d.Recv == nil {
			if fn.Signature().TypeParams().Len() > 0 {
				u.declareGeneric(d, fn)
			}
			continue
		}
		u.declareMethod(d, fn)
	}
}

func (u *unit) declareMethod(d *ast.FuncDecl, fn *types.Func) {
	base, _ := elemOf(fn.Signature().Recv().Type())
	named := types.Unalias(base).(*types.Named)
	if named.TypeParams().Len() > 0 || named.TypeArgs().Len() > 0 {
		u.s.generics[u.genericKey(named, fn.Name())] = &source{d, u.info}
		return
	}
	key, sig := u.methodKey(named, fn.Name()), u.s.Table.Key(fn.Signature())
	_, isPtr := elemOf(fn.Signature().Recv().Type())
	if isPtr {
		sig = "*" + sig
	}
	if v := u.s.methods[key]; v != nil && v.sig == sig {
		return
	}
	p := at(d.Pos())
	v := &methodVar{u.unique(named.Obj().Name() + "ꓸ" + fn.Name()), sig}
	old := u.s.methods[key]
	u.undo = append(u.undo, func() { u.s.methods[key] = old })
	u.s.methods[key] = v
	f := u.top()
	t := f.funcTypeExpr(p, fn.Signature(), nil)
	t.Params.List = append([]*ast.Field{p.field("", f.typeExpr(p, fn.Signature().Recv().Type()))}, t.Params.List...)
	u.out.Decls = append(u.out.Decls, p.global(v.name, t))
}

// genericKey identifies a method of a generic type over its instances.
func (u *unit) genericKey(named *types.Named, name string) string {
	o := named.Origin().Obj()
	key := u.s.hooks.TypeName(o)
	if key == "" || !check.IsCell(o.Pkg()) {
		key = o.Pkg().Path() + "." + o.Name()
	}
	return key + "." + name
}

// method lowers a method to a function, assigns it to its variable and binds
// it to the type.
func (u *unit) method(d *ast.FuncDecl, fn *types.Func) {
	p := at(d.Pos())
	recv := fn.Signature().Recv()
	base, isPtr := elemOf(recv.Type())
	named := types.Unalias(base).(*types.Named)
	v := u.s.methods[u.methodKey(named, fn.Name())]
	f := u.top()
	if symbol := u.s.Compiled[d]; symbol != "" {
		u.prologue = append(u.prologue, p.set(p.id(v.name), p.sel(p.id(TypesName), symbol)))
		u.bind(f, p, named, fn, isPtr, nowhere.id(v.name))
		return
	}
	name := u.unique(named.Obj().Name() + "ꓸ" + fn.Name())
	f.self, f.selfAs, f.function = fn, name, true
	u.out.Decls = append(u.out.Decls, f.methodDecl(p, d, name, recv, fn.Signature()))
	u.prologue = append(u.prologue, p.set(p.id(v.name), p.id(name)))
	u.bind(f, p, named, fn, isPtr, nowhere.id(v.name))
}

// methodDecl lowers a method's declaration to a function.
func (f *scope) methodDecl(p at, d *ast.FuncDecl, name string, recv *types.Var, sig *types.Signature) *ast.FuncDecl {
	field := p.field(f.paramName(recv), f.typeExpr(p, f.subst(f.env, recv.Type())))
	f.signature(types.NewSignatureType(nil, nil, nil, nil, f.substVars(sig.Results()), false))
	t := f.declaredType(p, sig, field)
	return p.funcDecl(name, t, f.body(d.Body, f.reentrant(d)))
}

// bind tells the table of the session which function a method is. The function
// is given a pointer in any case.
func (u *unit) bind(f *scope, p at, named *types.Named, fn *types.Func, isPtr bool, target ast.Expr) {
	sig := f.subst(f.env, types.NewSignatureType(nil, nil, nil, fn.Signature().Params(), fn.Signature().Results(), fn.Signature().Variadic())).(*types.Signature)
	names, args := f.numbered(p, sig)
	var recv ast.Expr = nowhere.id("ꓸr")
	if !isPtr {
		recv = nowhere.deref(recv)
	}
	call := nowhere.call(target, append([]ast.Expr{recv}, args...)...)
	if sig.Variadic() {
		call.Ellipsis = token.Pos(p)
	}
	t := f.funcTypeExpr(p, names, func(v *types.Var) string { return v.Name() })
	t.Params.List = append([]*ast.Field{p.field("ꓸr", p.star(f.typeExpr(p, named)))}, t.Params.List...)
	body := p.function(t, f.callStmt(nowhere, sig, call))
	n, err := u.s.Table.Row(named)
	if err == nil {
		_, err = u.s.Table.Outer(named) // also where the row was there before the method
	}
	if err != nil {
		fail(p, "%v", err)
	}
	u.prologue = append(u.prologue, p.expr(p.rt("Bind", p.num(n), p.str(fn.Name()), body)))
}
