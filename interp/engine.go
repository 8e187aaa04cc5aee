package interp

import (
	"go/ast"
	"go/token"
	"reflect"
)

// An Engine runs lowered cells: one package main that grows file by file.
// Names declared by one file are seen by all later ones.
type Engine interface {
	// FileSet is where files handed to Run must have been parsed.
	FileSet() *token.FileSet

	// Use makes a package importable under the given path and name.
	Use(path, name string, symbols map[string]reflect.Value) error

	// Import binds alias to a package given to Use, for all later files. The position is
	// in the file that needs it.
	Import(alias, path string, pos token.Pos) error

	// Run compiles file's declarations, calls its function named entry in the
	// calling goroutine, and returns when that does. It returns
	// a panic as a *yaegi.Panic, and code that it cannot compile as a *yaegi.CompileError.
	Run(file *ast.File, entry string) error
}
