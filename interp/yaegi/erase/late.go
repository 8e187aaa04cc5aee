package erase

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/goanvil/notebook/interp/check"
)

// A later cell can give a function another body: a call by name finds it,
// since the name is a variable's. A value that is a function must find it too,
// wherever it is kept, so that it is one that calls by name.

// functionValue lowers a mention of a declared function that is not called there.
func (f *scope) functionValue(p at, e ast.Expr) ast.Expr {
	x := f.called(p, e)
	fn := f.declared(e)
	if fn == nil || !f.s.hooks.Late || !check.IsCell(fn.Pkg()) {
		return x
	}
	return p.id(f.lateFunction(p, x.(*ast.Ident).Name, f.typ(e).(*types.Signature)))
}

// lateFunction returns a variable of a function that calls the one called name.
// (The name of a function is not a value everywhere to the interpreter.)
func (f *scope) lateFunction(p at, name string, sig *types.Signature) string {
	purpose := "late " + name
	if v, ok := f.helpers[purpose]; ok {
		return v
	}
	v := f.unique("late")
	f.helpers[purpose] = v
	names, args := f.numbered(p, sig)
	call := nowhere.call(nowhere.id(name), args...)
	if sig.Variadic() {
		call.Ellipsis = token.Pos(p)
	}
	t := f.funcTypeExpr(p, names, func(v *types.Var) string { return v.Name() })
	f.out.Decls = append(f.out.Decls, p.global(v, f.funcTypeExpr(p, sig, nil)))
	f.prologue = append(f.prologue, p.set(p.id(v), p.function(t, f.callStmt(nowhere, sig, call))))
	return v
}

// declared returns the function or method that e names, nil for all else.
func (f *scope) declared(e ast.Expr) *types.Func {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		fn, _ := f.object(x).(*types.Func)
		return fn
	case *ast.IndexExpr:
		return f.declared(x.X)
	case *ast.IndexListExpr:
		return f.declared(x.X)
	}
	return nil
}

// called lowers e, which names a declared function, to what is called.
func (f *scope) called(p at, e ast.Expr) ast.Expr {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if _, instance := f.info.Instances[id]; !instance {
			return p.id(id.Name)
		}
	}
	return f.instanceOf(p, e)
}

// calledHere returns the body's own name for the variable of the instance that
// f is: to the interpreter a call by way of a variable takes twice the time.
func (f *scope) calledHere(fn ast.Expr) ast.Expr {
	if id, ok := fn.(*ast.Ident); ok && f.inst != "" && id.Name == f.inst {
		id.Name = f.selfAs
	}
	return fn
}

// An instance is a function that a generic one has become.
type instance struct {
	name string // of the variable that holds it
	args []types.Type
}

// declareGeneric notes the source of a generic function. Where a later cell
// gives it another body, its instances of earlier cells get that too.
func (u *unit) declareGeneric(d *ast.FuncDecl, fn *types.Func) {
	key, src := fn.Name(), &source{d, u.info}
	old := u.s.generics[key]
	u.s.generics[key] = src
	u.undo = append(u.undo, func() { u.s.generics[key] = old })
	for _, inst := range u.s.made[key] {
		u.pending = append(u.pending, func() { u.lowerInstance(at(d.Pos()), inst.name, src, src.typeArgs(inst.args)) })
	}
}

// typeArgs returns what the type parameters of s stand for.
func (s *source) typeArgs(args []types.Type) typeArgs {
	env := typeArgs{}
	for i, a := range args {
		env[s.typeParams().At(i)] = a
	}
	return env
}

// isLate reports whether a later cell may give the generic function src another
// body. (One of a generic type's methods comes with a new type.)
func (u *unit) isLate(src *source) bool {
	fn := src.info.Defs[src.decl.Name].(*types.Func)
	return u.s.hooks.Late && src.decl.Recv == nil && check.IsCell(fn.Pkg())
}

// declareInstance declares the variable of an instance.
func (u *unit) declareInstance(p at, name string, src *source, env typeArgs) {
	f := u.top()
	f.info, f.env = src.info, env
	sig := src.info.Defs[src.decl.Name].(*types.Func).Signature()
	u.out.Decls = append(u.out.Decls, p.global(name, f.funcTypeExpr(p, f.subst(env, types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())).(*types.Signature), nil)))
}
