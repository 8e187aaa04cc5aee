// Package interp runs the cells of a notebook. Cells are written in Go, with operators on tensors. Names that a cell
// declares are visible in later cells.
package interp

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/compile"
	"github.com/goanvil/notebook/interp/explain"
	"github.com/goanvil/notebook/interp/lower"
	"github.com/goanvil/notebook/interp/tensor"
	"github.com/goanvil/notebook/interp/yaegi"
)

// Options configure a Session. With the zero value, cells read nothing, their output is discarded, and no function is
// called. The tensors that the functions get are addressable, except those in maps and interfaces.
type Options struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	// AfterCell is called when a cell has run to its end, with the tensors in the variables that the cell mentions.
	// If it returns an error, that is the error of the cell.
	AfterCell func(ctx context.Context, tensors []reflect.Value) error

	// Cut is called at the end of each iteration of a loop, with the tensors that the loop assigns and carries to the
	// next iteration.
	Cut func(tensors []reflect.Value)

	// Keep is called after an assignment in such a loop, with the assigned tensors that Cut will also get, if the
	// iteration may read them before Cut is called.
	Keep func(tensors []reflect.Value)

	// Finishing reports whether an interrupted cell will end soon and must not be abandoned.
	Finishing func() bool
}

// A Session is the state of one notebook. Run, RunParsed and Call must not be called while one of them is in progress.
// All other methods may be called at any time.
type Session struct {
	opts     Options
	universe Universe
	engine   Engine
	fset     *token.FileSet
	aids     map[string]reflect.Value
	aidTypes *types.Package
	fmt      map[string]reflect.Value // the symbols of package fmt
	compiler *compile.Session
	tensor   reflect.Type  // the type of tensors; nil if the universe has none
	mustPoll chan struct{} // has an element while functions and loops of cells must call poll

	mu        sync.Mutex // guards the fields below
	env       *check.Env
	vars      map[string]reflect.Value // addresses of variables, by engine name
	run       *running                 // the current run, or nil
	watching  bool                     // a timer will call watchGoroutines
	collected chan struct{}            // not nil while a shortage of memory holds the goroutines of cells; closed at its end
	starving  error                    // if not nil, goroutines of cells must end with it, because memory is short
	serial    int                      // the number of the last run of a cell
	stopping  map[uintptr]*running     // runs that were told to stop and whose goroutine has not ended, by its key
	texts     cellTexts
	unwinding unwinding           // the frames of the last panic
	callees   map[string][]string // what functions, and variables that hold functions, call; by engine name
	syntax    []cell.Option       // the options with which cells are parsed
	system    tensor.System
}

// New returns a session whose cells can import the packages of u.
func New(u Universe, opts Options) (*Session, error) {
	s := &Session{universe: u, fset: token.NewFileSet(), vars: map[string]reflect.Value{},
		stopping: map[uintptr]*running{}, callees: map[string][]string{}, mustPoll: make(chan struct{}, 1)}
	s.opts = withDefaults(opts)
	s.env = check.NewEnv(importer{s})
	var err error
	if s.aidTypes, s.aids, err = lower.Aid(importer{s}, s.sessionAids()); err != nil {
		return nil, err
	}
	s.fmt = s.fmtSymbols()
	s.compiler = s.newCompiler()
	s.env.Sizes = s.compiler.Table.Sizes()
	if s.engine, err = yaegi.NewEngine(); err != nil {
		return nil, err
	}
	for _, i := range u.Prelude() {
		s.env.AddImport(i.Name, i.Path)
	}
	if path, name := u.Tensor(); path != "" {
		if v, ok := u.Symbols(path)[name]; ok {
			s.tensor = v.Type().Elem()
		}
	}
	return s, nil
}

func withDefaults(o Options) Options {
	if o.Stdin == nil {
		o.Stdin = eof{}
	}
	if o.Stdout == nil {
		o.Stdout = io.Discard
	}
	if o.Stderr == nil {
		o.Stderr = io.Discard
	}
	return o
}

type eof struct{}

func (eof) Read([]byte) (int, error) { return 0, io.EOF }

// An importer imports the session's aids and the packages of its universe.
type importer struct{ s *Session }

func (i importer) Import(path string) (*types.Package, error) {
	if path == check.AidPath {
		return i.s.aidTypes, nil
	}
	return i.s.universe.Import(path)
}

// Under sets the promotion system of later cells to the variable called name in the package at path, or to the default
// if path is empty. Functions of earlier cells keep their system.
func (s *Session) Under(path, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.system = tensor.System{Path: path, Name: name}
}

// Syntax sets the options with which later cells are parsed.
func (s *Session) Syntax(opts ...cell.Option) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.syntax = opts
}

// IsComplete reports whether code is complete and may be run. If more input is expected, indent is the indentation of
// the next line.
func (s *Session) IsComplete(code string) (status cell.Status, indent string) {
	s.mu.Lock()
	opts := s.syntax
	s.mu.Unlock()
	return cell.IsComplete(code, opts...)
}

// Run runs code as the cell numbered n. If the code does not type-check, the session does not change. If it panics or
// ctx ends, the effects of completed statements remain.
func (s *Session) Run(ctx context.Context, code string, n int) Result {
	return s.RunParsed(ctx, s.Parse(ctx, code, n))
}

// A Parsed is a cell that a session has parsed. It can be run once.
type Parsed struct {
	n      int
	fset   *token.FileSet
	syntax *cell.Cell
	err    error // a syntax error, or ctx.Err() if parsing was interrupted
}

// Syntax returns the cell's syntax, which may be changed before the cell is run.
func (p Parsed) Syntax() *cell.Cell { return p.syntax }

// Line returns the line number of pos in the cell, counted from 1.
func (p Parsed) Line(pos token.Pos) int { return cell.Position(p.fset, pos).Line }

// Parse parses code as the cell numbered n. If the code has a syntax error or ctx ends, RunParsed returns the error.
func (s *Session) Parse(ctx context.Context, code string, n int) (p Parsed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetTexts()
	defer func() { // check.Abandon panics when ctx ends
		if r := recover(); r != nil {
			p = Parsed{n, s.fset, &cell.Cell{Name: cell.Name(n), Source: code}, ctx.Err()}
			if p.err == nil {
				panic(r)
			}
		}
	}()
	from, fset, opts := s.fset.Base(), s.fset, s.syntax
	var syntax *cell.Cell
	var err error
	check.Abandon(ctx, func() { syntax, err = cell.Parse(fset, cell.Name(n), code, opts...) })
	s.texts.add(from, s.fset.Base(), cell.Name(n), code)
	return Parsed{n, s.fset, syntax, err}
}

// RunParsed runs a cell as Run does. It returns an error if the cell has a magic, such as %time.
func (s *Session) RunParsed(ctx context.Context, p Parsed) Result {
	switch {
	case p.err != nil && p.err == ctx.Err():
		return Result{Err: interruptedBefore(p.n)}
	case p.err != nil:
		return Result{Err: s.syntaxError(p.err)}
	}
	if magics := p.syntax.Magics; len(magics) > 0 {
		return Result{Err: s.failure(fmt.Errorf("%%%s: this session has no commands", magics[0].Name), cell.Name(p.n))}
	}
	c, lowered, failed := s.compile(ctx, p.syntax, p.n)
	if failed != nil {
		return Result{Err: failed}
	}
	return s.execute(ctx, p.syntax, c, lowered)
}

// compile checks, lowers and compiles a cell. It does not change what other cells can see.
func (s *Session) compile(
	ctx context.Context, syntax *cell.Cell, n int,
) (c *lower.Cell, l *lower.Lowered, failed *Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		r := recover()
		switch {
		case ctx.Err() != nil:
			failed = interruptedBefore(n)
		case r != nil: // a bug in the kernel must not end the notebook
			err := fmt.Errorf("this cell cannot be compiled because of an error in goanvil: %v; "+
				"the session is unchanged; write the cell another way", r)
			failed = s.failure(err, cell.Name(n))
		}
	}()
	c, errs := lower.Check(s.lowerSource(ctx, syntax, n))
	if len(errs) > 0 {
		return nil, nil, s.typeErrors(errs)
	}
	lowered, err := c.Lower()
	if err != nil {
		return nil, nil, s.typeErrors([]*explain.Error{asLowerError(err, c)})
	}
	return c, lowered, nil
}

// interruptedBefore returns the error of a cell that was interrupted before it began to run.
func interruptedBefore(n int) *Error {
	e := &Error{Name: "Interrupt", Message: "interrupted", Pos: cell.Name(n)}
	e.Traceback = []string{e.Error()}
	return e
}

// lowerSource returns the lower.Source of a cell, with a new serial number.
func (s *Session) lowerSource(ctx context.Context, syntax *cell.Cell, n int) lower.Source {
	s.serial++
	src := lower.Source{Ctx: ctx, Syntax: syntax, N: n, Serial: s.serial, Fset: s.fset, Env: s.env}
	src.TensorPath, src.TensorName = s.universe.Tensor()
	src.System, src.Compiler = s.system, s.compiler
	return src
}

// asLowerError returns err, an error of c.Lower, with a position: the start of the cell if err has none.
func asLowerError(err error, c *lower.Cell) *explain.Error {
	var e *explain.Error
	if errors.As(err, &e) {
		return e
	}
	return &explain.Error{Pos: c.File.Package, Msg: err.Error()}
}

// execute runs a lowered cell, and makes the declarations that it has completed visible to later cells.
func (s *Session) execute(ctx context.Context, syntax *cell.Cell, c *lower.Cell, l *lower.Lowered) Result {
	r := newRunning()
	r.serial = s.serial
	s.mu.Lock()
	s.texts.addFunctions(l.Funcs)
	maps.Copy(s.callees, l.Callees)
	s.mu.Unlock()
	s.unwinding.take()
	err := s.start(ctx, r, l.Unit.Run)
	s.mu.Lock()
	res := Result{Types: l.Types, Values: r.values}
	res.Notes = append(s.notes(syntax, l), s.commit(l, r, err == nil)...)
	tensors, names := s.tensorsNamed(l)
	s.mu.Unlock()
	res.at = lastValue(syntax)
	if err != nil {
		res.Err = s.runError(ctx, err, c)
		return res
	}
	if s.opts.AfterCell != nil {
		if err := s.opts.AfterCell(ctx, tensors); err != nil {
			res.Err = s.tensorFailure(err, syntax, names)
			return res
		}
	}
	return s.finish(ctx, res, l, syntax)
}

// finish decides which values are shown. If the last result of the final call is an error, it is not shown; it becomes
// the cell's error unless it is nil.
func (s *Session) finish(ctx context.Context, res Result, l *lower.Lowered, syntax *cell.Cell) Result {
	if l.ReturnsError {
		last := len(res.Values) - 1
		if err, ok := res.Values[last].(error); ok && err != nil {
			res.Err = s.returned(ctx, err, l)
			return res
		}
		res.Values, res.Types = res.Values[:last], res.Types[:last]
	}
	res.Show = len(res.Values) > 0 && !syntax.Quiet
	return res
}

// notes returns the remarks of the parser and of lowering for the author of a cell.
func (s *Session) notes(syntax *cell.Cell, l *lower.Lowered) (notes []string) {
	for _, r := range syntax.Remarks {
		notes = append(notes, r.Pos.String()+": "+r.Msg)
	}
	for _, n := range l.Notes {
		notes = append(notes, cell.Position(s.fset, n.Pos).String()+": "+n.Msg)
	}
	return notes
}

// commit makes the declarations of a cell visible to later cells. It leaves out variables that were not set and, if the
// cell did not run to its end, declarations that need such variables. It returns notes about earlier declarations that
// functions still use.
func (s *Session) commit(l *lower.Lowered, r *running, completed bool) (notes []string) {
	for name, p := range l.AuthorImports {
		s.env.AddImport(name, p)
	}
	for _, p := range l.DotImports {
		s.env.AddDotImport(p)
	}
	unset := map[types.Object]bool{} // the variables that were not set
	for _, d := range l.Declares {
		if d.Step() >= 0 && !r.doneSteps[d.Step()] {
			unset[d.Object.Object] = true
		}
	}
	for _, d := range l.Declares {
		if unset[d.Object.Object] || !completed && l.Needs(d.Object.Object, unset) {
			continue
		}
		if d.Earlier != nil && !d.SharesStorage {
			notes = append(notes, s.release(d)...)
		}
		if d.SharesStorage {
			d.Object.Users = d.Earlier.Users
			s.env.Drop(d.Earlier)
		}
		s.env.Add(d.Object)
	}
	for _, m := range l.Methods {
		if completed || !l.Needs(m, unset) {
			s.env.Confirm(m)
		}
	}
	for _, m := range l.OwnMethods {
		if !completed && l.Needs(m, unset) {
			s.env.AddPending(m)
		}
	}
	for _, o := range l.Reached {
		o.Users++
	}
	return notes
}

// release drops d.Earlier, the earlier object of the same name, if no function of an earlier cell uses it. If there are
// such functions, it returns a note about them instead. It keeps types, without a note.
func (s *Session) release(d *lower.Declared) []string {
	old := d.Earlier
	if _, ok := old.Object.(*types.TypeName); ok {
		return nil // values of the old type may still be in use, and lowered code uses its name
	}
	if old.Users > 0 {
		users := "functions"
		if _, ok := old.Object.(*types.Func); ok {
			users = "functions and values"
		}
		note := fmt.Sprintf("%s is new; %s of earlier cells keep the old one, %s", d.Name(), users, s.describe(old))
		return []string{note}
	}
	if p, ok := s.vars[old.Engine]; ok {
		p.Elem().SetZero()
		delete(s.vars, old.Engine)
	}
	s.compiler.Forget(old.Engine)
	s.env.Drop(old)
	return nil
}

// describe returns the declaration of o as the author sees it.
func (s *Session) describe(o *check.Object) string {
	return types.ObjectString(o.Object, func(p *types.Package) string {
		if p.Path() == "main" {
			return ""
		}
		imports := s.env.Imports()
		for _, name := range slices.Sorted(maps.Keys(imports)) {
			if imports[name] == p.Path() {
				return name
			}
		}
		return p.Name()
	})
}
