package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"github.com/goanvil/notebook/interp/cell"
)

// withInitCalls returns a cell's declarations without its init functions and its main function, and the cell's
// statements with calls of these functions. As in Go, init functions run once, in order, after the variables that
// the cell declares with var are set. The main function runs last, if the cell is a program with a package clause.
// Each call calls a function literal; names has the name of this function in a traceback, such as main.init.0.
func withInitCalls(syntax *cell.Cell) (others []ast.Decl, stmts []ast.Stmt, names map[*ast.FuncLit]string) {
	var inits, mains []ast.Stmt
	names = map[*ast.FuncLit]string{}
	call := func(f *ast.FuncDecl, name string) ast.Stmt {
		lit, end := &ast.FuncLit{Type: f.Type, Body: f.Body}, f.Body.Rbrace
		names[lit] = name
		return &ast.ExprStmt{X: &ast.CallExpr{Fun: lit, Lparen: end, Rparen: end}}
	}
	for _, d := range syntax.Decls {
		f, ok := d.(*ast.FuncDecl)
		switch {
		case ok && isSpecial(f, "init"):
			inits = append(inits, call(f, fmt.Sprintf("main.init.%d", len(inits))))
		case ok && syntax.Program && isSpecial(f, "main"):
			mains = append(mains, call(f, "main.main"))
		default:
			others = append(others, d)
		}
	}
	afterVars := 0 // the index after the last var declaration
	for i, s := range syntax.Stmts {
		if d, ok := s.(*ast.DeclStmt); ok && d.Decl.(*ast.GenDecl).Tok == token.VAR {
			afterVars = i + 1
		}
	}
	return others, append(slices.Insert(slices.Clone(syntax.Stmts), afterVars, inits...), mains...), names
}

// isSpecial reports whether f is the function called name, either init or main, that Go itself calls. Such a function
// has no receiver, parameters or results.
func isSpecial(f *ast.FuncDecl, name string) bool {
	return f.Recv == nil && f.Name.Name == name && f.Body != nil &&
		f.Type.TypeParams == nil && len(f.Type.Params.List) == 0 && f.Type.Results == nil
}
