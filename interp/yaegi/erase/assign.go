package erase

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

func (f *scope) assignStmt(p at, s *ast.AssignStmt) []ast.Stmt {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		return []ast.Stmt{&ast.AssignStmt{Lhs: []ast.Expr{f.expr(s.Lhs[0])}, TokPos: s.TokPos, Tok: s.Tok, Rhs: []ast.Expr{f.operand(s.Rhs[0])}}}
	}
	if list, ok := f.keptOutside(p, s); ok {
		return []ast.Stmt{p.block(list...)}
	}
	before, after := f.restored(p, s)
	var lhs []ast.Expr
	var to []types.Type
	for _, x := range s.Lhs {
		lhs = append(lhs, f.lhs(x))
		to = append(to, f.lhsType(x))
	}
	list := f.assignTo(f.at(s), s.Tok, lhs, to, s.Rhs)
	if last := len(list) - 1; s.Tok == token.DEFINE {
		list = append(list[:last], f.apart(p, s, list[last].(*ast.AssignStmt))...)
	}
	return slices.Concat(before, list, after)
}

// apart returns the define a of several, which s was lowered to, with old variables
// among them set by assignments of their own: the interpreter may make those anew.
func (f *scope) apart(p at, s *ast.AssignStmt, a *ast.AssignStmt) []ast.Stmt {
	old := func(x ast.Expr) bool {
		id := ast.Unparen(x).(*ast.Ident)
		return id.Name != "_" && f.info.Defs[id] == nil
	}
	if len(a.Lhs) < 2 || len(a.Lhs) != len(s.Lhs) || !slices.ContainsFunc(s.Lhs, old) {
		return []ast.Stmt{a}
	}
	var list, then []ast.Stmt
	var names []ast.Expr
	for i, x := range s.Lhs {
		value := p.id(f.unique("t"))
		if names = append(names, value); len(a.Rhs) == len(a.Lhs) {
			list = append(list, p.define(value.Name, a.Rhs[i]))
		}
		switch id := ast.Unparen(x).(*ast.Ident); {
		case id.Name == "_":
			then = append(then, p.set(p.id("_"), value))
		case old(x):
			then = append(then, p.set(a.Lhs[i], value))
		default:
			then = append(then, p.assign(token.DEFINE, []ast.Expr{a.Lhs[i]}, value))
		}
	}
	if len(list) == 0 {
		list = []ast.Stmt{p.assign(token.DEFINE, names, a.Rhs[0])}
	}
	return append(list, then...)
}

// lhs lowers what is assigned to.
func (f *scope) lhs(x ast.Expr) ast.Expr {
	if id, ok := ast.Unparen(x).(*ast.Ident); ok {
		return f.at(id).id(f.lhsName(id))
	}
	return f.expr(x)
}

func (f *scope) lhsName(id *ast.Ident) string {
	if id.Name == "_" {
		return "_"
	}
	return f.name(f.object(id))
}

// lhsType returns the type of what is assigned to; nil for the blank identifier.
func (f *scope) lhsType(x ast.Expr) types.Type {
	if id, ok := ast.Unparen(x).(*ast.Ident); ok {
		if id.Name == "_" {
			return nil
		}
		return f.subst(f.env, f.object(id).Type())
	}
	return f.typ(x)
}

// assignTo assigns rhs, still to be lowered, to the lowered lhs of types to.
func (f *scope) assignTo(p at, tok token.Token, lhs []ast.Expr, to []types.Type, rhs []ast.Expr) []ast.Stmt {
	if len(lhs) == len(rhs) {
		values := make([]ast.Expr, len(rhs))
		for i, e := range rhs {
			f.direct = len(rhs) == 1 && isFuncLit(e)
			values[i] = f.exprTo(e, to[i])
			if len(rhs) > 1 && f.info.Types[e].IsNil() {
				values[i] = f.zero(p, to[i])
			}
		}
		return f.parallel(p, tok, lhs, values)
	}
	value, from := f.multiple(rhs[0])
	if !f.anyConversion(from, to) {
		return []ast.Stmt{p.assign(tok, lhs, value)}
	}
	names, values := f.temporaries(p, from, to)
	list := []ast.Stmt{p.assign(token.DEFINE, names, value)}
	if tok == token.DEFINE {
		// One by one: a define of several may have old variables among them.
		return append(list, p.assign(tok, lhs, values...))
	}
	return append(list, p.assign(tok, lhs, values...))
}

// multiple lowers an expression of several values and returns their types.
func (f *scope) multiple(e ast.Expr) (ast.Expr, *types.Tuple) {
	p := f.at(e)
	x := ast.Unparen(e)
	if a, ok := x.(*ast.TypeAssertExpr); ok {
		to := f.typeOfPair(a)
		return p.call(p.id(f.assertion(p, f.typ(a.X), to, true)), f.anyOf(a.X)), pair(to)
	}
	t := f.typ(e)
	tuple, ok := t.(*types.Tuple)
	if !ok {
		tuple = pair(t)
	}
	return f.expr(x), tuple
}

// typeOfPair returns the asserted type of v, ok := x.(T).
func (f *scope) typeOfPair(a *ast.TypeAssertExpr) types.Type {
	return f.typ(a.Type)
}

func pair(t types.Type) *types.Tuple {
	if tuple, ok := t.(*types.Tuple); ok {
		return tuple
	}
	return types.NewTuple(types.NewVar(0, nil, "", t), types.NewVar(0, nil, "", types.Typ[types.Bool]))
}

// parallel assigns several values to variables one by one, all evaluated
// first. Places that are computed are left to the interpreter.
func (f *scope) parallel(p at, tok token.Token, lhs, values []ast.Expr) []ast.Stmt {
	if len(lhs) == 1 || tok == token.DEFINE {
		return []ast.Stmt{p.assign(tok, lhs, values...)}
	}
	for _, x := range lhs {
		if _, ok := x.(*ast.Ident); !ok {
			return []ast.Stmt{p.assign(tok, lhs, values...)}
		}
	}
	var first, then []ast.Stmt
	for i, v := range values {
		if !simple(v) {
			name := f.unique("t")
			first = append(first, p.define(name, v))
			v = p.id(name)
		}
		then = append(then, p.set(lhs[i], v))
	}
	return append(first, then...)
}

func isFuncLit(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.FuncLit)
	return ok
}

// zero returns the zero value of t: the interpreter cannot assign a nil beside
// other values.
func (f *scope) zero(p at, t types.Type) ast.Expr {
	return p.call(p.id(f.helper("zero "+f.s.Table.Key(t), func(name string) *ast.FuncDecl {
		ft := p.funcType(nil, []*ast.Field{p.field("", f.typeExpr(p, t))})
		return p.funcDecl(name, ft, p.block(p.variable("r", f.typeExpr(p, t)), p.ret(p.id("r"))))
	})))
}
