package tensor

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/goanvil/notebook/interp/check"
)

// A functionVar describes the assignments of a cell to a variable of a function type.
type functionVar struct {
	name    string     // of a variable at cell level; "" for others
	values  []ast.Expr // assigned by statements of the cell itself, or of the variable's function; nil: by a call of several results
	escapes bool       // something else may assign it: its address is taken, or it is assigned in another function or in a nested block
}

// functionVars returns the assignments of the cell to variables of function types.
func (c *Cell) functionVars() map[*types.Var]*functionVar {
	vars := map[*types.Var]*functionVar{}
	of := func(e ast.Expr) *functionVar {
		id, ok := e.(*ast.Ident)
		if !ok {
			return nil
		}
		v, ok := c.Info.ObjectOf(id).(*types.Var)
		if !ok || v.IsField() || !isFunction(v.Type()) {
			return nil
		}
		if vars[v] == nil {
			vars[v] = &functionVar{}
			if c.isTop(v, id) {
				vars[v].name = id.Name
			}
		}
		return vars[v]
	}
	top := map[ast.Stmt]bool{}
	for _, s := range c.entryBody().List {
		top[s] = true
	}
	ast.Inspect(c.File, func(n ast.Node) bool {
		escapes := func(e ast.Expr) {
			if e == nil {
				return
			}
			if v := of(ast.Unparen(e)); v != nil {
				v.escapes = true
			}
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, target := range n.Lhs {
				v := of(target)
				switch {
				case v == nil:
					escapes(target)
				case n.Tok == token.ASSIGN && !top[n]:
					v.escapes = true
				case len(n.Lhs) == len(n.Rhs):
					v.values = append(v.values, n.Rhs[i])
				default:
					v.values = append(v.values, nil)
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if v := of(id); v != nil && len(n.Names) == len(n.Values) {
					v.values = append(v.values, n.Values[i])
				} else if v != nil && len(n.Values) > 0 {
					v.values = append(v.values, nil)
				}
			}
		case *ast.RangeStmt:
			escapes(n.Key)
			escapes(n.Value)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				escapes(n.X)
			}
		case *ast.SelectorExpr: // a method may have a pointer receiver
			escapes(n.X)
		case *ast.CallExpr:
			return !c.isDone(n) // which takes addresses and assigns nothing
		}
		return true
	})
	return vars
}

// entryBody returns the statements of the cell itself.
func (c *Cell) entryBody() *ast.BlockStmt {
	for _, decl := range c.File.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Name == check.Entry {
			return f.Body
		}
	}
	return &ast.BlockStmt{}
}

func (c *Cell) isDone(e *ast.CallExpr) bool {
	s, ok := e.Fun.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Done" {
		return false
	}
	f := c.Info.Uses[s.Sel]
	return f != nil && f.Pkg() != nil && f.Pkg().Path() == check.AidPath
}

// tellFunctionVars records the variables of function types at cell level that the cell
// assigns. If a variable is assigned once, and the text tells the function, the cell reports
// the names that it reads:
//
//	fꓸ3 = func(x nv.Tensor) nv.Tensor { return x * wꓸ2 }
//	ꓸaid.Holds("fꓸ3", "wꓸ2")
func (c *Cell) tellFunctionVars() {
	c.Assigned = map[string]bool{}
	for _, f := range c.vars {
		if f.name != "" && (f.escapes || len(f.values) > 0) {
			c.Assigned[f.name] = f.escapes
		}
	}
	body := c.entryBody()
	var list []ast.Stmt
	for _, s := range body.List {
		list = append(list, s)
		a, ok := s.(*ast.AssignStmt)
		if !ok {
			continue
		}
		for _, target := range a.Lhs {
			if told := c.tellHeld(target); told != nil {
				list = append(list, told)
			}
		}
	}
	body.List = list
}

// tellHeld returns the call of Holds for a variable that has just been assigned.
func (c *Cell) tellHeld(target ast.Expr) ast.Stmt {
	id, ok := target.(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := c.Info.ObjectOf(id).(*types.Var)
	if !ok || !c.isTop(v, id) {
		return nil
	}
	r := c.reachOfVariable(v)
	if r == nil || r.Unknown || len(r.locals) > 0 {
		return nil
	}
	call := c.CallAid(id.Pos(), "Holds", c.String(id.Pos(), id.Name))
	for _, name := range r.Reads {
		call.Args = append(call.Args, c.String(id.Pos(), name))
	}
	return &ast.ExprStmt{X: call}
}

// reachOfVariable returns the names that the function in v reads, or nil if the text of the
// cell does not tell the function.
func (c *Cell) reachOfVariable(v *types.Var) *reaching {
	f := c.vars[v]
	if f == nil || f.escapes || len(f.values) != 1 || f.values[0] == nil {
		return nil
	}
	return c.reachOfFunction(ast.Unparen(f.values[0]))
}

// reachOfLocal is reachOfVariable for a local variable that a call in its scope names.
func (c *Cell) reachOfLocal(v *types.Var) *reaching {
	r := c.reachOfVariable(v)
	if r == nil {
		return nil
	}
	for _, e := range r.locals {
		read := c.Info.ObjectOf(e.(*ast.Ident))
		for id, obj := range c.Info.Defs {
			if id.Name == read.Name() && obj != read {
				return nil
			}
		}
	}
	return r
}
