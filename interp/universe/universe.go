// Package universe holds the packages that cells can import: their types, documentation and symbols. The packages are
// the standard library, those of this module, and those of gonum for plots and matrices. The data is generated and
// embedded; the data of a package is read when a cell imports it. No Go toolchain is needed at run time.
//
// Functions that depend on the state of a session are bound to it: if package anvil has a function F and the
// session's Context has a method F with the same signature, cells call the method.
package universe

//go:generate go run ./gen

import (
	"fmt"
	"go/types"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/goanvil/notebook/interp/compile/misuse"
)

// Module is the path of this module, with which the import paths of its packages begin.
const Module = "github.com/goanvil/notebook"

// A Universe holds the packages that the cells of one session can import. It is safe for concurrent
// use.
type Universe struct {
	importer packageImporter

	mu      sync.Mutex                          // guards symbols
	symbols map[string]map[string]reflect.Value // the results of Symbols, by full path

	// The functions and variables that are bound to the session, by full path and name.
	bound     map[string]map[string]reflect.Value
	variables map[string]map[string]reflect.Value
}

// WithReceivers returns a Universe without a session. For each path in receivers, the functions of the package at this
// path are bound to the methods of the value.
func WithReceivers(receivers map[string]any) *Universe {
	u := &Universe{
		importer:  newPackageImporter(),
		symbols:   map[string]map[string]reflect.Value{},
		bound:     map[string]map[string]reflect.Value{},
		variables: map[string]map[string]reflect.Value{},
	}
	for p, receiver := range receivers {
		u.bound[p] = methodsOf(receiver)
	}
	return u
}

// methodsOf returns the methods of a value as functions, by name.
func methodsOf(receiver any) map[string]reflect.Value {
	v := reflect.ValueOf(receiver)
	methods := make(map[string]reflect.Value, v.NumMethod())
	for i := range v.NumMethod() {
		name := v.Type().Method(i).Name
		methods[name] = misuse.Method(v, name)
	}
	return methods
}

// Resolve returns the full path of the package that a cell imports as path. Cells may leave out Module in the paths
// of this module's packages. ok reports whether a cell can import the package.
func Resolve(path string) (full string, ok bool) {
	if _, ok := packs()[path]; ok {
		return path, true
	}
	full = Module + "/" + path
	_, ok = packs()[full]
	return full, ok
}

// Short returns the path without Module, as cells write it.
func Short(path string) string { return strings.TrimPrefix(path, Module+"/") }

// Paths returns every path that a cell may import, in its short form, sorted.
func Paths() []string {
	all := make([]string, 0, len(packs()))
	for p := range packs() {
		all = append(all, Short(p))
	}
	slices.Sort(all)
	return all
}

// Import returns the package that a cell imports as p. It implements types.Importer.
func (u *Universe) Import(p string) (*types.Package, error) {
	if p == "unsafe" {
		return types.Unsafe, nil
	}
	full, ok := Resolve(p)
	if !ok {
		return nil, unavailable(p)
	}
	return u.importer.importPath(full)
}

// unavailable is the error for a path that cannot be imported. The message is made only when Error is called, since it
// requires a search for similar paths, and some callers only test whether the import succeeds.
type unavailable string

func (u unavailable) Error() string {
	p := string(u)
	switch {
	case p == "C":
		return fmt.Sprintf("import %q: a cell cannot use cgo", p)
	case p == "syscall" || p == "plugin":
		return fmt.Sprintf("import %q: not available in a cell", p)
	}
	if near := closest(p); near != "" {
		return fmt.Sprintf("import %q: no such package here; did you mean %q", p, near)
	}
	return fmt.Sprintf("import %q: no such package here; a cell can import the standard library, "+
		"packages below anvil, display and gonum.org/v1/plot, and mat, floats, stat and optimize of gonum.org/v1/gonum", p)
}

// closest returns the importable path with the same last element as p, or "" unless there is exactly one.
func closest(p string) string {
	var found []string
	for _, q := range Paths() {
		if path.Base(q) == path.Base(p) {
			found = append(found, q)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// Symbols returns the values of a package's symbols by name, bound to the session. The value of a type is a nil pointer
// to the type, and the value of an untyped constant is a constant.Value. Generic functions and types have no symbol.
// The map must not be changed.
func (u *Universe) Symbols(p string) map[string]reflect.Value {
	full, ok := Resolve(p)
	if !ok {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.symbols[full] == nil {
		u.symbols[full] = overlay(packs()[full].values(), u.bound[full])
		maps.Copy(u.symbols[full], u.variables[full])
	}
	return u.symbols[full]
}

// overlay replaces functions in symbols by the methods with the same name and signature, and returns symbols.
func overlay(symbols, methods map[string]reflect.Value) map[string]reflect.Value {
	for name, m := range methods {
		if f, ok := symbols[name]; ok && f.Type() == m.Type() {
			symbols[name] = m
		}
	}
	return symbols
}

// HasSymbol reports whether the package that a cell imports as p has a symbol with this name.
func (u *Universe) HasSymbol(p, name string) bool {
	_, ok := u.Symbols(p)[name]
	return ok
}

// packs returns the symbol tables by the full paths of their packages.
var packs = sync.OnceValue(func() map[string]*pack {
	all := map[string]*pack{}
	for _, table := range [][]pack{stdTable, gonumTable, anvilTable} {
		for i := range table {
			all[table[i].path] = &table[i]
		}
	}
	return all
})

// bind binds functions of the package at path to the methods of receiver, and to the given functions, with the same
// names. The given functions take precedence over methods.
func (u *Universe) bind(path string, receiver any, functions map[string]any) {
	u.bound[path] = methodsOf(receiver)
	for name, f := range functions {
		u.bound[path][name] = reflect.ValueOf(f)
	}
}
