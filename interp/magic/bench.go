package magic

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/goanvil/notebook/interp/cell"
)

// Prepare prepares a parsed cell to be run: it removes the commands, and wraps the code that %bench and %%bench measure
// in calls of nv.Bench. line returns the line of a position. valueless must be set if the measured code ends in an
// expression without a value, such as a call without results. Since only the type check finds this out, the caller
// first prepares the cell without valueless; if the check fails, it parses the cell again and sets valueless.
func (c *Commands) Prepare(syntax *cell.Cell, line func(token.Pos) int, valueless bool) {
	syntax.Magics = nil
	if c.benched && len(syntax.Stmts) > 0 {
		syntax.Stmts = []ast.Stmt{measured(syntax, syntax.Stmts, valueless)}
		syntax.Values = nil
	}
	for i, s := range syntax.Stmts {
		if slices.Contains(c.benchLines, line(s.Pos())) {
			syntax.Stmts[i] = measured(syntax, []ast.Stmt{s}, valueless)
		}
	}
}

// Benched reports whether the cell measures code.
func (c *Commands) Benched() bool { return c.benched || len(c.benchLines) > 0 }

// measured returns
//
//	nv.Bench(func() any {
//		body
//		return []any{func(values ...any) any { return values }(last), names...}
//	})
//
// for statements that end in the expression last. names are the variables that the statements
// declare or assign. nv.Bench waits until the returned values are computed.
func measured(syntax *cell.Cell, body []ast.Stmt, valueless bool) ast.Stmt {
	from, to := body[0].Pos(), body[len(body)-1].End()
	values := &ast.CompositeLit{Type: &ast.ArrayType{Lbrack: to, Elt: cell.Ident(to, "any")}, Lbrace: to, Rbrace: to}
	list := slices.Clone(body)
	if last, ok := body[len(body)-1].(*ast.ExprStmt); ok && !valueless {
		args := []ast.Expr{last.X}
		if syntax.Values != nil && last.X == ast.Expr(syntax.Values) {
			args = syntax.Values.Args
			syntax.Values = nil
		}
		call := &ast.CallExpr{Fun: listFunc(last.Pos()), Lparen: last.Pos(), Args: args, Rparen: to}
		values.Elts = append(values.Elts, call)
		list = list[:len(list)-1]
	}
	for _, id := range assigned(body) {
		values.Elts = append(values.Elts, cell.Ident(to, id))
	}
	list = append(list, &ast.ReturnStmt{Return: to, Results: []ast.Expr{values}})
	f := &ast.FuncLit{
		Type: &ast.FuncType{Func: from, Params: &ast.FieldList{Opening: from, Closing: from},
			Results: fields(&ast.Field{Type: cell.Ident(from, "any")})},
		Body: &ast.BlockStmt{Lbrace: from, List: list, Rbrace: to},
	}
	bench := &ast.SelectorExpr{X: cell.Ident(from, "nv"), Sel: cell.Ident(from, "Bench")}
	return &ast.ExprStmt{X: &ast.CallExpr{Fun: bench, Lparen: from, Args: []ast.Expr{f}, Rparen: to}}
}

// listFunc returns func(values ...any) any { return values }.
func listFunc(pos token.Pos) ast.Expr {
	values := &ast.Field{Names: []*ast.Ident{cell.Ident(pos, "values")},
		Type: &ast.Ellipsis{Ellipsis: pos, Elt: cell.Ident(pos, "any")}}
	return &ast.FuncLit{
		Type: &ast.FuncType{Func: pos, Params: fields(values), Results: fields(&ast.Field{Type: cell.Ident(pos, "any")})},
		Body: &ast.BlockStmt{Lbrace: pos, Rbrace: pos, List: []ast.Stmt{
			&ast.ReturnStmt{Return: pos, Results: []ast.Expr{cell.Ident(pos, "values")}},
		}},
	}
}

// fields returns a list of one field.
func fields(f *ast.Field) *ast.FieldList { return &ast.FieldList{List: []*ast.Field{f}} }

// assigned returns the variables that statements declare or assign. The measured function must use these variables:
// unused variables are errors in a function, though not in a cell.
func assigned(body []ast.Stmt) (names []string) {
	add := func(x ast.Expr) {
		if id, ok := x.(*ast.Ident); ok && id.Name != "_" && !slices.Contains(names, id.Name) {
			names = append(names, id.Name)
		}
	}
	for _, s := range body {
		switch s := s.(type) {
		case *ast.AssignStmt:
			for _, x := range s.Lhs {
				add(x)
			}
		case *ast.DeclStmt:
			for _, spec := range s.Decl.(*ast.GenDecl).Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && s.Decl.(*ast.GenDecl).Tok == token.VAR {
					for _, id := range v.Names {
						add(id)
					}
				}
			}
		}
	}
	return names
}
