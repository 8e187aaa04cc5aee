package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"sort"
	"strings"
)

// A family is a heading of docs/operations.md. files has the names, without .go, of the files whose
// operations are listed under the heading. A * at the end of a name stands for any text.
type family struct{ title, files string }

var families = []family{
	{"Creation", "create sequences"},
	{"Elementwise", "elementwise arith special float_bits complex bits nan activation host"},
	{"Comparison", "close"},
	{"Reductions and statistics", "reduce fold quantile average masked softmax einops"},
	{"Cumulative", "cumulative"},
	{"Shape", "layout rearrange diagonal"},
	{"Indexing, searching, sorting", "index index_set index_gather take insert scatter search histogram sort unique"},
	{"Products and linear algebra", "matmul products einsum linalg* structured"},
	{"Convolution, windows, Fourier", "conv pool fft cosine signal resize interpolate polynomial gradient"},
	{"Neural networks", "norm attention loss ctc dropout"},
	{"Control flow and programs", "control loop while scan associative callback jit lower timing"},
	{"Data", "file table arrow picture"},
	{"Dtypes and systems", "promoted lib why support"},
}

// hidden has the methods of Lib that docs/operations.md leaves out: they are for packages of this module, or
// documented elsewhere.
var hidden = map[string]bool{"Unchecked": true, "Frontend": true, "String": true, "System": true}

// An operation is a line of docs/operations.md.
type operation struct{ name, params, doc string }

// Operations returns docs/operations.md for the package in dir. It lists each operation under the heading of
// its file, or of its row (see rowMethods). It skips files without a heading, whose functions are documented
// elsewhere.
func Operations(dir string) ([]byte, error) {
	files, err := sources(dir)
	if err != nil {
		return nil, err
	}
	byFamily := map[string][]operation{}
	for name, file := range files {
		ops := operationsIn(file)
		title := titleOf(name)
		if title == "" {
			if len(methodsOf(file, "Lib")) > 0 {
				return nil, fmt.Errorf("the operations of %s.go belong to no family: list the file in families", name)
			}
			continue
		}
		byFamily[title] = append(byFamily[title], ops...)
	}
	_, rows, err := rowMethods()
	if err != nil {
		return nil, err
	}
	for title, methods := range rows {
		byFamily[title] = append(byFamily[title], operationsOf(methods)...)
	}
	var b bytes.Buffer
	b.WriteString("# Operations\n\nWritten by `go generate ./anvil`. " +
		"In a cell, each operation is a function: `nv.Name(...)`. " +
		"If its first parameter is a tensor called x, a or cond, it is also a method: `x.Name(...)`.\n" +
		"`All` is only a method, `x.All(...)`, since the name `nv.All` is taken by an index. " +
		"Under a promotion system, an operation is `nv.With(promote.Torch).Name(...)`.\n" +
		"These are the same under all systems, and not in `nv.With`: functions that take programs, such as Jit and While; " +
		"functions that read elements, such as Item and Values; At and Why; indices; options.\n" +
		"[accuracy.md](accuracy.md) says how exact the operations are.\n")
	for _, f := range families {
		ops := byFamily[f.title]
		sort.Slice(ops, func(i, j int) bool { return ops[i].name < ops[j].name })
		fmt.Fprintf(&b, "\n## %s\n\n", f.title)
		for _, op := range ops {
			fmt.Fprintf(&b, "- `%s%s` %s\n", op.name, op.params, op.doc)
		}
	}
	return b.Bytes(), nil
}

// titleOf returns the title of the family of a file, or "" if it has none.
func titleOf(file string) string {
	for _, f := range families {
		for _, name := range strings.Fields(f.files) {
			if prefix, open := strings.CutSuffix(name, "*"); name == file || open && strings.HasPrefix(file, prefix) {
				return f.title
			}
		}
	}
	return ""
}

// operationsIn returns the operations that file declares: methods of Lib, and exported functions, such as
// those over trees and programs.
func operationsIn(file *ast.File) []operation {
	decls := methodsOf(file, "Lib")
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() {
			decls = append(decls, f)
		}
	}
	return operationsOf(decls)
}

// operationsOf returns the operations that decls declare, each once. It leaves out those in hidden, and the
// variants of generic functions for operands of type any. It recognizes these by the end of their
// documentation.
func operationsOf(decls []*ast.FuncDecl) []operation {
	seen := map[string]bool{}
	var ops []operation
	for _, d := range decls {
		op := operation{d.Name.Name, "(" + parameterNames(d.Type.Params) + ")", firstSentence(d)}
		if !hidden[op.name] && !seen[op.name] && !strings.HasSuffix(op.doc, "cannot instantiate it.") {
			seen[op.name] = true
			ops = append(ops, op)
		}
	}
	return ops
}

// methodsOf returns the exported methods of a type that file declares.
func methodsOf(file *ast.File, typ string) []*ast.FuncDecl {
	var methods []*ast.FuncDecl
	for _, d := range file.Decls {
		if m, ok := d.(*ast.FuncDecl); ok && m.Name.IsExported() && receiver(m) == typ {
			methods = append(methods, m)
		}
	}
	return methods
}

// parameterNames returns the names of parameters, with three dots after a variadic one.
func parameterNames(params *ast.FieldList) string {
	var names []string
	for _, p := range params.List {
		_, variadic := p.Type.(*ast.Ellipsis)
		for _, n := range p.Names {
			if variadic {
				names = append(names, n.Name+"...")
			} else {
				names = append(names, n.Name)
			}
		}
	}
	return strings.Join(names, ", ")
}

// ellipsis replaces "..." while firstSentence looks for the end of a sentence, since "..." need not end it:
// "0, 1, 2, ... occurs".
const ellipsis = "\u2026"

// firstSentence returns the first sentence of the documentation of d, without the name of d.
func firstSentence(d *ast.FuncDecl) string {
	s := new(doc.Package).Synopsis(strings.ReplaceAll(d.Doc.Text(), "...", ellipsis))
	return strings.ReplaceAll(strings.TrimPrefix(s, d.Name.Name+" "), ellipsis, "...")
}
