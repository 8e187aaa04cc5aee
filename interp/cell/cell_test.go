package cell_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
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
		{"func(a int) T[int] { return T[int]{} }(3)", "exprstmt@1:1"},
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

// TestIsExpression checks which cells are one expression.
func TestIsExpression(t *testing.T) {
	for src, want := range map[string]bool{
		"x": true, "f(x) + 1 // a sum": true, "\n\nx[:, 0]\n": true, "<-c": true, "(x)": true,
		"": false, "x;": false, "x\ny": false, "x, y": false, "x = 1": false, "x++": false, "import \"fmt\"\nx": false,
		"func f() {}\nx": false, "%time x": false, "%who\nx": false, "var x int": false, "{ x }": false,
	} {
		if c, _, _ := parse(t, src); c.IsExpression() != want {
			t.Errorf("%q is one expression: %t", src, !want)
		}
	}
}

// TestValues checks which last statements are several values, and that the call that holds them begins at the first.
func TestValues(t *testing.T) {
	for src, want := range map[string]int{
		"a, b": 2, "x := 1\n a, b + c, f(d, e);": 3, "func() int { return 1 }(), b": 2, "struct{ a, b int }{}, c": 2,
		"map[int]int{}, c": 2, "chan int(nil), c": 2, "interface{}(1), c": 2, "(a), b\n\n": 2, "[]int{1, 2}, b": 2,
		"a, b // both": 2, "a, b; // why": 2, "a, b\n// done": 2, "a, /* one */ b /* two */": 2, "a, // one\nb // two\n": 2,

		"a": 0, "f(a, b)": 0, "a, b := 1, 2": 0, "a, b = 1, 2": 0, "a, b += 1, 2": 0, "[]int{1, 2}": 0, "a, b\nc": 0,
		"func() (a, b int) { return }": 0, "var a, b = 1, 2": 0, "for range a {}": 0, "var a, b int": 0,
		"const a, b = 1, 2": 0, "func() int { a, b := 1, 2; return a + b }()": 0, "return a, b": 0, "a, b &^= 1, 2": 0,
	} {
		fset := token.NewFileSet()
		c, err := cell.Parse(fset, cell.Name(3), src)
		if err != nil && want > 0 {
			t.Errorf("%q: %v", src, err)
			continue
		}
		n := 0
		if c.Values != nil {
			n = len(c.Values.Args)
			if first := c.Values.Args[0].Pos(); c.Values.Pos() != first || c.Values.Lparen != first {
				t.Errorf("%q: the call is at %s", src, at(fset, c.Values.Pos()))
			}
		}
		if n != want {
			t.Errorf("%q: %d values, want %d", src, n, want)
		}
	}
}

// TestProgram checks which cells are whole programs.
func TestProgram(t *testing.T) {
	for src, want := range map[string]bool{"package main\nfunc main() {}": true, "package main": true,
		"func main() {}": false} {
		if c, _, _ := parse(t, src); c.Program != want {
			t.Errorf("%q: a program is %v", src, c.Program)
		}
	}
}

// TestErrors checks the positions and texts of syntax errors.
func TestErrors(t *testing.T) {
	deep := strings.Repeat("(", 995) + "x" + strings.Repeat(")", 995)
	const tooLong = "cell[3]:1:1: more than 10000 operators or selectors in a row; use more statements false"
	long := "x" + strings.Repeat("+x", 9999)
	for _, c := range []struct{ src, want string }{
		{"x :=", "cell[3]:1:5: expected operand, found the end of the cell true"},
		{"f := func() { x := }", "cell[3]:1:20: expected operand, found '}' false"},
		{"y := x[1+, 0]\nz := 2", "cell[3]:1:10: expected operand, found the end of the index false"},
		{"1\nx = = 2", "cell[3]:2:5: expected operand, found '=' false"},
		{"f(\n  1", "cell[3]:1:2: ( is not closed true"},
		{"x)", "cell[3]:1:2: unexpected ), no bracket is open false"},
		{"[x)", "cell[3]:1:3: unexpected ), [ is open false"},
		{"x[1, , 2]", "cell[3]:1:5: an index is missing before the comma false"},
		{"func f() int", "cell[3]:1:13: func f has no body; write { at the end of this line false"},
		{"func (t T) f[A any, B ~int](a A) {}", "cell[3]:1:13: method must have no type parameters false"},
		{"func (t *T) f() int", "cell[3]:1:20: func T.f has no body; write { at the end of this line false"},
		{"/* x", "cell[3]:1:1: comment not terminated true"},
		{"`x", "cell[3]:1:1: raw string literal not terminated true"},
		{"'ab'", "cell[3]:1:1: illegal rune literal; " +
			"write strings in double quotes, \"text\", or in backquotes false"},
		{"a @ b", "cell[3]:1:3: illegal character U+0040 '@'; write the product of matrices as x.MatMul(w) false"},
		{"# x", "cell[3]:1:1: illegal character U+0023 '#'; a comment begins with // false"},
		{"\"# x\" lambda // def f(", "cell[3]:1:7: expected ';', found lambda; " +
			"a function without a name is written func(x nv.Tensor) nv.Tensor { return 2*x } false"},
		{"x > 2 and x < 5", "cell[3]:1:7: expected ';', found and; write && instead of and, || instead of or, and ! instead of not; for the elements of tensors write &, | and ^ false"},
		{"if x > 2: fmt.Println(x)", "cell[3]:1:9: illegal label declaration; write blocks in braces: if x > 2 { ... } else { ... } false"},
		{"def f(x):\n    return x", "cell[3]:1:5: expected ';', found f; a function is written func f(x nv.Tensor) nv.Tensor { return 2*x } false"},
		{"f := lambda x: x", "cell[3]:1:13: expected ';', found x; a function without a name is written func(x nv.Tensor) nv.Tensor { return 2*x } false"},
		{"f\"{x}\"", "cell[3]:1:2: expected ';', found \"{x}\"; text with values in it is fmt.Sprintf(\"%v and %.2f\", a, b) false"},
		{"y := x if x > 2 else 3", "cell[3]:1:8: expected ';', found 'if'; Go has no conditional expression; write if and else as statements, or nv.Where(condition, a, b) for the elements of tensors false"},
		{"y := x > 2 ? x : 3", "cell[3]:1:12: illegal character U+003F '?'; Go has no conditional expression; write if and else as statements, or nv.Where(condition, a, b) for the elements of tensors false"},
		{"while True:\n    x", "cell[3]:1:7: expected ';', found True; a loop is written for condition { ... } false"},
		{"not x", "cell[3]:1:5: expected ';', found x; write && instead of and, || instead of or, and ! instead of not; for the elements of tensors write &, | and ^ false"},
		{"x is None", "cell[3]:1:3: expected ';', found is; write == or != false"},
		{"[i*i for i in range(3)]", "cell[3]:1:6: expected ']', found 'for'; Go has no comprehensions; append to a slice in a loop, or compute with a whole tensor false"},
		{"for i in range(3): fmt.Println(i)", "cell[3]:1:7: expected '{', found in; a loop is written for i := range 3 { ... } or for i, v := range values { ... } false"},
		{"{\"a\": 1}", "cell[3]:1:5: illegal label declaration; a map is written map[string]int{\"a\": 1} false"},
		{"from numpy import array", "cell[3]:1:6: expected ';', found numpy; nv and random are imported already; import a package of Go with import \"math\" false"},
		{"import numpy as np", "cell[3]:1:14: import path must be a string; nv and random are imported already; import a package of Go with import \"math\" false"},
		{"class A: pass", "cell[3]:1:7: expected ';', found A; a type is written type Point struct{ X, Y float64 }, a method func (p Point) Norm() float64 { ... } false"},
		{"assert x == 3", "cell[3]:1:8: expected ';', found x; write if !(x > 0) { panic(\"x is not positive\") } false"},
		{"let z = 3", "cell[3]:1:5: expected ';', found z; declare a variable with x := 3 false"},
		{"const q := 3", "cell[3]:1:9: expected ';', found ':='; declare a constant with const x = 3 false"},
		{"var q: int = 3", "cell[3]:1:6: expected type, found ':'; declare a variable with var x int = 3, or x := 3 false"},
		{"nv.New([1, 2, 3])", "cell[3]:1:17: expected type, found ')'; several values are []float64{1, 2}, rows of them [][]float64{{1, 2}, {3, 4}} false"},
		{"x |> nv.Exp", "cell[3]:1:4: expected operand, found '>'; write f(x), or a method: x.Exp().Sum() false"},
		{"x = x++", "cell[3]:1:6: expected ';', found '++'; x++ is a statement of its own; x + 1 is a value false"},
		{"x === 3", "cell[3]:1:5: expected operand, found '='; write == or != false"},
		{"new Point(1, 2)", "cell[3]:1:5: expected ';', found Point; a value of a type is written Point{X: 1, Y: 2}, a pointer to it &Point{X: 1, Y: 2} false"},
		{"mask := x > 2\n~mask", "cell[3]:2:1: expected statement, found '~'; the negation of a mask, or of the bits of integers, is ^mask false"},
		{"!pip install numpy", "cell[3]:1:6: expected ';', found install; write shell commands in a cell that begins with %%bash; %config shell on allows !command false"},
		{"x = y = 3", "cell[3]:1:7: expected '==', found '='; write an assignment for each variable: y = 3; x = y false"},
		{"f(x, axis=0)", "cell[3]:1:10: expected '==', found '='; arguments have no names in Go: an axis is nv.Axis(0), a dtype nv.F32 false"},
		{"x := (1, 2)", "cell[3]:1:8: expected ')', found ','; Go has no tuples: a shape is nv.Shape{2, 3}, several values are []float64{1, 2} false"},
		{"f({1, 2})", "cell[3]:1:3: expected operand, found '{'; several values are []float64{1, 2}, rows of them [][]float64{{1, 2}, {3, 4}} false"},
		{".Sum()", "cell[3]:1:1: expected statement, found '.'; a statement cannot begin with a dot; put the dot at the end of the line before false"},
		{"with f: ", "cell[3]:1:6: expected ';', found f; write defer f.Close() for what is to be done at the end false"},
		{"x in xs", "cell[3]:1:3: expected ';', found in; write slices.Contains(values, v) for a slice, and _, ok := m[key] for a map false"},
		{"try x", "cell[3]:1:5: expected ';', found x; Go has no try; functions return errors, and recover() in a deferred function ends a panic false"},
		{"\"lambda\" y // => lambda", "cell[3]:1:10: expected ';', found y false"},
		{deep, ""},
		{"(" + deep + ")", "cell[3]:1:997: nested more than 1000 deep; give parts names of their own false"},
		{long, ""},
		{long + "+x+x", tooLong},
		{"f" + strings.Repeat(".f", 10001), tooLong},
		{"f" + strings.Repeat("()[0]", 5001), tooLong},
		{strings.Repeat("if x {} else ", 1500) + "{}", ""},
	} {
		_, err := cell.Parse(token.NewFileSet(), cell.Name(3), c.src)
		got := ""
		if wrong, ok := err.(*cell.Error); ok {
			got = fmt.Sprint(wrong, " ", wrong.Incomplete)
		}
		if got != c.want {
			t.Errorf("%.60q: %s, want %s", c.src, got, c.want)
		}
	}
}

// TestErrorsOfIndexes checks the positions of errors in each part of an index.
func TestErrorsOfIndexes(t *testing.T) {
	for src, want := range map[string]int{
		"x[0+, 1]": 5, "x[1, 0+:2]": 8, "x[1, 0:2+]": 10, "x[1, 0:2+:3]": 10, "x[1, 0:2:3+]": 12, "x[1, ::3+]": 10, "x[1, :2+:]": 9,
	} {
		_, err := cell.Parse(token.NewFileSet(), cell.Name(3), src)
		if wrong, ok := err.(*cell.Error); !ok || wrong.Pos.Line != 1 || wrong.Pos.Column != want || wrong.Incomplete {
			t.Errorf("%s: %v, want an error in column %d", src, err, want)
		}
	}
}

// TestRemarks checks which comments are taken for divisions.
func TestRemarks(t *testing.T) {
	for src, want := range map[string]string{
		"x // 2":           "1:3",
		"y\n x = 7  //10 ": "2:9",
		"x = 2.5 // 2":     "1:9",
		"x = y[0] // 2":    "1:10",
		"x = (a+b) // 2":   "1:11",
		"(a) // 2":         "1:5",
		"f(a) // 2":        "",
		"f(a)(b) // 2":     "",
		"f[0](b) // 2":     "",
		"x; // 2":          "",
		"x // two":         "",
		"x // 2 or 3":      "",
		"x + // 2\n y":     "",
		"// 2":             "",
		"\"a\" // 2":       "",
		"func() {}() // 2": "",
	} {
		c, _, _ := parse(t, src)
		got := ""
		for _, r := range c.Remarks {
			got += fmt.Sprintf("%d:%d", r.Pos.Line, r.Pos.Column)
			if n := strings.Fields(src[strings.Index(src, "//")+2:])[0]; r.Msg != "// begins a comment; write / "+n+
				" to divide whole numbers, which drops the remainder, or nv.FloorDiv(x, "+n+") to round down" {
				t.Errorf("%q: %s", src, r.Msg)
			}
		}
		if got != want {
			t.Errorf("%q: remarks at %q, want %q", src, got, want)
		}
	}
}

// TestFunctionName checks the names of functions and methods.
func TestFunctionName(t *testing.T) {
	for src, want := range map[string]string{
		"func f() {}": "f", "func (T) m() {}": "T.m", "func (t *T) m() {}": "T.m", "func (t (T)) m() {}": "T.m",
		"func (t *(T)) m() {}": "T.m", "func (t T[K]) m() {}": "T.m", "func (t *T[K, V]) m() {}": "T.m",
		"func (t []T) m() {}": "m", "func () m() {}": "m",
	} {
		c, _, _ := parse(t, src)
		if got := cell.FunctionName(c.Decls[0].(*ast.FuncDecl)); got != want {
			t.Errorf("%s: %s, want %s", src, got, want)
		}
	}
}

// TestBuild checks the positions and texts of built nodes.
func TestBuild(t *testing.T) {
	call := cell.Call(cell.Ident(7, "f"), cell.String(9, `a"b`), cell.Int(11, -3))
	if got := types.ExprString(call); got != `f("a\"b", -3)` || call.Pos() != 7 ||
		call.Args[0].Pos() != 9 || call.Args[1].Pos() != 11 ||
		call.Lparen != 7 || call.Rparen != 7 {
		t.Errorf("%s at %d", got, call.Pos())
	}
	if !cell.IsBlank(cell.Ident(1, "_")) || cell.IsBlank(cell.Ident(1, "x")) || cell.IsBlank(cell.String(1, "_")) {
		t.Error("IsBlank does not hold for _ alone")
	}
	s := &ast.ExprStmt{X: call}
	if got := cell.Block(s, []ast.Stmt{s}); got != ast.Stmt(s) {
		t.Errorf("a block of one statement is %T", got)
	}
	if got, ok := cell.Block(s, []ast.Stmt{s, s}).(*ast.BlockStmt); !ok || len(got.List) != 2 || got.Pos() != 7 {
		t.Errorf("a block of two statements is %v", got)
	}
	cell.Rewrite(s, func(n ast.Node) ast.Node {
		if id, ok := n.(*ast.Ident); ok {
			return cell.Ident(id.Pos(), "g")
		}
		return n
	})
	if got := types.ExprString(s.X); got != `g("a\"b", -3)` {
		t.Errorf("rewritten to %s", got)
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

// TestTypeParams checks that type parameters that read as products are no indices, in groups of types too.
func TestTypeParams(t *testing.T) {
	for _, src := range []string{
		"type G[P, Q *T] struct{}",
		"type (\n\tA int\n\tG[P, Q *T] struct{}\n)",
		"type (G[P, Q *T] struct{ a [2]int })",
		"func G[P, Q *T]() {}",
	} {
		c, _, _ := parse(t, src)
		params := 0
		count := func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				params += n.TypeParams.NumFields()
			case *ast.FuncType:
				params += n.TypeParams.NumFields()
			}
			return true
		}
		for _, d := range c.Decls {
			ast.Inspect(d, count)
		}
		for _, stmt := range c.Stmts {
			ast.Inspect(stmt, count)
		}
		if params != 2 {
			t.Errorf("%s: %d type parameters", src, params)
		}
	}
	c, _, _ := parse(t, "type (\n\tA int\n)\nfunc f() {\n\tg()\n\tx[a, b*c] = 1\n}")
	if len(c.Indexes) != 1 {
		t.Errorf("%d indices after a group of types", len(c.Indexes))
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
		"x[::2]":              "::2",
		"x[a::b]":             "a::b",
		"x[:b:]":              ":b",
		"x[a:b:c]":            "",
		"x[..., 0]":           "... 0",
		"x[0, a.b, T]":        "0 a.b T",
		"x[(1), (a)]":         "(1) (a)",
		"x[a*b, c+d]":         "a*b c+d",
		"x[a, -b]":            "a -b",
		"x[a, b&c]":           "a b&c",
		"x[a, b*c]":           "a b*c",
		"x[a|b, (b*c)]":       "a|b (b*c)",
		"(x)[a, b*c]":         "a b*c",
		"x[a, b[c], d[e, f]]": "",
		"x[a, b[0]]":          "a b[0]",
		"var x = y[a, b]":     "",
		"func f[K, V any]() ": "",
		"x[*a, *b]":           "",
		"x[*a, *b.c, 0]":      "*a *b.c 0",
		"x[0, *(a+b)]":        "0 *(a+b)",
		"x[0, 1:2:3, ::]":     "0 1:2:3 :",

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
	if p.Ellipsis {
		return "..."
	}
	if p.Step != nil {
		return text(p.Lo) + ":" + text(p.Hi) + ":" + text(p.Step)
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
	want := "[{promotion torch 1 false false } {? nv.Sum 3 false true } {? x.Sum 4 false true }]"
	if got := fmt.Sprint(c.Magics); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	c, _, got = parse(t, "%%compare torch jax\nx := 1\n%time x + 1\nx??")
	if got != "assignstmt@2:1 exprstmt@3:7" {
		t.Errorf("code: %s", got)
	}
	want = "[{compare torch jax 1 true false } {time x + 1 3 false true } {?? x 4 false true }]"
	if got := fmt.Sprint(c.Magics); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestMagicLines checks lines that are commands, and lines that look like them.
func TestMagicLines(t *testing.T) {
	for src, want := range map[string]string{
		"%%bash\nls x\n%who":    "[{bash  1 true false ls x\n%who}]",
		"%%bash -e\nls":         "[{bash -e 1 true false ls}]",
		"1\n%%bash":             "[{bash  2 true true }]",
		"// 1\n%who\n1\n%who":   "[{who  2 false false } {who  4 false true }]",
		"/* 1 */\n%%bash\nls":   "[{bash  2 true false ls}]",
		"  %who  ":              "[{who  1 false false }]",
		"%time  x":              "[{time x 1 false false }]",
		"%":                     "[]",
		"?":                     "[]",
		"? a.b ":                "[{? a.b 1 false false }]",
		"??a":                   "[{?? a 1 false false }]",
		"?a?":                   "[{?? a 1 false false }]",
		"aZ_09é?":               "[{? aZ_09é 1 false false }]",
		"f(\n%who\n)":           "[]",
		"/*\n%who\n*/":          "[]",
		"x +\n%who":             "[]",
		"\n%who\n\n1\n%reset\n": "[{who  2 false false } {reset  5 false true }]",
	} {
		c, _ := cell.Parse(token.NewFileSet(), cell.Name(3), src)
		if got := fmt.Sprint(c.Magics); got != want {
			t.Errorf("%q: %s, want %s", src, got, want)
		}
	}
	c, err := cell.Parse(token.NewFileSet(), cell.Name(3), "! ls -l ", cell.Shell)
	if got := fmt.Sprint(c.Magics, err); got != "[{! ls -l 1 false false }] <nil>" {
		t.Error(got)
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
		{"f(`a", "incomplete "},
		{"f(func() {\n/* comment", "incomplete "},
		{"x := \"abc", "invalid "},
		{"x)", "invalid "},
		{"x +", "incomplete "},
		{"x :=", "incomplete "},
		{"if x {\n}", "complete "},
		{"", "complete "},
		{"?nv.Sum", "complete "},
		{"x[:, 0", "incomplete \t"},
		{"f(a)[0].g{", "incomplete \t"},
		{"f(1, [2]int{3}, ", "incomplete \t"},
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
