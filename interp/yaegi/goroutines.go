package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/goanvil/notebook/interp/cell"
)

// guardGoroutines makes a panic in a goroutine a message of its cell: nothing
// could recover it, and it would end the process. go f(x) becomes
//
//	f1, x1 := f, x
//	go func() {
//		defer func() { ꓸaid.Caught(recover()) }()
//		f1(x1)
//	}()
func guardGoroutines(c *Cell) (changed bool, err error) {
	cell.Rewrite(c.File, func(n ast.Node) ast.Node {
		switch n := n.(type) {
		case *ast.GoStmt:
			if !c.guarded[n] {
				changed = true
				return c.guard(n)
			}
		case *ast.CallExpr:
			if f := c.Callee(n); f != nil && startsGoroutine[f.FullName()] {
				last := &n.Args[len(n.Args)-1]
				*last = cell.Call(c.Aid(n.Pos(), "Guarded"), *last)
				changed = true
			}
		}
		return n
	})
	return changed, nil
}

// startsGoroutine has the compiled functions that call their last argument, a
// func(), on a goroutine of their own.
var startsGoroutine = map[string]bool{
	"(*sync.WaitGroup).Go": true,
	"time.AfterFunc":       true,
	"context.AfterFunc":    true,
}

func (c *Cell) guard(g *ast.GoStmt) ast.Stmt {
	pos := g.Pos()
	var before []ast.Stmt
	fun := g.Call.Fun
	lit, isLit := ast.Unparen(fun).(*ast.FuncLit)
	if !isLit && !c.isBuiltin(fun) {
		g.Call.Fun = c.temp(fun, &before)
	}
	for i, arg := range g.Call.Args {
		if c.Info.Types[arg].Value == nil && !c.Info.Types[arg].IsNil() {
			g.Call.Args[i] = c.temp(arg, &before)
		}
	}
	caught := cell.Call(c.Aid(pos, "Caught"), cell.Call(cell.Ident(pos, "recover")))
	deferred := &ast.DeferStmt{Defer: pos, Call: cell.Call(&ast.FuncLit{
		Type: noParams(pos), Body: &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{&ast.ExprStmt{X: caught}}, Rbrace: pos}})}
	fresh := &ast.GoStmt{Go: g.Go}
	c.guarded[fresh] = true
	if isLit && len(g.Call.Args) == 0 {
		lit.Body.List = append([]ast.Stmt{deferred}, lit.Body.List...)
		fresh.Call = g.Call
		return fresh
	}
	body := &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{deferred, &ast.ExprStmt{X: g.Call}}, Rbrace: g.End()}
	fresh.Call = cell.Call(&ast.FuncLit{Type: noParams(pos), Body: body})
	return cell.Block(g, append(before, fresh))
}

func noParams(pos token.Pos) *ast.FuncType {
	return &ast.FuncType{Func: pos, Params: &ast.FieldList{Opening: pos, Closing: pos}}
}

func (c *Cell) isBuiltin(fun ast.Expr) bool {
	id, ok := ast.Unparen(fun).(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = c.Info.Uses[id].(*types.Builtin)
	return ok
}

// temp moves e into a variable that is set before.
func (c *Cell) temp(e ast.Expr, before *[]ast.Stmt) ast.Expr {
	name := c.Fresh("g")
	*before = append(*before, &ast.AssignStmt{
		Lhs: []ast.Expr{cell.Ident(e.Pos(), name)}, TokPos: e.Pos(), Tok: token.DEFINE, Rhs: []ast.Expr{e}})
	return cell.Ident(e.Pos(), name)
}
