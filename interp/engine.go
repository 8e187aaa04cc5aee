package interp

import (
	"go/ast"
	"go/token"
	"io/fs"
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
	// *Panic, and what the engine cannot compile as *CompileError.
	Run(file *ast.File, entry string) error
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
