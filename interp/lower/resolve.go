package lower

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/goanvil/notebook/interp/check"
)

// nameObjects gives every object that the cell declares its engine name. The name is new, unless the cell redeclares
// a variable or function of an earlier cell with the same type: then the object takes over the earlier engine name.
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
		if obj.Pkg() != c.Pkg || name == check.Entry || c.temporaries[name] != nil {
			continue
		}
		if check.IsPackageName(obj) || strings.Contains(name, check.Mark) {
			continue
		}
		d := &Declared{Object: &check.Object{Object: obj, Cell: c.N}, Earlier: c.Env.Lookup(name), step: -1}
		if i, ok := steps[obj]; ok {
			d.step = i
		}
		d.SharesStorage = d.Earlier != nil && sameStorage(obj, d.Earlier.Object)
		if d.SharesStorage {
			d.Engine = d.Earlier.Engine
		} else {
			d.Engine = c.Env.Unique(name)
		}
		c.Engine[obj] = d.Engine
		if t, ok := obj.(*types.TypeName); ok {
			c.Env.NameType(t, d.Engine)
		}
		c.declared = append(c.declared, d)
	}
}

// sameStorage reports whether obj and old are both variables or both functions, and have the same type. The declaration
// of obj then assigns to old.
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

// renameObjects replaces the cell-level objects in c.Info by copies with engine names, as if the lowered cell had been
// checked. Types keep their objects; [check.Env.TypeName] returns their engine names.
func (c *Cell) renameObjects() {
	pkg := types.NewPackage(c.Pkg.Path(), c.Pkg.Name())
	for _, objects := range []map[*ast.Ident]types.Object{c.Info.Defs, c.Info.Uses} {
		for id, obj := range objects {
			name := c.EngineName(obj)
			if obj != nil && obj.Parent() == c.Pkg.Scope() && c.Env.Resolved(obj.Name()) != nil {
				name = obj.Name() // an earlier object, renamed by referToEarlier
			}
			if _, isType := obj.(*types.TypeName); name == "" || isType {
				continue
			}
			pkg.Scope().Insert(check.Renamed(obj, name)) // has no effect if the scope has the name already
			objects[id] = pkg.Scope().Lookup(name)
			c.engineObjects[obj] = objects[id]
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
	} else if obj.Parent() == c.Pkg.Scope() { // an object of renameObjects
		id.Name = obj.Name()
	}
}
