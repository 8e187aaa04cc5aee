package check

import (
	"go/ast"
	"go/token"
	"go/types"
)

func (f *inference) statements(list []ast.Stmt) {
	for _, s := range list {
		f.statement(s)
	}
}

// statement infers the types of the expressions in s, and declares the names that s declares. s may be nil.
func (f *inference) statement(s ast.Stmt) {
	Poll(f.ctx)
	switch s := s.(type) {
	case *ast.ExprStmt:
		f.expr(s.X)
	case *ast.SendStmt:
		f.expr(s.Chan)
		f.expr(s.Value)
	case *ast.IncDecStmt:
		f.expr(s.X)
	case *ast.GoStmt:
		f.expr(s.Call)
	case *ast.DeferStmt:
		f.expr(s.Call)
	case *ast.ReturnStmt:
		f.values(len(s.Results), s.Results)
	case *ast.AssignStmt:
		f.assign(s)
	case *ast.DeclStmt:
		f.declaration(s.Decl.(*ast.GenDecl), func(declare func(), _ ...*ast.Ident) { declare() })
	case *ast.LabeledStmt:
		f.statement(s.Stmt)
	case *ast.BlockStmt:
		f.block(s)
	case *ast.IfStmt:
		f.push()
		f.statement(s.Init)
		f.expr(s.Cond)
		f.block(s.Body)
		f.statement(s.Else)
		f.pop()
	case *ast.ForStmt:
		f.push()
		f.statement(s.Init)
		f.expr(s.Cond)
		f.statement(s.Post)
		f.block(s.Body)
		f.pop()
	case *ast.RangeStmt:
		f.rangeStmt(s)
	case *ast.SwitchStmt:
		f.push()
		f.statement(s.Init)
		f.expr(s.Tag)
		f.block(s.Body)
		f.pop()
	case *ast.TypeSwitchStmt:
		f.typeSwitch(s)
	case *ast.SelectStmt:
		f.block(s.Body)
	case *ast.CaseClause:
		for _, e := range s.List {
			f.expr(e)
		}
		f.block(&ast.BlockStmt{List: s.Body})
	case *ast.CommClause:
		f.push()
		f.statement(s.Comm)
		f.statements(s.Body)
		f.pop()
	}
}

func (f *inference) block(b *ast.BlockStmt) {
	f.push()
	f.statements(b.List)
	f.pop()
}

// assign infers the types in an assignment, and declares new variables of a :=.
func (f *inference) assign(s *ast.AssignStmt) {
	rhs := f.values(len(s.Lhs), s.Rhs)
	if s.Tok != token.DEFINE {
		for _, lhs := range s.Lhs {
			f.expr(lhs)
		}
		return
	}
	for i, lhs := range s.Lhs {
		if id, ok := lhs.(*ast.Ident); ok {
			f.define(id, rhs[i])
		}
	}
}

// define visits id on the left side of a :=. It declares id, unless the current block has declared id before.
func (f *inference) define(id *ast.Ident, t types.Type) {
	if old := f.scope.names[id.Name]; old != nil {
		f.Info.Uses[id] = old
		return
	}
	f.variable(id, t)
}

// rangeStmt infers the types in a range statement, and declares its variables if it has :=.
func (f *inference) rangeStmt(s *ast.RangeStmt) {
	key, value := f.iterated(f.expr(s.X))
	f.push()
	for _, v := range []struct {
		e ast.Expr
		t types.Type
	}{{s.Key, key}, {s.Value, value}} {
		if id, ok := v.e.(*ast.Ident); ok && s.Tok == token.DEFINE {
			f.define(id, v.t)
		} else if v.e != nil {
			f.expr(v.e)
		}
	}
	f.block(s.Body)
	f.pop()
}

// iterated returns the types of the key and the value in a range over a value of type t. They are unknown where such a
// range has no key or no value.
func (f *inference) iterated(t types.Type) (key, value types.Type) {
	integer := types.Typ[types.Int]
	if f.isTensor(t) {
		return integer, t
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return integer, u.Elem()
	case *types.Array:
		return integer, u.Elem()
	case *types.Pointer:
		if a, ok := u.Elem().Underlying().(*types.Array); ok {
			return integer, a.Elem()
		}
	case *types.Map:
		return u.Key(), u.Elem()
	case *types.Chan:
		return u.Elem(), unknown
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return integer, types.Universe.Lookup("rune").Type()
		}
		return t, unknown
	case *types.Signature:
		if u.Params().Len() == 1 {
			if yield, ok := u.Params().At(0).Type().Underlying().(*types.Signature); ok {
				return parameter(yield, 0), parameter(yield, 1)
			}
		}
	}
	return unknown, unknown
}

// parameter returns the type of parameter i of sig, or unknown if there is none.
func parameter(sig *types.Signature, i int) types.Type {
	if i < sig.Params().Len() {
		return sig.Params().At(i).Type()
	}
	return unknown
}

// typeSwitch infers the types in a type switch. The variable of the switch has a type of its own in each clause.
func (f *inference) typeSwitch(s *ast.TypeSwitchStmt) {
	f.push()
	defer f.pop()
	f.statement(s.Init)
	var id *ast.Ident
	var asserted ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		asserted = a.X
	case *ast.AssignStmt:
		id, _ = a.Lhs[0].(*ast.Ident)
		asserted = a.Rhs[0]
	}
	t := unknown
	if e, ok := ast.Unparen(asserted).(*ast.TypeAssertExpr); ok {
		t = f.expr(e.X)
	}
	for _, clause := range s.Body.List {
		clause := clause.(*ast.CaseClause)
		varType := t // the type of the variable in this clause: if the clause lists exactly one type, that type
		for _, e := range clause.List {
			if listed := f.typeOf(e); len(clause.List) == 1 && f.isType(e) {
				varType = listed
			}
		}
		f.push()
		if id != nil && id.Name != "_" {
			v := types.NewVar(id.Pos(), f.Pkg, id.Name, varType)
			f.Info.Implicits[clause] = v
			f.scope.names[id.Name] = v
		}
		f.statements(clause.Body)
		f.pop()
	}
}
