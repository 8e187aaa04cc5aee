package erase

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// stdFiles are generic functions of std in our own words: compiled ones cannot
// be instantiated for types that cells declare. The file for path a/b is a_b.go.
//
//go:embed std/*.go
var stdFiles embed.FS

// A stdPackage is one of them, type-checked.
type stdPackage struct {
	info  *types.Info
	decls map[string]*ast.FuncDecl
}

// stdPath is in front of the paths of these packages.
const stdPath = "goanvil/std/"

// stdSource returns the source of a generic function of std, or nil.
func (f *scope) stdSource(p at, fn *types.Func) *source {
	path := strings.TrimPrefix(fn.Pkg().Path(), stdPath)
	pkg := f.s.stdPackage(p, path)
	if pkg == nil || pkg.decls[fn.Name()] == nil {
		return nil
	}
	return &source{pkg.decls[fn.Name()], pkg.info}
}

// stdPackage returns the package at path, nil if there is no source of it.
func (s *Session) stdPackage(p at, path string) *stdPackage {
	if pkg, ok := s.std[path]; ok {
		return pkg
	}
	name := strings.ReplaceAll(path, "/", "_") + ".go"
	text, err := stdFiles.ReadFile("std/" + name)
	if err != nil {
		s.std[path] = nil
		return nil
	}
	pkg, err := s.checkStd(path, name, text)
	if err != nil {
		fail(p, "package %s: %v", path, err)
	}
	s.std[path] = pkg
	return pkg
}

func (s *Session) checkStd(path, name string, text []byte) (*stdPackage, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	info := NewInfo()
	conf := types.Config{Importer: importerFunc(s.hooks.Import)}
	if _, err := conf.Check(stdPath+path, fset, []*ast.File{file}, info); err != nil {
		return nil, err
	}
	pkg := &stdPackage{info: info, decls: map[string]*ast.FuncDecl{}}
	for _, d := range file.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			pkg.decls[d.Name.Name] = d
		}
	}
	return pkg, nil
}

type importerFunc func(string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// NewInfo returns an empty record of all that lowering needs to know.
func NewInfo() *types.Info {
	return &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Instances:  map[*ast.Ident]types.Instance{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Implicits:  map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
}

// stdVar returns the support function that a package variable of a std source
// stands for, or nil.
func (p at) stdVar(v *types.Var) ast.Expr {
	if v.Pkg() == nil || v.Parent() != v.Pkg().Scope() || !strings.HasPrefix(v.Pkg().Path(), stdPath) {
		return nil
	}
	return p.sel(p.id(supportName), strings.ToUpper(v.Name()[:1])+v.Name()[1:])
}
