package erase

import (
	"go/ast"
	"go/token"
	"strconv"
)

// at builds syntax at one position: that of the author's code it stands for.
type at token.Pos

func (p at) id(name string) *ast.Ident {
	return &ast.Ident{NamePos: token.Pos(p), Name: name}
}

func (p at) ids(names []string) []ast.Expr {
	var list []ast.Expr
	for _, name := range names {
		list = append(list, p.id(name))
	}
	return list
}

func (p at) num(n int) ast.Expr {
	return &ast.BasicLit{ValuePos: token.Pos(p), Kind: token.INT, Value: strconv.Itoa(n)}
}

func (p at) str(s string) ast.Expr {
	return &ast.BasicLit{ValuePos: token.Pos(p), Kind: token.STRING, Value: strconv.Quote(s)}
}

func (p at) sel(x ast.Expr, name string) ast.Expr {
	return &ast.SelectorExpr{X: x, Sel: p.id(name)}
}

func (p at) call(fun ast.Expr, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{Fun: fun, Lparen: token.Pos(p), Args: args, Rparen: token.Pos(p)}
}

// at returns list[i].
func (p at) at(list, i string) ast.Expr {
	return &ast.IndexExpr{X: p.id(list), Lbrack: token.Pos(p), Index: p.id(i), Rbrack: token.Pos(p)}
}

func (p at) paren(x ast.Expr) ast.Expr {
	switch x.(type) {
	case *ast.Ident, *ast.BasicLit, *ast.CallExpr, *ast.SelectorExpr, *ast.IndexExpr, *ast.ParenExpr, *ast.FuncLit:
		return x
	}
	return &ast.ParenExpr{Lparen: token.Pos(p), X: x, Rparen: token.Pos(p)}
}

func (p at) ref(x ast.Expr) ast.Expr {
	return &ast.UnaryExpr{OpPos: token.Pos(p), Op: token.AND, X: x}
}

func (p at) star(x ast.Expr) ast.Expr {
	return &ast.StarExpr{Star: token.Pos(p), X: x}
}

func (p at) deref(x ast.Expr) ast.Expr {
	return p.paren(p.star(p.paren(x)))
}

func (p at) not(x ast.Expr) ast.Expr {
	return &ast.UnaryExpr{OpPos: token.Pos(p), Op: token.NOT, X: p.paren(x)}
}

func (p at) bin(x ast.Expr, op token.Token, y ast.Expr) ast.Expr {
	return &ast.BinaryExpr{X: p.paren(x), OpPos: token.Pos(p), Op: op, Y: p.paren(y)}
}

func (p at) block(list ...ast.Stmt) *ast.BlockStmt {
	return &ast.BlockStmt{Lbrace: token.Pos(p), List: list, Rbrace: token.Pos(p)}
}

func (p at) expr(x ast.Expr) ast.Stmt { return &ast.ExprStmt{X: x} }

func (p at) assign(op token.Token, lhs []ast.Expr, rhs ...ast.Expr) ast.Stmt {
	if op == token.ASSIGN {
		for i, v := range rhs {
			rhs[i] = inPlace(v)
		}
	}
	return &ast.AssignStmt{Lhs: lhs, TokPos: token.Pos(p), Tok: op, Rhs: rhs}
}

// inPlace returns v as what a variable is given that there is: of a literal of a
// struct the interpreter makes another variable, and pointers to the old one, and
// functions that hold it, would not see the value.
func inPlace(v ast.Expr) ast.Expr {
	if _, ok := v.(*ast.CompositeLit); ok {
		return &ast.ParenExpr{Lparen: v.Pos(), X: v, Rparen: v.End()}
	}
	return v
}

func (p at) set(x, v ast.Expr) ast.Stmt { return p.assign(token.ASSIGN, []ast.Expr{x}, v) }
func (p at) define(name string, v ast.Expr) ast.Stmt {
	return p.assign(token.DEFINE, []ast.Expr{p.id(name)}, v)
}

func (p at) ret(list ...ast.Expr) ast.Stmt {
	return &ast.ReturnStmt{Return: token.Pos(p), Results: list}
}

func (p at) ifThen(cond ast.Expr, body ...ast.Stmt) *ast.IfStmt {
	return &ast.IfStmt{If: token.Pos(p), Cond: cond, Body: p.block(body...)}
}

func (p at) branch(tok token.Token, label string) ast.Stmt {
	s := &ast.BranchStmt{TokPos: token.Pos(p), Tok: tok}
	if label != "" {
		s.Label = p.id(label)
	}
	return s
}

// variable declares a local variable without a value.
func (p at) variable(name string, typ ast.Expr) ast.Stmt {
	return &ast.DeclStmt{Decl: p.global(name, typ)}
}

// global declares a variable without a value.
func (p at) global(name string, typ ast.Expr) *ast.GenDecl {
	return &ast.GenDecl{TokPos: token.Pos(p), Tok: token.VAR, Specs: []ast.Spec{
		&ast.ValueSpec{Names: []*ast.Ident{p.id(name)}, Type: typ},
	}}
}

func (p at) field(name string, typ ast.Expr) *ast.Field {
	f := &ast.Field{Type: typ}
	if name != "" {
		f.Names = []*ast.Ident{p.id(name)}
	}
	return f
}

func (p at) fields(list ...*ast.Field) *ast.FieldList {
	return &ast.FieldList{Opening: token.Pos(p), List: list, Closing: token.Pos(p)}
}

func (p at) funcType(params []*ast.Field, results []*ast.Field) *ast.FuncType {
	t := &ast.FuncType{Func: token.Pos(p), Params: p.fields(params...)}
	if len(results) > 0 {
		t.Results = p.fields(results...)
	}
	return t
}

func (p at) function(t *ast.FuncType, body ...ast.Stmt) *ast.FuncLit {
	return &ast.FuncLit{Type: t, Body: p.block(body...)}
}

func (p at) funcDecl(name string, t *ast.FuncType, body *ast.BlockStmt) *ast.FuncDecl {
	return &ast.FuncDecl{Name: p.id(name), Type: t, Body: body}
}
