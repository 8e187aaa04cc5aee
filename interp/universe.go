package interp

import (
	"go/types"
	"reflect"
)

// A Universe is the set of packages that cells can import: their types for the checker and their symbols for
// the engine. Package interp/universe implements it.
type Universe interface {
	// Import returns the package at path. Short paths of the library ("anvil/ops") give
	// the same package as full ones; its Path is the full one.
	Import(path string) (*types.Package, error)

	// Symbols returns the exported names of the package with the full path, in
	// the form that yaegi's extract writes: functions and constants as values,
	// variables addressable, types as (*T)(nil). A generic function G is
	// not listed, but its twin GAny is if there is one; see package compile.
	Symbols(path string) map[string]reflect.Value

	// Prelude lists the imports of every cell.
	Prelude() []Import

	// Tensor returns the type whose values may be operands of operators: the full path of its package and its
	// name. The package must have the functions and methods in package tensor's table of operators.
	Tensor() (path, name string)
}

// An Import is a package and the name that cells use for it.
type Import struct{ Name, Path string }
