package yaegi

import (
	"go/ast"
	"go/token"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/yaegi/erase"
)

// trace makes every function of the cell remember where it is, say so when it
// ends, and end where the cell is interrupted or recursion has no end:
//
//	ꓸat := 0
//	defer ꓸaid.Leave(&ꓸat, ꓸaid.Enter())
//	ꓸat = 77 // before each statement that could panic: its position
//
// When a function ends by a panic, the session takes what Leave said last as a
// line of the traceback. (yaegi knows of a panic only which functions it left,
// and its own way to interrupt makes every function of earlier cells return at
// once, with zeros, ever after.) Loops ask too: if len(ꓸstop) > 0 { ꓸaid.Poll() }
func (c *Cell) trace() {
	c.wrapRecovers()
	for _, decl := range c.File.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Name == c.entry {
			f.Body.List = c.pollBetween(f.Body.List)
		}
	}
	var bodies []*ast.BlockStmt
	ast.Inspect(c.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			bodies = append(bodies, n.Body)
		case *ast.FuncLit:
			bodies = append(bodies, n.Body)
		}
		return true
	})
	for _, body := range bodies {
		c.traceBody(body)
	}
}

const position = "ꓸat"

// Stop is a channel of the engine's that the session shares: functions and loops
// are to call Poll while it holds something. (Its length may be asked without
// synchronisation, and costs an interpreter less than a call; a variable of a
// compiled package would be a constant to yaegi's if.)
const Stop = "ꓸstop"

// MaxDepth bounds how many functions of cells may wait for each other. A stack
// of Go's own, which holds several of yaegi's frames for each, must not run out:
// that ends the process.
const MaxDepth = 50_000

// traceBody adds positions to a function's body, but not to functions in it.
func (c *Cell) traceBody(body *ast.BlockStmt) {
	if body == nil || len(body.List) == 0 {
		return
	}
	t := tracer{cell: c}
	t.list(&body.List)
	if !t.needed {
		return
	}
	pos := body.Pos()
	for _, s := range body.List[:min(2, len(body.List))] { // the second, if it has a position
		c.placeGuard(s)
	}
	body.List = append([]ast.Stmt{
		&ast.AssignStmt{Lhs: []ast.Expr{cell.Ident(pos, position)}, TokPos: pos, Tok: token.DEFINE, Rhs: []ast.Expr{cell.Int(pos, int(pos))}},
		&ast.DeferStmt{Defer: pos, Call: cell.Call(c.Aid(pos, "Leave"), &ast.UnaryExpr{OpPos: pos, Op: token.AND, X: cell.Ident(pos, position)}, cell.Call(c.Aid(pos, "Enter")))},
	}, body.List...)
}

// poll returns if len(ꓸstop) > 0 { ꓸaid.Poll() }.
func (c *Cell) poll(pos token.Pos) ast.Stmt {
	cond := &ast.BinaryExpr{X: cell.Call(cell.Ident(pos, "len"), cell.Ident(pos, Stop)), OpPos: pos, Op: token.GTR, Y: cell.Int(pos, 0)}
	return &ast.IfStmt{If: pos, Cond: cond, Body: &ast.BlockStmt{Lbrace: pos, Rbrace: pos, List: []ast.Stmt{
		&ast.ExprStmt{X: cell.Call(c.Aid(pos, "Poll"))}}}}
}

// pollBetween polls before each statement of a cell but the first, so that a
// compiled function which ends after its cell was given up is followed by nothing.
func (c *Cell) pollBetween(list []ast.Stmt) []ast.Stmt {
	var all []ast.Stmt
	for i, s := range list {
		if e, ok := s.(*ast.ExprStmt); i > 0 && (!ok || !c.callsAid(e.X)) {
			all = append(all, c.poll(s.Pos()))
		}
		all = append(all, s)
	}
	return all
}

// placeGuard tells the guard of a goroutine, if s is one, where the goroutine is.
func (c *Cell) placeGuard(s ast.Stmt) {
	d, ok := s.(*ast.DeferStmt)
	if !ok {
		return
	}
	lit, ok := d.Call.Fun.(*ast.FuncLit)
	if !ok || len(lit.Body.List) != 1 {
		return
	}
	e, ok := lit.Body.List[0].(*ast.ExprStmt)
	if !ok {
		return
	}
	if caught, ok := e.X.(*ast.CallExpr); ok && c.isAid(caught.Fun, "Caught") && len(caught.Args) == 1 {
		caught.Args = append(caught.Args, cell.Ident(caught.Pos(), position))
	}
}

// isAid reports whether e is the aid called name; any, where name is "".
func (c *Cell) isAid(e ast.Expr, name string) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok || name != "" && sel.Sel.Name != name {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && id.Name == c.Env.Alias(check.AidPath)
}

// callsAid reports whether e calls an aid that is to be called in any case.
func (c *Cell) callsAid(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && c.isAid(call.Fun, "Done")
}

// runsLoop reports whether e calls a loop that is compiled.
func (c *Cell) runsLoop(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && c.isAid(call.Fun, "Loop")
}

// wrapRecovers tells the session of panics that end before they reach it.
func (c *Cell) wrapRecovers() {
	guards := map[ast.Expr]bool{}
	ast.Inspect(c.File, func(n ast.Node) bool {
		if e, ok := n.(*ast.CallExpr); ok && c.isAid(e.Fun, "Caught") {
			guards[e.Args[0]] = true
		}
		return true
	})
	cell.Rewrite(c.File, func(n ast.Node) ast.Node {
		e, ok := n.(*ast.CallExpr)
		if !ok || guards[e] {
			return n
		}
		switch fun := e.Fun.(type) {
		case *ast.Ident:
			if fun.Name == "recover" && len(e.Args) == 0 {
				return cell.Call(c.Aid(e.Pos(), "Recovered"), e)
			}
		case *ast.SelectorExpr:
			id, ok := fun.X.(*ast.Ident)
			if erase.IsRecover(e) {
				return cell.Call(c.Aid(e.Pos(), "Recovered"), e)
			}
			if ok && fun.Sel.Name == "Try" && c.Path != "" && id.Name == c.Env.Alias(c.Path) {
				return cell.Call(c.Aid(e.Pos(), "Tried"), e)
			}
		}
		return n
	})
}

type tracer struct {
	cell   *Cell
	needed bool
}

// list adds positions to a list of statements and to those within.
func (t *tracer) list(list *[]ast.Stmt) {
	var all []ast.Stmt
	for _, s := range *list {
		if isLoop(s) {
			all = append(all, t.at(s.Pos()))
		} else if b, ok := s.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			t.needed = true
			all = append(all, t.cell.poll(s.Pos()))
		}
		if at := t.cell.panicky(s); at.IsValid() {
			all = append(all, t.at(at))
		} else if e, ok := s.(*ast.ExprStmt); ok && t.cell.runsLoop(e.X) {
			t.needed = true // the loop tells its own position
			all = append(all, &ast.AssignStmt{Lhs: []ast.Expr{cell.Ident(s.Pos(), position)}, TokPos: s.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{cell.Int(s.Pos(), 0)}})
		}
		all = append(all, s)
		t.within(s)
	}
	*list = all
}

// at returns the statement that notes a position.
func (t *tracer) at(pos token.Pos) ast.Stmt {
	t.needed = true
	return &ast.AssignStmt{Lhs: []ast.Expr{cell.Ident(pos, position)}, TokPos: pos, Tok: token.ASSIGN, Rhs: []ast.Expr{cell.Int(pos, int(pos))}}
}

func isLoop(s ast.Stmt) bool {
	if l, ok := s.(*ast.LabeledStmt); ok {
		s = l.Stmt
	}
	switch s.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return true
	}
	return false
}

// within adds positions to the blocks of s.
func (t *tracer) within(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		t.list(&s.List)
	case *ast.IfStmt:
		t.list(&s.Body.List)
		if s.Else != nil {
			t.within(s.Else)
		}
	case *ast.ForStmt:
		t.loop(s.Pos(), s.Body)
	case *ast.RangeStmt:
		t.loop(s.Pos(), s.Body)
	case *ast.SwitchStmt:
		t.within(s.Body)
	case *ast.TypeSwitchStmt:
		t.within(s.Body)
	case *ast.SelectStmt:
		t.within(s.Body)
	case *ast.CaseClause:
		t.list(&s.Body)
	case *ast.CommClause:
		t.list(&s.Body)
	case *ast.LabeledStmt:
		if b, ok := s.Stmt.(*ast.BranchStmt); ok {
			s.Stmt = &ast.BlockStmt{Lbrace: b.Pos(), List: []ast.Stmt{b}, Rbrace: b.End()}
		}
		t.within(s.Stmt)
	}
}

// loop adds positions to the body of a loop, and asks for Stop in it.
func (t *tracer) loop(pos token.Pos, body *ast.BlockStmt) {
	t.needed = true
	t.list(&body.List)
	body.List = append([]ast.Stmt{t.cell.poll(pos)}, body.List...)
}

// panicky returns where s itself, without the blocks in it, could panic: the
// place of the operation if there is one only, else the start of s.
func (c *Cell) panicky(s ast.Stmt) token.Pos {
	switch s := s.(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		return token.NoPos
	case *ast.LabeledStmt:
		return c.panicky(s.Stmt)
	case *ast.SelectStmt:
		return s.Pos()
	}
	var places []token.Pos
	ast.Inspect(s, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit, *ast.BlockStmt:
			return false
		}
		if at := c.panics(n); at.IsValid() {
			places = append(places, at)
		}
		return true
	})
	switch {
	case len(places) == 1:
		return places[0]
	case len(places) > 1 || c.dereferences(s):
		c.noteCalls(s)
		return s.Pos()
	}
	return token.NoPos
}

// A Call is where a statement calls a function by name.
type Call struct {
	Name string
	Pos  token.Pos
}

// noteCalls notes the calls of a statement that makes several: a panic may tell
// which one it was.
func (c *Cell) noteCalls(s ast.Stmt) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.BlockStmt:
			return false
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && !c.isAid(sel, "") {
				c.calls[s.Pos()] = append(c.calls[s.Pos()], Call{sel.Sel.Name, sel.Sel.Pos()})
			}
		}
		return true
	})
}

// dereferences reports whether s selects a field, maybe of a nil pointer.
func (c *Cell) dereferences(s ast.Stmt) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.BlockStmt:
			return false
		case *ast.SelectorExpr:
			found = found || !c.isAid(n, "")
		case *ast.Ident:
			found = found || n.Name == "panic"
		}
		return !found
	})
	return found
}

// panics returns the place of n if it is an operation that could panic.
func (c *Cell) panics(n ast.Node) token.Pos {
	switch n := n.(type) {
	case *ast.CallExpr:
		return c.callPanics(n)
	case *ast.IndexExpr:
		return n.Lbrack
	case *ast.SliceExpr:
		return n.Lbrack
	case *ast.StarExpr:
		return n.Star
	case *ast.TypeAssertExpr:
		return n.Pos()
	case *ast.BinaryExpr:
		if panicOps[n.Op] {
			return n.OpPos
		}
	case *ast.SendStmt:
		return n.Arrow
	case *ast.AssignStmt:
		if n.Tok == token.QUO_ASSIGN || n.Tok == token.REM_ASSIGN {
			return n.TokPos
		}
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			return n.OpPos
		}
	}
	return token.NoPos
}

// callPanics returns where a call starts that could panic.
func (c *Cell) callPanics(n *ast.CallExpr) token.Pos {
	switch fun := n.Fun.(type) {
	case *ast.Ident:
		if harmless[fun.Name] {
			return token.NoPos
		}
	case *ast.SelectorExpr:
		if c.isAid(fun, "") && !c.isAid(fun, "Call") || erase.Harmless(fun) {
			return token.NoPos
		}
	}
	return n.Pos()
}

var panicOps = map[token.Token]bool{token.QUO: true, token.REM: true, token.SHL: true, token.SHR: true, token.EQL: true, token.NEQ: true}

// harmless has the builtin functions and conversions that do not panic.
var harmless = map[string]bool{
	"len": true, "cap": true, "append": true, "copy": true, "new": true, "min": true, "max": true, "delete": true,
	"int": true, "float64": true, "float32": true, "string": true, "int64": true, "int32": true, "uint8": true, "byte": true,
}
