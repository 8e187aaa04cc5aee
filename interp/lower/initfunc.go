package lower

import (
	"go/ast"
	"go/token"
	"slices"
)

// runInits makes a cell's init functions statements that call them: like Go's
// they run once, in their order, after the variables that the cell declares
// with var. It returns what is left of the declarations, and the statements.
func runInits(decls []ast.Decl, stmts []ast.Stmt) ([]ast.Decl, []ast.Stmt) {
	var kept []ast.Decl
	var inits []ast.Stmt
	for _, d := range decls {
		if f, ok := d.(*ast.FuncDecl); ok && isInit(f) {
			end := f.Body.Rbrace
			inits = append(inits, &ast.ExprStmt{X: &ast.CallExpr{Fun: &ast.FuncLit{Type: f.Type, Body: f.Body}, Lparen: end, Rparen: end}})
		} else {
			kept = append(kept, d)
		}
	}
	if len(inits) == 0 {
		return decls, stmts
	}
	place := 0
	for i, s := range stmts {
		if d, ok := s.(*ast.DeclStmt); ok && d.Decl.(*ast.GenDecl).Tok == token.VAR {
			place = i + 1
		}
	}
	return kept, slices.Insert(slices.Clone(stmts), place, inits...)
}

// isInit reports whether f is a well-formed init function.
func isInit(f *ast.FuncDecl) bool {
	return f.Recv == nil && f.Name.Name == "init" && f.Body != nil &&
		f.Type.TypeParams == nil && len(f.Type.Params.List) == 0 && f.Type.Results == nil
}
