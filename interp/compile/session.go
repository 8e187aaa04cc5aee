// Package compile compiles cells. go/ssa translates the checked source to instructions. Most instructions become a
// step: a Go function that reads and writes typed registers. The frame of a call is the memory that holds its
// registers. Values have the memory layout that Go gives them, so that functions of compiled packages work on the same
// variables.
//
// The comments use these terms:
//   - Cells declare variables, functions and types at cell level. Each has an engine name, which is unique in the
//     session, such as xꓸ3 for a declaration of x.
//   - A package is a compiled Go package, and a function of a package is machine code in this process. Functions of
//     cells run as steps.
//   - The runtime is Go's run-time system. The descriptor of a type is the runtime's representation of the type.
//   - A type of a cell has an inner type, for registers and variables, and an outer type, which packages see; see
//     package celltype.
//
// In functions that make steps, b is the builder of the function that is being compiled, fr the frame of a call, d the
// offset of the register that a step sets, and x and y the offsets of the registers of operands. To emit something
// means to append the steps for it to the current block.
package compile

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/compile/celltype"
)

// Hooks are functions that package compile and compiled code call.
type Hooks struct {
	Symbols func(path string) map[string]reflect.Value // returns the exported symbols of a package
	Import  func(path string) (*types.Package, error)

	// TypeName returns the engine name of a type at cell level, or "" for a type that a function declares.
	TypeName func(*types.TypeName) string

	// Stop returns a channel that holds an element if Poll must be called. Poll ends the goroutine if its cell is
	// interrupted. In goroutines that cells have started, Poll also panics if memory is lacking.
	Stop func() chan struct{}
	Poll func()

	Overflow  func()              // is called if calls nest too deeply; ends the goroutine
	Unwound   func(token.Pos)     // is called when a panic has ended a function at this position
	Recovered func(value any) any // is called when a panic with this value has been recovered; returns value
	Caught    func(value any)     // is called when a goroutine of cells has ended; value is that of a panic, or nil

	// Failed is called when a panic or runtime.Goexit has ended a function of a cell in a goroutine that a package
	// started. value is that of the panic, or nil after Goexit. Failed ends the running cell if that cell caused the
	// goroutine to be started, or if always is set.
	Failed func(value any, always bool)

	// If the calling goroutine runs the statements of a cell, Waiting returns a channel that an interrupt of that cell
	// closes. In other goroutines it returns nil.
	Waiting func() chan struct{}

	Stderr   io.Writer
	Position func(token.Pos) (file string, line int)
}

// A Session holds the compiled functions of a notebook.
type Session struct {
	Table *celltype.Table
	Hooks Hooks

	owned sync.Map      // the keys of the goroutines that have called Own
	ended atomic.Uint64 // how many goroutines have been removed from owned

	cell    atomic.Pointer[thread] // the thread that runs the statements of a cell, or nil
	unwound atomic.Bool            // a panic has ended functions and has not been recovered
	maps    mapUse

	packageMaps packageMaps
	crowd       crowd // the goroutines of cells, which run in turns if there are many

	streams sync.Map // the standard streams, by their substitute files; see stream.go
	files   sync.Map // the addresses (**os.File) of the variables that hold the substitute files, by names such as Stdout

	sites callSites

	// indirectDefers holds the frames that beginIndirectDefer stores, by the keys of goroutines. numIndirectDefers is
	// their number.
	indirectDefers    sync.Map
	numIndirectDefers atomic.Int32

	mu           sync.Mutex
	numCodes     int                          // how many codes were made
	live         []weak.Pointer[code]         // the codes that may still be in use
	variables    map[string]*variable         // by their engine names
	functions    map[string]*function         // by their engine names
	methods      map[string]*function         // by their keys; see method
	methodList   []*function                  // the methods, in the order of their declarations
	generation   int                          // how many cells have run
	instances    map[string][]*function       // of generic functions, by their engine names
	generics     map[*types.Package]*generics // of earlier cells and of the packages in stdFiles
	genericFuncs map[string]*types.Func       // of cells, by their engine names
	std          map[string]*types.Package    // the packages in stdFiles, by path; nil for other paths
	mayCollect   bool                         // a cell has used package runtime, so it may run the garbage collector
	localTypes   map[token.Pos]int            // the numbers, for Table.Local, of types that functions declare
	building     *ssa.Function                // the function that is being compiled, or nil
}

// NewSession returns a session without functions.
func NewSession(hooks Hooks) *Session {
	s := &Session{
		Table: celltype.New(func(path, name string) reflect.Type {
			return findType(hooks.Symbols(path), path, name)
		}, hooks.TypeName),
		Hooks:     hooks,
		variables: map[string]*variable{}, functions: map[string]*function{}, methods: map[string]*function{},
		instances: map[string][]*function{}, generics: map[*types.Package]*generics{},
		genericFuncs: map[string]*types.Func{}, std: map[string]*types.Package{},
		localTypes: map[token.Pos]int{},
	}
	s.Table.Local, s.Table.Promoted = s.localType, s.callPromoted
	return s
}

// findType returns the named type of the package at path, or nil. symbols are the exported symbols of the package.
// A type that the package does not export is found through the types of the symbols.
func findType(symbols map[string]reflect.Value, path, name string) reflect.Type {
	if v, ok := symbols[name]; ok && v.Kind() == reflect.Pointer && v.IsNil() {
		return v.Type().Elem()
	}
	is := func(t reflect.Type) bool { return t.Name() == name && t.PkgPath() == path }
	for _, v := range symbols {
		if !v.IsValid() {
			continue
		}
		for _, t := range visibleTypes(v.Type()) {
			if is(t) {
				return t
			}
			if t.Kind() == reflect.Pointer && is(t.Elem()) {
				return t.Elem()
			}
		}
	}
	return nil
}

// visibleTypes returns t and types that t mentions: the result types if t is a function type, and the types of embedded
// fields if t is a pointer to a struct.
func visibleTypes(t reflect.Type) []reflect.Type {
	all := []reflect.Type{t}
	switch {
	case t.Kind() == reflect.Func:
		for i := range t.NumOut() {
			all = append(all, t.Out(i))
		}
	case t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct:
		for i := range t.Elem().NumField() {
			if f := t.Elem().Field(i); f.Anonymous {
				all = append(all, f.Type)
			}
		}
	}
	return all
}

// mustPoll reports whether functions of cells must call Hooks.Poll.
func (s *Session) mustPoll() bool { return len(s.Hooks.Stop()) > 0 }

// A variable is a variable at cell level. Its address is nil until the cell that declares it runs.
type variable struct{ addr unsafe.Pointer }

// A function is a function or method at cell level. Its code is nil until the cell that
// declares it runs.
type function struct {
	code  atomic.Pointer[code]
	name  string
	targs []types.Type // the type arguments, if this is an instance of a generic function

	// value is the function value that runs the latest body, or nil before the first call of Session.functionValue.
	value atomic.Pointer[unsafe.Pointer]
}

// current returns the function's latest body.
func (f *function) current() *code {
	c := f.code.Load()
	if c == nil {
		panic(f.name + " is called before the cell that declares it has run")
	}
	return c
}

// variable returns the variable with the given engine name.
func (s *Session) variable(name string) *variable {
	v := s.variables[name]
	if v == nil {
		v = &variable{}
		s.variables[name] = v
	}
	return v
}

// function returns the function with the given engine name.
func (s *Session) function(name string) *function {
	f := s.functions[name]
	if f == nil {
		f = &function{name: name}
		s.functions[name] = f
	}
	return f
}

// Forget drops the variable or function at cell level with the given engine name. No later cell may use it.
func (s *Session) Forget(engine string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.variables, engine)
	delete(s.functions, engine)
	delete(s.instances, engine)
	delete(s.genericFuncs, engine)
}

// method returns the method with a key, which consists of the key of its type in s.Table, a dot, and its name.
func (s *Session) method(key string) *function {
	f := s.methods[key]
	if f == nil {
		f = &function{name: key}
		s.methods[key] = f
		s.methodList = append(s.methodList, f)
	}
	return f
}

// newCode returns a code without steps. The caller adds them.
func (s *Session) newCode(name string) *code {
	s.numCodes++
	c := &code{name: name, index: s.numCodes - 1, stop: s.Hooks.Stop()}
	s.live = append(s.live, weak.Make(c))
	return c
}

// Positions returns the positions of the declarations of all functions that can still be called.
func (s *Session) Positions() (found []token.Pos) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live = slices.DeleteFunc(s.live, func(w weak.Pointer[code]) bool {
		c := w.Value()
		if c != nil {
			found = append(found, c.pos)
		}
		return c == nil
	})
	return found
}

// A Source is a checked cell.
type Source struct {
	Ctx   context.Context // Compile panics with the context's error soon after the context has ended
	Fset  *token.FileSet
	Info  *types.Info
	File  *ast.File // the functions of the cell, and the function Entry with its statements
	Entry string
	Pkg   *types.Package

	// Special maps the literals that stand for the functions init and main of the cell to the names of these
	// functions in a traceback.
	Special map[*ast.FuncLit]string

	// Variables has the types of the variables that the cell adds at cell level, by their engine names.
	Variables map[string]types.Type

	// Method returns the receiver's base type and the name of the method that the declared function replaces, or nil
	// and "" if it replaces none. Such a function has the receiver as its first parameter.
	Method func(*ast.FuncDecl) (*types.Named, string)

	// Engine returns the engine name of an object at cell level, or "".
	Engine func(types.Object) string
}

// A Unit is a compiled cell.
type Unit struct {
	setup []func() // add the cell's declarations to the session
	entry func()   // runs the cell's statements
}

// Run adds the functions, methods and variables of the cell to the session, and runs the statements of the cell.
func (u *Unit) Run() {
	for _, f := range u.setup {
		f()
	}
	u.entry()
}

// Compile compiles a cell. The error is an *Error if the cell has a construct that is not supported.
func (s *Session) Compile(src Source) (u *Unit, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			u, err = nil, r
		default:
			check.Poll(src.Ctx)
			u, err = nil, fmt.Errorf("this cell cannot be compiled because of an error in goanvil: %v", r)
		}
	}()
	if err := checkTypeLayouts(); err != nil {
		return nil, err
	}
	s.mayCollect = s.mayCollect || importsRuntime(src.Info)
	s.numberLocalTypes(src.File)
	p := newProgram(s, src)
	check.Abandon(src.Ctx, p.prog.Build)
	for _, decl := range p.decls {
		p.want(p.prog.FuncValue(src.Info.Defs[decl.Name].(*types.Func)))
	}
	p.wantRemadeInstances()
	p.compileWanted()
	u = &Unit{setup: p.setup}
	u.add(func() { s.addGenerics(src.Info, src.File.Decls, src.Engine) })
	for name, t := range src.Variables {
		typ, err := s.Table.Inner(t)
		if err != nil {
			return nil, err
		}
		u.add(func() { s.variable(name).addr = newObject(descriptor(typ)) })
	}
	for _, decl := range p.decls {
		s.addFunction(u, p, decl)
	}
	for f, c := range p.instances {
		u.add(func() { f.code.Store(c) })
	}
	for _, m := range p.bound {
		u.add(func() { s.bind(m.named, m.name, m.code, m.hasPointer) })
	}
	u.add(func() {
		s.maps.reset()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.generation++
	})
	return u, nil
}

func (u *Unit) add(f func()) { u.setup = append(u.setup, f) }

// checkTypeLayouts returns an error if types cannot be made at run time. It calls celltype.Check only once.
var checkTypeLayouts = sync.OnceValue(celltype.Check)

// addFunction adds the function that decl declares to u.
func (s *Session) addFunction(u *Unit, p *program, decl *ast.FuncDecl) {
	fn := p.src.Info.Defs[decl.Name].(*types.Func)
	c := p.codes[p.prog.FuncValue(fn)]
	if decl.Name.Name == p.src.Entry {
		u.entry = s.goFunction(c).Interface().(func())
		return
	}
	var f *function
	recv, name := fn.Signature().Recv(), fn.Name()
	if named, method := p.src.Method(decl); named != nil {
		recv, name = fn.Signature().Params().At(0), method
	}
	if recv == nil {
		f = s.function(p.src.Engine(fn))
	} else {
		named, hasPointer := namedOf(recv.Type())
		f = s.method(s.Table.Key(named) + "." + name)
		u.add(func() { s.bind(named, name, c, hasPointer) })
	}
	u.add(func() { f.code.Store(c) })
}
