package cell_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp/cell"
)

// parse parses a cell, and returns a text with a word for each of its parts.
func parse(t *testing.T, src string) (*cell.Cell, *token.FileSet, string) {
	t.Helper()
	fset := token.NewFileSet()
	c, err := cell.Parse(fset, cell.Name(3), src)
	if err != nil {
		t.Fatalf("%s\n%v", src, err)
	}
	var parts []string
	for _, d := range c.Decls {
		parts = append(parts, "decl@"+at(fset, d.Pos()))
	}
	for _, s := range c.Stmts {
		parts = append(parts, strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", s), "*ast."))+"@"+at(fset, s.Pos()))
	}
	return c, fset, strings.Join(parts, " ")
}

func at(fset *token.FileSet, pos token.Pos) string {
	p := cell.Position(fset, pos)
	if p.Filename != "cell[3]" {
		return p.String()
	}
	return fmt.Sprintf("%d:%d", p.Line, p.Column)
}

// TestParse checks that declarations and statements have the author's positions.
func TestParse(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"1+1", "exprstmt@1:1"},
		{"x := 1; y := 2\nx + y", "assignstmt@1:1 assignstmt@1:9 exprstmt@2:1"},
		{"fmt.Println(1)\nimport \"fmt\"\nfunc f() {}\nf()", "decl@2:1 decl@3:1 exprstmt@1:1 exprstmt@4:1"},
		{"func (t *T) M(a int) int {\n\treturn a\n}; x := 1", "decl@1:1 assignstmt@3:4"},
		{"func(a int) int { return a }(3)", "exprstmt@1:1"},
		{"func() {}()", "exprstmt@1:1"},
		{"  type T struct {\n\tA int\n}\nvar x, y = 1, 2", "declstmt@1:3 declstmt@4:1"},
		{"// a comment\n\nx", "exprstmt@3:1"},
		{"func f[T any](x T) T { return x }", "decl@1:1"},
		{"import \"fmt\"\nfor i := 0; ; i++ {}\nfunc f() {}", "decl@1:1 decl@3:1 forstmt@2:1"},
		{"", ""},
	} {
		if _, _, got := parse(t, c.src); got != c.want {
			t.Errorf("%q: got %s, want %s", c.src, got, c.want)
		}
	}
}

// TestQuiet checks that a semicolon at the end hides the final value.
func TestQuiet(t *testing.T) {
	for src, want := range map[string]bool{"x;": true, "x": false, "x; ": true, "x; // why": true, "\"x;\"": false, "": false} {
		if c, _, _ := parse(t, src); c.Quiet != want {
			t.Errorf("%q: quiet is %v", src, c.Quiet)
		}
	}
}

// TestIndexes checks the parsing of indices that are not Go, and that lists of type arguments are no such indices.
func TestIndexes(t *testing.T) {
	for src, want := range map[string]string{
		"x[:, 0]":             ": 0",
		"x[1:3, 2]":           "1:3 2",
		"x[i, j+1]":           "i j+1",
		"x[0, 1]":             "0 1",
		"x[f(a, b), n:]":      "f(a, b) n:",
		"x[y[0], :]":          "y[0] :",
		"x[-1, :,]":           "-1 :",
		"x[1:3]":              "",
		"f[int, string](x)":   "",
		"m[[2]int{1, 2}]":     "",
		"x[0, y[a:b:c]]":      "0 y[a:b:c]",
		"var x = y[a, b]":     "",
		"func f[K, V any]() ": "",

		"g[int, func([2]int) [3]int](x)":     "",
		"g[map[[2]int][3]int, chan [4]T](x)": "",
	} {
		if strings.HasPrefix(src, "func") {
			src += "{}"
		}
		c, fset, _ := parse(t, src)
		var got []string
		for _, places := range c.Indexes {
			for _, p := range places {
				got = append(got, place(fset, src, p))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %q, want %q", src, got, want)
		}
	}
}

// place returns the text that an index was parsed from, by its positions.
func place(fset *token.FileSet, src string, p cell.Index) string {
	text := func(e ast.Expr) string {
		if e == nil {
			return ""
		}
		return src[cell.Position(fset, e.Pos()).Column-1 : cell.Position(fset, e.End()).Column-1]
	}
	if p.Colon {
		return text(p.Lo) + ":" + text(p.Hi)
	}
	return text(p.Lo)
}

// TestMagics checks that commands are found, and only on lines where a statement may begin.
func TestMagics(t *testing.T) {
	c, _, got := parse(t, "%promotion torch\nx := 7\n?nv.Sum\nx.Sum?\ns := `\n%text\n`\ny := 7\n")
	if got != "assignstmt@2:1 assignstmt@5:1 assignstmt@8:1" {
		t.Errorf("code: %s", got)
	}
	want := "[{promotion torch 1 false false} {? nv.Sum 3 false true} {? x.Sum 4 false true}]"
	if got := fmt.Sprint(c.Magics); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	c, _, got = parse(t, "%%compare torch jax\nx := 1\n%time x + 1\nx??")
	if got != "assignstmt@2:1 exprstmt@3:7" {
		t.Errorf("code: %s", got)
	}
	want = "[{compare torch jax 1 true false} {time x + 1 3 false true} {?? x 4 false true}]"
	if got := fmt.Sprint(c.Magics); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestIsComplete checks the status of cells and the indentation of the next line.
func TestIsComplete(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"1+1", "complete "},
		{"for i := range 3 {", "incomplete \t"},
		{"f(func() {", "incomplete \t\t"},
		{"x := `raw", "incomplete "},
		{"/* comment", "incomplete "},
		{"x := \"abc", "invalid "},
		{"x)", "invalid "},
		{"x +", "incomplete "},
		{"x :=", "incomplete "},
		{"if x {\n}", "complete "},
		{"", "complete "},
		{"?nv.Sum", "complete "},
		{"x[:, 0", "incomplete \t"},
		{"func f() int {\n\treturn 1\n}", "complete "},
	} {
		status, indent := cell.IsComplete(c.src)
		if got := fmt.Sprintf("%s %s", status, indent); got != c.want {
			t.Errorf("%q: got %q, want %q", c.src, got, c.want)
		}
	}
}

// FuzzParse checks that Parse never panics and never changes the text.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"x[:, 0]", "x[a[:,1], :]", "?x", "%%m a\nb", "func (", "a, b := `", "[,:]", "x[,:,]", "import \"a\"; x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		c, err := cell.Parse(token.NewFileSet(), "cell[1]", src)
		if c == nil || err == nil && c.Source != src {
			t.Errorf("%q", src)
		}
	})
}

// TestParsesCounts checks that Parses counts each call of Parse.
func TestParsesCounts(t *testing.T) {
	before := cell.Parses()
	for _, src := range []string{"1", "x +"} {
		_, _ = cell.Parse(token.NewFileSet(), "c", src)
	}
	if n := cell.Parses() - before; n != 2 {
		t.Errorf("two cells are counted as %d", n)
	}
}
