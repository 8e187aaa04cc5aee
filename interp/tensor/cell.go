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

// A Cell is the syntax of a cell, in which operators on tensors become calls.
type Cell struct {
	Env    *check.Env
	Fset   *token.FileSet
	File   *ast.File // imports, declarations, and the function [check.Entry] with the statements
	Pkg    *types.Package
	Info   *types.Info
	Tensor types.Type // the type whose operators become calls; nil if the universe has none
	Path   string     // path of the tensor package, or "" if there is none
	System System     // the promotion system of the cell

	Engine  map[types.Object]string // engine names of the cell's own objects
	Imports map[string]bool         // paths that lowered code mentions
	Notes   []explain.Note
	Callees map[string][]string // what each function, and each variable set to a function, calls

	elements map[ast.Expr]*element        // the calls of At, by the calls
	slices   map[*ast.CallExpr]bool       // the calls that are arguments of At for slices
	atCalls  map[*ast.Ident]*ast.CallExpr // the calls of At for indices that are not Go, by their identifier At
	cutDone  map[*ast.BlockStmt]bool      // the bodies of the loops that CutLoops has visited
	authored map[ast.Expr]ast.Expr        // the author's expressions, by the expressions that replace them
	later    []func()                     // functions that add notes and need the results of the check
	fresh    int                          // how many identifiers Fresh has returned
}

// New returns a cell of an environment. The type of tensors is the type called name of the package at path. There
// are no tensors if path is empty.
func New(env *check.Env, fset *token.FileSet, path, name string, system System) *Cell {
	c := &Cell{
		Env: env, Fset: fset, Path: path, System: system,
		Engine: map[types.Object]string{}, Imports: map[string]bool{},
		elements: map[ast.Expr]*element{}, slices: map[*ast.CallExpr]bool{}, atCalls: map[*ast.Ident]*ast.CallExpr{},
		cutDone: map[*ast.BlockStmt]bool{}, authored: map[ast.Expr]ast.Expr{},
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

// Callee returns the function or method that call names, or nil if it calls a value.
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

// EngineName returns the engine name of an object at cell level, or "".
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

// Fresh returns a new identifier that differs from all names of authors and of other passes.
func (c *Cell) Fresh(prefix string) string {
	c.fresh++
	return fmt.Sprintf("%s%s%s%d", check.Mark, prefix, check.Mark, c.fresh)
}

// Errorf returns an error at node.
func (c *Cell) Errorf(node ast.Node, format string, args ...any) error {
	return &explain.Error{Pos: node.Pos(), Msg: fmt.Sprintf(format, args...)}
}

// Explainer returns the explainer of the last check's errors.
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
	for _, note := range c.later {
		check.Poll(ctx)
		note()
	}
}

// Note adds notes, each once.
func (c *Cell) Note(notes []explain.Note) {
	for _, n := range notes {
		if !slices.Contains(c.Notes, n) {
			c.Notes = append(c.Notes, n)
		}
	}
}
