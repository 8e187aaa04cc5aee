package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/goanvil/notebook/interp/cell"
)

// orderAssignments rewrites x op= f() as t := f(); x op= t, because the Go compiler reads x after the call of f.
func (c *Cell) orderAssignments() {
	cell.Rewrite(c.File, func(n ast.Node) ast.Node {
		s, ok := n.(*ast.AssignStmt)
		if !ok || s.Tok == token.ASSIGN || s.Tok == token.DEFINE {
			return n
		}
		if !c.callsFunction(s.Rhs[0]) || c.callsFunction(s.Lhs[0]) {
			return n
		}
		id, v := c.Define(s.Pos(), c.Fresh("t"), types.Default(c.Info.TypeOf(s.Rhs[0])))
		define := &ast.AssignStmt{Lhs: []ast.Expr{id}, TokPos: s.TokPos, Tok: token.DEFINE, Rhs: s.Rhs}
		assign := &ast.AssignStmt{Lhs: s.Lhs, TokPos: s.TokPos, Tok: s.Tok, Rhs: []ast.Expr{c.Use(s.Rhs[0].Pos(), v)}}
		return &ast.BlockStmt{Lbrace: s.Pos(), List: []ast.Stmt{define, assign}, Rbrace: s.End()}
	})
}

// callsFunction reports whether evaluating e calls a function.
func (c *Cell) callsFunction(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			tv := c.Info.Types[n.Fun]
			found = found || !tv.IsType() && !tv.IsBuiltin()
		}
		return !found
	})
	return found
}
