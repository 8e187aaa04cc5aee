// Package erase lowers type-checked Go to a subset that yaegi runs right: no
// methods, no declared types, no generics, no embedding, no range over
// functions, constants folded. It is the last of the passes, and its result is
// no longer to be type-checked.
//
// Types are erased to their inner form (package celltype). Where a value
// becomes an interface it is boxed, so that compiled code sees the type that
// the author declared, and where it leaves one it is unboxed; both places are
// known statically. A method is a function with the receiver first, an
// interface that a cell declares is any, and a call through it asks package
// support for the method. Type assertions and switches, comparisons with nil
// and of interfaces go there too.
package erase

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/goanvil/notebook/interp/yaegi/celltype"
)

// Hooks is what the surrounding passes know.
type Hooks struct {
	// Symbols returns the symbols of the compiled package at path.
	Symbols func(path string) map[string]reflect.Value

	// Alias returns the name that lowered code has for the package at path.
	Alias func(path string) string

	// TypeName returns the name, unique in the session, of a type declared at
	// the top of a cell, or "" for one that a function declares.
	TypeName func(*types.TypeName) string

	// Import returns the types of the package at path.
	Import func(path string) (*types.Package, error)

	// Late says that later cells may give functions other bodies.
	Late bool

	// Guarded says that somebody else watches the depth of the stack.
	Guarded bool
}

// A Session lowers the cells of one notebook, in their order.
type Session struct {
	open  *unit // lowered, but not committed
	Table *celltype.Table
	hooks Hooks

	// Compiled has the names, in the package TypesPath, of the methods of the next file
	// that are compiled, whose bodies do not matter.
	Compiled map[*ast.FuncDecl]string

	serial    int
	structs   map[reflect.Type]string // names of inner types in package TypesPath
	instances map[string]string       // key of an instance -> its function
	methods   map[string]*methodVar   // key of a method -> the variable that holds it
	made      map[string][]instance   // of generic functions that cells declare, by key of the function
	generics  map[string]*source      // key of a generic function or method -> its source
	bound     map[string]bool         // keys of instances whose methods are bound
	std       map[string]*stdPackage  // sources of generic std packages
}

// TypesPath and SupportPath are the packages that lowered code imports, under
// names that no author writes.
const (
	TypesPath   = "goanvil/types"
	SupportPath = "goanvil/support"
	TypesName   = "ꓸꓸtypes"
	supportName = "ꓸꓸrt"
)

// New returns a session without types.
func New(h Hooks) *Session {
	s := &Session{
		hooks:     h,
		structs:   map[reflect.Type]string{},
		instances: map[string]string{},
		methods:   map[string]*methodVar{},
		made:      map[string][]instance{},
		generics:  map[string]*source{},
		bound:     map[string]bool{},
		std:       map[string]*stdPackage{},
	}
	s.Table = celltype.New(func(path, name string) reflect.Type {
		return typeAmong(h.Symbols(path), path, name)
	}, h.TypeName)
	return s
}

// typeAmong returns the type of a package that name means, or nil. One that the
// package does not export is that of something it does export.
func typeAmong(symbols map[string]reflect.Value, path, name string) reflect.Type {
	if v, ok := symbols[name]; ok && v.Kind() == reflect.Pointer && v.IsNil() {
		return v.Type().Elem()
	}
	is := func(t reflect.Type) bool { return t.Name() == name && t.PkgPath() == path }
	for _, v := range symbols {
		if !v.IsValid() {
			continue
		}
		for _, t := range parts(v.Type()) {
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

// parts returns t and, of a function, the types of its results.
func parts(t reflect.Type) []reflect.Type {
	all := []reflect.Type{t}
	if t.Kind() == reflect.Func {
		for i := range t.NumOut() {
			all = append(all, t.Out(i))
		}
	}
	return all
}

// A source is syntax with its types: a function or method that is lowered once
// for each list of type arguments.
type source struct {
	decl *ast.FuncDecl
	info *types.Info
}

// A Result is a lowered file.
type Result struct {
	File    *ast.File
	Symbols map[string]reflect.Value // new in package TypesPath
	Imports map[string]string        // alias -> path, of what lowering mentions
	commit  func()
}

// Commit makes later cells build on this one: call it when the engine has
// accepted the file.
func (r *Result) Commit() { r.commit() }

// An Error is a construct that cannot be lowered to something right.
type Error struct {
	Pos token.Pos
	Msg string
}

func (e *Error) Error() string { return e.Msg }

// layouts finds, once, whether types can be made at run time.
var layouts = sync.OnceValue(celltype.Check)

// unit is one file on its way.
type unit struct {
	s           *Session
	pkg         *types.Package
	info        *types.Info
	out         *ast.File
	types       *types.Context
	symbols     map[string]reflect.Value
	imports     map[string]string // alias -> path, of what lowering added
	helpers     map[string]string // purpose -> function
	prologue    []ast.Stmt        // binds methods, before the entry's own statements
	pending     []func()          // bodies still to be lowered
	own         map[string]string // instances made by this file
	made        map[string][]instance
	depth       string                        // the variable that counts calls
	mentionedBy map[*types.Func][]*types.Func // the functions that a function mentions
	undo        []func()
	entry       string
	inits       []ast.Stmt      // calls of the file's init functions
	decls       []*ast.FuncDecl // of the file
}

// File lowers a file. entry names the function whose body runs it; package
// variables are initialized there too.
func (s *Session) File(pkg *types.Package, info *types.Info, file *ast.File, entry string) (r *Result, err error) {
	if err := layouts(); err != nil {
		return nil, err
	}
	s.rollback()
	u := &unit{
		s: s, pkg: pkg, info: info, types: types.NewContext(),
		symbols: map[string]reflect.Value{}, imports: map[string]string{}, helpers: map[string]string{},
		own: map[string]string{}, made: map[string][]instance{},
		out: &ast.File{Package: file.Package, Name: ast.NewIdent("main"), FileStart: file.FileStart, FileEnd: file.FileEnd},
	}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *Error:
			err = e
		default:
			panic(e)
		}
	}()
	s.open, u.entry = u, entry
	u.file(file, entry)
	return &Result{File: u.out, Symbols: u.symbols, Imports: u.imports, commit: u.commit}, nil
}

// rollback forgets what a file declared that the engine did not accept.
func (s *Session) rollback() {
	if s.open != nil {
		for _, f := range s.open.undo {
			f()
		}
	}
	s.open = nil
}

func (u *unit) commit() {
	u.s.open = nil
	for k, v := range u.own {
		u.s.instances[k] = v
	}
	for k, list := range u.made {
		u.s.made[k] = append(u.s.made[k], list...)
	}
}

// file lowers all declarations, and then what these called into being.
func (u *unit) file(file *ast.File, entry string) {
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.FuncDecl); ok {
			u.decls = append(u.decls, d)
		}
	}
	u.declareMethods(file)
	var main *ast.FuncDecl
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			u.genDecl(decl)
		case *ast.FuncDecl:
			if f := u.funcDecl(decl); f != nil && decl.Name.Name == entry && decl.Recv == nil {
				main = f
			}
		}
	}
	init := u.initializers()
	for len(u.pending) > 0 {
		next := u.pending[0]
		u.pending = u.pending[1:]
		next()
	}
	if main != nil {
		main.Body.List = slices.Concat(u.prologue, init, u.inits, main.Body.List)
	}
	u.imports[TypesName] = TypesPath
	u.imports[supportName] = SupportPath
}

// genDecl keeps variables; constants are folded into their uses, types are
// erased, and imports are those of the result.
func (u *unit) genDecl(decl *ast.GenDecl) {
	switch decl.Tok {
	case token.VAR:
		for _, spec := range decl.Specs {
			for _, name := range spec.(*ast.ValueSpec).Names {
				if obj := u.info.Defs[name]; obj != nil && name.Name != "_" {
					p := at(name.Pos())
					u.out.Decls = append(u.out.Decls, p.global(name.Name, u.top().typeExpr(p, obj.Type())))
				}
			}
		}
	}
}

// initializers assigns the package's variables in the order of their
// dependencies.
func (u *unit) initializers() []ast.Stmt {
	var list []ast.Stmt
	f := u.top()
	for _, init := range u.info.InitOrder {
		p := f.at(init.Rhs)
		var lhs []ast.Expr
		var to []types.Type
		for _, v := range init.Lhs {
			lhs = append(lhs, p.id(v.Name()))
			to = append(to, v.Type())
		}
		list = append(list, f.assignTo(p, token.ASSIGN, lhs, to, []ast.Expr{init.Rhs})...)
	}
	return list
}

// unique returns a name that nothing else has.
func (u *unit) unique(prefix string) string {
	u.s.serial++
	return fmt.Sprintf("ꓸ%s%d", prefix, u.s.serial)
}

// fail stops lowering the file with an error at the author's position.
func fail(p at, format string, args ...any) {
	panic(&Error{token.Pos(p), fmt.Sprintf(format, args...)})
}

// rt returns a call of a support function.
func (p at) rt(name string, args ...ast.Expr) *ast.CallExpr {
	return p.call(p.sel(p.id(supportName), name), args...)
}

// panicking are the support functions that panic for what the author did.
var panicking = map[string]bool{"Panic": true, "Equal": true, "Method": true, "ToArray": true, "ToArrayPointer": true, "Count": true, "CountUnsigned": true, "ErrorsAs": true, "ErrorsAsAny": true, "Untraced": true}

// Harmless reports whether lowered code calls fun, a function of package
// support, without the risk of a panic.
func Harmless(fun *ast.SelectorExpr) bool {
	id, ok := fun.X.(*ast.Ident)
	return ok && id.Name == supportName && !panicking[fun.Sel.Name]
}

// IsRecover reports whether lowered code has call for a recover of the author's.
func IsRecover(call *ast.CallExpr) bool {
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || fun.Sel.Name != "Recover" || len(call.Args) > 0 {
		return false
	}
	id, ok := fun.X.(*ast.Ident)
	return ok && (id.Name == supportName || strings.HasPrefix(id.Name, defersPrefix))
}

// defersPrefix begins the names of the records of what functions defer.
const defersPrefix = "ꓸdefers"
