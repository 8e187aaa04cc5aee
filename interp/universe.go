package interp

import (
	"go/types"
	"reflect"
)

// A Universe is the set of packages that cells can import. It has their types, for the type checker, and their exported
// names with values, for the compiler. Package interp/universe implements it.
type Universe interface {
	// Import returns the package at path. A package of the library can also be imported under a short path such as
	// "anvil/ops"; the Path of the result is the full path.
	Import(path string) (*types.Package, error)

	// Symbols returns the exported names of the package with the full path, in the form that the command yaegi
	// extract writes: functions and constants are values, variables are addressable values, and a type T is
	// (*T)(nil). Generic functions are left out. A generic function G may have a variant without type parameters,
	// which is listed as GAny; see package compile.
	Symbols(path string) map[string]reflect.Value

	// Prelude returns the imports that every cell has without writing them.
	Prelude() []Import

	// Tensor returns the full path of the tensor package, and the name of the type whose values can be operands of Go's
	// operators. The package must have the functions and methods by which package interp/tensor replaces the operators.
	// path is empty if there are no tensors.
	Tensor() (path, name string)
}

// An Import is the path of a package and the name that cells use for the package.
type Import struct{ Name, Path string }
