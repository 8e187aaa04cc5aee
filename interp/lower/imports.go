package lower

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/goanvil/notebook/interp/explain"
)

// authorImports records the cell's own imports, and the standard packages that the cell uses without importing them.
func (c *Cell) authorImports() error {
	c.ownImports = map[string]string{}
	for _, decl := range c.File.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		for _, spec := range g.Specs {
			if err := c.authorImport(spec.(*ast.ImportSpec)); err != nil {
				return err
			}
		}
	}
	c.standardImports()
	return nil
}

// authorImport records one import of the cell.
func (c *Cell) authorImport(spec *ast.ImportSpec) error {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return c.Errorf(spec, "import path %s: %v", spec.Path.Value, err)
	}
	pkg, err := c.Env.Import(p)
	if err != nil {
		return c.Errorf(spec, "import %q: %v", p, err)
	}
	name := pkg.Name()
	if spec.Name != nil {
		name = spec.Name.Name
	}
	switch name {
	case ".":
		c.dotImports = append(c.dotImports, pkg.Path())
	case "_":
	default:
		c.ownImports[name] = pkg.Path()
	}
	return nil
}

// standardImports records the standard packages that the cell uses without importing them, and adds a note for
// each.
func (c *Cell) standardImports() {
	var used []*ast.Ident
	for id, obj := range c.Info.Uses {
		if _, ok := obj.(*types.PkgName); ok {
			used = append(used, id)
		}
	}
	slices.SortFunc(used, func(a, b *ast.Ident) int { return cmp.Compare(a.Pos(), b.Pos()) })
	for _, id := range used {
		name, path := id.Name, c.Info.Uses[id].(*types.PkgName).Imported().Path()
		if c.ownImports[name] != "" || c.Env.Imports()[name] != "" || c.Env.IsAlias(name) {
			continue
		}
		c.ownImports[name] = path
		c.Note([]explain.Note{{Pos: id.Pos(), Msg: fmt.Sprintf("imported %q; a program writes import %[1]q", path)}})
	}
}
