package yaegi

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"io"
	"io/fs"
	"reflect"
	"regexp"

	"github.com/traefik/yaegi/interp"
)

// An Engine runs lowered cells in a yaegi interpreter: one package main that
// grows file by file. Names declared by one file are seen by all later ones.
type Engine struct {
	in      *interp.Interpreter
	unwound func() // called for each function that a panic leaves, innermost first
	placed  int    // how many variables at the top have their place
}

// NewEngine returns an engine whose cells read and write the given streams.
func NewEngine(stdin io.Reader, stdout, stderr io.Writer, unwound func()) *Engine {
	e := &Engine{unwound: unwound}
	e.in = interp.New(interp.Options{
		Stdin: stdin, Stdout: stdout, Stderr: &panicLines{to: stderr, unwound: unwound},
		SourcecodeFilesystem: noFiles{},
	})
	return e
}

// FileSet is where files handed to Run must have been parsed.
func (e *Engine) FileSet() *token.FileSet { return e.in.FileSet() }

// Use makes the package with the given path and name importable. yaegi finds a package by its path.
func (e *Engine) Use(path, name string, symbols map[string]reflect.Value) error {
	return e.in.Use(interp.Exports{path + "/" + name: symbols})
}

// Import makes a package that Use was called for known as alias to all later
// files. The position is one of the file's that needs it.
func (e *Engine) Import(alias, path string, pos token.Pos) error {
	spec := &ast.ImportSpec{
		Name: &ast.Ident{NamePos: pos, Name: alias},
		Path: &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: fmt.Sprintf("%q", path)},
	}
	decl := &ast.GenDecl{TokPos: pos, Tok: token.IMPORT, Specs: []ast.Spec{spec}}
	file := &ast.File{Package: pos, Name: &ast.Ident{NamePos: pos, Name: "main"}, Decls: []ast.Decl{decl}}
	_, err := e.compile(file)
	return err
}

// compile returns the program, or as an error what yaegi panics with.
func (e *Engine) compile(file *ast.File) (p *interp.Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaegi: %v", r)
		}
	}()
	return e.in.CompileAST(file)
}

// Run compiles file's declarations, calls its function named entry in the calling
// goroutine, and returns when that does. A panic comes back as *Panic, and what
// cannot be compiled as *CompileError. The function becomes an init function,
// which yaegi calls by itself and keeps no name for, in a file of its own: a
// symbol keeps the syntax tree of its whole file.
func (e *Engine) Run(file *ast.File, entry string) error {
	body := *file
	body.Decls = nil
	declarations := *file
	declarations.Decls = nil
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == entry {
			f.Name.Name = "init"
			body.Decls = []ast.Decl{f}
		} else {
			declarations.Decls = append(declarations.Decls, decl)
		}
	}
	defer e.forget()
	if len(declarations.Decls) > 0 {
		if err := e.run(&declarations); err != nil {
			return err
		}
	}
	return e.run(&body)
}

func (e *Engine) run(file *ast.File) error {
	program, err := e.compile(file)
	if err != nil {
		return &CompileError{err}
	}
	e.place()
	_, err = e.in.Execute(program)
	if p, ok := err.(interp.Panic); ok {
		return &Panic{Value: p.Value}
	}
	return err
}

// places is how many variables at the top have room to begin with.
const places = 1 << 13

// place makes the variables that a program brings. yaegi itself would copy all
// that there are and put the copy in their place, while goroutines of earlier
// cells look there; here there is room in advance, and they seldom move. Its
// fields are not exported; where they are missing it does so itself.
func (e *Engine) place() {
	in := reflect.ValueOf(e.in).Elem()
	types, ok := fieldOf[[]reflect.Type](in, "universe", "types")
	data, found := fieldOf[[]reflect.Value](in, "frame", "data")
	if !ok || !found {
		return
	}
	if n := len(*types); e.placed == 0 || n > len(*data) {
		if e.placed == 0 {
			e.placed = len(*data)
		}
		grown := make([]reflect.Value, max(places, 2*n))
		copy(grown, *data)
		*data = grown
	}
	for ; e.placed < len(*types); e.placed++ {
		(*data)[e.placed] = reflect.New((*types)[e.placed]).Elem()
	}
}

// fieldOf returns the field called name of what the field called of v points to.
func fieldOf[T any](v reflect.Value, of, name string) (*T, bool) {
	v = v.FieldByName(of)
	if !v.IsValid() || v.Kind() != reflect.Pointer || v.IsNil() {
		return nil, false
	}
	f := v.Elem().FieldByName(name)
	if !f.IsValid() || f.Type() != reflect.TypeFor[T]() {
		return nil, false
	}
	p, ok := reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Interface().(*T)
	return p, ok
}

// forget lets go of the syntax trees and scopes that yaegi keeps of all that it
// ever compiled, for a debugger that is not used here: 30 kB for a small cell.
// Its fields are not exported; where they are missing nothing is forgotten.
func (e *Engine) forget() {
	in := reflect.ValueOf(e.in).Elem()
	clearField(in, "roots")
	scopes := in.FieldByName("scopes")
	if !scopes.IsValid() || scopes.Kind() != reflect.Map {
		return
	}
	for i := scopes.MapRange(); i.Next(); {
		if scope := i.Value(); scope.Kind() == reflect.Pointer && !scope.IsNil() {
			clearField(scope.Elem(), "child")
		}
	}
}

func clearField(v reflect.Value, name string) {
	if f := v.FieldByName(name); f.IsValid() && f.CanAddr() {
		reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem().SetZero()
	}
}

// panicLine is what yaegi prints for each function that a panic leaves, in a
// write of its own.
var panicLine = regexp.MustCompile(`^\S*: panic: \S*\(\.\.\.\)\n$`)

// panicLines passes on what cells write, and takes out what yaegi writes about
// panics: it says only in which function, and says so of recovered ones too.
type panicLines struct {
	to      io.Writer
	unwound func()
}

func (w *panicLines) Write(b []byte) (int, error) {
	if bytes.HasSuffix(b, []byte("(...)\n")) && panicLine.Match(b) {
		w.unwound()
		return len(b), nil
	}
	return w.to.Write(b)
}

// A Panic is a panic that left a cell.
type Panic struct{ Value any }

func (p *Panic) Error() string { return "panic" }

// A CompileError is what an engine says about lowered code that it cannot run.
// None of the code has run.
type CompileError struct{ Err error }

func (e *CompileError) Error() string { return e.Err.Error() }

func (e *CompileError) Unwrap() error { return e.Err }

// noFiles is a file system without files: cells import what the Universe has.
type noFiles struct{}

func (noFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
