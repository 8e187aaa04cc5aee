package tensor

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/explain"
)

// stmt returns s or its replacement.
func (o *operators) stmt(s ast.Stmt) ast.Stmt {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return o.assign(s)
	case *ast.ExprStmt:
		if authored := o.authored[ast.Unparen(s.X)]; authored != nil {
			o.pendingNotes = append(o.pendingNotes, func() { o.Note(o.Explainer().Unused(authored)) })
		}
	case *ast.IncDecStmt:
		if o.isTensor(s.X) {
			one := &ast.BasicLit{ValuePos: s.TokPos, Kind: token.INT, Value: "1"}
			return o.update(s, s.X, binaryOps[incDecOps[s.Tok]], s.TokPos, one)
		}
	case *ast.IfStmt:
		s.Cond = o.condition(s.Cond)
	case *ast.ForStmt:
		s.Cond = o.condition(s.Cond)
	case *ast.RangeStmt:
		return o.rangeStmt(s)
	case *ast.CommClause:
		o.refuseReceive(s)
	case *ast.LabeledStmt:
		return o.labeled(s)
	case *ast.SwitchStmt:
		if s.Tag == nil {
			o.cases(s)
		}
	}
	return s
}

// cases rewrites the conditions in the case clauses of a switch without a tag.
func (o *operators) cases(s *ast.SwitchStmt) {
	for _, clause := range s.Body.List {
		list := clause.(*ast.CaseClause).List
		for i, e := range list {
			list[i] = o.condition(e)
		}
	}
}

// assign returns the replacement of s if s has the form x += y, x[i] = y or x[i] += y for a tensor x, and otherwise s.
func (o *operators) assign(s *ast.AssignStmt) ast.Stmt {
	if s.Tok == token.DEFINE {
		o.define(s.Lhs, s.Rhs)
		return s
	}
	if op, ok := assignOps[s.Tok]; ok {
		if len(s.Lhs) != 1 || !o.isTensor(s.Lhs[0]) {
			return s
		}
		if !o.typeIsKnown(s.Rhs[0]) {
			return s
		}
		name := binaryOps[op]
		o.noteOperands(op, s.TokPos, s.Lhs[0], s.Rhs[0])
		o.checkOperand(name, s.Rhs[0])
		return o.update(s, s.Lhs[0], name, s.TokPos, s.Rhs[0])
	}
	if o.setsElement(s) {
		return o.setElements(s)
	}
	return s
}

// update returns lhs = name(lhs, y), which replaces s, an assignment such as lhs += y. The replacement evaluates the
// parts of lhs only once. update returns s if there is an error.
func (o *operators) update(s ast.Stmt, lhs ast.Expr, name string, pos token.Pos, y ast.Expr) ast.Stmt {
	if o.err != nil {
		return s
	}
	o.refuseStore(lhs)
	var before []ast.Stmt
	lhs = o.stable(lhs, hasCall(y), &before)
	value := o.markTensor(o.callLibrary(pos, name, o.copyOf(lhs), y))
	return cell.Block(s, append(before, o.store(lhs, value, pos)))
}

// store returns the assignment lhs = value. If lhs is an element x[i] of a tensor, it returns x = nv.Set(x, value, i).
func (o *operators) store(lhs, value ast.Expr, pos token.Pos) ast.Stmt {
	for {
		at, ok := o.elements[ast.Unparen(lhs)]
		if !ok {
			return &ast.AssignStmt{Lhs: []ast.Expr{lhs}, TokPos: pos, Tok: token.ASSIGN, Rhs: []ast.Expr{value}}
		}
		args := append([]ast.Expr{o.copyOf(at.X), value}, at.Args...)
		value = o.markTensor(o.callLibrary(at.X.Pos(), "Set", args...))
		lhs = at.X
	}
}

// refuseStore sets o.err if lhs is a tensor that cannot be assigned to, such as f(), or an element of one.
func (o *operators) refuseStore(lhs ast.Expr) {
	base := ast.Unparen(lhs)
	for at := o.elements[base]; at != nil; at = o.elements[base] {
		base = ast.Unparen(at.X)
	}
	tv, ok := o.Info.Types[base]
	if _, isCall := base.(*ast.CallExpr); isCall || ok && !tv.Assignable() {
		text := "an expression"
		if !o.madeTensors[base] {
			text = explain.Written(base)
		}
		change := "change t"
		if base != ast.Unparen(lhs) {
			text, change = "an element of "+text, "write t[i] = v"
		}
		o.err = o.Errorf(lhs, "cannot assign to %s, which is not a variable; "+
			"assign it to a variable t first, then %s", text, change)
	}
}

// refuseReceive sets o.err if s is a case of a select statement that assigns to an element of a tensor. The replacement
// of such an assignment is not one that a case can have.
func (o *operators) refuseReceive(s *ast.CommClause) {
	for authored, replacement := range o.replaced {
		if assign, ok := authored.(*ast.AssignStmt); ok && replacement == s.Comm && assign.Tok == token.ASSIGN {
			o.err = o.Errorf(assign, "a case of select cannot assign to an element of a tensor; "+
				"write case v := <-c: t[i] = v")
		}
	}
}

// refuseRange sets o.err if an iteration variable of s is an element of a tensor.
func (o *operators) refuseRange(s *ast.RangeStmt) {
	for _, v := range []ast.Expr{s.Key, s.Value} {
		if v != nil && o.elements[ast.Unparen(v)] != nil {
			o.err = o.Errorf(v, "an iteration variable cannot be an element of a tensor; "+
				"write for v := range ... { t[i] = v }")
		}
	}
}

// setsElement reports whether s assigns to an element of a tensor.
func (o *operators) setsElement(s *ast.AssignStmt) bool {
	for _, l := range s.Lhs {
		if at, ok := o.elements[ast.Unparen(l)]; ok && o.isTensor(at.X) {
			return true
		}
	}
	return false
}

// setElements returns the replacement of an assignment with elements of tensors on the left. The replacement evaluates
// all values first, and then assigns them one after the other.
func (o *operators) setElements(s *ast.AssignStmt) ast.Stmt {
	for _, l := range s.Lhs {
		if o.elements[ast.Unparen(l)] != nil {
			o.refuseStore(l)
		}
	}
	if len(s.Lhs) == 1 {
		var before []ast.Stmt
		lhs := o.stable(s.Lhs[0], false, &before)
		return cell.Block(s, append(before, o.store(lhs, s.Rhs[0], s.TokPos)))
	}
	var list []ast.Stmt
	values := &ast.AssignStmt{TokPos: s.TokPos, Tok: token.DEFINE, Rhs: s.Rhs}
	targets := make([]ast.Expr, len(s.Lhs))
	for i, l := range s.Lhs {
		targets[i] = o.stable(l, true, &list)
		values.Lhs = append(values.Lhs, cell.Ident(l.Pos(), o.Fresh("v")))
	}
	list = append(list, values)
	for i, l := range targets {
		v := cell.Ident(l.Pos(), values.Lhs[i].(*ast.Ident).Name)
		if id, ok := l.(*ast.Ident); ok && id.Name == "_" {
			continue
		}
		list = append(list, o.store(l, v, s.TokPos))
	}
	return cell.Block(s, list)
}

// hasCall reports whether e contains a call, which may change variables.
func hasCall(e ast.Expr) (has bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if _, ok := n.(*ast.CallExpr); ok {
			has = true
		}
		return !has
	})
	return has
}

// stable returns an expression for e that can be evaluated twice with the same result. It replaces the parts of e that
// may change in between by variables, and appends the declarations of these variables to before. If indicesChange is
// true, variables in e that are indices may change too.
func (o *operators) stable(e ast.Expr, indicesChange bool, before *[]ast.Stmt) ast.Expr {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return o.stable(e.X, indicesChange, before)
	case *ast.SelectorExpr:
		if !o.isPackage(e.X) {
			e.X = o.stable(e.X, indicesChange, before)
		}
	case *ast.StarExpr:
		e.X = o.stable(e.X, indicesChange, before)
	case *ast.IndexExpr:
		e.X, e.Index = o.stable(e.X, indicesChange, before), o.stableIndex(e.Index, indicesChange, before)
	case *ast.CallExpr:
		at, ok := o.elements[e]
		if !ok {
			return o.variableFor(e, before)
		}
		at.X = o.stable(at.X, indicesChange, before)
		for i, arg := range at.Args {
			at.Args[i] = o.stableIndex(arg, indicesChange, before)
		}
		at.updateCall()
	case *ast.Ident, *ast.BasicLit:
	default:
		return o.variableFor(e, before)
	}
	return e
}

// stableIndex is stable for an index, or for an argument of At, which may be a call of Range or Slice.
func (o *operators) stableIndex(e ast.Expr, indicesChange bool, before *[]ast.Stmt) ast.Expr {
	if indicesChange && o.isVariable(e) {
		return o.variableFor(e, before)
	}
	c, ok := e.(*ast.CallExpr)
	if !ok || !o.slices[c] {
		return o.stable(e, indicesChange, before)
	}
	for i, arg := range c.Args {
		c.Args[i] = o.stableIndex(arg, indicesChange, before)
	}
	return c
}

// isVariable reports whether e is a variable, or a field of one.
func (o *operators) isVariable(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		_, ok := o.Info.ObjectOf(e).(*types.Var)
		return ok
	case *ast.SelectorExpr:
		return !o.isPackage(e.X)
	}
	return false
}

// isPackage reports whether e is the name of a package.
func (o *operators) isPackage(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && (o.Env.IsAlias(id.Name) || check.IsPackageName(o.Info.Uses[id]))
}

// variableFor returns a new variable that is set to e. It appends the declaration of the variable to before.
func (o *operators) variableFor(e ast.Expr, before *[]ast.Stmt) ast.Expr {
	name := o.Fresh("t")
	*before = append(*before, &ast.AssignStmt{
		Lhs: []ast.Expr{cell.Ident(e.Pos(), name)}, TokPos: e.Pos(), Tok: token.DEFINE, Rhs: []ast.Expr{e}})
	v := cell.Ident(e.Pos(), name)
	if o.isTensor(e) {
		o.markTensor(v)
	}
	return v
}

// rangeStmt returns the replacement of s if s ranges over a tensor, and otherwise s. The replacement iterates over the
// first axis: for i, row := range x {...} becomes for i := range x.Len() { row := x.At(i); ... }.
func (o *operators) rangeStmt(s *ast.RangeStmt) ast.Stmt {
	if !o.isTensor(s.X) {
		o.refuseRange(s)
		return s
	}
	var before []ast.Stmt
	x, key := s.X, s.Key
	hasValue := s.Value != nil && !cell.IsBlank(s.Value)
	declaresKey := key != nil && !cell.IsBlank(key) && s.Tok == token.DEFINE
	if _, ok := key.(*ast.Ident); declaresKey && !ok {
		o.err = o.Errorf(key, "only names may be on the left side of :=; to assign to other variables, write =")
		return s
	}
	if hasValue && !declaresKey {
		key = cell.Ident(s.For, o.Fresh("i"))
	}
	if hasValue {
		x = o.variableFor(x, &before) // the body may assign to the variables in x
		row := method(o.copyOf(x), "At", cell.Ident(s.Value.Pos(), key.(*ast.Ident).Name))
		first := []ast.Stmt{&ast.AssignStmt{Lhs: []ast.Expr{s.Value}, TokPos: s.TokPos, Tok: s.Tok, Rhs: []ast.Expr{row}}}
		if s.Tok == token.ASSIGN && s.Key != nil && !cell.IsBlank(s.Key) {
			index := cell.Ident(s.Key.Pos(), key.(*ast.Ident).Name)
			first = append(first, &ast.AssignStmt{
				Lhs: []ast.Expr{s.Key}, TokPos: s.TokPos, Tok: token.ASSIGN, Rhs: []ast.Expr{index},
			})
		}
		if id, ok := s.Value.(*ast.Ident); ok && s.Tok == token.DEFINE {
			o.tensorVars[o.Info.Defs[id]] = true
		}
		s.Body.List = append(first, s.Body.List...)
	}
	s.Key, s.Value = key, nil
	if hasValue {
		s.Tok = token.DEFINE
	}
	o.refuseRange(s)
	s.X = method(x, "Len")
	o.changed = true
	replacement := cell.Block(s, append(before, s))
	o.loops[replacement] = true
	return replacement
}

// labeled returns the replacement of s if rangeStmt has replaced the statement of s, a loop, by a block that ends with
// the loop. The label moves to the loop, since a break or continue statement needs the label of a loop. If a goto
// statement uses the label, labeled returns s, so that goto still jumps to the start of the block.
func (o *operators) labeled(s *ast.LabeledStmt) ast.Stmt {
	block, ok := s.Stmt.(*ast.BlockStmt)
	if !ok || !o.loops[block] {
		return s
	}
	hasGoto := false
	ast.Inspect(o.File, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO && b.Label.Name == s.Label.Name {
			hasGoto = true
		}
		return !hasGoto
	})
	if hasGoto {
		return s
	}
	last := &block.List[len(block.List)-1]
	*last = &ast.LabeledStmt{Label: s.Label, Colon: s.Colon, Stmt: *last}
	return block
}

// rewriteBranches replaces each branch statement in n, except those in function literals, by the result of replace.
// inner reports whether a loop in n encloses the branch statement.
func rewriteBranches(n ast.Node, replace func(s *ast.BranchStmt, inner bool) ast.Stmt) {
	loops := 0
	astutil.Apply(n, func(at *astutil.Cursor) bool {
		switch s := at.Node().(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			loops++
		case *ast.BranchStmt:
			if fresh := replace(s, loops > 0); fresh != ast.Stmt(s) {
				at.Replace(fresh)
			}
		}
		return true
	}, func(at *astutil.Cursor) bool {
		switch at.Node().(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			loops--
		}
		return true
	})
}
