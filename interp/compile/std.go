package compile

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"unsafe"
)

// stdFiles has the sources of generic functions that replace those of the standard library, since compiled generic
// functions cannot be instantiated with types of cells. The file for the package with path a/b is std/a_b.go.
//
//go:embed std/*.go
var stdFiles embed.FS

// stdPath is the prefix of the paths of the packages in stdFiles.
const stdPath = "goanvil/std/"

// stdBase is the base of the positions in stdFiles. It is greater than all positions in cells and packages. Otherwise
// the position of a type could lie in a generic function of stdFiles, and go/ssa would take it for a local type of the
// function.
const stdBase = 1 << 50

// stdFunc returns the function in stdFiles that replaces fn, a compiled generic function, or nil if there is none.
func (s *Session) stdFunc(fn *types.Func) *types.Func {
	if strings.HasPrefix(fn.Pkg().Path(), stdPath) {
		return nil
	}
	path := fn.Pkg().Path()
	pkg, known := s.std[path]
	if !known {
		pkg = s.stdPackage(path)
		s.std[path] = pkg
	}
	if pkg == nil {
		return nil
	}
	replacement, _ := pkg.Scope().Lookup(fn.Name()).(*types.Func)
	return replacement
}

// stdPackage type-checks the package in stdFiles that replaces the package at path. It returns nil if there is none.
func (s *Session) stdPackage(path string) *types.Package {
	name := strings.ReplaceAll(path, "/", "_") + ".go"
	text, err := stdFiles.ReadFile("std/" + name)
	if err != nil {
		return nil
	}
	fset := token.NewFileSet()
	fset.AddFile("", stdBase, 0)
	file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		panic(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{},
	}
	conf := types.Config{Importer: importerFunc(s.Hooks.Import)}
	pkg, err := conf.Check(stdPath+path, fset, []*ast.File{file}, info)
	if err != nil {
		panic(err)
	}
	s.addGenerics(info, file.Decls, nil)
	return pkg
}

// An importerFunc is a function that implements types.Importer.
type importerFunc func(string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// stdVariable returns the address of a variable with the value of v, if v is a variable of a package in stdFiles. The
// value is one of stdFunctions or the method pull of s. For other variables, stdVariable returns nil.
func (s *Session) stdVariable(v types.Object) unsafe.Pointer {
	if !strings.HasPrefix(v.Pkg().Path(), stdPath) {
		return nil
	}
	if v.Name() == "pull" {
		return pointerTo(reflect.ValueOf(s.pull))
	}
	return pointerTo(reflect.ValueOf(stdFunctions[v.Name()]))
}
