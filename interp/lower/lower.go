// Package lower turns a type-checked cell into Go that an interpreter runs
// right: operators on tensors into calls, and what the engine lacks or gets
// wrong into what it can do.
//
// # How a cell flows through the passes
//
// [Lower] takes a parsed cell and the environment of earlier cells.
//
//  1. Index forms that are not Go, and operators on tensors, are rewritten;
//     the cell is type-checked, again after each round that changed something.
//     The errors of the last round are the author's, and the objects of that
//     check are what [check.Env] keeps. (operators.go, index.go)
//  2. Names are resolved: every identifier that means a cell-level object of
//     this or an earlier cell gets that object's engine name (x becomes xꓸ3),
//     and every package name a reserved one (fmt becomes ꓸfmt). From here on
//     nothing that a pass inserts can be captured by the author's names.
//     (declare.go)
//  3. The cell is now one [ast.File]: imports; types, constants and functions;
//     a variable without initial value for each variable of the cell; and the
//     function [Entry], whose body is the cell's statements in order. The
//     Passes run over it in their order.
//  4. Types, methods, interfaces, generics and what else the engine has not right
//     are erased (package erase); from here on nothing is type-checked.
//  5. Functions move behind variables, marks of progress, cuts and positions are
//     added, and the file goes to the engine. (declare.go)
//
// # Writing a pass
//
// A [Pass] changes c.File in place and reports whether it did. After a pass that
// changed something the whole cell is type-checked again, so c.Info always has
// the types of every node when a pass starts, and a pass that makes invalid code
// is found at once. Within a pass, nodes that it has just made have no types;
// a pass that needs them reports a change and is run again ([Pass.Repeat]).
//
// Nodes made by a pass carry the position of what they replace: positions are
// the author's in all messages, and nothing else depends on them, except that a
// local variable must not be used at a position before its declaration's.
package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sort"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/explain"
	"github.com/goanvil/notebook/interp/lower/erase"
)

// A Pass is one step from valid Go to valid Go.
type Pass struct {
	Name   string
	Run    func(*Cell) (changed bool, err error)
	Repeat bool // run again, after a check, until nothing changes
}

// Entry is the name of the function that holds a cell's statements, while it
// is lowered.
const Entry = "ꓸcell"

// A Source is a cell and what it is lowered in.
type Source struct {
	Syntax *cell.Cell
	N      int
	Serial int // tells this run of a cell from all others
	Fset   *token.FileSet
	Env    *check.Env

	// What types and all above them are erased by; nil leaves them.
	Eraser *erase.Session

	// The type whose operators are calls; Path is "" where there is none.
	TensorPath, TensorName string

	// The system that what the cell does with tensors belongs to.
	System System
}

// Check type-checks a cell as its author means it: with the names of earlier
// cells, and with operators on tensors. The Cell is the best that can be said
// also where there are errors, which come in their order in the text.
func Check(s Source) (*Cell, []*Error) {
	c := &Cell{
		N: s.N, Env: s.Env, Fset: s.Fset, tensorPath: s.TensorPath, system: s.System, eraser: s.Eraser,
		elements: map[ast.Expr]*element{}, slices: map[*ast.CallExpr]bool{}, cut: map[*ast.Ident]*ast.CallExpr{},
		engine: map[types.Object]string{}, imports: map[string]bool{}, temporary: map[string]*ast.Ident{},
		cutDone: map[*ast.BlockStmt]bool{}, guarded: map[*ast.GoStmt]bool{},
		switches: map[*ast.BlockStmt]bool{}, serial: s.Serial, calls: map[token.Pos][]Call{},
		authored: map[ast.Expr]ast.Expr{},
	}
	c.findTensor(s)
	c.placeIndexes(s.Syntax)
	c.compose(s.Syntax)
	for _, refuse := range []func() error{c.findLateMethods, c.precedence} {
		if err := refuse(); err != nil {
			return c, []*Error{err.(*Error)}
		}
	}
	c.findFinal(s.Syntax.Values)
	c.redeclare()
	return c, c.rounds()
}

// findTensor sets the type of tensors, if the cell can have to do with any.
func (c *Cell) findTensor(s Source) {
	if s.TensorPath == "" {
		return
	}
	if pkg, err := s.Env.Import(s.TensorPath); err == nil {
		if obj := pkg.Scope().Lookup(s.TensorName); obj != nil {
			c.Tensor = obj.Type()
		}
	}
}

// maxRounds bounds the rewriting of operators. A round settles all that the
// types of the last one and its own rewriting tell; two are nearly always all.
const maxRounds = 100

// rounds checks and rewrites until nothing is left to rewrite.
func (c *Cell) rounds() []*Error {
	for range maxRounds {
		checked := c.check()
		changed, err := c.rewriteOperators()
		if err != nil {
			return []*Error{err.(*Error)}
		}
		if changed || c.showCall(checked.Errors) {
			continue
		}
		added, err := c.addLateMethods(checked)
		if err != nil {
			return []*Error{err.(*Error)}
		}
		if !added && (len(checked.Errors) > 0 || !c.placeSystem()) {
			return c.settle(checked)
		}
	}
	return []*Error{{c.File.Pos(), "operators nest too deeply; use more statements"}}
}

// check type-checks the file as it stands.
func (c *Cell) check() *check.Checked {
	checked := c.Env.Check(c.Fset, c.File)
	c.Pkg, c.Info = checked.Pkg, checked.Info
	return checked
}

// settle returns the errors that are the author's.
func (c *Cell) settle(checked *check.Checked) []*Error {
	errs := append(make([]*Error, 0, len(checked.Errors)), c.again...)
	for _, e := range c.explainer().Errors(checked.Errors) {
		errs = append(errs, (*Error)(&e))
	}
	sort.SliceStable(errs, func(i, j int) bool { return errs[i].Pos < errs[j].Pos })
	if len(errs) > 0 {
		return errs
	}
	for _, also := range []func() error{c.early, c.ghosts} {
		if err := also(); err != nil {
			return []*Error{err.(*Error)}
		}
	}
	c.settleFinal()
	return nil
}

// explainer returns what explains the errors of the last check.
func (c *Cell) explainer() *explain.Cell {
	indexed := make(map[*ast.Ident]ast.Expr, len(c.cut))
	for sel, index := range c.cut {
		indexed[sel] = c.elements[index].X
	}
	return &explain.Cell{Env: c.Env, File: c.File, Pkg: c.Pkg, Info: c.Info, Tensor: c.Tensor, TensorPath: c.tensorPath, Authored: c.authored, Indexed: indexed}
}

// note adds notes, each once.
func (c *Cell) note(notes []explain.Note) {
	for _, n := range notes {
		if !slices.Contains(c.notes, n) {
			c.notes = append(c.notes, n)
		}
	}
}

// A Lowered is a cell ready for the engine.
type Lowered struct {
	File          *ast.File
	Entry         string            // the function to call
	Imports       map[string]string // alias -> path
	Declares      []*Declared
	Types         []types.Type    // of what Show is called with
	Fails         bool            // the last of these is an error that a call returned
	Final         token.Pos       // of the final expression
	Reads         []*check.Object // what functions of the cell may read later
	Names         []string        // engine names of the variables that the cell mentions
	Funcs         []Func
	Calls         map[token.Pos][]Call // of statements that make several, by their position
	Methods       []*types.Func        // that it adds to types of earlier cells
	Notes         []explain.Note
	Reaches       []Reach             // of its functions
	Callees       map[string][]string // of its functions, and of variables that are set to one
	AuthorImports map[string]string   // name -> path, of the cell's own imports
	Erased        *erase.Result       // to be committed when the engine has taken the file; nil if nothing is erased

	needs map[types.Object]map[types.Object]bool
}

// A Func is where a function of a cell stands.
type Func struct {
	From, To token.Pos
	Name     string
}

// Lower turns a cell that Check found no errors in into what the engine runs.
func (c *Cell) Lower() (*Lowered, error) {
	if err := c.authorImports(); err != nil {
		return nil, err
	}
	c.nameObjects()
	l := c.summary()
	c.resolve()
	if err := c.sequence(); err != nil {
		return nil, err
	}
	if err := c.recheck("sequence"); err != nil {
		return nil, err
	}
	for _, pass := range append(passes, Pass{Name: "captures", Run: captureVariables}, Pass{Name: "cuts", Run: cutLoops}, Pass{Name: "channels", Run: waitInterruptibly, Repeat: true}, Pass{Name: "goroutines", Run: guardGoroutines}) {
		if err := c.run(pass); err != nil {
			return nil, err
		}
	}
	c.restoreMethods()
	if err := c.eraseTypes(l); err != nil {
		return nil, err
	}
	c.finish()
	l.File, l.Entry, l.Calls, l.Notes, l.Reaches, l.Callees = c.File, c.entry, c.calls, c.notes, c.reaches, c.callees
	for path := range c.imports {
		l.Imports[c.Env.Alias(path)] = path
	}
	return l, nil
}

// run runs one pass and checks what it made.
func (c *Cell) run(pass Pass) error {
	for {
		changed, err := pass.Run(c)
		if err != nil || !changed {
			return err
		}
		if err := c.recheck(pass.Name); err != nil || !pass.Repeat {
			return err
		}
	}
}

// recheck finds passes that make invalid code.
func (c *Cell) recheck(pass string) error {
	checked := c.check()
	if len(checked.Errors) == 0 {
		return nil
	}
	e := checked.Errors[0]
	return &Error{e.Pos, "this cannot be lowered (" + pass + "): " + e.Msg + "; please report it"}
}
