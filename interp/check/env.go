// Package check type-checks cells against an environment that grows with them.
package check

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strings"
	"sync/atomic"
)

// Mark separates the author's name of an object from a number in its engine name, such as xꓸ3 for a declaration of x.
// It is a letter that Go accepts in identifiers (U+A4F8, Lm) and that authors do not type.
const Mark = "ꓸ"

// Entry is the name of the function that holds a cell's statements while the cell is checked and lowered. It is called
// the entry function.
const Entry = Mark + "cell"

// AidPath is the import path of the aids. An aid is a function of the session that lowered code calls, and that authors
// cannot name. Lowered code is what package lower makes of a cell.
const AidPath = Mark + "aid"

// An Object is a variable, function, type or constant at cell level: it is declared outside all functions of a cell.
type Object struct {
	types.Object        // from the check of its cell
	Engine       string // the engine name: the object's name in lowered code, unique in the session
	Cell         int    // the number of the cell that declared the object

	// Users is the number of functions of other cells that may still read the object.
	Users int
}

// An Env holds the declarations and imports of all cells so far.
type Env struct {
	// Sizes are the sizes of types in memory, or nil for those of amd64.
	Sizes types.Sizes

	importer types.Importer
	names    map[string]*Object // by the author's name
	engine   map[string]*Object // by the engine name
	objects  map[types.Object]*Object
	imports  map[string]string          // name -> path
	dots     []string                   // paths of dot imports; the names of the last one take precedence
	aliases  map[string]string          // path -> reserved import name; see Alias
	paths    map[string]string          // reserved import name -> path
	pending  map[*types.Func]bool       // methods added by cells that have not succeeded
	types    map[*types.TypeName]string // the engine names of types
	serial   int                        // the number in the last engine name
	checks   atomic.Int64               // the number of checks
}

// NewEnv returns an environment without names that imports through importer.
func NewEnv(importer types.Importer) *Env {
	return &Env{
		importer: importer,
		names:    map[string]*Object{},
		engine:   map[string]*Object{},
		objects:  map[types.Object]*Object{},
		imports:  map[string]string{},
		aliases:  map[string]string{},
		paths:    map[string]string{},
		pending:  map[*types.Func]bool{},
		types:    map[*types.TypeName]string{},
	}
}

// Checks returns how many times a cell has been type-checked.
func (e *Env) Checks() int64 { return e.checks.Load() }

// Import returns the package at path.
func (e *Env) Import(path string) (*types.Package, error) { return e.importer.Import(path) }

// AddImport makes name refer to the package at path in later cells.
func (e *Env) AddImport(name, path string) {
	delete(e.names, name)
	e.imports[name] = path
}

// AddDotImport makes the exported names of the package at path visible to later cells.
func (e *Env) AddDotImport(path string) {
	e.dots = append(slices.DeleteFunc(e.dots, func(p string) bool { return p == path }), path)
}

// dotImported returns the object that a dot import makes visible as name, or nil.
func (e *Env) dotImported(name string) types.Object {
	if !token.IsExported(name) {
		return nil
	}
	for _, path := range slices.Backward(e.dots) {
		if pkg, err := e.importer.Import(path); err == nil {
			if obj := pkg.Scope().Lookup(name); obj != nil {
				return obj
			}
		}
	}
	return nil
}

// Imports returns the imports of all cells so far. It maps names to the paths of packages.
func (e *Env) Imports() map[string]string { return e.imports }

// Lookup returns the object that name refers to at the start of the next cell, or nil.
func (e *Env) Lookup(name string) *Object { return e.names[name] }

// Resolved returns the object with the given engine name, or nil.
func (e *Env) Resolved(engine string) *Object { return e.engine[engine] }

// Of returns the Object of obj, or nil if obj is not at cell level.
func (e *Env) Of(obj types.Object) *Object { return e.objects[obj] }

// NameType records the engine name of t. The name is kept even if the cell fails, since values of the type may still be
// in use.
func (e *Env) NameType(t *types.TypeName, engine string) { e.types[t] = engine }

// TypeName returns the engine name of a type at cell level, or "".
func (e *Env) TypeName(t *types.TypeName) string { return e.types[t] }

// Positions returns the positions of the declarations of all objects and of the methods of all types.
func (e *Env) Positions() (found []token.Pos) {
	for _, o := range e.engine {
		found = append(found, o.Pos())
		if _, ok := o.Object.(*types.TypeName); !ok {
			continue
		}
		if t, ok := types.Unalias(o.Type()).(*types.Named); ok {
			for m := range t.Methods() {
				found = append(found, m.Pos())
			}
		}
	}
	return found
}

// Names returns the names that refer to objects at the start of the next cell, sorted.
func (e *Env) Names() []string {
	names := make([]string, 0, len(e.names))
	for name := range e.names {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// Unique returns an engine name for an object called name. It never returns the same name twice.
func (e *Env) Unique(name string) string {
	e.serial++
	return fmt.Sprintf("%s%s%d", name, Mark, e.serial)
}

// Add makes the author's name of obj refer to obj in later cells. An earlier object of that name can still be found by
// its engine name.
func (e *Env) Add(obj *Object) {
	name := obj.Name()
	delete(e.imports, name)
	e.names[name] = obj
	e.Keep(obj)
}

// Keep records obj under its engine name and its types.Object, but not under its author's name.
func (e *Env) Keep(obj *Object) {
	e.engine[obj.Engine] = obj
	e.objects[obj.Object] = obj
}

// Drop removes obj, which no code uses any more.
func (e *Env) Drop(obj *Object) {
	if e.names[obj.Name()] == obj {
		delete(e.names, obj.Name())
	}
	delete(e.engine, obj.Engine)
	delete(e.objects, obj.Object)
}

// Alias returns the reserved import name of the package at path. It begins with Mark and is the same in every cell.
func (e *Env) Alias(path string) string {
	if alias, ok := e.aliases[path]; ok {
		return alias
	}
	alias := Mark + identifier(path[strings.LastIndex(path, "/")+1:])
	for n := 2; e.paths[alias] != ""; n++ {
		alias = fmt.Sprintf("%s%s%d", alias, Mark, n)
	}
	e.aliases[path], e.paths[alias] = alias, path
	return alias
}

// identifier returns s without the characters that identifiers cannot contain.
func identifier(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return -1
	}, s)
}

// AuthorName returns the author's name of the object with the given engine name: x for xꓸ3.
func AuthorName(engine string) string {
	if i := strings.LastIndex(engine, Mark); i > 0 {
		return engine[:i]
	}
	return engine
}

// IsAlias reports whether name is a reserved import name.
func (e *Env) IsAlias(name string) bool { return e.paths[name] != "" }

// AddPending records that cells may not use the method m: the cell that added m to its type may still fail, or has
// failed before it set a variable that m needs. go/types cannot remove a method from a type.
func (e *Env) AddPending(m *types.Func) { e.pending[m] = true }

// Confirm records that cells may use m, after the cell that added m was compiled and has run. That cell need not have
// run to its end.
func (e *Env) Confirm(m *types.Func) { delete(e.pending, m) }

// IsPending reports whether cells may not use m: AddPending has recorded m, and Confirm has not been called since.
func (e *Env) IsPending(m *types.Func) bool { return e.pending[m] }
