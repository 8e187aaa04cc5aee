package lower

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/goanvil/notebook/interp/cell"
)

// runInits makes a cell's init functions statements that call them: like Go's
// they run once, in their order, after the variables that the cell declares
// with var. The func main of a program that was pasted into the cell runs last.
// It returns what is left of the declarations, and the statements.
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

// callOf returns a call of f where it stands.
func callOf(f *ast.FuncDecl) ast.Stmt {
	end := f.Body.Rbrace
	return &ast.ExprStmt{X: &ast.CallExpr{Fun: &ast.FuncLit{Type: f.Type, Body: f.Body}, Lparen: end, Rparen: end}}
}

// runsAlone reports whether f is a well-formed function of that name which Go
// itself calls.
func runsAlone(f *ast.FuncDecl, name string) bool {
	return f.Recv == nil && f.Name.Name == name && f.Body != nil &&
		f.Type.TypeParams == nil && len(f.Type.Params.List) == 0 && f.Type.Results == nil
}
