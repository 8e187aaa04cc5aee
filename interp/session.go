// Package interp runs the cells of a notebook: Go whose names live on from cell
// to cell, with operators on tensors.
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
	"sync"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/compile"
	"github.com/goanvil/notebook/interp/explain"
	"github.com/goanvil/notebook/interp/lower"
	"github.com/goanvil/notebook/interp/tensor"
	"github.com/goanvil/notebook/interp/yaegi"
)

// Options configure a Session. The zero value reads nothing, writes nothing, and has no
// hooks.
type Options struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	// AfterCell is called when a cell has run to its end, with the tensors held by the
	// names it uses; they are addressable. Its error becomes the cell's.
	AfterCell func(ctx context.Context, tensors []reflect.Value) error

	// Cut is called at the end of every iteration of a loop that assigns tensors, with
	// those that it carries to the next iteration; they are addressable.
	Cut func(tensors []reflect.Value)

	// Keep is called after such a loop has assigned tensors that it carries, if the
	// iteration goes on before the cut; they are addressable.
	Keep func(tensors []reflect.Value)

	// Finishing reports whether an interrupted cell will end soon and must not be abandoned.
	Finishing func() bool
}

// A Session is the state of one notebook. Run, RunParsed and Call must not be called while one of them is in progress;
// all other methods may be.
type Session struct {
	opts     Options
	universe Universe
	engine   Engine
	fset     *token.FileSet
	aids     map[string]reflect.Value
	aidTypes *types.Package
	fmt      map[string]reflect.Value // the symbols of package fmt
	compiler *compile.Session
	tensor   reflect.Type  // nil if the universe has none
	mustPoll chan struct{} // has an element while functions and loops of cells must call poll

	mu        sync.Mutex // guards the fields below
	env       *check.Env
	vars      map[string]reflect.Value // addresses of variables, by engine name
	run       *running
	watching  bool                 // a timer will call watchGoroutines
	starving  error                // the error of goroutines that must end because there is no memory
	serial    int                  // of the last run
	stale     map[uintptr]*running // interrupted runs whose goroutine has not ended, by its key
	texts     cellTexts
	unwinding unwinding           // of the last panic
	callees   map[string][]string // what functions, and variables that hold functions, call; by engine name
	syntax    []cell.Option       // the options with which cells are parsed
	system    tensor.System
}

// New returns a session whose cells can import the packages of u.
func New(u Universe, opts Options) (*Session, error) {
	s := &Session{universe: u, fset: token.NewFileSet(), vars: map[string]reflect.Value{},
		stale: map[uintptr]*running{}, callees: map[string][]string{}, mustPoll: make(chan struct{}, 1)}
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

// Under sets the promotion system of later cells: the variable name of the package at path,
// or the default if path is empty. Declarations of earlier cells keep their system.
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

// IsComplete reports whether code may be run, and if more input is expected, how the next line is indented.
func (s *Session) IsComplete(code string) (status cell.Status, indent string) {
	s.mu.Lock()
	opts := s.syntax
	s.mu.Unlock()
	return cell.IsComplete(code, opts...)
}

// Run runs code as the cell numbered n. If it does not type-check,
// nothing changes; if it panics or ctx ends, the effects of completed statements stay.
func (s *Session) Run(ctx context.Context, code string, n int) Result {
	return s.RunParsed(ctx, s.Parse(ctx, code, n))
}

// A Parsed is a cell that a session has parsed, to be run once.
type Parsed struct {
	n      int
	fset   *token.FileSet
	syntax *cell.Cell
	err    error // a syntax error, or ctx.Err() if parsing was interrupted
}

// Syntax returns the cell's syntax, which may be changed before the cell is run.
func (p Parsed) Syntax() *cell.Cell { return p.syntax }

// Line returns the line that a position of the cell is on, from 1.
func (p Parsed) Line(pos token.Pos) int { return cell.Position(p.fset, pos).Line }

// Parse parses code as the cell numbered n, unless ctx ends before.
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

// RunParsed runs a cell as Run does. A cell with magics is refused.
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

// compile checks, lowers and compiles a cell. It changes nothing that cells can see.
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

// interruptedBefore returns the error of a cell that was interrupted before it ran.
func interruptedBefore(n int) *Error {
	e := &Error{Name: "Interrupt", Message: "interrupted", Pos: cell.Name(n)}
	e.Traceback = []string{e.Error()}
	return e
}

// lowerSource returns what lowering needs to know about a cell and the session.
func (s *Session) lowerSource(ctx context.Context, syntax *cell.Cell, n int) lower.Source {
	s.serial++
	src := lower.Source{Ctx: ctx, Syntax: syntax, N: n, Serial: s.serial, Fset: s.fset, Env: s.env}
	src.TensorPath, src.TensorName = s.universe.Tensor()
	src.System, src.Compiler = s.system, s.compiler
	return src
}

// asLowerError returns an error of Lower as an error with a position.
func asLowerError(err error, c *lower.Cell) *explain.Error {
	var e *explain.Error
	if errors.As(err, &e) {
		return e
	}
	return &explain.Error{Pos: c.File.Package, Msg: err.Error()}
}

// execute runs a lowered cell and keeps the declarations that it completed.
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

// finish decides which values are shown. An error that the final call returned is never shown: if it is not
// nil, it becomes the cell's error.
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

// notes returns remarks on a cell's expressions for its author.
func (s *Session) notes(syntax *cell.Cell, l *lower.Lowered) (notes []string) {
	for _, r := range syntax.Remarks {
		notes = append(notes, r.Pos.String()+": "+r.Msg)
	}
	for _, n := range l.Notes {
		notes = append(notes, cell.Position(s.fset, n.Pos).String()+": "+n.Msg)
	}
	return notes
}

// commit makes the declarations of a cell visible to later cells, except variables that were not set. If the cell
// did not run to its end, it leaves out the declarations that need such variables too.
func (s *Session) commit(l *lower.Lowered, r *running, completed bool) (notes []string) {
	for name, p := range l.AuthorImports {
		s.env.AddImport(name, p)
	}
	for _, p := range l.DotImports {
		s.env.AddDotImport(p)
	}
	missing := map[types.Object]bool{}
	for _, d := range l.Declares {
		if d.Step() >= 0 && !r.doneSteps[d.Step()] {
			missing[d.Object.Object] = true
		}
	}
	for _, d := range l.Declares {
		if missing[d.Object.Object] || !completed && l.Needs(d.Object.Object, missing) {
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
		if completed || !l.Needs(m, missing) {
			s.env.Confirm(m)
		}
	}
	for _, m := range l.OwnMethods {
		if !completed && l.Needs(m, missing) {
			s.env.AddPending(m)
		}
	}
	for _, o := range l.Reached {
		o.Users++
	}
	return notes
}

// release returns a note about the functions that still use the earlier object of d's name. If there are
// none, it releases that object. Types are kept, without a note.
func (s *Session) release(d *lower.Declared) []string {
	old := d.Earlier
	if _, ok := old.Object.(*types.TypeName); ok {
		return nil // the old type is kept: values of it live on, and lowered code uses its name
	}
	if old.Users > 0 {
		who := "functions"
		if _, ok := old.Object.(*types.Func); ok {
			who = "functions and values"
		}
		note := fmt.Sprintf("%s is new; %s of earlier cells keep the old one, %s", d.Name(), who, s.describe(old))
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
		return p.Name()
	})
}
