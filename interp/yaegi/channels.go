package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/goanvil/notebook/interp/cell"
)

// channels makes what waits for a channel a call of an aid, which an interrupt
// ends:
//
//	<-ch      func() (ꓸv T) { ꓸaid.Recv(ch, &ꓸv); return }()
//	ch <- x   { ꓸc1 := ch; var ꓸv2 T = x; ꓸaid.Send(ꓸc1, &ꓸv2) }
//	select    { ...; switch ꓸaid.Select(true, ꓸaid.CaseRecv(ch, &ꓸv1, &ꓸok2), ...) { case 0: ... } }
//
// (yaegi's own select keeps the state of one in its syntax tree, so that two
// goroutines at the same select receive each other's values.)
type channels struct {
	*Cell
	comm    map[ast.Node]bool // what select waits for
	pairs   map[*ast.UnaryExpr]bool
	changed bool
}

func waitInterruptibly(c *Cell) (changed bool, err error) {
	w := &channels{Cell: c, comm: map[ast.Node]bool{}, pairs: map[*ast.UnaryExpr]bool{}}
	ast.Inspect(c.File, w.note)
	cell.Rewrite(c.File, w.leave)
	return w.changed, nil
}

// note marks what belongs to a select, and the receives that tell whether the
// channel is closed.
func (w *channels) note(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CommClause:
		w.noteComm(n.Comm)
	case *ast.AssignStmt:
		w.notePair(len(n.Lhs), n.Rhs)
	case *ast.ValueSpec:
		w.notePair(len(n.Names), n.Values)
	}
	return true
}

func (w *channels) noteComm(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.SendStmt:
		w.comm[s] = true
	case *ast.ExprStmt:
		w.comm[ast.Unparen(s.X)] = true
	case *ast.AssignStmt:
		w.comm[ast.Unparen(s.Rhs[0])] = true
	}
}

func (w *channels) notePair(names int, values []ast.Expr) {
	if names == 2 && len(values) == 1 {
		if e, ok := ast.Unparen(values[0]).(*ast.UnaryExpr); ok && e.Op == token.ARROW {
			w.pairs[e] = true
		}
	}
}

func (w *channels) leave(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.UnaryExpr:
		if n.Op == token.ARROW && !w.comm[n] {
			return w.receive(n)
		}
	case *ast.SendStmt:
		if !w.comm[n] {
			return w.send(n)
		}
	case *ast.SelectStmt:
		return w.selects(n)
	case *ast.LabeledStmt:
		if b, ok := n.Stmt.(*ast.BlockStmt); ok && w.switches[b] {
			return w.relabel(n, b)
		}
	case *ast.RangeStmt:
		return w.ranges(n)
	}
	return n
}

// elem returns an expression for the type of ch's elements, if it is a channel
// of what has a name here.
func (w *channels) elem(ch ast.Expr) ast.Expr {
	t := w.Info.TypeOf(ch)
	if t == nil {
		return nil
	}
	c, ok := t.Underlying().(*types.Chan)
	if !ok {
		return nil
	}
	e, err := w.TypeExpr(ch.Pos(), c.Elem())
	if err != nil {
		return nil // waits, and cannot be interrupted
	}
	return e
}

func address(pos token.Pos, name string) ast.Expr {
	return &ast.UnaryExpr{OpPos: pos, Op: token.AND, X: cell.Ident(pos, name)}
}

func declare(pos token.Pos, name string, t, value ast.Expr) ast.Stmt {
	spec := &ast.ValueSpec{Names: []*ast.Ident{cell.Ident(pos, name)}, Type: t}
	if value != nil {
		spec.Values = []ast.Expr{value}
	}
	return &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{spec}}}
}

func define(pos token.Pos, name string, value ast.Expr) ast.Stmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{cell.Ident(pos, name)}, TokPos: pos, Tok: token.DEFINE, Rhs: []ast.Expr{value}}
}

// receive returns a call of a function that waits for <-ch.
func (w *channels) receive(e *ast.UnaryExpr) ast.Expr {
	elem, pos := w.elem(e.X), e.OpPos
	if elem == nil {
		return e
	}
	const value, more = "ꓸv", "ꓸok"
	results := &ast.FieldList{Opening: pos, Closing: pos, List: []*ast.Field{{Names: []*ast.Ident{cell.Ident(pos, value)}, Type: elem}}}
	recv := cell.Call(w.Aid(pos, "Recv"), e.X, address(pos, value))
	var wait ast.Stmt = &ast.ExprStmt{X: recv}
	if w.pairs[e] {
		results.List = append(results.List, &ast.Field{Names: []*ast.Ident{cell.Ident(pos, more)}, Type: cell.Ident(pos, "bool")})
		wait = &ast.AssignStmt{Lhs: []ast.Expr{cell.Ident(pos, more)}, TokPos: pos, Tok: token.ASSIGN, Rhs: []ast.Expr{recv}}
	}
	w.changed = true
	return cell.Call(&ast.FuncLit{
		Type: &ast.FuncType{Func: pos, Params: &ast.FieldList{Opening: pos, Closing: pos}, Results: results},
		Body: &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{wait, &ast.ReturnStmt{Return: pos}}, Rbrace: e.End()},
	})
}

func (w *channels) send(s *ast.SendStmt) ast.Stmt {
	elem, pos := w.elem(s.Chan), s.Pos()
	if elem == nil {
		return s
	}
	w.changed = true
	ch, value := w.Fresh("c"), w.Fresh("v")
	return cell.Block(s, []ast.Stmt{
		define(pos, ch, s.Chan),
		declare(pos, value, elem, s.Value),
		&ast.ExprStmt{X: cell.Call(w.Aid(s.Arrow, "Send"), cell.Ident(pos, ch), address(pos, value))},
	})
}

// selects returns a switch over what Select has chosen.
func (w *channels) selects(s *ast.SelectStmt) ast.Stmt {
	pos := s.Select
	wait := "true"
	sw := &ast.SwitchStmt{Switch: pos, Body: &ast.BlockStmt{Lbrace: pos, Rbrace: s.End()}}
	var before []ast.Stmt
	var cases []ast.Expr
	for _, clause := range s.Body.List {
		c := clause.(*ast.CommClause)
		if c.Comm == nil {
			wait = "false"
			sw.Body.List = append(sw.Body.List, &ast.CaseClause{Case: c.Case, Colon: c.Colon, Body: c.Body})
			continue
		}
		arg, first, ok := w.comms(c.Comm, &before)
		if !ok {
			return s
		}
		number := &ast.BasicLit{ValuePos: c.Case, Kind: token.INT, Value: strconv.Itoa(len(cases))}
		cases = append(cases, arg)
		sw.Body.List = append(sw.Body.List, &ast.CaseClause{Case: c.Case, List: []ast.Expr{number}, Colon: c.Colon, Body: append(first, c.Body...)})
	}
	sw.Tag = cell.Call(w.Aid(pos, "Select"), append([]ast.Expr{cell.Ident(pos, wait)}, cases...)...)
	w.changed = true
	b := &ast.BlockStmt{Lbrace: pos, List: append(before, sw), Rbrace: s.End()}
	w.switches[b] = true
	return b
}

// relabel moves the label of a select to its switch.
func (w *channels) relabel(l *ast.LabeledStmt, b *ast.BlockStmt) ast.Stmt {
	last := len(b.List) - 1
	l.Stmt = b.List[last]
	b.List[last] = l
	return b
}

// comms returns the argument of Select for one case, and the statements that
// come first in its body.
func (w *channels) comms(s ast.Stmt, before *[]ast.Stmt) (arg ast.Expr, first []ast.Stmt, ok bool) {
	pos := s.Pos()
	switch s := s.(type) {
	case *ast.SendStmt:
		elem := w.elem(s.Chan)
		if elem == nil {
			return nil, nil, false
		}
		ch, value := w.Fresh("c"), w.Fresh("v")
		*before = append(*before, define(pos, ch, s.Chan), declare(pos, value, elem, s.Value))
		return cell.Call(w.Aid(pos, "CaseSend"), cell.Ident(pos, ch), address(pos, value)), nil, true
	case *ast.ExprStmt:
		recv := ast.Unparen(s.X).(*ast.UnaryExpr)
		return cell.Call(w.Aid(pos, "CaseRecv"), recv.X, cell.Ident(pos, "nil"), cell.Ident(pos, "nil")), nil, true
	case *ast.AssignStmt:
		recv := ast.Unparen(s.Rhs[0]).(*ast.UnaryExpr)
		elem := w.elem(recv.X)
		if elem == nil {
			return nil, nil, false
		}
		value, more := w.Fresh("v"), w.Fresh("ok")
		*before = append(*before, declare(pos, value, elem, nil), declare(pos, more, cell.Ident(pos, "bool"), nil))
		assign := &ast.AssignStmt{Lhs: s.Lhs, TokPos: s.TokPos, Tok: s.Tok, Rhs: []ast.Expr{cell.Ident(pos, value)}}
		if len(s.Lhs) == 2 {
			assign.Rhs = append(assign.Rhs, cell.Ident(pos, more))
		}
		return cell.Call(w.Aid(pos, "CaseRecv"), recv.X, address(pos, value), address(pos, more)), []ast.Stmt{assign}, true
	}
	return nil, nil, false
}

// ranges returns a loop over a channel as one that receives.
func (w *channels) ranges(s *ast.RangeStmt) ast.Stmt {
	if w.elem(s.X) == nil {
		return s
	}
	pos := s.For
	ch, more := w.Fresh("c"), w.Fresh("ok")
	key, tok := s.Key, s.Tok
	var first []ast.Stmt
	if key == nil || cell.IsBlank(key) {
		key, tok = cell.Ident(pos, "_"), token.DEFINE
	}
	if tok == token.ASSIGN {
		first = append(first, declare(pos, more, cell.Ident(pos, "bool"), nil))
	}
	receive := &ast.UnaryExpr{OpPos: pos, Op: token.ARROW, X: cell.Ident(pos, ch)}
	first = append(first,
		&ast.AssignStmt{Lhs: []ast.Expr{key, cell.Ident(pos, more)}, TokPos: pos, Tok: tok, Rhs: []ast.Expr{receive}},
		&ast.IfStmt{If: pos, Cond: &ast.UnaryExpr{OpPos: pos, Op: token.NOT, X: cell.Ident(pos, more)},
			Body: &ast.BlockStmt{Lbrace: pos, Rbrace: pos, List: []ast.Stmt{&ast.BranchStmt{TokPos: pos, Tok: token.BREAK}}}})
	s.Body.List = append(first, s.Body.List...)
	w.changed = true // the receive is lowered in the next round
	return &ast.ForStmt{For: pos, Init: define(pos, ch, s.X), Body: s.Body}
}
