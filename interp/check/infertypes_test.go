package check_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/universe"
)

// inferDecls are the declarations around each statement of TestInferTypes.
const inferDecls = `package main

import (
	"fmt"
	"math"
	str "strings"
	"slices"
	"maps"
	"sync/atomic"
	"errors"
	"time"
	"iter"
	"io"
	"bytes"
	"cmp"
	"math/rand/v2"
	"reflect"
	"sync"
)

type Kind int

const (
	A, B Kind = iota, iota + 1
	C, D
	E, F = "e", 2.5
	G, H
)

type Base struct{ ID int }
type Point struct {
	Base
	*bytes.Buffer
	atomic.Pointer[int]
	X, Y float64
	Name string
}
func (p Point) Norm(scale ...float64) (float64, error) { return 0, nil }
func (p Point) Scale() (float64, error) { return 0, nil }
func (p *Point) Next() *Point { return p }
type Alias = []Point
type Loop struct{ next *Loop }

func two() (int, string) { return 1, "" }
func none() {}
func unnamed(int, string) {}
func rest(n int, names ...string) []string { return names }
func generic[T any](x T) T { return x }

var late = early + 1
var early = 2
var p, pp, list, grid, table, ch, text, arr, parr = Point{}, &Point{}, Alias{}, [][]int{}, map[string]bool{},
	make(chan Kind), "text", [3]rune{}, &[2]byte{}
var e error
var each iter.Seq2[string, Kind]
var one iter.Seq[float32]
var zero func(func() bool)
var any1 any
var in io.Reader
`

// TestInferTypes checks the types that are inferred for the last variable v of a function's body.
func TestInferTypes(t *testing.T) {
	const unknown = "invalid type"
	u := universe.WithReceivers(nil)
	path, name := u.Tensor()
	pkg, err := u.Import(path)
	if err != nil {
		t.Fatal(err)
	}
	env := check.NewEnv(u)
	env.AddImport("nv", path)
	for _, c := range []struct{ body, want string }{
		{"v := 1", "int"},
		{"v := 1.5", "float64"},
		{"v := 1i", "complex128"},
		{"v := 'a'", "rune"},
		{"v := `a`", "string"},
		{"v := true", "bool"},
		{"v := nil", "untyped nil"},
		{"v := (1)", "int"},
		{"v := D", "main.Kind"},
		{"v := B", "main.Kind"},
		{"v := G", "string"},
		{"v := H", "float64"},
		{"v := late", "int"},
		{"v := undefined", unknown},
		{"v := fmt", unknown},
		{"v := Kind", unknown},
		{"v := math.Pi", "float64"},
		{"v := math.MaxInt8", "int"},
		{"v := math.Sqrt(2)", "float64"},
		{"v := math.nothing", unknown},
		{"v := str.Repeat", "func(s string, count int) string"},
		{"v := errors.New(text)", "error"},
		{"v := time.Second", "time.Duration"},
		{"v := 2 * time.Second", "time.Duration"},

		{"v := nv.Must(p.Norm(1))", "float64"},
		{"v := p.X", "float64"},
		{"v := p.ID", "int"},
		{"v := pp.Base", "main.Base"},
		{"v := p.Buffer", "*bytes.Buffer"},
		{"v := p.Pointer", "sync/atomic.Pointer[int]"},
		{"v := p.Len()", "int"},
		{"v := p.Load()", "*int"},
		{"v := p.nothing", unknown},
		{"v := undefined.X", unknown},
		{"v := p.Norm", "func(scale ...float64) (float64, error)"},
		{"v := Point.Norm", unknown},
		{"v, _ := p.Norm(1)", "float64"},
		{"_, v := p.Norm(1)", "error"},
		{"v := pp.Next().Next().Name", "string"},
		{"v := e.Error()", "string"},
		{"v := Loop{}.next", "*main.Loop"},

		{"v := list[0]", "main.Point"},
		{"v := grid[0][1]", "int"},
		{"v := table[text]", "bool"},
		{"v := arr[0]", "rune"},
		{"v := parr[0]", "byte"},
		{"v := text[0]", "byte"},
		{"v := p[0]", unknown},
		{"v := pp[0]", unknown},
		{"v := 1[0]", unknown},
		{"v := list[1:]", "main.Alias"},
		{"v := arr[:]", "[]rune"},
		{"v := parr[:1:2]", "[]byte"},
		{"v := text[1:]", "string"},
		{"v := \"text\"[1:]", "string"},
		{"v := pp[:]", unknown},
		{"v := *pp", "main.Point"},
		{"v := *p", unknown},
		{"v, _ := table[text]", "bool"},
		{"_, v := table[text]", "bool"},
		{"_, v := (table[text])", "bool"},
		{"_, v := <-ch", "bool"},
		{"v, _ := <-ch", "main.Kind"},
		{"v, _ := any1.(Kind)", "main.Kind"},
		{"_, v := any1.(Kind)", "bool"},
		{"v := any1.(*Point)", "*main.Point"},
		{"v, _ := two()", "int"},
		{"_, v := two()", "string"},
		{"_, _, v := two()", unknown},
		{"_, v := list", unknown},
		{"v, _ := 1, 2.5", "int"},
		{"_, v := 1, 2.5", "float64"},
		{"_, v := 1, 2.5, 3", "float64"},

		{"v := []int{}", "[]int"},
		{"v := [2]int{}", "[2]int"},
		{"v := [0x10]int{}", "[16]int"},
		{"v := [...]int{1, 2, 3}", "[3]int"},
		{"v := [...]int{5: 1}", unknown},
		{"const n = 2; v := [n]int{}", unknown},
		{"v := map[string][]Kind{}", "map[string][]main.Kind"},
		{"v := &Point{}", "*main.Point"},
		{"v := []*Point{{X: 1}}[0]", "*main.Point"},
		{"v := [](func(a, b int, c string) (x, y bool)){}", "[]func(a int, b int, c string) (x bool, y bool)"},
		{"v := []func(int, ...string){}", "[]func(int, ...string)"},
		{"v := unnamed", "func(int, string)"},
		{"v := rest", "func(n int, names ...string) []string"},
		{"v := []interface{}{}", "[]interface{}"},
		{"v := []interface{ M() }{}", "[]invalid type"},
		{"v := make(chan<- int)", "chan<- int"},
		{"v := make(<-chan int)", "<-chan int"},
		{"v := ch", "chan main.Kind"},
		{"v := struct{ A, B int `k:\"v\"`; C string }{}", "struct{A int \"k:\\\"v\\\"\"; B int \"k:\\\"v\\\"\"; C string}"},
		{"v := struct{ A int }{1}.A", "int"},
		{"v := []iter.Seq2[int, string]{}", "[]iter.Seq2[int, string]"},
		{"v := []iter.Seq[int, string]{}", "[]invalid type"},
		{"v := []atomic.Pointer[Point]{}", "[]sync/atomic.Pointer[main.Point]"},

		{"v := Kind(1)", "main.Kind"},
		{"v := []byte(text)", "[]byte"},
		{"v := (*Point)(nil)", "*main.Point"},
		{"v := (func() int)(nil)()", "int"},
		{"v := func(a int) string { return text }", "func(a int) string"},
		{"v := func(a ...int) {}", "func(a ...int)"},
		{"v := rest(1)", "[]string"},
		{"v := none()", "()"},
		{"v := undefined(1)", unknown},
		{"v := text(1)", unknown},
		{"v := generic(1)", unknown},

		{"v := len(text)", "int"},
		{"v := cap(list)", "int"},
		{"v := copy(list, list)", "int"},
		{"v := recover()", "any"},
		{"v := make([]Kind, 2)", "[]main.Kind"},
		{"v := append(list, p)", "main.Alias"},
		{"v := append()", unknown},
		{"v := new(Kind)", "*main.Kind"},
		{"v := new(1.5)", "*float64"},
		{"v := min(1, 2.5)", "float64"},
		{"v := max(A, 2)", "main.Kind"},
		{"v := max(2, A)", "main.Kind"},
		{"v := panic(1)", unknown},

		{"v := slices.Max([]Kind{})", unknown},
		{"v := slices.Contains(list, p)", "bool"},
		{"v := slices.Index([]int{}, 1)", "int"},
		{"v := rand.N(time.Second)", "time.Duration"},
		{"v := rand.N(1)", "int"},
		{"v := cmp.Or(text, text)", "string"},
		{"v := cmp.Or(1)", "int"},
		{"v := cmp.Or(nil, text)", "string"},
		{"v := cmp.Or(undefined, text)", "string"},
		{"v := cmp.Or()", unknown},
		{"v := sync.OnceValues(p.Scale)", "func() (float64, error)"},
		{"v := slices.Collect(one)", unknown},
		{"v := atomic.Pointer[int]{}", "sync/atomic.Pointer[int]"},
		{"v := reflect.TypeFor[int]()", "reflect.Type"},
		{"v := reflect.TypeAssert[Kind](reflect.Value{})", "(main.Kind, bool)"},
		{"v := maps.Clone(table)", unknown},
		{"v := slices.Clone[[]int]", unknown},
		{"v := slices.Clone[[]int, int](nil)", "[]int"},
		{"v := slices.Clone[int, int]", unknown},
		{"v := slices.SortedFunc(one, nil)", unknown},
		{"v := slices.IndexFunc(list, func(q Point) bool { return true })", "int"},
		{"v := atomic.Pointer[Kind]{}", "sync/atomic.Pointer[main.Kind]"},

		{"v := -A", "main.Kind"},
		{"v := !true", "bool"},
		{"v := &list", "*main.Alias"},
		{"v := &undefined", unknown},
		{"v := <-ch", "main.Kind"},
		{"v := <-list", unknown},
		{"v := 1 + 2.5", "float64"},
		{"v := 2.5 + 1", "float64"},
		{"v := A + 1", "main.Kind"},
		{"v := 1 + A", "main.Kind"},
		{"v := A + B", "main.Kind"},
		{"v := A + text", unknown},
		{"v := undefined + 1", unknown},
		{"v := 1 + undefined", unknown},
		{"v := A == B", "bool"},
		{"v := undefined < 1", unknown},
		{"v := 1 >= undefined", unknown},
		{"v := 1 << 2", "int"},
		{"v := A << 2", "main.Kind"},
		{"v := A >> early", "main.Kind"},
		{"v := 1 << early", unknown},

		{"for v := range list {}", "int"},
		{"for _, v := range list {}", "main.Point"},
		{"for v := range arr {}", "int"},
		{"for _, v := range arr {}", "rune"},
		{"for v := range parr {}", "int"},
		{"for _, v := range parr {}", "byte"},
		{"for v := range pp {}", unknown},
		{"for v := range table {}", "string"},
		{"for _, v := range table {}", "bool"},
		{"for v := range ch {}", "main.Kind"},
		{"for _, v := range ch {}", unknown},
		{"for v := range text {}", "int"},
		{"for _, v := range text {}", "rune"},
		{"for v := range 3 {}", "int"},
		{"for v := range A {}", "main.Kind"},
		{"for v := range each {}", "string"},
		{"for _, v := range each {}", "main.Kind"},
		{"for v := range one {}", "float32"},
		{"for _, v := range one {}", unknown},
		{"for v := range zero {}", unknown},
		{"for v := range none {}", unknown},
		{"for v := range p {}", unknown},

		{"v := 1; v, x := text, 2; _ = x", "int"},
		{"v := 1; { v := text; _ = v }", "string"},
		{"x := 1; { x := text; _ = x }; v := x", "int"},
		{"if x := text; x != E { v := x; _ = v }", "string"},
		{"x := text; if x := 1; x > 0 {} else { v := x; _ = v }", "int"},
		{"x := text; if x := 1; x > 0 {}; v := x", "string"},
		{"x := text; for x := 1; x < 3; x++ { v := x; _ = v }", "int"},
		{"x := text; for x := 1; x < 3; x++ {}; v := x", "string"},
		{"x := text; for x := range 3 { _ = x }; v := x", "string"},
		{"x := text; switch x := 1; x { case 1: v := x; _ = v }", "int"},
		{"x := text; switch x := 1; x { case 1: x := 2.5; _ = x }; v := x", "string"},
		{"x := text; switch { case true: x := 1; _ = x; case false: v := x; _ = v }", "string"},
		{"select { case v := <-ch: _ = v }", "main.Kind"},
		{"x := text; select { case x := <-ch: _ = x }; v := x", "string"},
		{"x := text; select { case x := <-ch: _ = x; default: v := x; _ = v }", "string"},
		{"switch x := any1.(type) { case Kind: v := x; _ = v }", "main.Kind"},
		{"switch x := any1.(type) { case *Point: v := x; _ = v }", "*main.Point"},
		{"switch x := e.(type) { case nil: v := x; _ = v }", "error"},
		{"switch x := in.(type) { case io.Closer, io.Writer: v := x; _ = v }", "io.Reader"},
		{"x := text; switch x := any1.(type) { case Kind: _ = x }; v := x", "string"},
		{"switch y := text; any1.(type) { case Kind: v := y; _ = v }", "string"},
		{"loop: for { v := 1; _ = v; break loop }", "int"},
		{"defer func() { v := text; _ = v }()", "string"},
		{"go func(x int) { v := x; _ = v }(1)", "int"},
		{"_ = func(x int, ys ...string) (r error) { v := ys; _ = v; return }", "[]string"},
		{"_ = func(x int, ys ...string) (r error) { v := r; _ = v; return }", "error"},
		{"ch <- func() Kind { v := text; _ = v; return 0 }()", "string"},
		{"var v float32 = 1", "float32"},
		{"var v = 1", "int"},
		{"const v = 1", "untyped int"},
		{"type T []Kind; v := T{}[0]", "main.Kind"},
		{"type T = []Kind; v := T{}", "main.T"},

		{"x := nv.Ones(nv.Shape{2}); v := x", "nv.Tensor"},
		{"x := nv.Ones(nv.Shape{2}); v := x + 1", "nv.Tensor"},
		{"x := nv.Ones(nv.Shape{2}); v := 1 / x", "nv.Tensor"},
		{"x := nv.Ones(nv.Shape{2}); v := x < 1", "nv.Tensor"},
		{"x := nv.Ones(nv.Shape{2}); v := x && true", "bool"},
		{"x := nv.Ones(nv.Shape{2}); v := true || x", "bool"},
		{"x := nv.Ones(nv.Shape{2}); v := !x", "bool"},
		{"x := nv.Ones(nv.Shape{2}); v := -x", "nv.Tensor"},
		{"x := nv.Ones(nv.Shape{2}); v := x[0]", "nv.Tensor"},
		{"x := nv.Ones(nv.Shape{2}); v := x[0:1]", "nv.Tensor"},
		{"x := nv.Ones(nv.Shape{2}); for _, v := range x {}", "nv.Tensor"},
		{"x := nv.Ones(nv.Shape{2}); for v := range x {}", "int"},
	} {
		fset := token.NewFileSet()
		src := inferDecls + "func body() {\n" + c.body + "\n}\n"
		file, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		inferred := env.Infer(t.Context(), file, pkg.Scope().Lookup(name).Type())
		var last *ast.Ident
		for id := range inferred.Info.Defs {
			if id.Name == "v" && (last == nil || id.Pos() > last.Pos()) {
				last = id
			}
		}
		if last == nil {
			t.Errorf("%s: v is not defined", c.body)
			continue
		}
		got := types.TypeString(inferred.Info.Defs[last].Type(), func(p *types.Package) string {
			if p.Path() == path {
				return "nv"
			}
			return p.Path()
		})
		if got != c.want {
			t.Errorf("%s: v is %s, want %s", c.body, got, c.want)
		}
	}
}
