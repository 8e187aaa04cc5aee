// Package yaegi runs cells in a yaegi interpreter: it type-checks them, turns
// them into Go that the interpreter runs right, and holds the engine itself.
//
// # How a cell flows through the passes
//
// [Check] takes a parsed cell and the environment of earlier cells, [Cell.Lower]
// what Check found no errors in.
//
//  1. Indexes that are not Go become calls, and so do operators on tensors, found
//     by the types that the declarations tell ([check.Env.Infer]). The cell is
//     type-checked; where that finds more operators they are rewritten too, and
//     it is checked again. The errors of the last round are the author's, and the
//     objects of that check are what [check.Env] keeps.
//  2. Names are resolved: every identifier that means a cell-level object of
//     this or an earlier cell gets that object's engine name (x becomes xꓸ3),
//     and every package name a reserved one (fmt becomes ꓸfmt). From here on
//     nothing that a pass inserts can be captured by the author's names.
//     (resolve.go)
//  3. The cell is now one [ast.File]: types, constants and functions; a variable
//     without initial value for each variable of the cell; and the function
//     [check.Entry], whose body is the cell's statements in order. The passes run
//     over it in their order.
//  4. Package erase turns types, methods, interfaces, generics and what else the
//     interpreter gets wrong into what it gets right; from here on there are no
//     types.
//  5. Functions move behind variables, marks of progress, cuts and positions are
//     added, and the file goes to the engine. (declare.go, trace.go)
//
// # Writing a pass
//
// A pass changes c.File in place, and records the types of the nodes that it makes
// in c.Info (see [tensor.Cell.Use] and the functions beside it), so that an ordinary
// cell is type-checked once. After a [Pass] that cannot, the whole cell is checked
// again; within it, nodes that it has just made have no types, and if it needs them
// it reports a change and is run again ([Pass.Repeat]).
//
// Nodes made by a pass carry the position of what they replace: positions are
// the author's in all messages, and nothing else depends on them, except that a
// local variable must not be used at a position before its declaration's.
package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"
	"sort"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/compile"
	"github.com/goanvil/notebook/interp/explain"
	"github.com/goanvil/notebook/interp/tensor"
	"github.com/goanvil/notebook/interp/yaegi/erase"
)

// A Pass is one step from valid Go to valid Go that leaves nodes without types.
type Pass struct {
	Name   string
	Run    func(*Cell) (changed bool, err error)
	Repeat bool // run again, after a check, until nothing changes
}

// A Source is a cell and what it is lowered in.
type Source struct {
	Syntax *cell.Cell
	N      int
	Serial int // tells this run of a cell from all others
	Fset   *token.FileSet
	Env    *check.Env

	// What types and all above them are erased by; nil leaves them.
	Eraser *erase.Session

	// What compiles functions; nil leaves all to the interpreter.
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
		N:    s.N, serial: s.Serial, eraser: s.Eraser, compiler: s.Compiler,
		temporary: map[string]*ast.Ident{}, renamed: map[types.Object]types.Object{}, guarded: map[*ast.GoStmt]bool{},
		switches: map[*ast.BlockStmt]bool{}, calls: map[token.Pos][]Call{},
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
	inferred := c.Env.Infer(c.File, c.Tensor)
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
	N         int // as in In [N]
	serial    int
	eraser    *erase.Session
	compiler  *compile.Session
	compiled  *compiled
	symbol    int
	steps     []*step
	final     *final
	declares  []*Declared
	late      []*lateMethod
	again     []*explain.Error      // a := that declares nothing
	authors   map[string]string     // the imports that the cell writes, name -> path
	temporary map[string]*ast.Ident // names that := has for the check only, and what they stand for
	body      *ast.BlockStmt        // of Entry
	guarded   map[*ast.GoStmt]bool
	switches  map[*ast.BlockStmt]bool       // what has become of a select
	calls     map[token.Pos][]Call          // of statements that make several
	entry     string                        // the engine name of Entry
	renamed   map[types.Object]types.Object // objects under their engine names, by the objects of the check
}

// rewriteOperators makes operators on tensors calls, and reports whether there
// were any that c.Info tells.
func (c *Cell) rewriteOperators(inferred bool) (changed bool, err error) {
	replaced, changed, err := c.RewriteOperators(inferred)
	for _, st := range c.steps {
		if fresh := replaced[st.stmt]; fresh != nil {
			st.stmt = fresh
		}
	}
	return changed, err
}

// check type-checks the file as it stands.
func (c *Cell) check() *check.Checked {
	checked := c.Env.Check(c.Fset, c.File)
	c.Pkg, c.Info = checked.Pkg, checked.Info
	return checked
}

// settle returns the errors that are the author's.
func (c *Cell) settle(checked *check.Checked) []*explain.Error {
	errs := append(make([]*explain.Error, 0, len(checked.Errors)), c.again...)
	for _, e := range c.Explainer().Errors(checked.Errors) {
		errs = append(errs, (*explain.Error)(&e))
	}
	sort.SliceStable(errs, func(i, j int) bool { return errs[i].Pos < errs[j].Pos })
	if len(errs) > 0 {
		return errs
	}
	for _, also := range []func() error{c.early, c.ghosts} {
		if err := also(); err != nil {
			return []*explain.Error{err.(*explain.Error)}
		}
	}
	c.NoteOperators()
	if err := c.PlaceSystem(); err != nil {
		return []*explain.Error{{Pos: c.File.Pos(), Msg: "this cannot be lowered (system): " + err.Error() + "; please report it"}}
	}
	c.settleFinal()
	return nil
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
	Reaches       []tensor.Reach      // of its functions
	Callees       map[string][]string // of its functions, and of variables that are set to one
	Assigned      map[string]bool     // variables of function types (see tensor.Cell)
	AuthorImports map[string]string   // name -> path, of the cell's own imports
	Unit          *compile.Unit       // to be started when the cell runs; nil if nothing is compiled
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
	c.compileFunctions(l)
	c.resolve()
	if err := c.sequence(); err != nil {
		return nil, err
	}
	c.Info.InitOrder = nil // the entry sets the variables
	assignFunctions(c)
	c.CaptureVariables(c.lateNames())
	c.CutLoops()
	c.emptyCompiled()
	for _, pass := range passes {
		if err := c.run(pass); err != nil {
			return nil, err
		}
	}
	c.restoreMethods()
	if err := c.eraseTypes(l); err != nil {
		return nil, err
	}
	c.finish()
	l.File, l.Entry, l.Calls, l.Notes = c.File, c.entry, c.calls, c.Notes
	l.Reaches, l.Callees, l.Assigned = c.Reaches, c.Callees, c.Assigned
	for path := range c.Imports {
		l.Imports[c.Env.Alias(path)] = path
	}
	return l, nil
}

// passes in the order in which they run, each over the result of the last.
var passes = []Pass{
	{Name: "channels", Run: waitInterruptibly, Repeat: true},
	{Name: "goroutines", Run: guardGoroutines},
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
	return &explain.Error{Pos: e.Pos, Msg: "this cannot be lowered (" + pass + "): " + e.Msg + "; please report it"}
}
