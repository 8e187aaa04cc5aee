package check_test

import (
	"go/ast"
	"go/build"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp/check"
)

// TestCodes compares the names and numbers of codes with the source of the standard library, and type-checks the
// examples in its comments.
func TestCodes(t *testing.T) {
	if build.Default.GOROOT == "" { // the test was built with -trimpath
		root, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			t.Fatal(err)
		}
		build.Default.GOROOT = strings.TrimSpace(string(root))
	}
	file := filepath.Join(build.Default.GOROOT, "src", "internal", "types", "errors", "codes.go")
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	if _, err := (&types.Config{}).Check("errors", fset, []*ast.File{f}, info); err != nil {
		t.Fatal(err)
	}
	imports := importer.ForCompiler(fset, "source", nil)
	examples := 0
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		name := spec.Names[0].Name
		number, _ := constant.Int64Val(info.Defs[spec.Names[0]].(*types.Const).Val())
		if number < 1 || name == "_" {
			return true
		}
		if got := check.CodeNumbered(int(number)); got != name {
			t.Errorf("code %d is %s, not %q", number, name, got)
		}
		for i, example := range strings.Split(spec.Doc.Text(), "Example:")[1:] {
			examples++
			if got := codeOfExample(t, imports, strings.TrimSpace(example)); string(got) != name {
				t.Errorf("%s: example %d has the code %q", name, i, got)
			}
		}
		return true
	})
	if examples < 100 {
		t.Errorf("only %d examples", examples)
	}
}

// codeOfExample returns the code of the first error in a piece of Go.
func codeOfExample(t *testing.T, imports types.Importer, example string) check.Code {
	if !strings.HasPrefix(example, "package") {
		example = "package p\n\n" + example
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "example.go", example, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{FakeImportC: true, Importer: imports}
	_, err = conf.Check("example", fset, []*ast.File{f}, nil)
	e, ok := err.(types.Error)
	if !ok {
		t.Fatalf("%v in\n%s", err, example)
	}
	if from, to := check.Span(e); from > e.Pos || e.Pos > to {
		t.Errorf("position %d is outside of %d to %d in\n%s", e.Pos, from, to, example)
	}
	return check.CodeOf(e)
}

// TestSpans checks which part of the source an error is about.
func TestSpans(t *testing.T) {
	for code, want := range map[string]string{
		"var a string = len(\"b\") + 1":    "len(\"b\") + 1",
		"var a = len(\"b\") + missing":     "missing",
		"var a = 1 + len(3, 4)":            "len(3, 4)",
		"var a struct{}\nvar b = (a).none": "none",
		"func f() int {}":                  "", // a position only
	} {
		source := "package p\n" + code
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "", source, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = new(types.Config).Check("p", fset, []*ast.File{f}, nil)
		e, ok := err.(types.Error)
		if !ok {
			t.Fatalf("%v in %s", err, code)
		}
		from, to := check.Span(e)
		if got := source[fset.Position(from).Offset:fset.Position(to).Offset]; got != want {
			t.Errorf("%s: %s: the error is about %q, not %q", code, e.Msg, got, want)
		}
	}
}

func TestCodeOfUnknown(t *testing.T) {
	e := types.Error{Pos: 7, Msg: "undefined: x"}
	if from, to := check.Span(e); check.CodeOf(e) != "" || from != 7 || to != 7 {
		t.Errorf("an error of no code has %q, %d to %d", check.CodeOf(e), from, to)
	}
	if check.IsCode("_") || check.IsCode("") || !check.IsCode("UndeclaredName") {
		t.Error("IsCode knows the wrong names")
	}
}
