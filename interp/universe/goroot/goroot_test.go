package main

import (
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const program = `package main

import "fmt"

func init() { fmt.Println("init") }

var a, _ = b + 1, 0

//line x.go:40
var b = double(c)

var c = 1

type pair[T any] struct{ x, y T }

func (p *pair[T]) swap() { p.x, p.y = p.y, p.x }

func double(x int) int {
	if x > 100 {
		return half(x)
	}
	return 2 * x
}

func half(x int) int { return double(x) / 4 }

func main() {
	p := pair[int]{a, b}
	p.swap()
	fmt.Println(p)
}
`

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		cells string
		want  []string // the cells without blanks at their ends
	}{
		{"declarations", []string{`import "fmt"`, "var c", "func double", "var b", "var a", "type pair", "func init", "func main", "main()"}},
		{"statements", []string{`import "fmt"`, "var c", "func double", "var b", "var a", "type pair", "func init",
			"p := pair", "p.swap(); _ = 0", "fmt.Println(p); _ = 0"}},
	} {
		cells, err := split(program, c.cells)
		if err != nil {
			t.Fatal(err)
		}
		begins := slices.EqualFunc(cells, c.want, func(cell, want string) bool {
			trimmed := strings.TrimSpace(strings.Replace(cell, "//line x.go:40", "", 1))
			return strings.HasPrefix(trimmed, want)
		})
		if !begins {
			t.Errorf("%s: %q", c.cells, cells)
		}
		for _, cell := range cells {
			line := strings.Count(cell[:len(cell)-len(strings.TrimLeft(cell, " \n"))], "\n")
			if text, _, _ := strings.Cut(strings.TrimSpace(cell), "\n"); text == "var c = 1" && line != 8 {
				t.Errorf("%s: var c stands in line %d", c.cells, line)
			}
		}
	}
	if cells, err := split(program, "whole"); err != nil || !slices.Equal(cells, []string{program}) {
		t.Errorf("whole: %q, %v", cells, err)
	}
	for _, bad := range []string{"package main\n", "package main\nfunc main( {}"} {
		if cells, err := split(bad, "declarations"); err == nil {
			t.Errorf("%q is split into %q", bad, cells)
		}
	}
}

// TestMainStaysWhole tests which main functions are not cut into statements.
func TestMainStaysWhole(t *testing.T) {
	for body, whole := range map[string]bool{
		"x := 1; _ = x":                          false,
		"func() { return }()":                    false,
		"for { break }":                          false,
		"return":                                 true,
		"defer f()":                              true,
		"goto L; L: f()":                         true,
		"var x = func() int { return 1 }; _ = x": false,
		"x := 1; { var x = x; _ = x }":           true,
		"f := 1; _ = f":                          true,
		"var f = 1; _ = f":                       true,
		"f = nil":                                false,
		`println("main.main.func1")`:             true,
		"runtime.SetFinalizer(new(int), nil)":    true,
		"var m runtime.MemStats; runtime.ReadMemStats(&m)": true,
	} {
		cells, err := split("package main\nvar f func()\nfunc main() { "+body+" }\n", "statements")
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		if got := cells[len(cells)-1] == "main()"; got != whole {
			t.Errorf("%s: main stays whole: %t", body, got)
		}
	}
}

func TestIsRunnable(t *testing.T) {
	for text, want := range map[string]bool{
		"// run\n\npackage main":                            true,
		"// run -gcflags=-l\n\npackage main":                true,
		"// run fib.go\n\npackage main":                     false,
		"// compile\n\npackage main":                        false,
		"package main\n// run\n":                            false,
		"// run\n\n//go:build plan9\n\npackage main":        false,
		"// run\n\n//go:build gc && go1.18\n\npackage main": true,
		"// run\n\n//go:build !gc\n\npackage main":          false,
		"// run\n\npackage main\n\n//go:build ignore\n":     true,
	} {
		if got := isRunnable(text); got != want {
			t.Errorf("isRunnable(%q) = %t", text, got)
		}
	}
}

func TestCompareOutput(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.out": "1\n2\n", "b.output": " 1\n2\n\n", "c.unordered": "2\n1"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, printed string
		want          bool
	}{
		{"a.go", "1\n2\n", true}, {"a.go", "1\n2", false}, {"b.go", "1\n2", true}, {"b.go", "2\n1", false},
		{"c.go", "1\n2\n", true}, {"c.go", "1\n3\n", false}, {"none.go", "", true}, {"none.go", "1", false},
	} {
		if got, _ := compareOutput(filepath.Join(dir, c.name), c.printed); got != c.want {
			t.Errorf("%s that prints %q is right: %t", c.name, c.printed, got)
		}
	}
	for _, c := range [][3]string{
		{"1\n2", "1\n2", ""}, {"1\n2", "1\n3", `line 2: got "2", want "3"`}, {"1", "1\n3", `line 2: got "(end)", want "3"`},
		{"1\n2", "1", `line 2: got "2", want "(end)"`},
	} {
		if got := difference(c[0], c[1]); got != c[2] {
			t.Errorf("difference(%q, %q) = %q", c[0], c[1], got)
		}
	}
	if got := oneLine(strings.Repeat("a\n", 300)); len(got) != 400+2*200 {
		t.Errorf("oneLine returns %d bytes", len(got))
	}
}

func TestExampleProgram(t *testing.T) {
	const text = "package x_test\n\nimport \"fmt\"\n\nfunc ExampleA_b() {\n\tfmt.Println(1)\n\t// Output: 1\n}\n\nfunc helper() {}\n\nvar _ = helper\n"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "x_test.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	example := doc.Examples(file)[0]
	example.Play = nil
	got, err := exampleProgram(fset, text, example)
	if err != nil || !strings.HasPrefix(got, "package main\n\nimport") || !strings.HasSuffix(got, "func main() { ExampleA_b() }\n") {
		t.Errorf("%q, %v", got, err)
	}
	if !isInternal("go/ssa: x") || isInternal("x is not declared") {
		t.Error("isInternal")
	}
}
