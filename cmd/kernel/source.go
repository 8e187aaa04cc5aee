package main

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	goprinter "go/printer"
	"go/token"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/universe"
)

// librarySource returns the source of a symbol of a package: "F", "T" or "T.Method". If the symbol is a
// function that only calls another function of the same name, the source of that function follows.
// Sources are read from the folders in which the kernel was built. If a folder does not exist on this
// machine, librarySource returns a line that says so.
func (s *session) librarySource(path, symbol string) string {
	var files []string
	if dir := s.sourceDir(path); dir != "" {
		files, _ = filepath.Glob(filepath.Join(dir, "*.go"))
	}
	if len(files) == 0 {
		return "the source of package " + path + " is not on this machine"
	}
	d := declarations{fset: token.NewFileSet()}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		if f, err := parser.ParseFile(d.fset, file, nil, parser.ParseComments|parser.SkipObjectResolution); err == nil {
			d.files = append(d.files, f)
		}
	}
	return d.source(symbol)
}

// sourceDir returns the folder from which a package was compiled, or "".
func (s *session) sourceDir(path string) string {
	if below, ok := strings.CutPrefix(path, universe.Module+"/"); ok {
		_, here, _, _ := runtime.Caller(0)
		return filepath.Join(filepath.Dir(here), "..", "..", filepath.FromSlash(below))
	}
	for _, v := range s.world.Symbols(path) {
		if v.Kind() != reflect.Func {
			continue
		}
		if f := runtime.FuncForPC(v.Pointer()); f != nil && strings.HasPrefix(f.Name(), path+".") {
			file, _ := f.FileLine(f.Entry())
			return filepath.Dir(file)
		}
	}
	return ""
}

// declarations are the parsed files of a package, without its tests.
type declarations struct {
	fset  *token.FileSet
	files []*ast.File
}

// source returns the source of symbol. The source of its namesakes follows if symbol only calls one of them.
func (d *declarations) source(symbol string) string {
	owner, name, method := strings.Cut(symbol, ".")
	if !method {
		owner, name = "", symbol
	}
	var texts []string
	for _, f := range d.files {
		for _, decl := range f.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Name.Name != name || cell.ReceiverType(decl) != owner {
					continue
				}
				texts = append(texts, d.text(f, decl))
				if onlyCalls(decl, name) {
					texts = append(texts, d.namesakes(decl)...)
				}
			case *ast.GenDecl:
				if !method && declares(decl, name) {
					texts = append(texts, d.text(f, decl))
				}
			}
		}
	}
	return strings.Join(texts, "\n\n")
}

// namesakes returns the source of the package's other functions and methods with the same name as
// caller. It omits those that only call a function or method of that name.
func (d *declarations) namesakes(caller *ast.FuncDecl) (texts []string) {
	for _, f := range d.files {
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if ok && fn.Name.Name == caller.Name.Name && fn != caller && !onlyCalls(fn, fn.Name.Name) {
				texts = append(texts, d.text(f, fn))
			}
		}
	}
	return texts
}

// text returns the source of a declaration with the comments inside, below a line that names the file.
func (d *declarations) text(f *ast.File, decl ast.Decl) string {
	comments := []*ast.CommentGroup{}
	for _, c := range f.Comments {
		if decl.Pos() <= c.Pos() && c.End() <= decl.End() {
			comments = append(comments, c)
		}
	}
	var b bytes.Buffer
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		decl.Doc = nil // shown by inspection above the source
	case *ast.GenDecl:
		decl.Doc = nil
	}
	if err := format.Node(&b, d.fset, &goprinter.CommentedNode{Node: decl, Comments: comments}); err != nil {
		return ""
	}
	at := d.fset.Position(decl.Pos())
	return "// " + filepath.Base(filepath.Dir(at.Filename)) + "/" + filepath.Base(at.Filename) + "\n" + b.String()
}

// onlyCalls reports whether the body of f just returns the result of a function or method called name.
func onlyCalls(f *ast.FuncDecl, name string) bool {
	if f.Body == nil || len(f.Body.List) != 1 {
		return false
	}
	ret, ok := f.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return false
	}
	call, ok := ret.Results[0].(*ast.CallExpr)
	if !ok {
		return false
	}
	switch fn := call.Fun.(type) {
	case *ast.Ident:
		return fn.Name == name
	case *ast.SelectorExpr:
		return fn.Sel.Name == name
	}
	return false
}

// declares reports whether decl declares a type, variable or constant called name.
func declares(decl *ast.GenDecl, name string) bool {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name.Name == name {
				return true
			}
		case *ast.ValueSpec:
			for _, id := range spec.Names {
				if id.Name == name {
					return true
				}
			}
		}
	}
	return false
}
