package erase

import (
	"go/ast"
	"go/token"
	"go/types"
)

// body lowers the body of a function. guarded asks for a check of the stack's
// depth.
func (f *scope) body(b *ast.BlockStmt, guarded bool) *ast.BlockStmt {
	p := at(b.Pos())
	var list []ast.Stmt
	if guarded && !f.s.hooks.Guarded {
		list = f.guard(p)
	}
	deferring := defers(b)
	if deferring && len(f.named) == 0 {
		for range f.results {
			f.named = append(f.named, f.unique("r"))
		}
	}
	for i, name := range f.named {
		list = append(list, p.variable(name, f.typeExpr(p, f.results[i])))
	}
	if deferring {
		list = append(list, f.deferring(p, b)...)
	} else {
		list = append(list, f.stmts(b.List)...)
	}
	return &ast.BlockStmt{Lbrace: b.Lbrace, List: list, Rbrace: b.Rbrace}
}

func (f *scope) stmts(list []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for _, s := range list {
		out = append(out, f.stmt(s)...)
	}
	return out
}

func (f *scope) block(b *ast.BlockStmt) *ast.BlockStmt {
	return &ast.BlockStmt{Lbrace: b.Lbrace, List: f.stmts(b.List), Rbrace: b.Rbrace}
}

// stmt lowers a statement to one or several.
func (f *scope) stmt(s ast.Stmt) []ast.Stmt {
	p := f.at(s)
	switch s := s.(type) {
	case *ast.LabeledStmt:
		return f.labeledStmt(p, s)
	case *ast.ForStmt:
		return f.forStmt(p, s)
	case *ast.RangeStmt:
		return f.rangeStmt(p, s)
	case *ast.SwitchStmt:
		return f.switchStmt(p, s)
	case *ast.TypeSwitchStmt:
		return f.typeSwitch(p, s)
	case *ast.SelectStmt:
		return f.selectStmt(p, s)
	case *ast.IfStmt:
		return f.ifStmt(p, s)
	case *ast.BlockStmt:
		return []ast.Stmt{f.block(s)}
	case *ast.BranchStmt:
		return f.branchStmt(p, s)
	case *ast.ReturnStmt:
		return f.returnStmt(p, s)
	case *ast.DeclStmt:
		return f.declStmt(p, s.Decl.(*ast.GenDecl))
	case *ast.AssignStmt:
		return f.assignStmt(p, s)
	case *ast.IncDecStmt:
		return []ast.Stmt{&ast.IncDecStmt{X: f.expr(s.X), TokPos: s.TokPos, Tok: s.Tok}}
	case *ast.ExprStmt:
		return []ast.Stmt{p.expr(f.expr(s.X))}
	case *ast.SendStmt:
		elem := f.under(s.Chan).(*types.Chan).Elem()
		return []ast.Stmt{&ast.SendStmt{Chan: f.channel(p, s.Chan), Arrow: s.Arrow, Value: f.exprTo(s.Value, elem)}}
	case *ast.DeferStmt:
		return f.deferStmt(p, s)
	case *ast.GoStmt:
		return f.goStmt(p, s)
	case *ast.EmptyStmt:
		return nil
	}
	fail(p, "%T cannot run in a cell", s)
	return nil
}

// channel lowers the channel of a send. The interpreter cannot send on a field.
func (f *scope) channel(p at, e ast.Expr) ast.Expr {
	x := f.expr(e)
	if _, ok := x.(*ast.Ident); ok {
		return x
	}
	return p.call(p.paren(f.typeExpr(p, f.under(e))), x)
}

func (f *scope) labeledStmt(p at, s *ast.LabeledStmt) []ast.Stmt {
	f.label = s.Label.Name
	switch s.Stmt.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return f.stmt(s.Stmt)
	}
	f.label = ""
	list := f.stmt(s.Stmt)
	if len(list) == 0 {
		list = []ast.Stmt{p.block()}
	}
	return append([]ast.Stmt{f.labeled(s.Label.Name, list[0])}, list[1:]...)
}

// takeLabel returns the label of the statement that is being lowered.
func (f *scope) takeLabel() string {
	l := f.label
	f.label = ""
	return l
}

func (f *scope) labeled(label string, s ast.Stmt) ast.Stmt {
	if label == "" {
		return s
	}
	p := f.at(s)
	return &ast.LabeledStmt{Label: p.id(label), Colon: token.Pos(p), Stmt: s}
}

func (f *scope) ifStmt(p at, s *ast.IfStmt) []ast.Stmt {
	out := &ast.IfStmt{If: s.If}
	var before []ast.Stmt
	if s.Init != nil {
		before = f.stmt(s.Init)
	}
	out.Cond = f.expr(s.Cond)
	out.Body = f.block(s.Body)
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		out.Else = f.block(e)
	case *ast.IfStmt:
		list := f.ifStmt(f.at(e), e)
		out.Else = list[0]
	}
	if len(before) == 0 {
		return []ast.Stmt{out}
	}
	return []ast.Stmt{p.block(append(before, out)...)}
}

func (f *scope) switchStmt(p at, s *ast.SwitchStmt) []ast.Stmt {
	label := f.takeLabel()
	var before []ast.Stmt
	if s.Init != nil {
		before = f.stmt(s.Init)
	}
	out := &ast.SwitchStmt{Switch: s.Switch, Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}}
	test := f.switchTag(p, s, out, &before)
	f.push(&loop{label: label, kind: switchLoop})
	defer f.pop()
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		clause := &ast.CaseClause{Case: c.Case, Colon: c.Colon}
		var tests []ast.Expr
		for _, e := range c.List {
			tests = append(tests, test(e))
		}
		clause.List = anyOf(tests)
		clause.Body = f.stmts(c.Body)
		out.Body.List = append(out.Body.List, clause)
	}
	if len(before) == 0 {
		return []ast.Stmt{f.labeled(label, out)}
	}
	return []ast.Stmt{p.block(append(before, f.labeled(label, out))...)}
}

// anyOf joins the cases of a clause with ||: the interpreter considers only the first of
// several.
func anyOf(tests []ast.Expr) []ast.Expr {
	if len(tests) < 2 {
		return tests
	}
	all := tests[0]
	for _, t := range tests[1:] {
		all = at(t.Pos()).bin(all, token.LOR, t)
	}
	return []ast.Expr{all}
}

// switchTag lowers the tag of a switch and returns how its cases are lowered.
func (f *scope) switchTag(p at, s, out *ast.SwitchStmt, before *[]ast.Stmt) func(ast.Expr) ast.Expr {
	if s.Tag == nil {
		return f.expr
	}
	t := f.typ(s.Tag)
	name := f.unique("s")
	*before = append(*before, p.define(name, f.expr(s.Tag)))
	tag := p.id(name)
	if isInterface(t) {
		return func(e ast.Expr) ast.Expr {
			if f.info.Types[e].IsNil() {
				return p.rt("IsNil", tag)
			}
			return f.at(e).rt("Equal", f.convert(p, tag, t, anyType), f.anyOf(e))
		}
	}
	return func(e ast.Expr) ast.Expr {
		if f.interfaceOperand(e) {
			return f.at(e).rt("Equal", f.convert(p, tag, t, anyType), f.anyOf(e))
		}
		return f.at(e).bin(tag, token.EQL, f.operand(e))
	}
}

// selectStmt lowers a select to one that notes which case was chosen, and a
// switch that does it: the interpreter cannot leave a loop from within a select.
func (f *scope) selectStmt(p at, s *ast.SelectStmt) []ast.Stmt {
	label := f.takeLabel()
	chosen := f.unique("c")
	list := []ast.Stmt{p.define(chosen, p.num(0))}
	choice := &ast.SelectStmt{Select: s.Select, Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}}
	action := &ast.SwitchStmt{Switch: s.Select, Body: p.block()}
	f.push(&loop{label: label, kind: switchLoop})
	defer f.pop()
	for i, c := range s.Body.List {
		c := c.(*ast.CommClause)
		q := f.at(c)
		clause := &ast.CommClause{Case: c.Case, Colon: c.Colon, Body: []ast.Stmt{q.set(q.id(chosen), q.num(i))}}
		var first []ast.Stmt
		if c.Comm != nil {
			clause.Comm, first = f.comm(f.at(c.Comm), c.Comm, clause, &list)
		}
		choice.Body.List = append(choice.Body.List, clause)
		action.Body.List = append(action.Body.List, &ast.CaseClause{
			Case: c.Case, Colon: c.Colon, List: []ast.Expr{q.bin(q.id(chosen), token.EQL, q.num(i))},
			Body: append(first, f.stmts(c.Body)...),
		})
	}
	list = append(list, choice)
	if len(s.Body.List) > 0 {
		list = append(list, f.labeled(label, action))
	}
	return []ast.Stmt{p.block(list...)}
}

// comm lowers the communication of a clause. What is received goes into
// variables declared before the select, and to its place after it.
func (f *scope) comm(p at, s ast.Stmt, clause *ast.CommClause, before *[]ast.Stmt) (ast.Stmt, []ast.Stmt) {
	hold := func(x ast.Expr) ast.Expr {
		name := f.unique("c")
		*before = append(*before, p.define(name, x))
		return p.id(name)
	}
	if send, ok := s.(*ast.SendStmt); ok {
		elem := f.under(send.Chan).(*types.Chan).Elem()
		ch, value := hold(f.channel(p, send.Chan)), f.unique("v")
		*before = append(*before, p.variable(value, f.typeExpr(p, elem)), p.set(p.id(value), f.exprTo(send.Value, elem)))
		return &ast.SendStmt{Chan: ch, Arrow: send.Arrow, Value: p.id(value)}, nil
	}
	receive := func(e ast.Expr) ast.Expr {
		return &ast.UnaryExpr{OpPos: token.Pos(p), Op: token.ARROW, X: hold(f.expr(ast.Unparen(e).(*ast.UnaryExpr).X))}
	}
	a, ok := s.(*ast.AssignStmt)
	if !ok {
		return p.expr(receive(s.(*ast.ExprStmt).X)), nil
	}
	from := []types.Type{f.under(ast.Unparen(a.Rhs[0]).(*ast.UnaryExpr).X).(*types.Chan).Elem(), types.Typ[types.Bool]}
	var received []ast.Expr
	var after []ast.Stmt
	for i, x := range a.Lhs {
		held, name := f.unique("r"), f.unique("r")
		*before = append(*before, p.variable(held, f.typeExpr(p, from[i])))
		received = append(received, p.id(name))
		clause.Body = append(clause.Body, p.set(p.id(held), p.id(name)))
		if !isBlank(x) {
			after = append(after, p.assign(a.Tok, []ast.Expr{f.lhs(x)}, f.convert(p, p.id(held), from[i], f.lhsType(x))))
		}
	}
	return p.assign(token.DEFINE, received, receive(a.Rhs[0])), after
}

func (f *scope) returnStmt(p at, s *ast.ReturnStmt) []ast.Stmt {
	if len(f.yields) > 0 {
		return f.returnFromYield(p, s)
	}
	if f.defers != "" {
		return f.returnDeferring(p, s)
	}
	if len(s.Results) == 1 && len(f.results) > 1 {
		t := f.typ(s.Results[0]).(*types.Tuple)
		if !f.anyConversion(t, f.results) {
			return []ast.Stmt{&ast.ReturnStmt{Return: s.Return, Results: []ast.Expr{f.expr(s.Results[0])}}}
		}
		names, values := f.temporaries(p, t, f.results)
		return []ast.Stmt{p.assign(token.DEFINE, names, f.expr(s.Results[0])), p.ret(values...)}
	}
	if len(s.Results) == 0 {
		return []ast.Stmt{p.ret(p.ids(f.named)...)}
	}
	out := &ast.ReturnStmt{Return: s.Return}
	for i, e := range s.Results {
		f.direct = isFuncLit(e)
		out.Results = append(out.Results, f.exprTo(e, f.results[i]))
	}
	return []ast.Stmt{out}
}

func (f *scope) anyConversion(t *types.Tuple, to []types.Type) bool {
	for i := range t.Len() {
		if i < len(to) && f.needsConversion(t.At(i).Type(), to[i]) {
			return true
		}
	}
	return false
}

// temporaries returns names for the values of t, and these converted to to.
func (f *scope) temporaries(p at, t *types.Tuple, to []types.Type) (names, values []ast.Expr) {
	for i := range t.Len() {
		name := f.unique("t")
		names = append(names, p.id(name))
		values = append(values, f.convert(p, p.id(name), t.At(i).Type(), to[i]))
	}
	return names, values
}

func (f *scope) declStmt(p at, d *ast.GenDecl) []ast.Stmt {
	if d.Tok != token.VAR {
		return nil // constants are folded, types erased
	}
	var list []ast.Stmt
	for _, spec := range d.Specs {
		list = append(list, f.varSpec(f.at(spec), spec.(*ast.ValueSpec))...)
	}
	return list
}

func (f *scope) varSpec(p at, s *ast.ValueSpec) []ast.Stmt {
	var list []ast.Stmt
	var lhs []ast.Expr
	var to []types.Type
	for i, id := range s.Names {
		o := f.info.Defs[id]
		t := f.subst(f.env, o.Type())
		if id.Name == "_" {
			lhs, to = append(lhs, p.id("_")), append(to, t)
			continue
		}
		spec := &ast.ValueSpec{Names: []*ast.Ident{p.id(f.name(o))}, Type: f.typeExpr(p, t)}
		if len(s.Values) == len(s.Names) && len(s.Names) == 1 {
			f.direct = isFuncLit(s.Values[i])
			spec.Values = []ast.Expr{f.exprTo(s.Values[i], t)}
		}
		list = append(list, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: token.Pos(p), Tok: token.VAR, Specs: []ast.Spec{spec}}})
		lhs, to = append(lhs, p.id(f.name(o))), append(to, t)
	}
	if len(s.Values) == 0 || len(s.Values) == 1 && len(s.Names) == 1 && s.Names[0].Name != "_" {
		return list
	}
	return append(list, f.assignTo(p, token.ASSIGN, lhs, to, s.Values)...)
}
