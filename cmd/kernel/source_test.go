package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// TestSource checks the source that is shown for the symbols of a package.
func TestSource(t *testing.T) {
	d := declarations{fset: token.NewFileSet()}
	for name, text := range map[string]string{"/src/pkg/a.go": `package pkg

// Add adds.
func Add(x, y int) int { return (*Lib).Add(nil, x, y) }

// Mul multiplies.
func Mul(x, y int) int {
	// a comment
	return x * y
}

// T has a method.
type T struct{ n int }

// Add is a method that only calls.
func (t T) Add(y int) int { return Add(t.n, y) }

func (t *T) Set(n int) { t.n = n }

const (
	One = 1 // the first
	Two = 2
)

var A, B int

func twice() (int, int) { return twice() }
func assembly()
`} {
		f, err := parser.ParseFile(d.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		d.files = append(d.files, f)
	}
	const other = "package pkg\nfunc (l *Lib) Add(x, y int) int { return x + y }\n"
	lib, err := parser.ParseFile(d.fset, "/src/pkg/b.go", other, 0)
	if err != nil {
		t.Fatal(err)
	}
	d.files = append(d.files, lib)
	const add, method = "// pkg/a.go\nfunc Add(x, y int) int { return (*Lib).Add(nil, x, y) }",
		"// pkg/a.go\nfunc (t T) Add(y int) int { return Add(t.n, y) }"
	const computes = "\n\n// pkg/b.go\nfunc (l *Lib) Add(x, y int) int { return x + y }"
	for symbol, want := range map[string]string{
		"Add":      add + computes,
		"T.Add":    method + computes,
		"Lib.Add":  computes[2:],
		"Mul":      "// pkg/a.go\nfunc Mul(x, y int) int {\n\t// a comment\n\treturn x * y\n}",
		"T":        "// pkg/a.go\ntype T struct{ n int }",
		"T.Set":    "// pkg/a.go\nfunc (t *T) Set(n int) { t.n = n }",
		"Two":      "// pkg/a.go\nconst (\n\tOne = 1 // the first\n\tTwo = 2\n)",
		"B":        "// pkg/a.go\nvar A, B int",
		"assembly": "// pkg/a.go\nfunc assembly()",
		"Set":      "",
		"T.T":      "",
		"None":     "",
	} {
		if got := d.source(symbol); got != want {
			t.Errorf("%s: %q\nwant %q", symbol, got, want)
		}
	}
	if got, want := new(session).librarySource("no/such", "F"), "the source of package no/such is not on this machine"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, f := range d.files {
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				want := fn.Name.Name == "twice" || fn.Name.Name == "Add" && f != lib
				if got := onlyCalls(fn, fn.Name.Name); got != want {
					t.Errorf("onlyCalls of %s is %v", fn.Name.Name, got)
				}
			}
		}
	}
}
