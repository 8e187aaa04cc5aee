package erase

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A rangeFunc is a loop over a function while its body is lowered: the body
// becomes a function literal, and what leaves the loop other than by its end
// is noted in state and done after the call.
type rangeFunc struct {
	state   string // 0 while the loop runs, 1 after it, others below
	results []string
	exits   []exit
	returns bool
	depth   int             // of the scope's loops outside of it
	labels  map[string]bool // in its body
}

// An exit is a jump out of the loop, done when state is 2 more than its index.
type exit struct {
	tok   token.Token
	label string
	to    *loop
}

const (
	stateRunning = 0
	stateDone    = 1
	stateReturn  = -1
)

func (f *scope) rangeFunc(p at, s *ast.RangeStmt, label string, sig *types.Signature) []ast.Stmt {
	r := &rangeFunc{state: f.unique("state"), depth: len(f.loops), labels: labelsIn(s.Body)}
	var list []ast.Stmt
	list = append(list, p.define(r.state, p.num(stateRunning)))
	for i, t := range f.results {
		if len(f.named) == 0 {
			r.results = append(r.results, f.unique("r"))
			list = append(list, p.variable(r.results[i], f.typeExpr(p, t)))
		}
	}
	yield := f.yield(p, s, label, r, sig.Params().At(0).Type().Underlying().(*types.Signature))
	list = append(list, p.expr(p.call(p.paren(f.expr(s.X)), yield)))
	return []ast.Stmt{p.block(append(list, f.leave(p, r)...)...)}
}

// yield lowers the loop's body to the function that the iterator calls.
func (f *scope) yield(p at, s *ast.RangeStmt, label string, r *rangeFunc, sig *types.Signature) ast.Expr {
	var params []*ast.Field
	var first []ast.Stmt
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		e := s.Key
		if i == 1 {
			e = s.Value
		}
		if isBlank(e) {
			params = append(params, p.field("_", f.typeExpr(p, t)))
			continue
		}
		name := f.unique("k")
		params = append(params, p.field(name, f.typeExpr(p, t)))
		first = append(first, p.assign(s.Tok, []ast.Expr{f.lhs(e)}, f.convert(p, p.id(name), t, f.lhsType(e))))
	}
	late := p.expr(p.call(p.id("panic"), p.str("range function continued iteration after function for loop body returned false")))
	body := []ast.Stmt{p.ifThen(p.bin(p.id(r.state), token.NEQ, p.num(stateRunning)), late)}
	f.push(&loop{label: label, kind: yieldLoop, yield: r})
	f.yields = append(f.yields, r)
	body = append(append(body, first...), f.stmts(s.Body.List)...)
	f.yields = f.yields[:len(f.yields)-1]
	f.pop()
	body = append(body, p.ret(p.id("true")))
	return p.function(p.funcType(params, []*ast.Field{p.field("", p.id("bool"))}), body...)
}

// leave does what the body asked for when it left the loop.
func (f *scope) leave(p at, r *rangeFunc) []ast.Stmt {
	var list []ast.Stmt
	when := func(state int, body ...ast.Stmt) {
		list = append(list, p.ifThen(p.bin(p.id(r.state), token.EQL, p.num(state)), body...))
	}
	if r.returns {
		when(stateReturn, f.returnResults(p, r)...)
	}
	for i, e := range r.exits {
		when(i+2, f.jump(p, e)...)
	}
	return append(list, p.set(p.id(r.state), p.num(stateDone)))
}

// returnResults returns what the body of a loop over a function returned.
func (f *scope) returnResults(p at, r *rangeFunc) []ast.Stmt {
	if len(f.yields) > 0 { // this loop is itself in the body of another
		outer := f.yields[len(f.yields)-1]
		outer.returns = true
		var list []ast.Stmt
		for i := range r.results {
			list = append(list, p.set(p.id(outer.results[i]), p.id(r.results[i])))
		}
		return append(list, f.stop(p, outer, stateReturn)...)
	}
	if f.defers != "" {
		return []ast.Stmt{p.ret()} // the results are set
	}
	if len(f.named) > 0 {
		return []ast.Stmt{p.ret(p.ids(f.named)...)}
	}
	return []ast.Stmt{p.ret(p.ids(r.results)...)}
}

// stop ends the loop over a function from its body.
func (f *scope) stop(p at, r *rangeFunc, state int) []ast.Stmt {
	return []ast.Stmt{p.set(p.id(r.state), p.num(state)), p.ret(p.id("false"))}
}

// returnFromYield lowers a return in the body of a loop over a function.
func (f *scope) returnFromYield(p at, s *ast.ReturnStmt) []ast.Stmt {
	r := f.yields[len(f.yields)-1]
	r.returns = true
	var lhs []ast.Expr
	for i := range f.results {
		if len(f.named) > 0 {
			lhs = append(lhs, p.id(f.named[i]))
		} else {
			lhs = append(lhs, p.id(r.results[i]))
		}
	}
	var list []ast.Stmt
	if len(s.Results) > 0 {
		list = f.assignTo(p, token.ASSIGN, lhs, f.results, s.Results)
	}
	return append(list, f.stop(p, r, stateReturn)...)
}

// branchStmt lowers break, continue, goto and fallthrough.
func (f *scope) branchStmt(p at, s *ast.BranchStmt) []ast.Stmt {
	if s.Tok == token.FALLTHROUGH {
		return []ast.Stmt{&ast.BranchStmt{TokPos: s.TokPos, Tok: s.Tok}}
	}
	label := ""
	if s.Label != nil {
		label = s.Label.Name
	}
	if s.Tok == token.GOTO {
		return f.gotoLabel(p, label)
	}
	to := f.target(s.Tok, label)
	if to == nil {
		fail(p, "%s outside of a loop", s.Tok)
	}
	return f.jump(p, exit{s.Tok, label, to})
}

// gotoLabel jumps to a label, through the bodies of loops over functions that
// do not have it.
func (f *scope) gotoLabel(p at, label string) []ast.Stmt {
	if n := len(f.yields); n > 0 && !f.yields[n-1].labels[label] {
		r := f.yields[n-1]
		r.exits = append(r.exits, exit{tok: token.GOTO, label: label})
		return f.stop(p, r, len(r.exits)+1)
	}
	return []ast.Stmt{p.branch(token.GOTO, label)}
}

// labelsIn returns the labels of a body.
func labelsIn(b *ast.BlockStmt) map[string]bool {
	labels := map[string]bool{}
	ast.Inspect(b, func(n ast.Node) bool {
		if s, ok := n.(*ast.LabeledStmt); ok {
			labels[s.Label.Name] = true
		}
		_, isFunc := n.(*ast.FuncLit)
		return !isFunc
	})
	return labels
}

// target returns the enclosing statement that a break or continue means.
func (f *scope) target(tok token.Token, label string) *loop {
	for i := len(f.loops) - 1; i >= 0; i-- {
		l := f.loops[i]
		if label != "" && l.label == label || label == "" && (tok == token.BREAK || l.kind != switchLoop) {
			return l
		}
	}
	return nil
}

// jump breaks or continues the loop e.to, through the bodies of loops over
// functions that lie between.
func (f *scope) jump(p at, e exit) []ast.Stmt {
	if e.tok == token.GOTO {
		return f.gotoLabel(p, e.label)
	}
	if r := f.crossed(e.to); r != nil {
		r.exits = append(r.exits, e)
		return f.stop(p, r, len(r.exits)+1)
	}
	if e.to.kind == yieldLoop {
		if e.tok == token.CONTINUE {
			return []ast.Stmt{p.ret(p.id("true"))}
		}
		return f.stop(p, e.to.yield, stateDone)
	}
	var list []ast.Stmt
	if e.tok == token.CONTINUE && e.to.step != nil {
		list = e.to.step(p)
	}
	return append(list, p.branch(e.tok, e.label))
}

// crossed returns the innermost loop over a function whose body a jump to l leaves.
func (f *scope) crossed(l *loop) *rangeFunc {
	for i := len(f.loops) - 1; i >= 0; i-- {
		if f.loops[i] == l {
			return nil
		}
		if f.loops[i].kind == yieldLoop {
			return f.loops[i].yield
		}
	}
	return nil
}
