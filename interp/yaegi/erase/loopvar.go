package erase

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A loop is a statement that break or continue may mean.
type loop struct {
	label string
	kind  loopKind
	step  func(at) []ast.Stmt // to be done before the next iteration
	yield *rangeFunc          // the loop over a function, if it is one
}

type loopKind int

const (
	plainLoop loopKind = iota
	switchLoop
	yieldLoop
)

func (f *scope) push(l *loop) { f.loops = append(f.loops, l) }
func (f *scope) pop()         { f.loops = f.loops[:len(f.loops)-1] }

// forStmt lowers a for statement. Each iteration has variables of its own,
// which matters where a function literal or a pointer keeps one: those are
// copied in and out of the iteration.
func (f *scope) forStmt(p at, s *ast.ForStmt) []ast.Stmt {
	label := f.takeLabel()
	kept := f.keptVars(s)
	if len(kept) == 0 {
		return f.plainFor(p, s, label)
	}
	before := f.stmt(s.Init)
	outer := map[types.Object]string{}
	for _, v := range kept {
		outer[v] = f.unique(v.Name())
		before = append(before, p.define(outer[v], p.id(f.name(v))))
	}
	var post []ast.Stmt
	step := func(p at) []ast.Stmt {
		var list []ast.Stmt
		for _, v := range kept {
			list = append(list, p.set(p.id(outer[v]), p.id(f.name(v))))
		}
		return append(list, post...)
	}
	out := &ast.ForStmt{For: s.For, Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}}
	f.renamed(outer, func() {
		if s.Cond != nil {
			out.Cond = f.expr(s.Cond)
		}
		if s.Post != nil {
			post = f.stmt(s.Post)
		}
	})
	for _, v := range kept {
		out.Body.List = append(out.Body.List, p.define(f.name(v), p.id(outer[v])))
	}
	f.push(&loop{label: label, step: step})
	out.Body.List = append(out.Body.List, f.stmts(s.Body.List)...)
	f.pop()
	if !endsInJump(s.Body.List) {
		out.Body.List = append(out.Body.List, step(p)...)
	}
	return []ast.Stmt{p.block(append(before, f.labeled(label, out))...)}
}

func endsInJump(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch list[len(list)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// renamed runs do while variables have other names.
func (f *scope) renamed(names map[types.Object]string, do func()) {
	old := map[types.Object]string{}
	for v, name := range names {
		if o, ok := f.rename[v]; ok {
			old[v] = o
		}
		f.rename[v] = name
	}
	do()
	for v := range names {
		delete(f.rename, v)
		if o, ok := old[v]; ok {
			f.rename[v] = o
		}
	}
}

func (f *scope) plainFor(p at, s *ast.ForStmt, label string) []ast.Stmt {
	out := &ast.ForStmt{For: s.For}
	var before []ast.Stmt
	if s.Init != nil {
		before = f.stmt(s.Init)
		if len(before) == 1 && s.Cond != nil { // without a condition the interpreter would repeat it
			out.Init, before = before[0], nil
		}
	}
	if s.Cond != nil {
		out.Cond = f.expr(s.Cond)
	}
	l := &loop{label: label}
	if s.Post != nil {
		post := f.stmt(s.Post)
		if len(post) == 1 {
			out.Post, post = post[0], nil
		}
		l.step = func(at) []ast.Stmt { return post }
	}
	f.push(l)
	out.Body = f.block(s.Body)
	f.pop()
	if l.step != nil && !endsInJump(s.Body.List) {
		out.Body.List = append(out.Body.List, l.step(p)...)
	}
	if len(before) == 0 {
		return []ast.Stmt{f.labeled(label, out)}
	}
	return []ast.Stmt{p.block(append(before, f.labeled(label, out))...)}
}

// keptVars returns the variables of a loop that outlive an iteration.
func (f *scope) keptVars(s *ast.ForStmt) []*types.Var {
	a, ok := s.Init.(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE {
		return nil
	}
	var kept []*types.Var
	for _, x := range a.Lhs {
		if v, ok := f.info.Defs[x.(*ast.Ident)].(*types.Var); ok && f.keeps(s, v) {
			kept = append(kept, v)
		}
	}
	return kept
}

// keeps reports whether node has a function literal that uses v or takes v's address.
func (f *scope) keeps(node ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			found = found || f.mentions(n.Body.List, v)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && f.root(n.X) == v
		case *ast.SliceExpr:
			if _, ok := f.under(n.X).(*types.Array); ok {
				found = found || f.root(n.X) == v
			}
		case *ast.SelectorExpr:
			found = found || f.addresses(n, v)
		case *ast.RangeStmt:
			if _, ok := f.under(n.X).(*types.Signature); ok {
				found = found || f.mentions(n.Body.List, v) // the body becomes a function literal
			}
		}
		return !found
	})
	return found
}

// addresses reports whether a method call takes v's address, or a method value keeps it.
func (f *scope) addresses(n *ast.SelectorExpr, v *types.Var) bool {
	s := f.info.Selections[n]
	if s == nil || s.Kind() != types.MethodVal || f.root(n.X) != v {
		return false
	}
	_, ptr := elemOf(s.Obj().(*types.Func).Signature().Recv().Type())
	return ptr
}

// root returns the variable that e is a part of, or nil.
func (f *scope) root(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := f.object(e).(*types.Var)
		return v
	case *ast.SelectorExpr:
		if _, ptr := elemOf(f.typ(e.X)); f.info.Selections[e] != nil && !ptr {
			return f.root(e.X)
		}
	case *ast.IndexExpr:
		if _, ok := f.under(e.X).(*types.Array); ok {
			return f.root(e.X)
		}
	}
	return nil
}
