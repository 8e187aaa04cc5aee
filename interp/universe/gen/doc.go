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

// An entry documents one symbol: what it is declared as (types only; the
// types of the rest are in its declarations) and its comment.
type entry struct{ Doc, Decl string }

// builtins is the package that std keeps to document the names that Go has
// without import. It has no types and cannot be imported.
func builtins() (*pkg, error) {
	found, err := list("", "-json=ImportPath,Name,Dir,GoFiles", "builtin")
	if err != nil {
		return nil, err
	}
	return &pkg{path: found[0].ImportPath, dir: found[0].Dir, files: found[0].GoFiles}, nil
}

// docText returns the documentation of a package, sorted by symbol: a line with
// the name of the symbol, and indented by tabs the lines of its comment; for a
// type also a line "type T", and indented its declaration. The package itself is
// "package", a method or a field "Type.Name".
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
		mode = doc.AllDecls // all of its names are in lower case
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

type collector struct {
	fset *token.FileSet
	out  map[string]entry
	all  bool // names in lower case too
}

func (c *collector) add(name string, e entry) {
	e.Doc = strings.TrimSpace(e.Doc)
	if e != (entry{}) {
		c.out[name] = e
	}
}

func (c *collector) funcs(prefix string, fs []*doc.Func) {
	for _, f := range fs {
		c.add(prefix+f.Name, entry{Doc: f.Doc})
	}
}

// values documents constants and variables: by their own comment, or else by
// that of their group.
func (c *collector) values(prefix string, groups ...[]*doc.Value) {
	for _, values := range groups {
		for _, v := range values {
			for _, spec := range v.Decl.Specs {
				c.value(prefix, v.Doc, spec.(*ast.ValueSpec))
			}
		}
	}
}

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

// members documents the fields of a struct and the methods of an interface.
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
