// Package lower checks cells, rewrites them as plain Go, and compiles them by package compile.
//
// [Check] takes a parsed cell and the environment of earlier cells; [Cell.Lower] takes a cell in which Check
// found no errors.
//
//  1. Index expressions that are not Go become calls. So do operators on tensors, which are found by the
//     types that follow from declarations alone ([check.Env.Infer]). Then the cell is type-checked. If that
//     finds more operators on tensors, they are rewritten and the cell is checked again. The errors of the
//     last check are reported to the author, and [check.Env] keeps its objects.
//  2. Names are resolved: every identifier that refers to a cell-level object of this or an earlier cell is
//     replaced by the object's engine name (x becomes xꓸ3). Names that later passes insert cannot collide
//     with the author's. (resolve.go)
//  3. The cell is now one [ast.File]: types, constants and functions, and the function [check.Entry], whose
//     body is the cell's statements in order.
//  4. Package tensor passes to library functions the names of the functions that their arguments call
//     ([tensor.Cell.TellCallees]), makes loops compute the tensors that they carry ([tensor.Cell.CutLoops]), and
//     guards variables against traced tensors ([tensor.Cell.GuardVariables]). Then the file is compiled.
//
// A pass changes c.File in place. It records the types of the nodes that it makes in c.Info, with [tensor.Cell.Use]
// and similar functions, so that most cells are type-checked only once. Nodes made by a pass have the position of the
// node that they replace, so that messages refer to the author's text.
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

// A Source is a parsed cell with everything that is needed to check and compile it.
type Source struct {
	Syntax *cell.Cell
	N      int // the N of In [N]
	Serial int // the number of this run, unique among the runs of all cells
	Fset   *token.FileSet
	Env    *check.Env

	// Ctx limits the time of Check and Lower: soon after Ctx is done, they panic with the error of Ctx.
	Ctx context.Context

	// Compiler compiles the cell.
	Compiler *compile.Session

	// TensorPath and TensorName are the package and the name of the type whose operators become calls.
	// TensorPath is "" if there is no such type.
	TensorPath, TensorName string

	// System is the promotion system of the cell's tensor operations.
	System tensor.System
}

// Check type-checks a cell with the names of earlier cells and with operators on tensors. It returns the
// errors in the order of the text. If there are errors, the information in the Cell is incomplete.
func Check(s Source) (*Cell, []*explain.Error) {
	c := &Cell{
		Cell: tensor.New(s.Env, s.Fset, s.TensorPath, s.TensorName, s.System),
		ctx:  s.Ctx, N: s.N, serial: s.Serial, compiler: s.Compiler,
		temporaries: map[string]*ast.Ident{}, engineObjects: map[types.Object]types.Object{},
	}
	c.PlaceIndexes(s.Syntax)
	c.compose(s.Syntax)
	for _, pass := range []func() error{c.findLateMethods, c.Precedence} {
		if err := pass(); err != nil {
			return c, []*explain.Error{err.(*explain.Error)}
		}
	}
	c.findFinal(s.Syntax.Values)
	if err := c.infer(); err != nil {
		return c, []*explain.Error{err.(*explain.Error)}
	}
	return c, c.checkAndRewrite()
}

// infer prepares the first check of the cell with types inferred from declarations: it rewrites the operators on
// tensors that these types determine, and makes a final call the argument of Show if its type is known.
func (c *Cell) infer() error {
	inferred := c.Env.Infer(c.ctx, c.File, c.Tensor)
	check.Poll(c.ctx)
	if c.referToEarlier(inferred) {
		inferred = c.Env.Infer(c.ctx, c.File, c.Tensor)
	}
	c.Pkg, c.Info = inferred.Pkg, inferred.Info
	if _, err := c.rewriteOperators(true); err != nil {
		return err
	}
	c.showCall(nil)
	return nil
}

// maxRounds bounds how often a cell is checked and rewritten. Nearly every cell is checked once.
const maxRounds = 100

// checkAndRewrite checks and rewrites the cell until nothing is left to rewrite, and returns the errors.
func (c *Cell) checkAndRewrite() []*explain.Error {
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
			return c.finish(checked)
		}
	}
	return []*explain.Error{{Pos: c.File.Pos(), Msg: "operators nest too deeply; use more statements"}}
}

// A Cell is a cell while it is checked and lowered.
type Cell struct {
	*tensor.Cell
	ctx            context.Context
	N              int // the N of In [N]
	serial         int // as in Source
	compiler       *compile.Session
	steps          []*step
	final          *final // nil if the cell ends with another statement
	declared       []*Declared
	lateMethods    []*lateMethod
	noNewVariables []*explain.Error              // errors about := without new variables
	ownImports     map[string]string             // the paths of the cell's own imports, by name
	dotImports     []string                      // the paths of the cell's dot imports
	special        map[*ast.FuncLit]string       // the names of the functions init and main, by their literals
	temporaries    map[string]*ast.Ident         // the author's identifiers, by the temporary names of addDefine
	body           *ast.BlockStmt                // the body of the entry function
	engineObjects  map[types.Object]types.Object // the objects with engine names, by the objects that they replace
}

// rewriteOperators replaces the operators on tensors by calls, as far as c.Info has the types of their operands, and
// reports whether there were any. inferred is true if c.Info is from Infer and not from a check.
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

// finish returns the author's errors. If there are none, it completes the checked cell.
func (c *Cell) finish(checked *check.Checked) []*explain.Error {
	errs := append(make([]*explain.Error, 0, len(checked.Errors)), c.noNewVariables...)
	for _, e := range c.Explainer().Errors(c.ctx, checked.Errors) {
		errs = append(errs, (*explain.Error)(&e))
	}
	sort.SliceStable(errs, func(i, j int) bool { return errs[i].Pos < errs[j].Pos })
	if len(errs) > 0 {
		return errs
	}
	c.initOrder()
	for _, pass := range []func() error{c.checkOrder, c.checkUnusable} {
		if err := pass(); err != nil {
			return []*explain.Error{err.(*explain.Error)}
		}
	}
	c.NoteOperators(c.ctx)
	if err := c.PlaceSystem(); err != nil {
		return []*explain.Error{{Pos: c.File.Pos(), Msg: "the promotion system cannot be set here: " + err.Error()}}
	}
	c.recordFinal()
	return nil
}

// Lower compiles a cell in which Check found no errors.
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
	c.Info.InitOrder = nil // the entry function initializes the variables
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
