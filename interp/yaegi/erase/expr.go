package erase

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/goanvil/notebook/interp/check"
)

// expr lowers e to an expression of its own type's inner form.
func (f *scope) expr(e ast.Expr) ast.Expr {
	p := f.at(e)
	if tv := f.info.Types[e]; tv.Value != nil {
		if x := f.compiledConstant(e); x != nil {
			return x
		}
		return f.constant(p, tv.Value, f.typ(e))
	}
	switch e := e.(type) {
	case *ast.Ident:
		return f.ident(p, e)
	case *ast.ParenExpr:
		return &ast.ParenExpr{Lparen: token.Pos(p), X: f.expr(e.X), Rparen: token.Pos(p)}
	case *ast.SelectorExpr:
		return f.selector(p, e)
	case *ast.CallExpr:
		return f.call(p, e)
	case *ast.StarExpr:
		return p.star(f.expr(e.X))
	case *ast.UnaryExpr:
		return f.unary(p, e)
	case *ast.BinaryExpr:
		return f.binary(e)
	case *ast.IndexExpr:
		return f.index(p, e)
	case *ast.IndexListExpr:
		return f.functionValue(p, e)
	case *ast.SliceExpr:
		return f.slice(p, e)
	case *ast.TypeAssertExpr:
		return p.call(p.id(f.assertion(p, f.typ(e.X), f.typ(e), false)), f.anyOf(e.X))
	case *ast.CompositeLit:
		return f.composite(p, e, f.typ(e))
	case *ast.FuncLit:
		return f.funcLit(p, e)
	}
	fail(p, "%T cannot run in a cell", e)
	return nil
}

// compiledConstant keeps a constant of a compiled package whose type has no
// name outside.
func (f *scope) compiledConstant(e ast.Expr) ast.Expr {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	n, ok := f.info.TypeOf(e).(*types.Named)
	if !ok || n.Obj().Exported() || check.IsCell(n.Obj().Pkg()) {
		return nil
	}
	return sel
}

// anyOf lowers e and makes it an any.
func (f *scope) anyOf(e ast.Expr) ast.Expr { return f.exprTo(e, anyType) }

var anyType = types.Universe.Lookup("any").Type()

func (f *scope) ident(p at, id *ast.Ident) ast.Expr {
	switch o := f.object(id).(type) {
	case *types.Nil:
		return p.id("nil")
	case *types.Func:
		return f.functionValue(p, id)
	case *types.Var:
		if x := p.stdVar(o); x != nil {
			return x
		}
		return p.id(f.name(o))
	}
	return p.id(id.Name)
}

func (f *scope) unary(p at, e *ast.UnaryExpr) ast.Expr {
	switch e.Op {
	case token.ADD:
		return p.paren(f.expr(e.X))
	case token.AND:
		if lit, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
			return f.addressOf(p, lit, f.typ(lit))
		}
		return p.ref(f.expr(e.X))
	case token.ARROW:
		return &ast.UnaryExpr{OpPos: token.Pos(p), Op: e.Op, X: f.expr(e.X)}
	}
	return &ast.UnaryExpr{OpPos: token.Pos(p), Op: e.Op, X: p.paren(f.expr(e.X))}
}

// comparisons are the operators that interfaces may stand beside.
var comparisons = map[token.Token]bool{token.EQL: true, token.NEQ: true}

func (f *scope) binary(e *ast.BinaryExpr) ast.Expr {
	p := f.atPos(e.OpPos)
	switch {
	case comparisons[e.Op] && (f.interfaceOperand(e.X) || f.interfaceOperand(e.Y)):
		return f.compareInterfaces(p, e)
	case e.Op == token.SHL || e.Op == token.SHR:
		return p.bin(f.expr(e.X), e.Op, f.operand(e.Y))
	}
	return p.bin(f.operand(e.X), e.Op, f.operand(e.Y))
}

func (f *scope) interfaceOperand(e ast.Expr) bool {
	t := f.typ(e)
	return t != nil && !f.info.Types[e].IsNil() && isInterface(t)
}

func (f *scope) compareInterfaces(p at, e *ast.BinaryExpr) ast.Expr {
	var eq ast.Expr
	switch {
	case f.info.Types[e.X].IsNil():
		eq = p.rt("IsNil", f.expr(e.Y))
	case f.info.Types[e.Y].IsNil():
		eq = p.rt("IsNil", f.expr(e.X))
	default:
		eq = p.rt("Equal", f.anyOf(e.X), f.anyOf(e.Y))
	}
	if e.Op == token.NEQ {
		return p.not(eq)
	}
	return eq
}

func (f *scope) index(p at, e *ast.IndexExpr) ast.Expr {
	if f.info.Types[e.Index].IsType() {
		return f.functionValue(p, e)
	}
	if m, ok := f.under(e.X).(*types.Map); ok {
		return &ast.IndexExpr{X: p.paren(f.expr(e.X)), Lbrack: token.Pos(f.atPos(e.Lbrack)), Index: f.exprTo(e.Index, m.Key()), Rbrack: token.Pos(p)}
	}
	return &ast.IndexExpr{X: f.array(p, e.X), Lbrack: token.Pos(f.atPos(e.Lbrack)), Index: f.operand(e.Index), Rbrack: token.Pos(p)}
}

// array lowers what is indexed or sliced; a pointer to an array is followed.
func (f *scope) array(p at, e ast.Expr) ast.Expr {
	if _, ptr := f.under(e).(*types.Pointer); ptr {
		return p.deref(f.expr(e))
	}
	return p.paren(f.expr(e))
}

func (f *scope) slice(p at, e *ast.SliceExpr) ast.Expr {
	part := func(x ast.Expr) ast.Expr {
		if x == nil {
			return nil
		}
		return f.operand(x)
	}
	return &ast.SliceExpr{X: f.array(p, e.X), Lbrack: token.Pos(f.atPos(e.Lbrack)), Low: part(e.Low), High: part(e.High), Max: part(e.Max), Slice3: e.Slice3, Rbrack: token.Pos(p)}
}

// funcLit lowers a function literal. As an argument of a compiled function or
// an element of a composite literal the interpreter would let it see the
// variables of the iteration in which it is called, not of the one in which it
// was made; as the result of a function it keeps its own.
func (f *scope) funcLit(p at, e *ast.FuncLit) ast.Expr {
	direct := f.direct
	f.direct = false
	lit := f.plainFuncLit(p, e)
	if direct {
		return lit
	}
	return f.kept(p, lit, f.typ(e).(*types.Signature))
}

// kept returns lit by way of a function that makes it.
func (f *scope) kept(p at, lit ast.Expr, sig *types.Signature) ast.Expr {
	result := f.funcTypeExpr(p, sig, nil)
	return p.call(p.function(p.funcType(nil, []*ast.Field{p.field("", result)}), p.ret(lit)))
}

func (f *scope) plainFuncLit(p at, e *ast.FuncLit) ast.Expr {
	sig := f.info.TypeOf(e).(*types.Signature)
	g := f.inner(f.subst(f.env, sig).(*types.Signature))
	g.recoverFrom, f.recoverNext = f.recoverNext, ""
	if f.willTrace != "" {
		g.tracedLit, g.tracedBy = e, f.willTrace
	}
	t := g.declaredType(p, sig, nil)
	return &ast.FuncLit{Type: t, Body: g.body(e.Body, f.reentrant(e))}
}

// declaredType returns the type of a function with the names of its
// parameters, and recv in front of them; results have none.
func (f *scope) declaredType(p at, sig *types.Signature, recv *ast.Field) *ast.FuncType {
	sub := types.NewSignatureType(nil, nil, nil, f.substVars(sig.Params()), f.substVars(sig.Results()), sig.Variadic())
	names := map[*types.Var]string{}
	for i := range sig.Params().Len() {
		names[sub.Params().At(i)] = f.paramName(sig.Params().At(i))
	}
	t := f.funcTypeExpr(p, sub, func(v *types.Var) string { return names[v] })
	if recv != nil {
		t.Params.List = append([]*ast.Field{recv}, t.Params.List...)
	}
	return t
}

// substVars is substTuple that makes new variables in any case.
func (f *scope) substVars(t *types.Tuple) *types.Tuple {
	vars := make([]*types.Var, t.Len())
	for i := range vars {
		v := t.At(i)
		vars[i] = types.NewVar(v.Pos(), v.Pkg(), v.Name(), f.subst(f.env, v.Type()))
	}
	return types.NewTuple(vars...)
}

func (f *scope) paramName(v *types.Var) string {
	if v.Name() == "" || v.Name() == "_" {
		return "_"
	}
	return f.name(v)
}
