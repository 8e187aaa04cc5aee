package main

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An entry is the documentation of one symbol: its doc comment and, for types only, its declaration.
type entry struct{ Doc, Decl string }

// builtins returns package builtin, which documents the predeclared names. The field types is nil,
// since the package cannot be imported.
func builtins() (*pkg, error) {
	found, err := list("", "-json=ImportPath,Name,Dir,GoFiles", "builtin")
	if err != nil {
		return nil, err
	}
	return &pkg{path: found[0].ImportPath, dir: found[0].Dir, files: found[0].GoFiles}, nil
}

// docText returns the content of a package's documentation file. Its symbols are sorted by name. For each symbol, the
// file has a line with the name and below it the comment, indented by a tab. For a type T, it also has a line "type T"
// and below it the indented declaration. The package itself has the name "package", and a method or field the name
// "Type.Name".
func docText(p *pkg) ([]byte, error) {
	d, err := docOf(p)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	section := func(name, text string) {
		if text == "" {
			return
		}
		b.WriteString(name + "\n")
		for line := range strings.SplitSeq(text, "\n") {
			if line != "" {
				b.WriteString("\t" + line)
			}
			b.WriteByte('\n')
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d)) {
		section(cmp.Or(name, "package"), d[name].Doc)
		section("type "+name, d[name].Decl)
	}
	return b.Bytes(), nil
}

// docOf returns the documentation of a package by symbol.
func docOf(p *pkg) (map[string]entry, error) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.files {
		src, err := os.ReadFile(filepath.Join(p.dir, name))
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	mode := doc.Mode(0)
	if p.path == "builtin" {
		mode = doc.AllDecls // predeclared names are in lower case
	}
	d, err := doc.NewFromFiles(fset, files, p.path, mode)
	if err != nil {
		return nil, err
	}
	c := collector{fset: fset, out: map[string]entry{}, all: mode != 0}
	c.add("", entry{Doc: d.Doc})
	c.values("", d.Consts, d.Vars)
	c.funcs("", d.Funcs)
	for _, t := range d.Types {
		c.typ(t)
	}
	return c.out, nil
}

// A collector collects the entries of a package.
type collector struct {
	fset *token.FileSet
	out  map[string]entry
	all  bool // includes names in lower case
}

// add adds the entry of a symbol, unless it is empty.
func (c *collector) add(name string, e entry) {
	e.Doc = strings.TrimSpace(e.Doc)
	if e != (entry{}) {
		c.out[name] = e
	}
}

// funcs adds functions or methods, with a prefix before their names.
func (c *collector) funcs(prefix string, fs []*doc.Func) {
	for _, f := range fs {
		c.add(prefix+f.Name, entry{Doc: f.Doc})
	}
}

// values adds constants and variables. If a constant or variable has no comment, it gets the comment of its group.
func (c *collector) values(prefix string, groups ...[]*doc.Value) {
	for _, values := range groups {
		for _, v := range values {
			for _, spec := range v.Decl.Specs {
				c.value(prefix, v.Doc, spec.(*ast.ValueSpec))
			}
		}
	}
}

// value adds the constants or variables of a specification.
func (c *collector) value(prefix, groupDoc string, spec *ast.ValueSpec) {
	text := commentOf(spec.Doc, spec.Comment)
	if text == "" {
		text = groupDoc
	}
	for _, name := range spec.Names {
		if c.all || name.IsExported() {
			c.add(prefix+name.Name, entry{Doc: text})
		}
	}
}

// typ adds a type, its members, and the constants, variables and functions that go/doc associates with the type.
func (c *collector) typ(t *doc.Type) {
	c.add(t.Name, entry{Doc: t.Doc, Decl: c.source(t.Decl)})
	c.values("", t.Consts, t.Vars)
	c.funcs("", t.Funcs)
	c.funcs(t.Name+".", t.Methods)
	for _, spec := range t.Decl.Specs {
		if ts, ok := spec.(*ast.TypeSpec); ok && ts.Name.Name == t.Name {
			c.members(t.Name+".", ts.Type)
		}
	}
}

// members adds the fields of a struct or the methods of an interface.
func (c *collector) members(prefix string, typ ast.Expr) {
	var list *ast.FieldList
	switch t := typ.(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		list = t.Methods
	default:
		return
	}
	for _, f := range list.List {
		text := commentOf(f.Doc, f.Comment)
		for _, name := range f.Names {
			if name.IsExported() {
				c.add(prefix+name.Name, entry{Doc: text})
			}
		}
	}
}

// commentOf returns the text of the first group that is not empty.
func commentOf(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if text := g.Text(); text != "" {
			return text
		}
	}
	return ""
}

// source returns a type's declaration without its own comment.
func (c *collector) source(decl *ast.GenDecl) string {
	bare := *decl
	bare.Doc = nil
	var b bytes.Buffer
	if err := format.Node(&b, c.fset, &bare); err != nil {
		return ""
	}
	return b.String()
}
