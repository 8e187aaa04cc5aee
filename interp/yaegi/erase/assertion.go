package erase

import (
	"go/ast"
	"go/token"
	"go/types"
)

// assertion returns the function that asserts that an any, which stands for a
// value of type from, holds a to.
func (f *scope) assertion(p at, from, to types.Type, ok bool) string {
	purpose := "as " + f.s.Table.Key(from) + " " + f.s.Table.Key(to)
	if ok {
		purpose = "as ok " + f.s.Table.Key(to)
	}
	return f.helper(purpose, func(name string) *ast.FuncDecl {
		params := []*ast.Field{p.field("v", f.anyExpr(p))}
		results := []*ast.Field{p.field("", f.typeExpr(p, to))}
		value := p.variable("r", f.typeExpr(p, to))
		if ok {
			results = append(results, p.field("", p.id("bool")))
			return p.funcDecl(name, p.funcType(params, results), p.block(
				value,
				p.define("ok", p.rt("As", f.row(p, to), p.id("v"), p.ref(p.id("r")))),
				p.ret(p.id("r"), p.id("ok"))))
		}
		return p.funcDecl(name, p.funcType(params, results), p.block(
			value,
			p.expr(p.rt("MustAs", f.row(p, to), f.row(p, from), p.id("v"), p.ref(p.id("r")))),
			p.ret(p.id("r"))))
	})
}

// typeSwitch lowers a type switch to one over support's Is.
func (f *scope) typeSwitch(p at, s *ast.TypeSwitchStmt) []ast.Stmt {
	label := f.takeLabel()
	subject, bound := typeSwitchSubject(s.Assign)
	from := f.typ(subject)
	whole, boxed := f.unique("s"), f.unique("v")
	var list []ast.Stmt
	if s.Init != nil {
		list = f.stmt(s.Init)
	}
	list = append(list, p.define(whole, f.expr(subject)))
	list = append(list, p.define(boxed, f.convert(p, p.id(whole), from, anyType)))
	f.push(&loop{label: label, kind: switchLoop})
	defer f.pop()
	out := &ast.SwitchStmt{Switch: token.Pos(p), Body: p.block()}
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		clause := &ast.CaseClause{Case: c.Pos(), Colon: c.Colon}
		var tests []ast.Expr
		for _, t := range c.List {
			tests = append(tests, f.typeCase(t, boxed))
		}
		clause.List = anyOf(tests)
		if bound {
			clause.Body = f.bindCase(c, from, whole, boxed)
		}
		clause.Body = append(clause.Body, f.stmts(c.Body)...)
		out.Body.List = append(out.Body.List, clause)
	}
	return []ast.Stmt{p.block(append(list, f.labeled(label, out))...)}
}

// typeSwitchSubject returns the x of x.(type), and whether it gets a name.
func typeSwitchSubject(s ast.Stmt) (ast.Expr, bool) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return s.Rhs[0].(*ast.TypeAssertExpr).X, true
	case *ast.ExprStmt:
		return ast.Unparen(s.X).(*ast.TypeAssertExpr).X, false
	}
	return nil, false
}

func (f *scope) typeCase(t ast.Expr, boxed string) ast.Expr {
	p := f.at(t)
	if f.info.Types[t].IsNil() {
		return p.rt("IsNil", p.id(boxed))
	}
	return p.rt("Is", f.row(p, f.typ(t)), p.id(boxed))
}

// bindCase declares the variable of a clause, if the clause uses it.
func (f *scope) bindCase(c *ast.CaseClause, from types.Type, whole, boxed string) []ast.Stmt {
	v, _ := f.info.Implicits[c].(*types.Var)
	if v == nil || !f.mentions(c.Body, v) {
		return nil
	}
	p := f.at(c)
	if len(c.List) != 1 || f.info.Types[c.List[0]].IsNil() {
		return []ast.Stmt{p.define(f.name(v), p.id(whole))}
	}
	to := f.typ(c.List[0])
	return []ast.Stmt{p.define(f.name(v), p.call(p.id(f.assertion(p, from, to, false)), p.id(boxed)))}
}

// mentions reports whether a list of statements uses v.
func (f *scope) mentions(list []ast.Stmt, v types.Object) bool {
	found := false
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && f.info.Uses[id] == v {
				found = true
			}
			return !found
		})
	}
	return found
}
