package lower

import (
	"go/ast"
	"go/token"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/explain"
)

// A step is one statement of a cell. A declaration of variables is checked at package level, so that the cell's
// functions can refer to the variables, but it runs in its place among the statements.
type step struct {
	node ast.Node       // the author's syntax
	stmt ast.Stmt       // the statement in the body of the entry function; nil for a declaration of variables
	vars *ast.ValueSpec // the declaration of variables, or nil
}

// compose makes the file to check, and the steps, from the parsed cell.
func (c *Cell) compose(syntax *cell.Cell) {
	pos := start(syntax)
	body := &ast.BlockStmt{Lbrace: pos, Rbrace: pos}
	typ := &ast.FuncType{Func: pos, Params: &ast.FieldList{Opening: pos, Closing: pos}}
	entry := &ast.FuncDecl{Name: cell.Ident(pos, check.Entry), Type: typ, Body: body}
	c.File = &ast.File{Package: pos, FileStart: pos, FileEnd: pos, Name: cell.Ident(pos, "main")}
	decls, stmts, special := withInitCalls(syntax)
	c.special = special
	c.File.Decls = append(c.File.Decls, decls...)
	c.body = body
	declared := map[string]bool{}
	for _, stmt := range stmts {
		c.addStep(stmt, declared)
	}
	c.File.Decls = append(c.File.Decls, entry)
}

// start returns the position of the first declaration of a cell, or else of its first statement. It returns NoPos for
// an empty cell.
func start(syntax *cell.Cell) token.Pos {
	switch {
	case len(syntax.Decls) > 0:
		return syntax.Decls[0].Pos()
	case len(syntax.Stmts) > 0:
		return syntax.Stmts[0].Pos()
	}
	return token.NoPos
}

// addStep adds the step of a statement. declared has the variables that the cell has declared so far.
func (c *Cell) addStep(stmt ast.Stmt, declared map[string]bool) {
	switch stmt := stmt.(type) {
	case *ast.DeclStmt:
		c.addDecl(stmt.Decl.(*ast.GenDecl), declared)
		return
	case *ast.AssignStmt:
		if stmt.Tok == token.DEFINE && c.addDefine(stmt, declared) {
			return
		}
	case *ast.EmptyStmt:
		return
	}
	c.body.List = append(c.body.List, stmt)
	c.steps = append(c.steps, &step{node: stmt, stmt: stmt})
}

// addDecl adds a declaration, and a step for each specification of variables.
func (c *Cell) addDecl(decl *ast.GenDecl, declared map[string]bool) {
	c.File.Decls = append(c.File.Decls, decl)
	if decl.Tok != token.VAR {
		return
	}
	for _, spec := range decl.Specs {
		spec := spec.(*ast.ValueSpec)
		for _, name := range spec.Names {
			declared[name.Name] = true
		}
		c.steps = append(c.steps, &step{node: spec, vars: spec})
	}
}

// addDefine turns a := statement with a new name into a declaration at package level. It returns false if there is no
// new name, if a name is repeated, or if an operand on the left is not a name. In the cell "a, err := f(); b, err :=
// g()", err is one variable: the second declaration declares a temporary variable instead of err. For the check, a
// statement assigns the temporary variable to err; sequence removes this statement, and restores the name err.
func (c *Cell) addDefine(stmt *ast.AssignStmt, declared map[string]bool) bool {
	fresh, again := false, false
	names := map[string]bool{}
	for _, lhs := range stmt.Lhs {
		id, ok := lhs.(*ast.Ident)
		if !ok || names[id.Name] {
			return false // go/types reports the error
		}
		names[id.Name] = id.Name != "_"
		fresh = fresh || id.Name != "_" && !declared[id.Name]
		again = again || declared[id.Name]
	}
	if !fresh && !again {
		return false // go/types reports the error
	}
	if !fresh {
		c.noNewVariables = append(c.noNewVariables, &explain.Error{
			Pos: stmt.TokPos, Msg: "no new variables on left side of :=; this cell has already declared all of them, so write =",
		})
		return false
	}
	spec := &ast.ValueSpec{Values: stmt.Rhs}
	for _, lhs := range stmt.Lhs {
		id := lhs.(*ast.Ident)
		if id.Name != "_" && declared[id.Name] {
			temporary := cell.Ident(id.Pos(), c.Fresh(id.Name))
			c.temporaries[temporary.Name] = id
			c.body.List = append(c.body.List, &ast.AssignStmt{
				Lhs: []ast.Expr{id}, TokPos: stmt.TokPos, Tok: token.ASSIGN,
				Rhs: []ast.Expr{cell.Ident(id.Pos(), temporary.Name)},
			})
			id = temporary
		}
		declared[id.Name] = true
		spec.Names = append(spec.Names, id)
	}
	c.File.Decls = append(c.File.Decls, &ast.GenDecl{TokPos: stmt.TokPos, Tok: token.VAR, Specs: []ast.Spec{spec}})
	c.steps = append(c.steps, &step{node: stmt, vars: spec})
	return true
}

// referToEarlier finds uses of a name before its declaration in this cell, as in x := x + 1, and makes them refer to
// the object of an earlier cell with that name. It reports whether there were such uses.
func (c *Cell) referToEarlier(inferred *check.Inferred) (changed bool) {
	again := c.redeclared()
	if len(again) == 0 {
		return false
	}
	refersToTop := func(id *ast.Ident) bool { return inferred.AtTop[inferred.Info.Uses[id]] }
	if inferred.Unsure {
		checked := c.Env.Check(c.ctx, c.Fset, c.File)
		refersToTop = func(id *ast.Ident) bool { return checked.Info.Uses[id] == checked.Pkg.Scope().Lookup(id.Name) }
	}
	for _, st := range c.steps {
		st.inspectReads(func(id *ast.Ident) {
			if old := again[id.Name]; old != nil && refersToTop(id) {
				id.Name = old.Engine
				changed = true
			}
		})
		if st.vars != nil {
			for _, id := range st.vars.Names {
				delete(again, id.Name)
			}
		}
	}
	return changed
}

// redeclared returns, by name, the objects of earlier cells whose names this cell declares again. It leaves out those
// whose names the cell does not mention in that declaration or before it.
func (c *Cell) redeclared() map[string]*check.Object {
	again := map[string]*check.Object{}
	mentioned := map[string]bool{}
	for _, st := range c.steps {
		st.inspectReads(func(id *ast.Ident) { mentioned[id.Name] = true })
		if st.vars == nil {
			continue
		}
		for _, id := range st.vars.Names {
			if old := c.Env.Lookup(id.Name); old != nil && mentioned[id.Name] {
				again[id.Name] = old
			}
		}
	}
	return again
}

// inspectReads calls visit for the identifiers that st may read: all identifiers of a statement, and the identifiers in
// the values of a declaration of variables. It skips the type of a declaration, whose evaluation reads no variables.
func (st *step) inspectReads(visit func(*ast.Ident)) {
	each := func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			visit(id)
		}
		return true
	}
	if st.vars == nil {
		ast.Inspect(st.stmt, each)
		return
	}
	for _, value := range st.vars.Values {
		ast.Inspect(value, each)
	}
}
