// Package lower checks cells and turns them into what package compile compiles.
//
// [Check] takes a parsed cell and the environment of earlier cells, [Cell.Lower] what Check
// found no errors in.
//
//  1. Indexes that are not Go become calls, and so do operators on tensors, found by the types
//     that the declarations tell ([check.Env.Infer]). The cell is type-checked; where that finds
//     more operators they are rewritten too, and it is checked again. The errors of the last
//     round are the author's, and the objects of that check are what [check.Env] keeps.
//  2. Names are resolved: every identifier that means a cell-level object of this or an earlier
//     cell gets that object's engine name (x becomes xꓸ3). From here on nothing that a pass
//     inserts can be captured by the author's names. (resolve.go)
//  3. The cell is now one [ast.File]: types, constants and functions, and the function
//     [check.Entry], whose body is the cell's statements in order.
//  4. Captures of transformations and cuts of loops are added (package tensor), and the file is
//     compiled.
//
// A pass changes c.File in place, and records the types of the nodes that it makes in c.Info
// (see [tensor.Cell.Use] and the functions beside it), so that an ordinary cell is type-checked
// once. Nodes made by a pass carry the position of what they replace: positions are the author's
// in all messages.
package lower

import (
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"sort"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/compile"
	"github.com/goanvil/notebook/interp/explain"
	"github.com/goanvil/notebook/interp/tensor"
)

// A Source is a cell and what it is lowered in.
type Source struct {
	Syntax *cell.Cell
	N      int
	Serial int // tells this run of a cell from all others
	Fset   *token.FileSet
	Env    *check.Env

	// Check and Lower panic with the context's error soon after it has ended.
	Ctx context.Context

	// What compiles the cell.
	Compiler *compile.Session

	// The type whose operators are calls; Path is "" where there is none.
	TensorPath, TensorName string

	// The system that what the cell does with tensors belongs to.
	System tensor.System
}

// Check type-checks a cell as its author means it: with the names of earlier
// cells, and with operators on tensors. The Cell is the best that can be said
// also where there are errors, which come in their order in the text.
func Check(s Source) (*Cell, []*explain.Error) {
	c := &Cell{
		Cell: tensor.New(s.Env, s.Fset, s.TensorPath, s.TensorName, s.System),
		ctx:  s.Ctx, N: s.N, serial: s.Serial, compiler: s.Compiler,
		temporary: map[string]*ast.Ident{}, renamed: map[types.Object]types.Object{},
	}
	c.PlaceIndexes(s.Syntax)
	c.compose(s.Syntax)
	for _, refuse := range []func() error{c.findLateMethods, c.Precedence} {
		if err := refuse(); err != nil {
			return c, []*explain.Error{err.(*explain.Error)}
		}
	}
	c.findFinal(s.Syntax.Values)
	if err := c.infer(); err != nil {
		return c, []*explain.Error{err.(*explain.Error)}
	}
	return c, c.rounds()
}

// infer rewrites what can be told to be an operator on tensors, and a final call
// that can be told to have a value, before the cell is checked.
func (c *Cell) infer() error {
	check.Poll(c.ctx)
	inferred := c.Env.Infer(c.File, c.Tensor)
	check.Poll(c.ctx)
	if c.redeclare(inferred) {
		inferred = c.Env.Infer(c.File, c.Tensor)
	}
	c.Pkg, c.Info = inferred.Pkg, inferred.Info
	if _, err := c.rewriteOperators(true); err != nil {
		return err
	}
	c.showCall(nil)
	return nil
}

// maxRounds bounds the rewriting of operators. A round settles all that the
// types of the last one and its own rewriting tell; the first is nearly always
// the only one.
const maxRounds = 100

// rounds checks and rewrites until nothing is left to rewrite.
func (c *Cell) rounds() []*explain.Error {
	for range maxRounds {
		checked := c.check()
		changed, err := c.rewriteOperators(false)
		if err != nil {
			return []*explain.Error{err.(*explain.Error)}
		}
		if changed || c.showCall(checked.Errors) {
			continue
		}
		added, err := c.addLateMethods(checked)
		if err != nil {
			return []*explain.Error{err.(*explain.Error)}
		}
		if !added {
			return c.settle(checked)
		}
	}
	return []*explain.Error{{Pos: c.File.Pos(), Msg: "operators nest too deeply; use more statements"}}
}

// A Cell is a cell on its way to the engine.
type Cell struct {
	*tensor.Cell
	ctx       context.Context
	N         int // as in In [N]
	serial    int
	compiler  *compile.Session
	steps     []*step
	final     *final
	declares  []*Declared
	late      []*lateMethod
	again     []*explain.Error              // a := that declares nothing
	authors   map[string]string             // the imports that the cell writes, name -> path
	dots      []string                      // paths of those whose names it imports
	temporary map[string]*ast.Ident         // names that := has for the check only, and what they stand for
	body      *ast.BlockStmt                // of Entry
	renamed   map[types.Object]types.Object // objects under their engine names, by the objects of the check
}

// rewriteOperators makes operators on tensors calls, and reports whether there
// were any that c.Info tells.
func (c *Cell) rewriteOperators(inferred bool) (changed bool, err error) {
	replaced, changed, err := c.RewriteOperators(c.ctx, inferred)
	for _, st := range c.steps {
		if fresh := replaced[st.stmt]; fresh != nil {
			st.stmt = fresh
		}
	}
	return changed, err
}

// check type-checks the file as it stands.
func (c *Cell) check() *check.Checked {
	checked := c.Env.Check(c.ctx, c.Fset, c.File)
	c.Pkg, c.Info = checked.Pkg, checked.Info
	return checked
}

// settle returns the errors that are the author's.
func (c *Cell) settle(checked *check.Checked) []*explain.Error {
	errs := append(make([]*explain.Error, 0, len(checked.Errors)), c.again...)
	for _, e := range c.Explainer().Errors(c.ctx, checked.Errors) {
		errs = append(errs, (*explain.Error)(&e))
	}
	sort.SliceStable(errs, func(i, j int) bool { return errs[i].Pos < errs[j].Pos })
	if len(errs) > 0 {
		return errs
	}
	c.initOrder()
	for _, also := range []func() error{c.early, c.ghosts} {
		if err := also(); err != nil {
			return []*explain.Error{err.(*explain.Error)}
		}
	}
	c.NoteOperators(c.ctx)
	if err := c.PlaceSystem(); err != nil {
		return []*explain.Error{{Pos: c.File.Pos(), Msg: "the promotion system cannot be set here: " + err.Error()}}
	}
	c.settleFinal()
	return nil
}

// A Lowered is a cell ready to run.
type Lowered struct {
	Unit          *compile.Unit
	Declares      []*Declared
	Types         []types.Type    // of what Show is called with
	Fails         bool            // the last of these is an error that a call returned
	Final         token.Pos       // of the final expression
	Reads         []*check.Object // what functions of the cell may read later
	Names         []string        // engine names of the variables that the cell mentions
	Funcs         []Func
	Methods       []*types.Func // that it adds to types of earlier cells
	Notes         []explain.Note
	Callees       map[string][]string // of its functions, and of variables that are set to one
	AuthorImports map[string]string   // name -> path, of the cell's own imports
	DotImports    []string            // paths of packages whose names the cell imports

	needs map[types.Object]map[types.Object]bool
}

// A Func is where a function of a cell stands.
type Func struct {
	From, To token.Pos
	Name     string
}

// Lower compiles a cell that Check found no errors in.
func (c *Cell) Lower() (*Lowered, error) {
	if err := c.authorImports(); err != nil {
		return nil, err
	}
	c.nameObjects()
	l := c.summary()
	check.Poll(c.ctx)
	c.resolve()
	check.Poll(c.ctx)
	if err := c.sequence(); err != nil {
		return nil, err
	}
	c.Info.InitOrder = nil // the entry sets the variables
	c.TellCallees(c.lateNames())
	check.Poll(c.ctx)
	c.CutLoops()
	check.Poll(c.ctx)
	if err := c.GuardVariables(); err != nil {
		return nil, err
	}
	c.orderAssignments()
	unit, err := c.compile()
	if err != nil {
		return nil, err
	}
	l.Unit, l.Notes, l.Callees = unit, c.Notes, c.Callees
	return l, nil
}
