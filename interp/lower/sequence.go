package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/goanvil/notebook/interp/cell"
)

// sequence removes the imports and the declarations of variables from the file. It makes the body of the entry function
// from the steps of the cell, in which assignments replace the declarations.
func (c *Cell) sequence() error {
	var others []ast.Decl
	for _, decl := range c.File.Decls {
		if g, ok := decl.(*ast.GenDecl); ok && (g.Tok == token.VAR || g.Tok == token.IMPORT) {
			continue
		}
		others = append(others, decl)
	}
	c.File.Decls = others
	c.body.List = nil
	for i, st := range c.steps {
		if err := c.sequenceStep(i, st); err != nil {
			return err
		}
	}
	return nil
}

// sequenceStep appends the statements of step i.
func (c *Cell) sequenceStep(i int, st *step) error {
	if st.vars == nil {
		list := []ast.Stmt{st.stmt}
		if c.final != nil && st.stmt == c.final.stmt && len(c.final.types) > len(c.final.stmt.X.(*ast.CallExpr).Args) {
			list = c.spreadFinal() // the argument of Show is a call with several results
		}
		c.body.List = append(c.body.List, list...)
		return nil
	}
	c.body.List = append(c.body.List, c.assignment(st)...)
	c.body.List = append(c.body.List, c.done(st.node.End(), i))
	return nil
}

// assignment returns the statements that set the variables that st declares.
func (c *Cell) assignment(st *step) []ast.Stmt {
	pos := st.node.Pos()
	if len(st.vars.Values) == 0 {
		return c.clearReused(st)
	}
	assign := &ast.AssignStmt{TokPos: pos, Tok: token.ASSIGN, Rhs: st.vars.Values}
	for i, id := range st.vars.Names {
		lhs := id
		if original := c.temporaries[id.Name]; original != nil {
			lhs = original
		} else if obj := c.Info.Defs[id]; obj != nil { // the assignment does not define the variable but uses it
			delete(c.Info.Defs, id)
			c.Info.Uses[id] = obj
		}
		// The assignment for var _ T = x must convert x too.
		if id.Name == "_" && st.vars.Type != nil && len(st.vars.Values) == len(st.vars.Names) {
			assign.Rhs[i] = c.converted(assign.Rhs[i], st.vars.Type)
		}
		assign.Lhs = append(assign.Lhs, lhs)
	}
	return []ast.Stmt{assign}
}

// converted returns the conversion of x to the type that t names.
func (c *Cell) converted(x, t ast.Expr) ast.Expr {
	fun := &ast.ParenExpr{Lparen: x.Pos(), X: t, Rparen: x.Pos()}
	e := cell.Call(fun, x)
	c.Info.Types[fun] = c.Info.Types[t]
	c.Info.Types[e] = types.TypeAndValue{Type: c.Info.TypeOf(t)}
	return e
}

// clearReused returns assignments of the zero value to the variables of st that share the storage of a variable of an
// earlier cell. New variables are zero already.
func (c *Cell) clearReused(st *step) (list []ast.Stmt) {
	for _, id := range st.vars.Names {
		for _, d := range c.declared {
			if d.SharesStorage && d.Engine == id.Name {
				pos := id.Pos()
				name, value := c.Define(pos, c.Fresh("z"), c.Info.TypeOf(st.vars.Type))
				spec := &ast.ValueSpec{Names: []*ast.Ident{name}, Type: st.vars.Type}
				list = append(list, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{spec}}})
				list = append(list, &ast.AssignStmt{
					Lhs: []ast.Expr{c.Use(pos, c.engineObjects[d.Object.Object])}, TokPos: pos, Tok: token.ASSIGN,
					Rhs: []ast.Expr{c.Use(pos, value)},
				})
			}
		}
	}
	return list
}

// done returns a call of the aid Done, which tells the session that the variables of a step are set, and gives their
// addresses.
func (c *Cell) done(pos token.Pos, step int) ast.Stmt {
	args := []ast.Expr{c.Int(pos, c.serial), c.Int(pos, step)}
	for _, d := range c.declared {
		if d.step == step {
			args = append(args, c.String(pos, d.Engine), c.Address(c.Use(pos, c.engineObjects[d.Object.Object])))
		}
	}
	return &ast.ExprStmt{X: c.CallAid(pos, "Done", args...)}
}
