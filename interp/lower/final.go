package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
)

// A final is the final expression of a cell, whose value is shown.
type final struct {
	stmt   *ast.ExprStmt
	isCall bool         // the expression is a call, which may have no value or several values
	shown  bool         // the expression is an argument of Show
	types  []types.Type // of the shown values
	// returnsError is set if the last value is an error that a call returns: nil is not shown, and any other value
	// becomes the cell's error.
	returnsError bool
}

// findFinal makes the final expression of the cell the argument of Show. It leaves a call as it is, since the call
// may have no value; see showCall. If the cell ends with a list of expressions, values is the parser's call with these
// expressions as arguments, and findFinal replaces the called function by Show. Otherwise values is nil.
func (c *Cell) findFinal(values *ast.CallExpr) {
	if len(c.steps) == 0 {
		return
	}
	stmt, ok := c.steps[len(c.steps)-1].stmt.(*ast.ExprStmt)
	if !ok {
		return
	}
	c.final = &final{stmt: stmt}
	if values != nil && stmt.X == ast.Expr(values) {
		values.Fun = c.Aid(stmt.Pos(), "Show")
		c.final.shown = true
		return
	}
	_, c.final.isCall = ast.Unparen(stmt.X).(*ast.CallExpr)
	if !c.final.isCall {
		c.show()
	}
}

// show makes the final expression an argument of Show.
func (c *Cell) show() {
	x := c.final.stmt.X
	var e *ast.CallExpr
	if c.Info == nil {
		e = cell.Call(c.Aid(x.Pos(), "Show"), x)
	} else {
		e = c.CallAid(x.Pos(), "Show", x)
	}
	e.Rparen = x.End()
	c.final.stmt.X = e
	c.final.shown = true
}

// expr returns the final expression itself, without Show.
func (f *final) expr() ast.Expr {
	if f.shown {
		return f.stmt.X.(*ast.CallExpr).Args[0]
	}
	return f.stmt.X
}

// showCall makes a final call the argument of Show if the call has a value to show. It reports whether the cell
// must be checked again, because errs, the errors of the check, contain one about the unused value of the call.
func (c *Cell) showCall(errs []types.Error) bool {
	f := c.final
	if f == nil || f.shown {
		return false
	}
	for _, e := range errs {
		if check.CodeOf(e) == "UnusedExpr" && f.stmt.Pos() <= e.Pos && e.Pos < f.stmt.End() && !inLiteral(f.stmt, e.Pos) {
			c.show()
			return true
		}
	}
	t := c.Info.TypeOf(f.stmt.X)
	e, _ := ast.Unparen(f.stmt.X).(*ast.CallExpr) // nil if the call is rewritten as a type assertion
	if t == nil || t == types.Typ[types.Invalid] || isVoid(t) || e != nil && c.callsPrint(e) {
		return false
	}
	c.show()
	return false
}

// inLiteral reports whether pos is in a function literal in n.
func inLiteral(n ast.Node, pos token.Pos) (inside bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		inside = inside || ok && lit.Pos() <= pos && pos < lit.End()
		return !inside
	})
	return inside
}

// isVoid reports whether t is the type of a call without results.
func isVoid(t types.Type) bool {
	tuple, ok := t.(*types.Tuple)
	return ok && tuple.Len() == 0
}

// callsPrint reports whether call calls a Print or Fprint function of package fmt. A cell does not show the results of
// these calls.
func (c *Cell) callsPrint(call *ast.CallExpr) bool {
	f := c.Callee(call)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "fmt" {
		return false
	}
	return strings.HasPrefix(f.Name(), "Print") || strings.HasPrefix(f.Name(), "Fprint")
}

// recordFinal records the types of the shown values.
func (c *Cell) recordFinal() {
	f := c.final
	if f == nil || !f.shown {
		return
	}
	if args := f.stmt.X.(*ast.CallExpr).Args; len(args) > 1 {
		for _, arg := range args {
			f.types = append(f.types, types.Default(c.Info.TypeOf(arg)))
		}
		return
	}
	c.Note(c.Explainer().Shown(f.expr()))
	t := c.Info.TypeOf(f.expr())
	tuple, ok := t.(*types.Tuple)
	if !ok {
		f.types = []types.Type{types.Default(t)}
	} else {
		for i := range tuple.Len() {
			f.types = append(f.types, tuple.At(i).Type())
		}
	}
	last := f.types[len(f.types)-1]
	f.returnsError = f.isCall && types.Identical(last, types.Universe.Lookup("error").Type())
}

// spreadFinal returns the statements that replace Show(f()) if f has several results: they assign the results to
// variables and show the variables.
func (c *Cell) spreadFinal() []ast.Stmt {
	f := c.final
	show := f.stmt.X.(*ast.CallExpr)
	pos := show.Args[0].Pos()
	assign := &ast.AssignStmt{TokPos: pos, Tok: token.DEFINE, Rhs: show.Args}
	show.Args = nil
	for _, t := range f.types {
		id, v := c.Define(pos, c.Fresh("r"), t)
		assign.Lhs = append(assign.Lhs, id)
		show.Args = append(show.Args, c.Use(pos, v))
	}
	return []ast.Stmt{assign, f.stmt}
}
