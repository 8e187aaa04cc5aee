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

	// Use makes the package with the given path and name importable.
	Use(path, name string, symbols map[string]reflect.Value) error

	// Import makes a package that Use was called for known as alias to all
	// later files. The position is one of the file's that needs it.
	Import(alias, path string, pos token.Pos) error

	// Run compiles file's declarations, calls its function named entry in the
	// calling goroutine, and returns when that does. A panic comes back as
	// *yaegi.Panic, and what the engine cannot compile as *yaegi.CompileError.
	Run(file *ast.File, entry string) error
}
