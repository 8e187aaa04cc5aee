package erase

import (
	"go/ast"
	"go/token"
	"go/types"
)

// defers reports whether a function defers anything.
func defers(b *ast.BlockStmt) bool {
	found := false
	ast.Inspect(b, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.DeferStmt:
			found = true
		case *ast.FuncLit:
			return false
		}
		return !found
	})
	return found
}

// deferring lowers the body of a function that defers: it runs inside of a
// call of package support, which does what was deferred.
func (f *scope) deferring(p at, b *ast.BlockStmt) []ast.Stmt {
	f.defers = f.unique("defers")
	body := p.function(p.funcType(nil, nil), f.stmts(b.List)...)
	list := []ast.Stmt{
		p.define(f.defers, p.rt("NewDefers")),
		nowhere.expr(nowhere.call(nowhere.sel(nowhere.id(f.defers), "Run"), body)),
	}
	if len(f.results) > 0 {
		list = append(list, p.ret(p.ids(f.named)...))
	}
	return list
}

// nowhere is the position of what is no place of the author's: a traceback
// leaves it out.
const nowhere at = at(token.NoPos)

// returnDeferring sets the results and leaves the body.
func (f *scope) returnDeferring(p at, s *ast.ReturnStmt) []ast.Stmt {
	if len(s.Results) == 0 {
		return []ast.Stmt{p.ret()}
	}
	var lhs []ast.Expr
	for _, name := range f.named {
		lhs = append(lhs, p.id(name))
	}
	return append(f.assignTo(p, token.ASSIGN, lhs, f.results, s.Results), p.ret())
}

// deferStmt lowers defer f(x): function, receiver and arguments are evaluated
// now.
func (f *scope) deferStmt(p at, s *ast.DeferStmt) []ast.Stmt {
	none := types.NewSignatureType(nil, nil, nil, nil, nil, false)
	record := func(method string, call ast.Expr) ast.Stmt {
		return p.expr(p.call(p.sel(p.id(f.defers), method), f.kept(p, call, none)))
	}
	if lit, ok := ast.Unparen(s.Call.Fun).(*ast.FuncLit); ok {
		f.recoverNext = f.defers
		if len(s.Call.Args) == 0 && f.info.TypeOf(lit).(*types.Signature).Results().Len() == 0 {
			f.direct = true
			return []ast.Stmt{record("Defer", f.expr(lit))}
		}
		before, call := f.evaluated(p, s.Call)
		return append(before, record("Defer", p.function(p.funcType(nil, nil), call)))
	}
	before, call := f.evaluated(p, s.Call)
	return append(before, record("DeferNamed", p.function(p.funcType(nil, nil), call)))
}

// goStmt lowers go f(x). The goroutine's panic is reported, it does not end
// the process.
func (f *scope) goStmt(p at, s *ast.GoStmt) []ast.Stmt {
	if lit, ok := ast.Unparen(s.Call.Fun).(*ast.FuncLit); ok && len(s.Call.Args) == 0 && f.info.TypeOf(lit).(*types.Signature).Results().Len() == 0 {
		return []ast.Stmt{p.expr(p.rt("Go", f.expr(lit)))}
	}
	before, call := f.evaluated(p, s.Call)
	none := types.NewSignatureType(nil, nil, nil, nil, nil, false)
	return append(before, p.expr(p.rt("Go", f.kept(p, p.function(p.funcType(nil, nil), call), none))))
}

// evaluated lowers a call in two parts: variables for what it calls with, and
// the call itself.
func (f *scope) evaluated(p at, e *ast.CallExpr) ([]ast.Stmt, ast.Stmt) {
	var before []ast.Stmt
	hold := func(x ast.Expr) ast.Expr {
		name := f.unique("t")
		before = append(before, p.define(name, x))
		return p.id(name)
	}
	switch c := f.expr(e).(type) {
	case *ast.CallExpr:
		for i, a := range c.Args {
			if _, isType := a.(*ast.ArrayType); !isType && !simple(a) {
				c.Args[i] = hold(a)
			}
		}
		switch fun := c.Fun.(type) {
		case *ast.SelectorExpr:
			if s := f.compiledMethod(e); s != nil {
				fun.X = hold(f.heldReceiver(p, fun.X, s))
			}
		case *ast.Ident:
			if _, ok := f.calledVar(e); ok {
				c.Fun = hold(fun)
			}
		default:
			c.Fun = hold(c.Fun)
		}
		return before, p.expr(c)
	default:
		return before, p.set(p.id("_"), c)
	}
}

// simple reports whether an expression means the same later on.
func simple(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return e.Name == "nil" || e.Name == "true" || e.Name == "false"
	}
	return false
}

// calledVar reports whether a call is of a function variable.
func (f *scope) calledVar(e *ast.CallExpr) (*types.Var, bool) {
	id, ok := ast.Unparen(e.Fun).(*ast.Ident)
	if !ok {
		return nil, false
	}
	v, ok := f.object(id).(*types.Var)
	return v, ok
}

// compiledMethod returns the method that a call is of, if a compiled type has it.
func (f *scope) compiledMethod(e *ast.CallExpr) *selection {
	sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	s := f.selection(sel)
	if s == nil || s.kind != types.MethodVal {
		return nil
	}
	return s
}

// heldReceiver returns what to keep of the receiver x of a deferred call: its
// address if the method wants one.
func (f *scope) heldReceiver(p at, x ast.Expr, s *selection) ast.Expr {
	m := s.obj.(*types.Func)
	_, want := elemOf(m.Signature().Recv().Type())
	t := s.recv
	for _, i := range s.path[:len(s.path)-1] {
		base, _ := elemOf(t)
		t = base.Underlying().(*types.Struct).Field(i).Type()
	}
	if _, have := elemOf(t); want && !have && !isInterface(t) {
		return p.ref(x)
	}
	return x
}

// reentrant reports whether a function may call itself, so that its depth is
// to be watched: it mentions itself in a circle, or calls what a variable holds.
func (f *scope) reentrant(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		fn, _ := f.info.Defs[n.Name].(*types.Func)
		return fn != nil && (n.Recv != nil && hasCall(n.Body) || f.circular(fn))
	case *ast.FuncLit:
		found := false
		ast.Inspect(n.Body, func(m ast.Node) bool {
			if call, ok := m.(*ast.CallExpr); ok {
				if v, ok := f.calledVar(call); ok && (v.Pos() < n.Pos() || v.Pos() > n.End()) {
					found = true
				}
			}
			return !found
		})
		return found
	}
	return false
}

func hasCall(b *ast.BlockStmt) bool {
	found := false
	ast.Inspect(b, func(n ast.Node) bool {
		_, ok := n.(*ast.CallExpr)
		found = found || ok
		return !found
	})
	return found
}

// guard returns the statements that watch the depth of the stack, now and then.
func (f *scope) guard(p at) []ast.Stmt {
	name := f.depthVar(p)
	return []ast.Stmt{
		&ast.IncDecStmt{X: p.id(name), TokPos: token.Pos(p), Tok: token.INC},
		p.ifThen(p.bin(p.bin(p.id(name), token.AND, p.num(1023)), token.EQL, p.num(0)), p.expr(p.rt("Depth"))),
	}
}

func (u *unit) depthVar(p at) string {
	if u.depth == "" {
		u.depth = u.unique("depth")
		u.out.Decls = append(u.out.Decls, p.global(u.depth, p.id("int")))
	}
	return u.depth
}

// circular reports whether fn mentions itself by way of functions of its file.
func (f *scope) circular(fn *types.Func) bool {
	if f.mentionedBy == nil {
		f.mentionGraph()
	}
	seen := map[*types.Func]bool{}
	var reaches func(*types.Func) bool
	reaches = func(g *types.Func) bool {
		for _, h := range f.mentionedBy[g] {
			if h == fn {
				return true
			}
			if !seen[h] {
				seen[h] = true
				if reaches(h) {
					return true
				}
			}
		}
		return false
	}
	return reaches(fn.Origin())
}
