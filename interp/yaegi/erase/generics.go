package erase

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/yaegi/celltype"
)

// funcDecl lowers a function or method; generic ones wait for their instances.
func (u *unit) funcDecl(d *ast.FuncDecl) *ast.FuncDecl {
	fn, _ := u.info.Defs[d.Name].(*types.Func)
	if fn == nil { // init and _ have no object in some cases
		return nil
	}
	sig := fn.Signature()
	switch {
	case sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0:
		return nil
	case d.Recv != nil:
		u.method(d, fn)
		return nil
	}
	f := u.top()
	f.signature(sig)
	f.function = d.Name.Name != u.entry
	p := f.at(d)
	t := f.declaredType(p, sig, nil)
	name := d.Name.Name
	if name == "init" { // any number of them, run when the variables are set
		name = u.unique(name)
		u.inits = append(u.inits, nowhere.expr(nowhere.call(nowhere.id(name))))
	}
	out := p.funcDecl(name, t, f.body(d.Body, f.reentrant(d)))
	u.out.Decls = append(u.out.Decls, out)
	return out
}

// mentionGraph notes which functions the functions of the file mention.
func (u *unit) mentionGraph() {
	u.mentionedBy = map[*types.Func][]*types.Func{}
	note := func(d *ast.FuncDecl, info *types.Info) {
		fn, _ := info.Defs[d.Name].(*types.Func)
		if fn == nil || d.Body == nil {
			return
		}
		ast.Inspect(d.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if g, ok := info.Uses[id].(*types.Func); ok && check.IsCell(g.Pkg()) {
					u.mentionedBy[fn] = append(u.mentionedBy[fn], g.Origin())
				}
			}
			return true
		})
	}
	for _, d := range u.decls {
		note(d, u.info)
	}
}

// instanceOf lowers a mention of a generic function.
func (f *scope) instanceOf(p at, e ast.Expr) ast.Expr {
	var id *ast.Ident
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	case *ast.IndexExpr:
		return f.instanceOf(p, x.X)
	case *ast.IndexListExpr:
		return f.instanceOf(p, x.X)
	}
	fn, ok := f.object(id).(*types.Func)
	if !ok {
		fail(p, "%T cannot run in a cell", e)
	}
	var args []types.Type
	for t := range f.info.Instances[id].TypeArgs.Types() {
		args = append(args, f.subst(f.env, t))
	}
	if !check.IsCell(fn.Pkg()) {
		if name := f.twinInstance(p, fn, args); name != "" {
			return p.id(name)
		}
	}
	src := f.genericSource(p, fn)
	return p.id(f.instance(p, fn.Name(), f.keyOf(fn), src, args))
}

// keyOf identifies a generic function.
func (f *scope) keyOf(fn *types.Func) string {
	if check.IsCell(fn.Pkg()) {
		return fn.Name()
	}
	return strings.TrimPrefix(fn.Pkg().Path(), stdPath) + "." + fn.Name()
}

// genericSource returns the source of a generic function.
func (f *scope) genericSource(p at, fn *types.Func) *source {
	if check.IsCell(fn.Pkg()) {
		if src := f.s.generics[fn.Name()]; src != nil {
			return src
		}
		fail(p, "the source of %s is not known", fn.Name())
	}
	src := f.stdSource(p, fn)
	if src == nil {
		fail(p, "%s.%s is generic and compiled, which a cell cannot call yet; write the function out", fn.Pkg().Name(), fn.Name())
	}
	return src
}

func (s *source) typeParams() *types.TypeParamList {
	fn := s.info.Defs[s.decl.Name].(*types.Func)
	if l := fn.Signature().RecvTypeParams(); l.Len() > 0 {
		return l
	}
	return fn.Signature().TypeParams()
}

// instance returns the function that is src for a list of type arguments,
// lowering it if no file has done so yet.
func (u *unit) instance(p at, name, key string, src *source, args []types.Type) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", key)
	for _, a := range args {
		fmt.Fprintf(&b, "[%s]", u.s.Table.Key(a))
	}
	function := key
	key = b.String()
	if n, ok := u.s.instances[key]; ok {
		return n
	}
	if n, ok := u.own[key]; ok {
		return n
	}
	inst := u.unique(strings.ReplaceAll(name, "ꓸ", "") + "ꓸ")
	u.own[key] = inst
	if u.isLate(src) {
		u.made[function] = append(u.made[function], instance{inst, args})
		u.declareInstance(p, inst, src, src.typeArgs(args))
	}
	if len(u.own) > 2000 {
		fail(p, "%s: a generic function needs endlessly many instances of itself", name)
	}
	u.pending = append(u.pending, func() { u.lowerInstance(p, inst, src, src.typeArgs(args)) })
	return inst
}

func (u *unit) lowerInstance(p at, name string, src *source, env typeArgs) {
	f := u.top()
	f.info, f.env = src.info, env
	if d := src.decl; d.Pos() < u.out.FileStart || d.Pos() > u.out.FileEnd || src.info != u.info {
		f.fixed = token.Pos(p)
	}
	fn := src.info.Defs[src.decl.Name].(*types.Func)
	sig := fn.Signature()
	f.checkLocalTypes(src.decl)
	if recv := sig.Recv(); recv != nil {
		u.out.Decls = append(u.out.Decls, f.methodDecl(p, src.decl, name, recv, sig))
		return
	}
	if u.isLate(src) {
		f.inst, f.selfAs = name, u.unique(fn.Name())
		u.prologue = append(u.prologue, p.set(p.id(name), p.id(f.selfAs)))
		name = f.selfAs
	}
	f.signature(types.NewSignatureType(nil, nil, nil, nil, f.substVars(sig.Results()), false))
	guarded := f.circular(fn)
	t := f.declaredType(p, sig, nil)
	u.out.Decls = append(u.out.Decls, p.funcDecl(name, t, f.body(src.decl.Body, guarded)))
}

// checkLocalTypes refuses types declared in a generic function that depend on
// its type parameters: they would be one type for all instances.
func (f *scope) checkLocalTypes(d *ast.FuncDecl) {
	ast.Inspect(d.Body, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		o := f.info.Defs[spec.Name]
		if u := o.Type().Underlying(); f.s.Table.Key(f.subst(f.env, u)) != f.s.Table.Key(u) {
			fail(f.at(spec), "type %s depends on the type parameters of %s; declare it at the top of a cell, with type parameters of its own", spec.Name.Name, d.Name.Name)
		}
		return true
	})
}

// methodInstance returns the function that a method of an instantiated type is.
func (f *scope) methodInstance(p at, named *types.Named, method string) string {
	key := f.genericKey(named, method)
	src := f.s.generics[key]
	if src == nil {
		fail(p, "the source of method %s of %s is not known", method, celltype.Text(named))
	}
	var args []types.Type
	for t := range named.TypeArgs().Types() {
		args = append(args, t)
	}
	return f.instance(p, named.Obj().Name()+method, key, src, args)
}

// bindInstances binds the methods of the instantiated types that t is made of,
// before a value of t reaches compiled code.
func (f *scope) bindInstances(p at, t types.Type) {
	walkTypes(t, map[types.Type]bool{}, func(n *types.Named) {
		if n.TypeArgs().Len() == 0 || !f.declaredHere(n) || isInterface(n) {
			return
		}
		key := f.s.Table.Key(n)
		if f.s.bound[key] {
			return
		}
		f.s.bound[key] = true
		f.undo = append(f.undo, func() { delete(f.s.bound, key) })
		for i := range n.NumMethods() {
			m := n.Method(i)
			_, isPtr := elemOf(m.Signature().Recv().Type())
			g := f.top()
			f.bind(g, p, n, m, isPtr, nowhere.id(f.methodInstance(p, n, m.Name())))
		}
	})
}

// walkTypes visits the cell types that t is made of.
func walkTypes(t types.Type, seen map[types.Type]bool, visit func(*types.Named)) {
	t = types.Unalias(t)
	if seen[t] {
		return
	}
	seen[t] = true
	walk := func(t types.Type) { walkTypes(t, seen, visit) }
	switch t := t.(type) {
	case *types.Named:
		if check.IsCell(t.Obj().Pkg()) {
			visit(t)
			walk(t.Underlying())
		}
	case *types.Struct:
		for v := range t.Fields() {
			walk(v.Type())
		}
	case *types.Map:
		walk(t.Key())
		walk(t.Elem())
	case *types.Signature:
		for v := range t.Params().Variables() {
			walk(v.Type())
		}
		for v := range t.Results().Variables() {
			walk(v.Type())
		}
	case interface{ Elem() types.Type }:
		walk(t.Elem())
	}
}
