package interp

import (
	"go/types"
	"reflect"
)

// A Universe is what cells can import: the types of packages for the checker
// and their symbols for the engine. Package interp/universe implements it.
type Universe interface {
	// Import returns the package that path names. Short paths of the library
	// ("anvil/ops") and its full ones give the same package, whose Path is the
	// full one.
	Import(path string) (*types.Package, error)

	// Symbols returns the exported names of the package with the full path, in
	// the form that yaegi's extract writes: functions and constants as values,
	// variables addressable, types as (*T)(nil). A generic function G stands
	// there as its twin GAny, see twinInstance in interp/yaegi/erase.
	Symbols(path string) map[string]reflect.Value

	// Prelude lists the imports that every cell has without asking.
	Prelude() []Import

	// Tensor names the type whose operators cells may write: the full path of
	// its package and its name there. The package must have the functions and
	// methods that package tensor mentions in its table of operators.
	Tensor() (path, name string)
}

// An Import is a package under the name that cells call it by.
type Import struct{ Name, Path string }
