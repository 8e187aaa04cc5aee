package lower

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/explain"
)

// Step returns the index of the step after which the variable d is set, or -1 for other objects.
func (d *Declared) Step() int { return d.step }

// summary returns what the session needs to know about a cell besides the compiled code.
func (c *Cell) summary() *Lowered {
	l := &Lowered{
		Declares: c.declares, Reads: c.reached(), AuthorImports: c.authors, DotImports: c.dots,
		needs: map[types.Object]map[types.Object]bool{},
	}
	if c.final != nil {
		l.Types, l.Fails, l.Final = c.final.Types, c.final.Fails, c.final.stmt.Pos()
	}
	l.Names = c.mentionedTensors()
	for _, late := range c.late {
		if late.added != nil {
			l.Methods = append(l.Methods, late.added)
		}
	}
	for _, decl := range c.File.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Name != check.Entry {
			l.Funcs = append(l.Funcs, Func{f.Pos(), f.End(), cell.FunctionName(f)})
			l.needs[c.Info.Defs[f.Name]] = c.uses(f)
		}
	}
	return l
}

// uses returns the objects declared by this cell that f mentions.
func (c *Cell) uses(f *ast.FuncDecl) map[types.Object]bool {
	used := map[types.Object]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if obj := c.Info.Uses[id]; obj != nil && c.Engine[obj] != "" {
				used[obj] = true
			}
		}
		return true
	})
	return used
}

// Needs reports whether d is a function that mentions one of the objects, itself or through other functions
// of its cell.
func (l *Lowered) Needs(d *Declared, objects map[types.Object]bool) bool {
	seen := map[types.Object]bool{}
	var needs func(obj types.Object) bool
	needs = func(obj types.Object) bool {
		if seen[obj] {
			return false
		}
		seen[obj] = true
		for used := range l.needs[obj] {
			if objects[used] || needs(used) {
				return true
			}
		}
		return false
	}
	return needs(d.Object.Object)
}

// mentionedTensors returns the engine names of the cell-level variables that hold tensors and that the cell
// mentions.
func (c *Cell) mentionedTensors() []string {
	seen := map[string]bool{}
	var names []string
	ast.Inspect(c.File, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := c.Info.ObjectOf(id).(*types.Var)
		if !ok || v.IsField() {
			return true
		}
		name := c.EngineName(v)
		if name == "" && c.Env.Resolved(v.Name()) != nil {
			name = v.Name()
		}
		if name != "" && !seen[name] && c.HoldsTensor(v.Type()) {
			seen[name] = true
			names = append(names, name)
		}
		return true
	})
	return names
}

// authorImports records the cell's own imports, and the standard packages that it uses without importing them.
func (c *Cell) authorImports() error {
	c.authors = map[string]string{}
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
		if c.authors[name] != "" || c.Env.Imports()[name] != "" || c.Env.IsAlias(name) {
			continue
		}
		c.authors[name] = path
		c.Note([]explain.Note{{Pos: id.Pos(), Msg: fmt.Sprintf("imported %q; a program writes import %[1]q", path)}})
	}
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
		c.dots = append(c.dots, pkg.Path())
	case "_":
	default:
		c.authors[name] = pkg.Path()
	}
	return nil
}
