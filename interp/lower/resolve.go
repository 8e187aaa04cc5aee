package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
)

// A Declared is an object that a cell declares.
type Declared struct {
	*check.Object
	Again *check.Object // the earlier object of the same name, or nil
	Same  bool          // Object has the type and therefore the engine name of Again
	step  int           // the step after which a variable is set; -1 for other objects
}

// nameObjects gives every object that the cell declares its engine name. It is a new one, unless the cell
// redeclares a variable or function of an earlier cell with the same type: then it is the engine name of that.
func (c *Cell) nameObjects() {
	steps := map[types.Object]int{}
	for i, st := range c.steps {
		if st.vars == nil {
			continue
		}
		for _, id := range st.vars.Names {
			if obj := c.Info.Defs[id]; obj != nil {
				steps[obj] = i
			}
		}
	}
	scope := c.Pkg.Scope()
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if obj.Pkg() != c.Pkg || name == check.Entry || c.temporary[name] != nil {
			continue
		}
		if check.IsPackageName(obj) || strings.Contains(name, check.Mark) {
			continue
		}
		d := &Declared{Object: &check.Object{Object: obj, Cell: c.N}, Again: c.Env.Lookup(name), step: -1}
		if i, ok := steps[obj]; ok {
			d.step = i
		}
		d.Same = d.Again != nil && sameStorage(obj, d.Again.Object)
		if d.Same {
			d.Engine = d.Again.Engine
		} else {
			d.Engine = c.Env.Unique(name)
		}
		c.Engine[obj] = d.Engine
		if t, ok := obj.(*types.TypeName); ok {
			c.Env.NameType(t, d.Engine)
		}
		c.declares = append(c.declares, d)
	}
}

// sameStorage reports whether obj has the kind and type of old, so that its declaration assigns to old.
func sameStorage(obj, old types.Object) bool {
	switch obj.(type) {
	case *types.Var:
		_, ok := old.(*types.Var)
		return ok && types.Identical(obj.Type(), old.Type())
	case *types.Func:
		_, ok := old.(*types.Func)
		return ok && types.Identical(obj.Type(), old.Type())
	}
	return false
}

// renameObjects replaces the cell-level objects in c.Info by the objects with engine names that a check of the
// lowered cell would make. Types keep their objects; [check.Env.TypeName] returns their engine names.
func (c *Cell) renameObjects() {
	pkg := types.NewPackage(c.Pkg.Path(), c.Pkg.Name())
	for _, objects := range []map[*ast.Ident]types.Object{c.Info.Defs, c.Info.Uses} {
		for id, obj := range objects {
			name := c.EngineName(obj)
			if obj != nil && obj.Parent() == c.Pkg.Scope() && c.Env.Resolved(obj.Name()) != nil {
				name = obj.Name() // an earlier object, renamed by redeclare
			}
			if _, isType := obj.(*types.TypeName); name == "" || isType {
				continue
			}
			pkg.Scope().Insert(check.Renamed(obj, name)) // has no effect if the name is already there
			objects[id] = pkg.Scope().Lookup(name)
			c.renamed[obj] = objects[id]
		}
	}
	check.DropScopes(c.Pkg)
	c.Pkg = pkg
}

// resolve replaces identifiers of cell-level objects by engine names, and package names by their reserved
// names.
func (c *Cell) resolve() {
	c.renameObjects()
	ast.Inspect(c.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Ident:
			c.rename(n)
		}
		return true
	})
}

// rename gives id the engine name of its object, or the reserved name of its package.
func (c *Cell) rename(id *ast.Ident) {
	obj := c.Info.Uses[id]
	if obj == nil {
		obj = c.Info.Defs[id]
	}
	switch obj := obj.(type) {
	case nil:
		return
	case *types.PkgName:
		path := obj.Imported().Path()
		c.Imports[path] = true
		id.Name = c.Env.Alias(path)
		return
	case *types.Var:
		if obj.IsField() {
			return
		}
	}
	if name := c.EngineName(obj); name != "" {
		id.Name = name
	} else if obj.Parent() == c.Pkg.Scope() {
		id.Name = obj.Name()
	}
}

// sequence removes imports and declarations of variables from the file, and fills the entry function with the
// cell's statements. Assignments take the place of the declarations.
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
		if c.final != nil && st.stmt == c.final.stmt && len(c.final.Types) > len(c.final.stmt.X.(*ast.CallExpr).Args) {
			list = c.spreadFinal() // the argument of Show is a call with several results
		}
		c.body.List = append(c.body.List, list...)
		return nil
	}
	c.body.List = append(c.body.List, c.assignment(st)...)
	c.body.List = append(c.body.List, c.done(st.node.End(), i))
	return nil
}

// assignment returns the statements that set what st declares.
func (c *Cell) assignment(st *step) []ast.Stmt {
	pos := st.node.Pos()
	if len(st.vars.Values) == 0 {
		return c.clearReused(st)
	}
	assign := &ast.AssignStmt{TokPos: pos, Tok: token.ASSIGN, Rhs: st.vars.Values}
	for i, id := range st.vars.Names {
		lhs := id
		if original := c.temporary[id.Name]; original != nil {
			lhs = original
		} else if obj := c.Info.Defs[id]; obj != nil {
			delete(c.Info.Defs, id)
			c.Info.Uses[id] = obj
		}
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

// clearReused returns assignments of the zero value to those variables of st that share the storage of an earlier
// cell's variable. New variables are zero already.
func (c *Cell) clearReused(st *step) (list []ast.Stmt) {
	for _, id := range st.vars.Names {
		for _, d := range c.declares {
			if d.Same && d.Engine == id.Name {
				pos := id.Pos()
				name, value := c.Define(pos, c.Fresh("z"), c.Info.TypeOf(st.vars.Type))
				spec := &ast.ValueSpec{Names: []*ast.Ident{name}, Type: st.vars.Type}
				list = append(list, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{spec}}})
				list = append(list, &ast.AssignStmt{
					Lhs: []ast.Expr{c.Use(pos, c.renamed[d.Object.Object])}, TokPos: pos, Tok: token.ASSIGN,
					Rhs: []ast.Expr{c.Use(pos, value)},
				})
			}
		}
	}
	return list
}
