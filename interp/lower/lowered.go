package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/compile"
	"github.com/goanvil/notebook/interp/explain"
)

// A Lowered is a cell ready to run.
type Lowered struct {
	Unit            *compile.Unit
	Declares        []*Declared
	Types           []types.Type    // of the arguments of Show
	ReturnsError    bool            // the last shown value is an error that a call returns
	FinalPos        token.Pos       // the position of the final expression
	Reached         []*check.Object // objects at cell level that the cell keeps in use; see Cell.reachedObjects
	TensorVariables []string        // engine names of the mentioned variables that hold tensors
	Funcs           []Func
	Methods         []*types.Func // added to types of earlier cells
	OwnMethods      []*types.Func // of the cell's own types
	Notes           []explain.Note
	Callees         map[string][]string // the callees of functions and of variables that hold functions
	AuthorImports   map[string]string   // the paths of the cell's own imports, by name
	DotImports      []string            // the paths of the cell's dot imports

	needs map[types.Object]map[types.Object]bool // the objects of the cell that each function mentions
}

// A Func is the range and the name of a function in a cell.
type Func struct {
	From, To token.Pos
	Name     string
}

// A Declared is an object that a cell declares.
type Declared struct {
	*check.Object
	Earlier       *check.Object // the earlier object of the same name, or nil
	SharesStorage bool          // Object has the same type as Earlier and takes over its engine name
	step          int           // the index of the step that sets the variable; -1 for other objects
}

// Step returns the index of the step of the cell that sets the variable d, or -1 if d is not a variable.
func (d *Declared) Step() int { return d.step }

// summary returns what the session needs to know about a cell besides the compiled code.
func (c *Cell) summary() *Lowered {
	l := &Lowered{
		Declares: c.declared, Reached: c.reachedObjects(), AuthorImports: c.ownImports, DotImports: c.dotImports,
		needs: map[types.Object]map[types.Object]bool{},
	}
	if c.final != nil {
		l.Types, l.ReturnsError, l.FinalPos = c.final.types, c.final.returnsError, c.final.stmt.Pos()
	}
	l.TensorVariables = c.mentionedTensors()
	for _, late := range c.lateMethods {
		if late.added != nil {
			l.Methods = append(l.Methods, late.added)
			l.needs[late.added] = map[types.Object]bool{c.Info.Defs[late.function.Name]: true}
		}
	}
	for _, decl := range c.File.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Name != check.Entry {
			l.Funcs = append(l.Funcs, Func{f.Pos(), f.End(), cell.FunctionName(f)})
			obj := c.Info.Defs[f.Name]
			l.needs[obj] = c.uses(f)
			if m, ok := obj.(*types.Func); ok && f.Recv != nil {
				l.OwnMethods = append(l.OwnMethods, m)
			}
		}
	}
	return l
}

// uses returns the cell-level objects of this cell that f mentions.
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

// Needs reports whether obj is a function or method that mentions one of the objects, directly or through other
// functions of the cell.
func (l *Lowered) Needs(obj types.Object, objects map[types.Object]bool) bool {
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
	return needs(obj)
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
