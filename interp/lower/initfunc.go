package lower

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/goanvil/notebook/interp/cell"
)

// runInits takes the init functions and the main function out of a cell's declarations and returns the rest,
// and the cell's statements with calls of these functions. As in Go, init functions run once, in order, after
// the variables that the cell declares with var. The main function of a program that was pasted into the cell
// runs last.
func runInits(syntax *cell.Cell) ([]ast.Decl, []ast.Stmt) {
	var kept []ast.Decl
	var inits, mains []ast.Stmt
	for _, d := range syntax.Decls {
		f, ok := d.(*ast.FuncDecl)
		switch {
		case ok && runsAlone(f, "init"):
			inits = append(inits, callOf(f))
		case ok && syntax.Program && runsAlone(f, "main"):
			mains = append(mains, callOf(f))
		default:
			kept = append(kept, d)
		}
	}
	place := 0
	for i, s := range syntax.Stmts {
		if d, ok := s.(*ast.DeclStmt); ok && d.Decl.(*ast.GenDecl).Tok == token.VAR {
			place = i + 1
		}
	}
	return kept, append(slices.Insert(slices.Clone(syntax.Stmts), place, inits...), mains...)
}

// callOf returns a call of f at f's position.
func callOf(f *ast.FuncDecl) ast.Stmt {
	end := f.Body.Rbrace
	return &ast.ExprStmt{X: &ast.CallExpr{Fun: &ast.FuncLit{Type: f.Type, Body: f.Body}, Lparen: end, Rparen: end}}
}

// runsAlone reports whether f is called name and has the signature of a function that Go itself calls: no
// receiver, parameters or results.
func runsAlone(f *ast.FuncDecl, name string) bool {
	return f.Recv == nil && f.Name.Name == name && f.Body != nil &&
		f.Type.TypeParams == nil && len(f.Type.Params.List) == 0 && f.Type.Results == nil
}
