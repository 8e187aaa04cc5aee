// Package compile compiles functions of cells: go/ssa turns the checked source into
// instructions, and each becomes a step on typed registers. Memory has the values' real
// run-time types, so that compiled packages and the interpreter work on the same variables.
//
// A function is compiled whole or not at all. The interpreter calls a compiled function like
// one of a package; compiled code calls functions of the interpreter through the variables
// that hold them.
package compile

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/yaegi/celltype"
	"github.com/goanvil/notebook/interp/yaegi/support"
)

// Hooks are the session's functions that compiled code calls.
type Hooks struct {
	Symbols func(path string) map[string]reflect.Value

	Stop      func() chan struct{} // holds an element while Poll must be called
	Poll      func()               // ends the goroutine if its cell is interrupted
	Overflow  func()               // ends the goroutine: calls nest too deeply
	Enter     func() int64         // counts calls from outside, and returns how many nest
	Leave     func()
	Unwound   func(token.Pos)     // a panic has left a function at this place
	Recovered func(value any) any // a panic has been stopped
	Caught    func(value any)     // a panic has ended a goroutine
	Waiting   func() chan struct{}
	Stderr    io.Writer
}

// A Session holds the compiled functions of a notebook.
type Session struct {
	Table   *celltype.Table
	Support *support.Support
	Hooks   Hooks

	mu        sync.Mutex
	codes     int
	variables map[string]*variable
	functions map[string]*function
	methods   map[string]*function
}

// NewSession returns a session without functions.
func NewSession(table *celltype.Table, rt *support.Support, hooks Hooks) *Session {
	return &Session{
		Table: table, Support: rt, Hooks: hooks,
		variables: map[string]*variable{}, functions: map[string]*function{}, methods: map[string]*function{},
	}
}

func (s *Session) stopping() bool { return len(s.Hooks.Stop()) > 0 }

// A variable is a variable at cell level.
type variable struct{ at unsafe.Pointer }

// A function is a function or method at cell level. Its code is nil if it is interpreted; value
// is then the interpreter's function.
type function struct {
	code  atomic.Pointer[code]
	value atomic.Pointer[unsafe.Pointer]
	name  string

	// latest is the function as a value that calls its latest body.
	latest atomic.Pointer[unsafe.Pointer]
}

// Link binds a name of the interpreter to p, a function or a pointer to a variable.
func (s *Session) Link(name string, p any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := reflect.ValueOf(p)
	if v.Kind() == reflect.Func {
		f := funcPointer(v)
		s.function(name).value.Store(&f)
		return
	}
	s.variable(name).at = v.UnsafePointer()
}

func (s *Session) variable(name string) *variable {
	v := s.variables[name]
	if v == nil {
		v = &variable{}
		s.variables[name] = v
	}
	return v
}

func (s *Session) function(name string) *function {
	f := s.functions[name]
	if f == nil {
		f = &function{name: name}
		s.functions[name] = f
	}
	return f
}

func (s *Session) method(key string) *function {
	f := s.methods[key]
	if f == nil {
		f = &function{name: key}
		s.methods[key] = f
	}
	return f
}

// A Source is a cell whose functions are to be compiled.
type Source struct {
	Fset *token.FileSet
	Info *types.Info
	File *ast.File
	Pkg  *types.Package
	Skip func(*ast.FuncDecl) bool

	// Method returns the type and the name of the method that a function with the receiver as
	// its first parameter implements, or nil if it is not a method.
	Method func(*ast.FuncDecl) (*types.Named, string)
	Engine func(types.Object) string // the engine name of an object at cell level, or ""
}

// A Unit is the result of compiling a cell's functions.
type Unit struct {
	s        *Session
	Compiled map[*ast.FuncDecl]reflect.Value // Go functions over inner types; methods take a pointer to the receiver first
	Failed   map[*ast.FuncDecl]error
	Calls    []func() // for its user

	// The engine names for which Link must be called.
	Variables, Functions []string

	start []func()
}

// Start makes compiled callers use the functions of the unit.
func (u *Unit) Start() {
	for _, f := range u.start {
		f()
	}
}

// errNot is the reason why a function is left to the interpreter.
type errNot struct{ why string }

func (e *errNot) Error() string { return e.why }

func (b *builder) cannot(format string, args ...any) { panic(&errNot{fmt.Sprintf(format, args...)}) }

// Compile compiles the functions that a cell declares, as far as it can.
func (s *Session) Compile(src Source) (u *Unit) {
	defer func() {
		if r := recover(); r != nil {
			u = s.uncompiled(src, fmt.Errorf("go/ssa: %v", r))
		}
	}()
	s.mu.Lock()
	defer s.mu.Unlock()
	u = &Unit{s: s, Compiled: map[*ast.FuncDecl]reflect.Value{}, Failed: map[*ast.FuncDecl]error{}}
	p := newProgram(s, src)
	p.prog.Build()
	for _, decl := range p.decls {
		fn := p.prog.FuncValue(src.Info.Defs[decl.Name].(*types.Func))
		p.want(fn)
	}
	p.settle()
	for _, decl := range p.decls {
		fn := p.prog.FuncValue(src.Info.Defs[decl.Name].(*types.Func))
		c := p.codes[fn]
		if c.why != nil {
			u.Failed[decl] = c.why
			continue
		}
		u.Compiled[decl] = s.goFunction(c)
	}
	for _, decl := range p.decls {
		fn := src.Info.Defs[decl.Name].(*types.Func)
		f, c := s.record(decl, fn, src), p.codes[p.prog.FuncValue(fn)]
		u.start = append(u.start, func() {
			if c.why != nil {
				f.code.Store(nil)
				return
			}
			f.code.Store(c)
			g := s.maker(c.fn)(&closure{s: s, code: c})
			f.value.Store(&g)
		})
	}
	s.reset(u, src)
	for name := range p.variables {
		u.Variables = append(u.Variables, name)
	}
	for name := range p.functions {
		u.Functions = append(u.Functions, name)
	}
	return u
}

// program is the ssa form of one cell.
type program struct {
	s                    *Session
	src                  Source
	prog                 *ssa.Program
	decls                []*ast.FuncDecl
	codes                map[*ssa.Function]*code
	needs                map[*code][]*code
	todo                 []*ssa.Function
	variables, functions map[string]bool
	starts               map[token.Pos]token.Pos // of calls and assertions, by their parenthesis
}

// newProgram declares the objects that the cell's functions mention, each in the package of the
// check that made it.
func newProgram(s *Session, src Source) *program {
	p := &program{s: s, src: src, codes: map[*ssa.Function]*code{}, needs: map[*code][]*code{}, variables: map[string]bool{}, functions: map[string]bool{}, starts: map[token.Pos]token.Pos{}}
	for _, decl := range src.File.Decls {
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				p.starts[n.Lparen] = n.Pos()
			case *ast.TypeAssertExpr:
				p.starts[n.Lparen] = n.Pos()
			}
			return true
		})
	}
	p.prog = ssa.NewProgram(src.Fset, ssa.InstantiateGenerics|ssa.BareInits|ssa.BuildSerially)
	info := *src.Info
	info.InitOrder = nil
	info.FileVersions = map[*ast.File]string{}
	info.Defs = map[*ast.Ident]types.Object{}
	for id, obj := range src.Info.Defs {
		info.Defs[id] = obj
	}
	files := map[*types.Package]*ast.File{}
	fileOf := func(pkg *types.Package) *ast.File {
		f := files[pkg]
		if f == nil {
			f = &ast.File{Name: ast.NewIdent(pkg.Name())}
			files[pkg] = f
			info.FileVersions[f] = "go1.26"
		}
		return f
	}
	declared := map[types.Object]bool{}
	for _, decl := range src.File.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok || src.Info.Defs[d.Name] == nil {
			continue
		}
		obj := src.Info.Defs[d.Name].(*types.Func)
		if src.Skip(d) {
			continue
		}
		declared[obj] = true
		f := fileOf(obj.Pkg())
		f.Decls = append(f.Decls, d)
		sig := obj.Signature()
		if sig.TypeParams().Len() == 0 && sig.RecvTypeParams().Len() == 0 {
			p.decls = append(p.decls, d)
		}
	}
	mention := func(obj types.Object) {
		if obj == nil || obj.Pkg() == nil || declared[obj] {
			return
		}
		id := &ast.Ident{Name: obj.Name()}
		var d ast.Decl
		switch obj := obj.(type) {
		case *types.Var:
			if obj.IsField() || obj.Kind() != types.PackageVar {
				return
			}
			d = &ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{id}}}}
		case *types.Const:
			if obj.Parent() != obj.Pkg().Scope() {
				return
			}
			d = &ast.GenDecl{Tok: token.CONST, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{id}}}}
		case *types.Func:
			d = &ast.FuncDecl{Name: id, Type: &ast.FuncType{}}
		default:
			return
		}
		declared[obj] = true
		info.Defs[id] = obj
		f := fileOf(obj.Pkg())
		f.Decls = append(f.Decls, d)
	}
	for _, obj := range src.Info.Uses {
		if f, ok := obj.(*types.Func); ok && f.Origin() != f {
			continue
		}
		mention(obj)
	}
	for _, sel := range src.Info.Selections {
		if f, ok := sel.Obj().(*types.Func); ok && f.Origin() == f && f.Signature().Recv() != nil && !types.IsInterface(f.Signature().Recv().Type()) {
			mention(f)
		}
	}
	for pkg, f := range files {
		p.prog.CreatePackage(pkg, []*ast.File{f}, &info, false)
	}
	return p
}

// want returns the code of a function, to be compiled before settle returns.
func (p *program) want(fn *ssa.Function) *code {
	if o := fn.Origin(); o != nil {
		if obj, ok := o.Object().(*types.Func); ok && check.IsCell(obj.Pkg()) {
			panic(&errNot{fmt.Sprintf("%s: a later cell may give a generic function another body", fn)})
		}
	}
	c := p.codes[fn]
	if c == nil {
		c = &code{name: fn.String(), index: p.s.codes}
		p.s.codes++
		p.codes[fn] = c
		p.todo = append(p.todo, fn)
	}
	return c
}

// settle compiles the wanted functions. A function that needs one that fails, fails too.
func (p *program) settle() {
	for len(p.todo) > 0 {
		fn := p.todo[0]
		p.todo = p.todo[1:]
		c := p.codes[fn]
		c.why = p.compile(fn, c)
	}
	for again := true; again; {
		again = false
		for c, list := range p.needs {
			for _, need := range list {
				if c.why == nil && need.why != nil {
					c.why, again = need.why, true
				}
			}
		}
	}
}

func (p *program) compile(fn *ssa.Function, c *code) (err error) {
	b := &builder{s: p.s, p: p, fn: fn, code: c, types: map[types.Type]reflect.Type{}}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *errNot:
			err = e
		default:
			panic(e)
		}
	}()
	b.function()
	return nil
}

// uncompiled returns the unit of a cell without compiled functions.
func (s *Session) uncompiled(src Source, why error) *Unit {
	u := &Unit{s: s, Compiled: map[*ast.FuncDecl]reflect.Value{}, Failed: map[*ast.FuncDecl]error{}}
	for _, decl := range src.File.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if fn, ok := src.Info.Defs[d.Name].(*types.Func); ok && !src.Skip(d) {
			u.Failed[d] = why
			f := s.record(d, fn, src)
			u.start = append(u.start, func() { f.code.Store(nil) })
		}
	}
	return u
}

// reset makes the unit leave functions that must not be compiled to the interpreter.
func (s *Session) reset(u *Unit, src Source) {
	for _, decl := range src.File.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok || !src.Skip(d) {
			continue
		}
		if fn, ok := src.Info.Defs[d.Name].(*types.Func); ok && (fn.Signature().Recv() != nil || src.Engine(fn) != "") {
			f := s.record(d, fn, src)
			u.start = append(u.start, func() { f.code.Store(nil) })
		}
	}
}

// record returns the record of a function or method that a cell declares.
func (s *Session) record(decl *ast.FuncDecl, fn *types.Func, src Source) *function {
	if named, name := src.Method(decl); named != nil {
		return s.method(s.Table.Key(named) + "." + name)
	}
	if recv := fn.Signature().Recv(); recv != nil {
		if named, _ := namedOf(recv.Type()); named != nil {
			return s.method(s.Table.Key(named) + "." + fn.Name())
		}
	}
	return s.function(src.Engine(fn))
}
