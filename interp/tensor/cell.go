// Package tensor rewrites the syntax of cells that compute with tensors. Operators and index expressions become
// calls of the tensor package, and loops get calls that compute pending tensors. The types of the cell decide what
// is rewritten.
package tensor

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/explain"
)

// A Cell is the syntax of a cell while this package rewrites it.
type Cell struct {
	Env    *check.Env
	Fset   *token.FileSet
	File   *ast.File // imports, declarations, and the function [check.Entry] with the statements
	Pkg    *types.Package
	Info   *types.Info
	Tensor types.Type // the type whose operators become calls; nil if the universe has none
	Path   string     // path of the tensor package, or "" if there is none
	System System     // the promotion system of the cell

	Engine  map[types.Object]string // engine names of the objects that the cell declares; see check.Object
	Imports map[string]bool         // paths of the packages that the rewritten code mentions
	Notes   []explain.Note
	Callees map[string][]string // the callees of functions and of variables that hold functions; see Compiled

	elements     map[ast.Expr]*element        // index expressions, by the calls of At that replace them
	slices       map[*ast.CallExpr]bool       // the calls of Range and Slice in the arguments of At
	atCalls      map[*ast.Ident]*ast.CallExpr // calls that replace indices such as x[:, 0], by their identifier At
	authored     map[ast.Expr]ast.Expr        // the author's expressions, by the expressions that replace them
	pendingNotes []func()                     // functions that add notes, for NoteOperators to call after the check
	fresh        int                          // how many identifiers Fresh has returned
}

// New returns a cell that is checked against env. Tensors are the values of the type called name of the package at
// path; if path is empty, there are none.
func New(env *check.Env, fset *token.FileSet, path, name string, system System) *Cell {
	c := &Cell{
		Env: env, Fset: fset, Path: path, System: system,
		Engine: map[types.Object]string{}, Imports: map[string]bool{},
		elements: map[ast.Expr]*element{}, slices: map[*ast.CallExpr]bool{}, atCalls: map[*ast.Ident]*ast.CallExpr{},
		authored: map[ast.Expr]ast.Expr{},
	}
	if path == "" {
		return c
	}
	if pkg, err := env.Import(path); err == nil {
		if obj := pkg.Scope().Lookup(name); obj != nil {
			c.Tensor = obj.Type()
		}
	}
	return c
}

// TypeOf returns the type of e, or nil if it is not known.
func (c *Cell) TypeOf(e ast.Expr) types.Type { return c.Info.TypeOf(e) }

// Callee returns the function or method that call calls by its name, or nil if it calls a function value.
func (c *Cell) Callee(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch index := fun.(type) {
	case *ast.IndexExpr:
		fun = index.X
	case *ast.IndexListExpr:
		fun = index.X
	}
	var id *ast.Ident
	switch fun := fun.(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	}
	if id == nil {
		return nil
	}
	f, _ := c.Info.Uses[id].(*types.Func)
	return f
}

// IsTensor reports whether t is the type of tensors.
func (c *Cell) IsTensor(t types.Type) bool {
	return c.Tensor != nil && t != nil && types.Identical(t, c.Tensor)
}

// EngineName returns the engine name of obj if obj is declared at cell level, and otherwise "".
func (c *Cell) EngineName(obj types.Object) string {
	if obj == nil {
		return ""
	}
	if name := c.Engine[obj]; name != "" {
		return name
	}
	if o := c.Env.Of(obj); o != nil {
		return o.Engine
	}
	return ""
}

// Fresh returns an identifier that no cell contains and that Fresh has not returned before.
func (c *Cell) Fresh(prefix string) string {
	c.fresh++
	return fmt.Sprintf("%s%s%s%d", check.Mark, prefix, check.Mark, c.fresh)
}

// Errorf returns an *explain.Error at node.
func (c *Cell) Errorf(node ast.Node, format string, args ...any) error {
	return &explain.Error{Pos: node.Pos(), Msg: fmt.Sprintf(format, args...)}
}

// Explainer returns the explainer of the errors that the last check found.
func (c *Cell) Explainer() *explain.Cell {
	indexed := make(map[*ast.Ident]ast.Expr, len(c.atCalls))
	for sel, index := range c.atCalls {
		indexed[sel] = c.elements[index].X
	}
	return &explain.Cell{
		Env: c.Env, File: c.File, Pkg: c.Pkg, Info: c.Info, Tensor: c.Tensor, TensorPath: c.Path,
		Authored: c.authored, Indexed: indexed,
	}
}

// NoteOperators adds the notes on rewritten operators. The cell must have been checked. NoteOperators panics with
// ctx's error soon after ctx has ended.
func (c *Cell) NoteOperators(ctx context.Context) {
	for _, addNote := range c.pendingNotes {
		check.Poll(ctx)
		addNote()
	}
}

// Note adds those of notes that c.Notes does not contain.
func (c *Cell) Note(notes []explain.Note) {
	for _, n := range notes {
		if !slices.Contains(c.Notes, n) {
			c.Notes = append(c.Notes, n)
		}
	}
}
