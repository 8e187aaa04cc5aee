package erase

import (
	"go/ast"
	"go/token"
	"go/types"
)

// rangeStmt lowers a range statement by what it ranges over.
func (f *scope) rangeStmt(p at, s *ast.RangeStmt) []ast.Stmt {
	label := f.takeLabel()
	t := f.under(s.X)
	switch u := t.(type) {
	case *types.Basic:
		if u.Info()&types.IsInteger != 0 {
			return f.rangeInt(p, s, label)
		}
		return f.rangeString(p, s, label)
	case *types.Signature:
		return f.rangeFunc(p, s, label, u)
	case *types.Map:
		return f.rangeOver(p, s, label, u.Key(), u.Elem())
	case *types.Slice:
		if _, ok := u.Elem().Underlying().(*types.Chan); ok {
			return f.rangeIndexed(p, s, label, u)
		}
		return f.rangeOver(p, s, label, types.Typ[types.Int], u.Elem())
	case *types.Array:
		return f.rangeOver(p, s, label, types.Typ[types.Int], u.Elem())
	case *types.Pointer:
		return f.rangeOver(p, s, label, types.Typ[types.Int], u.Elem().Underlying().(*types.Array).Elem())
	case *types.Chan:
		return f.rangeChannel(p, s, label, u)
	}
	fail(p, "range over %s", t)
	return nil
}

// isBlank reports whether a range variable is absent.
func isBlank(e ast.Expr) bool {
	if e == nil {
		return true
	}
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// rangeInt lowers for i := range n to a counting loop over n's type.
func (f *scope) rangeInt(p at, s *ast.RangeStmt, label string) []ast.Stmt {
	t := f.typ(s.X)
	if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		t = types.Typ[types.Int]
		if s.Key != nil && !isBlank(s.Key) {
			t = f.lhsType(s.Key)
		}
	}
	i, n := f.unique("i"), f.unique("n")
	typ := func(x ast.Expr) ast.Expr { return p.call(p.paren(f.typeExpr(p, t)), x) }
	before := p.define(n, typ(f.operand(s.X)))
	out := &ast.ForStmt{
		For:  s.For,
		Init: p.define(i, typ(p.num(0))),
		Cond: p.bin(p.id(i), token.LSS, p.id(n)),
		Post: &ast.IncDecStmt{X: p.id(i), TokPos: token.Pos(p), Tok: token.INC},
		Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace},
	}
	if !isBlank(s.Key) {
		out.Body.List = append(out.Body.List, p.assign(s.Tok, []ast.Expr{f.lhs(s.Key)}, p.id(i)))
	}
	f.push(&loop{label: label})
	out.Body.List = append(out.Body.List, f.stmts(s.Body.List)...)
	f.pop()
	return []ast.Stmt{p.block(before, f.labeled(label, out))}
}

// rangeOver keeps a range statement that the interpreter has. Variables that
// outlive an iteration, or need a conversion, are set at the start of the body.
func (f *scope) rangeOver(p at, s *ast.RangeStmt, label string, key, value types.Type) []ast.Stmt {
	out := &ast.RangeStmt{For: s.For, TokPos: s.TokPos, Tok: token.DEFINE, Range: s.Range, Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}}
	var before []ast.Stmt
	out.X = f.expr(s.X)
	if _, ptr := f.under(s.X).(*types.Pointer); ptr {
		out.X = &ast.SliceExpr{X: p.deref(out.X), Lbrack: token.Pos(p), Rbrack: token.Pos(p)}
	}
	if _, ok := f.under(s.X).(*types.Array); ok && value != nil && !isBlank(s.Value) {
		copied := f.unique("x") // range is over a copy of an array
		before = append(before, p.define(copied, out.X))
		out.X = p.id(copied)
	}
	variable := func(e ast.Expr, from types.Type) ast.Expr {
		if isBlank(e) {
			return p.id("_")
		}
		name := f.unique("k")
		out.Body.List = append(out.Body.List, p.assign(s.Tok, []ast.Expr{f.lhs(e)}, f.convert(p, p.id(name), from, f.lhsType(e))))
		return p.id(name)
	}
	out.Key = variable(s.Key, key)
	if value != nil && !isBlank(s.Value) {
		out.Value = variable(s.Value, value)
	}
	if isBlank(s.Key) && isBlank(s.Value) {
		out.Key = p.id(f.unique("k")) // the interpreter wants one
		out.Body.List = append(out.Body.List, p.set(p.id("_"), out.Key))
	}
	f.push(&loop{label: label})
	out.Body.List = append(out.Body.List, f.stmts(s.Body.List)...)
	f.pop()
	if len(before) == 0 {
		return []ast.Stmt{f.labeled(label, out)}
	}
	return []ast.Stmt{p.block(append(before, f.labeled(label, out))...)}
}

// rangeChannel lowers a loop over a channel to one that receives: the
// interpreter takes some channels for slices.
func (f *scope) rangeChannel(p at, s *ast.RangeStmt, label string, u *types.Chan) []ast.Stmt {
	ch, value, more := f.unique("x"), f.unique("k"), f.unique("ok")
	receive := &ast.UnaryExpr{OpPos: token.Pos(p), Op: token.ARROW, X: p.id(ch)}
	body := []ast.Stmt{
		p.assign(token.DEFINE, []ast.Expr{p.id(value), p.id(more)}, receive),
		p.ifThen(p.not(p.id(more)), p.branch(token.BREAK, "")),
	}
	if !isBlank(s.Key) {
		body = append(body, p.assign(s.Tok, []ast.Expr{f.lhs(s.Key)}, f.convert(p, p.id(value), u.Elem(), f.lhsType(s.Key))))
	}
	f.push(&loop{label: label})
	body = append(body, f.stmts(s.Body.List)...)
	f.pop()
	out := &ast.ForStmt{For: s.For, Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, List: body, Rbrace: s.Body.Rbrace}}
	return []ast.Stmt{p.block(p.define(ch, f.expr(s.X)), f.labeled(label, out))}
}

// rangeIndexed lowers a loop over a slice to one that counts: the interpreter
// takes a slice of channels for a channel.
func (f *scope) rangeIndexed(p at, s *ast.RangeStmt, label string, u *types.Slice) []ast.Stmt {
	list, i := f.unique("x"), f.unique("i")
	loop := f.counting(p, s, label, p.id(list), i, p.id(i), p.at(list, i), u.Elem())
	return []ast.Stmt{p.block(p.define(list, f.expr(s.X)), loop)}
}

// rangeString lowers a loop over a string to one that counts: where a byte is
// no UTF-8 the interpreter takes it for three.
func (f *scope) rangeString(p at, s *ast.RangeStmt, label string) []ast.Stmt {
	places, runes, i := f.unique("k"), f.unique("x"), f.unique("i")
	read := p.assign(token.DEFINE, []ast.Expr{p.id(places), p.id(runes)}, p.rt("Runes", p.call(p.id("string"), f.exprTo(s.X, types.Typ[types.String]))))
	loop := f.counting(p, s, label, p.id(runes), i, p.at(places, i), p.at(runes, i), types.Typ[types.Rune])
	return []ast.Stmt{p.block(read, loop)}
}

// counting returns a loop in which i counts the elements of list, and whose
// variables become key and value at the start of the body.
func (f *scope) counting(p at, s *ast.RangeStmt, label string, list ast.Expr, i string, key, value ast.Expr, elem types.Type) ast.Stmt {
	var body []ast.Stmt
	if !isBlank(s.Key) {
		body = append(body, p.assign(s.Tok, []ast.Expr{f.lhs(s.Key)}, f.convert(p, key, types.Typ[types.Int], f.lhsType(s.Key))))
	}
	if !isBlank(s.Value) {
		body = append(body, p.assign(s.Tok, []ast.Expr{f.lhs(s.Value)}, f.convert(p, value, elem, f.lhsType(s.Value))))
	}
	n := f.unique("n")
	f.push(&loop{label: label})
	body = append(body, f.stmts(s.Body.List)...)
	f.pop()
	out := &ast.ForStmt{
		For: s.For, Init: p.define(i, p.num(0)), Cond: p.bin(p.id(i), token.LSS, p.id(n)),
		Post: &ast.IncDecStmt{X: p.id(i), TokPos: token.Pos(p), Tok: token.INC},
		Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, List: body, Rbrace: s.Body.Rbrace},
	}
	return p.block(p.define(n, p.call(p.id("len"), list)), f.labeled(label, out))
}
