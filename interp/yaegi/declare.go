package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
)

// finish does what is left to do without types: functions move behind
// variables and positions are added.
func (c *Cell) finish() {
	c.entry = c.Env.Unique(check.Entry)
	entry := c.entryFunction()
	entry.Name.Name = c.entry
	c.trace()
	var functions []ast.Stmt
	interpreted := map[string]bool{}
	kept := c.File.Decls[:0:0]
	for _, decl := range c.File.Decls {
		f, ok := decl.(*ast.FuncDecl)
		switch {
		case !ok || f == entry || f.Recv != nil || strings.HasPrefix(f.Name.Name, check.Mark): // the lowering's own stay
			kept = append(kept, decl)
		case f.Type.TypeParams != nil: // used by way of its instances
		default:
			functions = append(functions, c.behindVariable(f, &kept))
			if c.symbolOf(f.Pos(), f.Name.Name) == nil {
				interpreted[f.Name.Name] = true
			}
		}
	}
	if s := c.link(c.File.Package, interpreted); s != nil {
		functions = append(functions, s)
	}
	c.File.Decls = kept
	entry.Body.List = append(functions, entry.Body.List...)
}

// entryFunction returns the function that holds the cell's statements.
func (c *Cell) entryFunction() *ast.FuncDecl {
	for _, decl := range c.File.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Name == check.Entry {
			return f
		}
	}
	return nil
}

// done returns a call that tells the session that step's variables are set, and
// where they are.
func (c *Cell) done(pos token.Pos, step int) ast.Stmt {
	args := []ast.Expr{c.Int(pos, c.serial), c.Int(pos, step)}
	for _, d := range c.declares {
		if d.step == step {
			args = append(args, c.String(pos, d.Engine), c.Address(c.Use(pos, c.renamed[d.Object.Object])))
		}
	}
	return &ast.ExprStmt{X: c.CallAid(pos, "Done", args...)}
}

// behindVariable declares a variable for f, unless an earlier cell has, and
// returns the assignment of f's body to it: callers of every cell see the body
// that was assigned last.
func (c *Cell) behindVariable(f *ast.FuncDecl, decls *[]ast.Decl) ast.Stmt {
	pos := f.Pos()
	if !c.hasStorage(f.Name.Name) {
		spec := &ast.ValueSpec{Names: []*ast.Ident{cell.Ident(pos, f.Name.Name)}, Type: copyFuncType(f.Type)}
		*decls = append(*decls, &ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{spec}})
	}
	var body ast.Expr = &ast.FuncLit{Type: f.Type, Body: f.Body}
	if symbol := c.symbolOf(pos, f.Name.Name); symbol != nil {
		body = symbol
	} else if name := c.callSelf(f); name != "" {
		*decls = append(*decls, &ast.FuncDecl{Name: cell.Ident(pos, name), Type: f.Type, Body: f.Body})
		body = cell.Ident(pos, name)
	}
	return &ast.AssignStmt{Lhs: []ast.Expr{cell.Ident(pos, f.Name.Name)}, TokPos: pos, Tok: token.ASSIGN, Rhs: []ast.Expr{body}}
}

// callSelf gives a function that calls itself a name of its own and makes it
// call that; "" for all others. To yaegi a call by way of a variable takes twice
// the time, and a body at the top lives as long as the session.
//
// (Called directly, a function finds in its results what the place they go to
// held before: those with names must not be called so, nor those that a recover
// may end without a return.)
func (c *Cell) callSelf(f *ast.FuncDecl) string {
	name := ""
	if f.Type.Results != nil && len(f.Type.Results.List) > 0 && (f.Type.Results.List[0].Names != nil || defers(f.Body)) {
		return ""
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false // may be called when f has another body
		}
		e, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if id, ok := e.Fun.(*ast.Ident); ok && id.Name == f.Name.Name {
			if name == "" {
				name = c.Env.Unique(id.Name)
			}
			id.Name = name
		}
		return true
	})
	return name
}

func (c *Cell) hasStorage(engine string) bool {
	for _, d := range c.declares {
		if d.Engine == engine {
			return d.Same
		}
	}
	return false
}

// copyFuncType returns t without the names of parameters and results.
func copyFuncType(t *ast.FuncType) *ast.FuncType {
	return &ast.FuncType{Func: t.Func, Params: unnamed(t.Params), Results: unnamed(t.Results)}
}

func unnamed(list *ast.FieldList) *ast.FieldList {
	if list == nil {
		return nil
	}
	fresh := &ast.FieldList{Opening: list.Opening, Closing: list.Closing}
	for _, field := range list.List {
		for range max(1, len(field.Names)) {
			fresh.List = append(fresh.List, &ast.Field{Type: field.Type})
		}
	}
	return fresh
}

// reached returns the objects of earlier cells that functions of this cell
// read or call, whose address it takes, or that are functions it has as values: what may be reached when their names
// mean something else.
func (c *Cell) reached() []*check.Object {
	seen := map[*check.Object]bool{}
	note := func(id *ast.Ident) {
		if o := c.reachedObject(id); o != nil {
			seen[o] = true
		}
	}
	inside := func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			note(id)
		}
		return true
	}
	called := map[*ast.Ident]bool{} // what is not a value
	ast.Inspect(c.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
				called[id] = true
			}
		case *ast.Ident:
			if _, ok := c.Info.Uses[n].(*types.Func); ok && !called[n] {
				note(n)
			}
		case *ast.FuncDecl:
			if n.Name.Name != check.Entry {
				ast.Inspect(n.Body, inside)
			}
		case *ast.FuncLit:
			ast.Inspect(n.Body, inside)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				ast.Inspect(n.X, inside)
			}
		case *ast.SliceExpr:
			ast.Inspect(n.X, inside)
		case *ast.SelectorExpr:
			if s := c.Info.Selections[n]; s != nil && s.Kind() != types.FieldVal {
				ast.Inspect(n.X, inside)
			}
		}
		return true
	})
	all := make([]*check.Object, 0, len(seen))
	for o := range seen {
		all = append(all, o)
	}
	return all
}

// reachedObject returns the variable, function or constant of this or an earlier cell
// that id means, or nil.
func (c *Cell) reachedObject(id *ast.Ident) *check.Object {
	obj := c.Info.Uses[id]
	switch obj.(type) {
	case *types.Var, *types.Func, *types.Const:
	default:
		return nil
	}
	for _, d := range c.declares {
		if d.Object.Object == obj {
			return d.Object
		}
	}
	if o := c.Env.Of(obj); o != nil {
		return o
	}
	return c.Env.Resolved(obj.Name())
}

// defers reports whether the author defers something in body.
func defers(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt:
			sel, ok := n.Call.Fun.(*ast.SelectorExpr)
			found = found || !ok || sel.Sel.Name != "Leave"
		case *ast.SelectorExpr:
			found = found || n.Sel.Name == "NewDefers"
		}
		return !found
	})
	return found
}
