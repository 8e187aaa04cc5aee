package compile

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"testing"
)

// TestSteps checks how many steps the blocks of functions have: instructions that are one step together, and
// values of loops that need no moves.
func TestSteps(t *testing.T) {
	for _, c := range []struct {
		name, code string
		want       []int // by block
	}{
		{"a sum", "func f(n int) int { s := 0; for i := 0; i < n; i++ { s += i }; return s }", []int{2, 0, 2, 1}},
		{"two values that depend on each other", "func f(n int) int { a, b := 0, 1; for i := 0; i < n; i++ { a, b = b, a+b }; return a }", []int{3, 0, 4, 1}},
		{"an element", "func f(s []int, i int) int { return s[i] }", []int{2}},
		{"an element of a row", "func f(s [][]float64, i, j int) float64 { return s[i][j] }", []int{2}},
		{"a product that is added", "func f(x, y, z float64) float64 { return x*y + z }", []int{2}},
		{"an update of a map", "func f(m map[string]int, k string) { m[k] += 2 }", []int{1}},
	} {
		if got := steps(t, c.code); !slices.Equal(got, c.want) {
			t.Errorf("%s has %v steps, want %v", c.name, got, c.want)
		}
	}
}

// TestPolls tests that the first block of a function polls for an interrupt if the function calls others, which may call
// it again.
func TestPolls(t *testing.T) {
	for code, want := range map[string]bool{
		"func f(x int) int { if x > 0 { return len(\"a\") }; return -x }": false,
		"func f(n int) int { if n > 0 { return f(n - 1) }; return 0 }":    true,
		"func f() { g() }; func g() {}":                                   true,
		"func f(g func()) { g() }":                                        true,
		"func f(g func()) { defer g() }":                                  true,
		"func f(e error) { e.Error() }":                                   true,
		"func f(g func() bool) { for g() {} }":                            true,
	} {
		if got := compiled(t, code).code.first.polls; got != want {
			t.Errorf("%s: the first block polls: %v, want %v", code, got, want)
		}
	}
}

// TestWeight tests that a call counts once toward the limit of nested calls, and once more for each frameUnit of its
// frame.
func TestWeight(t *testing.T) {
	for code, want := range map[string]int{
		"func f() {}":                        1,
		"func f(x int) int { return 2 * x }": 1,
		"func f(i int) byte { var a [20480]byte; return a[i] }":    1 + 20,
		"func f(i int) string { var a [2048]string; return a[i] }": 1 + 32,
	} {
		if got := compiled(t, code).code.weight; got != want {
			t.Errorf("%s counts %d times, want %d", code, got, want)
		}
	}
}

// steps compiles the function f of code and returns the number of steps of each of its blocks.
func steps(t *testing.T, code string) (n []int) {
	for _, block := range compiled(t, code).blocks {
		n = append(n, len(block.ops))
	}
	return n
}

// compiled returns the builder that has compiled the function f of code.
func compiled(t *testing.T, code string) *builder {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "cell", "package cell\n"+code, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{}, Instances: map[*ast.Ident]types.Instance{},
	}
	pkg, err := new(types.Config).Check("cell", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	s := NewSession(Hooks{
		Symbols:  func(string) map[string]reflect.Value { return nil },
		TypeName: func(n *types.TypeName) string { return n.Name() },
		Stop:     func() chan struct{} { return nil },
		Position: func(pos token.Pos) (string, int) { return "", 0 },
	})
	p := newProgram(s, Source{Ctx: context.Background(), Fset: fset, Info: info, File: file, Pkg: pkg,
		Method: func(*ast.FuncDecl) (*types.Named, string) { return nil, "" },
		Engine: func(types.Object) string { return "" }})
	p.prog.Build()
	fn := p.prog.FuncValue(pkg.Scope().Lookup("f").(*types.Func))
	b := &builder{s: s, p: p, fn: fn, code: p.want(fn), types: map[types.Type]reflect.Type{}}
	b.function()
	return b
}
