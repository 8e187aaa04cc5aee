package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// An entry documents one symbol: what it is declared as (types only; the
// types of the rest are in the export data) and its comment.
type entry struct {
	Doc  string `json:"d,omitempty"`
	Decl string `json:"t,omitempty"`
}

// docBlob holds, for every package, a JSON object from symbol to entry.
// The package itself is "", a method or a field "Type.Name".
func docBlob(w *world) ([]byte, error) {
	var names []string
	var entries [][]byte
	for _, p := range w.packages {
		data, err := docText(p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.path, err)
		}
		names, entries = append(names, p.path), append(entries, data)
	}
	b, err := builtins()
	if err != nil {
		return nil, err
	}
	return blob(append(names, "builtin"), append(entries, b))
}

// builtins documents the names that Go has without import, from the package
// that std keeps for that purpose. It has no types and cannot be imported.
func builtins() ([]byte, error) {
	found, err := list("", "-json=ImportPath,Name,Dir,GoFiles", "builtin")
	if err != nil {
		return nil, err
	}
	return docText(&pkg{path: found[0].ImportPath, dir: found[0].Dir, files: found[0].GoFiles})
}

func docText(p *pkg) ([]byte, error) {
	d, err := docOf(p)
	if err != nil {
		return nil, err
	}
	return json.Marshal(d) // sorted by name
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
