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

// steps compiles the function f of code and returns the number of steps of each of its blocks.
func steps(t *testing.T, code string) (n []int) {
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
	for _, block := range b.blocks {
		n = append(n, len(block.ops))
	}
	return n
}
