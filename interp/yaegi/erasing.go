package yaegi

import (
	"go/types"
	"maps"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/explain"
	"github.com/goanvil/notebook/interp/yaegi/erase"
)

// eraseTypes hands the cell to package erase, after which nothing is
// type-checked again.
func (c *Cell) eraseTypes(l *Lowered) error {
	if c.eraser == nil {
		return nil
	}
	if c.compiled != nil {
		c.eraser.Compiled = c.compiled.names
	} else {
		c.eraser.Compiled = nil
	}
	r, err := c.eraser.File(c.Pkg, c.Info, c.File, check.Entry)
	if e, ok := err.(*erase.Error); ok {
		return &explain.Error{Pos: e.Pos, Msg: e.Msg}
	}
	if err != nil {
		return err
	}
	c.File, l.Erased = r.File, r
	if c.compiled != nil {
		maps.Copy(r.Symbols, c.compiled.symbols)
	}
	for _, path := range r.Imports {
		if path != erase.TypesPath && path != erase.SupportPath {
			c.Imports[path] = true
		}
	}
	return nil
}

// TypeName returns a name for a type at cell level that no other type of the
// session has, and "" for one that a function declares.
func TypeName(env *check.Env, t *types.TypeName) string {
	if name := env.TypeName(t); name != "" {
		return name
	}
	if t.Pkg() != nil && t.Parent() == t.Pkg().Scope() {
		return t.Name()
	}
	return ""
}
