package celltype_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp/compile/celltype"
)

// source declares the types of the tests. Their methods are bound by the tests.
const source = `package main

type Celsius float64
func (c Celsius) String() string { return "" }

type point struct { X int; y int }
func (p point) Error() string { return "" }

type Node struct {
	Name string
	Kids []Node
	Next *Node
	By   map[string]Node
	f    func(Node) *Node
}

type Tree map[string]Tree
type State func(int) State
type Flag bool
type fn func() string
func (f fn) String() string { return "" }

type Base struct { ID int }
func (b *Base) Ident(n int, s string, f float64) (string, int) { return "", 0 }
type Derived struct { Base; C Celsius }

type blanks map[struct{ _, n int }]int
type bad struct { again *struct { Bad *bad }; huge *[1 << 40]int }
type badFunc func(*[1 << 40]int, *bad) badFunc
`

// declare returns a new table, and a function that returns the type of an expression in source.
func declare(t *testing.T) (*celltype.Table, func(string) types.Type) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "x.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.Default()}
	pkg, err := conf.Check("main", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tb := celltype.New(func(path, name string) reflect.Type { return nil }, func(*types.TypeName) string { return "" })
	return tb, func(expr string) types.Type {
		tv, err := types.Eval(fset, pkg, token.NoPos, expr)
		if err != nil {
			t.Fatal(err)
		}
		return tv.Type
	}
}

// row returns the number of typ's row.
func row(t *testing.T, tb *celltype.Table, typ types.Type) int {
	t.Helper()
	n, err := tb.Row(typ)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestNamedBasic(t *testing.T) {
	tb, typ := declare(t)
	n := row(t, tb, typ("Celsius"))
	tb.Bind(typ("Celsius").(*types.Named), "String", func(c *float64) string { return fmt.Sprintf("%.1f°C", *c) })
	v := tb.Box(n, 36.6)
	if got := fmt.Sprintf("%v %T %#v", v, v, v); got != "36.6°C main.Celsius 36.6" {
		t.Error(got)
	}
	list := row(t, tb, types.NewSlice(typ("Celsius")))
	if got := fmt.Sprint(tb.Box(list, []float64{1, 2})); got != "[1.0°C 2.0°C]" {
		t.Error(got)
	}
	table := row(t, tb, types.NewMap(types.Typ[types.String], typ("*Celsius")))
	if got := fmt.Sprintf("%T", tb.Box(table, map[string]*float64{})); got != "map[string]*main.Celsius" {
		t.Error(got)
	}
	if tb.Unbox(n, v) != 36.6 {
		t.Errorf("Unbox returns %v, want 36.6", tb.Unbox(n, v))
	}
}

func TestStruct(t *testing.T) {
	tb, typ := declare(t)
	n := row(t, tb, typ("point"))
	in := tb.At(n).Inner
	errorType := reflect.FuncOf([]reflect.Type{reflect.PointerTo(in)}, []reflect.Type{reflect.TypeFor[string]()}, false)
	errorMethod := reflect.MakeFunc(errorType, func(a []reflect.Value) []reflect.Value {
		return []reflect.Value{reflect.ValueOf(fmt.Sprintf("point %d", a[0].Elem().Field(1).Int()))}
	})
	tb.Bind(typ("point").(*types.Named), "Error", errorMethod.Interface())
	p := reflect.New(in)
	p.Elem().Field(0).SetInt(3)
	p.Elem().Field(1).SetInt(4)
	v := tb.Box(n, p.Elem().Interface())
	if got := fmt.Sprintf("%T %v", v, v); got != "main.point point 4" {
		t.Error(got)
	}
	js, err := json.Marshal(v)
	if string(js) != `{"X":3}` || err != nil {
		t.Error(string(js), err)
	}
	// The target of errors.As points to a variable of the inner type.
	target := reflect.New(in)
	if !errors.As(fmt.Errorf("wrapped: %w", v.(error)), tb.Box(row(t, tb, typ("*point")), target.Interface())) {
		t.Error("errors.As does not find the error")
	}
	if target.Elem().Field(1).Int() != 4 {
		t.Error("errors.As did not set its target")
	}
	runtime.GC()
	if v != tb.Box(n, p.Elem().Interface()) {
		t.Error("equal structs are not ==")
	}
}

func TestRecursive(t *testing.T) {
	tb, typ := declare(t)
	n := row(t, tb, typ("Node"))
	in := tb.At(n).Inner
	var nodes []reflect.Value
	for range 1000 {
		p := reflect.New(in)
		p.Elem().FieldByName("Name").SetString("n")
		if len(nodes) > 0 {
			p.Elem().FieldByName("Next").Set(nodes[len(nodes)-1])
			m := reflect.MakeMap(p.Elem().FieldByName("By").Type())
			m.SetMapIndex(reflect.ValueOf("k"), reflect.Zero(in))
			p.Elem().FieldByName("By").Set(m)
			p.Elem().FieldByName("Kids").Set(reflect.MakeSlice(reflect.SliceOf(in), 2, 3))
		}
		nodes = append(nodes, p)
	}
	runtime.GC()
	v := tb.Box(n, nodes[1].Elem().Interface())
	const kid = "{Name: Kids:[] Next:<nil> By:map[] f:<nil>}"
	if got := fmt.Sprintf("%+v", reflect.ValueOf(v).FieldByName("Kids")); got != "["+kid+" "+kid+"]" {
		t.Error(got)
	}
	for _, name := range []string{"Tree", "State", "Flag", "fn"} {
		n := row(t, tb, typ(name))
		v := tb.Box(n, reflect.Zero(tb.At(n).Inner).Interface())
		if got := fmt.Sprintf("%T", v); got != "main."+name {
			t.Error(got)
		}
	}
	for name, want := range map[string]string{"Tree": "main.Tree", "State": "main.State", "Flag": "bool",
		"fn": "func() string", "[]Tree": "[]main.Tree", "func(State) Celsius": "func(main.State) float64"} {
		if got := tb.At(row(t, tb, typ(name))).Inner.String(); got != want {
			t.Errorf("the inner type of %s is %s, want %s", name, got, want)
		}
	}
	tree := row(t, tb, typ("Tree"))
	m := reflect.MakeMap(tb.At(tree).Inner)
	m.SetMapIndex(reflect.ValueOf("a"), reflect.Zero(tb.At(tree).Inner))
	if got := fmt.Sprintf("%#v", tb.Box(tree, m.Interface())); got != `main.Tree{"a":main.Tree(nil)}` {
		t.Error(got)
	}
}

func TestReceivers(t *testing.T) {
	tb, typ := declare(t)
	tb.Bind(typ("fn").(*types.Named), "String", func(f *func() string) string { return "fn " + (*f)() })
	v := tb.Box(row(t, tb, typ("fn")), func() string { return "x" })
	if got := fmt.Sprint(v); got != "fn x" {
		t.Error(got)
	}
	d := row(t, tb, typ("*Derived"))
	in := tb.At(d).Inner
	base := tb.At(row(t, tb, typ("Base"))).Inner
	tb.Bind(typ("Base").(*types.Named), "Ident", reflect.MakeFunc(
		reflect.FuncOf(
			[]reflect.Type{reflect.PointerTo(base), reflect.TypeFor[int](), reflect.TypeFor[string](), reflect.TypeFor[float64]()},
			[]reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[int]()}, false),
		func(a []reflect.Value) []reflect.Value {
			text := fmt.Sprint(a[0].Elem().Field(0), a[1], a[2], a[3])
			return []reflect.Value{reflect.ValueOf(text), reflect.ValueOf(7)}
		}).Interface())
	p := reflect.New(in.Elem())
	p.Elem().Field(0).Field(0).SetInt(42)
	id, ok := tb.Box(d, p.Interface()).(interface {
		Ident(int, string, float64) (string, int)
	})
	if !ok {
		t.Fatal("promoted method is missing")
	}
	if s, n := id.Ident(1, "two", 3.5); s != "42 1 two 3.5" && s != "421two3.5" || n != 7 {
		t.Error(s, n)
	}
	args := []reflect.Value{reflect.ValueOf(1), reflect.ValueOf("b"), reflect.ValueOf(2.5)}
	out := reflect.ValueOf(tb.Box(d, p.Interface())).MethodByName("Ident").Call(args)
	if out[1].Int() != 7 {
		t.Error(out)
	}
	literal := row(t, tb, typ("&struct{ Base }{}")) // a struct without a name, with no methods but those of pointers
	q := reflect.New(tb.At(literal).Inner.Elem())
	q.Elem().Field(0).Field(0).SetInt(43)
	id, ok = tb.Box(literal, q.Interface()).(interface {
		Ident(int, string, float64) (string, int)
	})
	if !ok {
		t.Fatal("the method is not promoted to a struct without a name")
	}
	if s, n := id.Ident(1, "two", 3.5); s != "43 1 two 3.5" || n != 7 {
		t.Error(s, n)
	}
}

// TestNotDeclared checks what a call of a method says that no cell has bound, by a package and by a cell.
func TestNotDeclared(t *testing.T) {
	tb, typ := declare(t)
	const want = "method String of Celsius is called before the cell that declares it has run"
	v := tb.Box(row(t, tb, typ("Celsius")), 1.5)
	if got := recovered(func() { tb.Method(v, "String") }); got != want {
		t.Error(got)
	}
	if !celltype.HasMethods {
		t.Skip("packages see no methods of cells on this architecture")
	}
	if got := recovered(func() { _ = v.(fmt.Stringer).String() }); got != want {
		t.Error(got)
	}
}

func TestVersions(t *testing.T) {
	tb, typ := declare(t)
	n := row(t, tb, typ("Flag"))
	old := tb.Box(n, true)
	if fmt.Sprint(old) != "true" {
		t.Error(old)
	}
	named := typ("Flag").(*types.Named)
	recv, result := types.NewVar(0, named.Obj().Pkg(), "f", named), types.NewVar(0, nil, "", types.Typ[types.String])
	sig := types.NewSignatureType(recv, nil, nil, nil, types.NewTuple(result), false)
	named.AddMethod(types.NewFunc(0, named.Obj().Pkg(), "String", sig))
	tb.MethodsAdded()
	tb.Bind(named, "String", func(f *bool) string { return "one" })
	if got := fmt.Sprint(tb.Box(n, true)); got != "one" {
		t.Error(got)
	}
	tb.Bind(named, "String", func(f *bool) string { return "two" })
	if got := fmt.Sprint(tb.Box(n, true)); got != "two" {
		t.Error(got)
	}
	if !tb.Is(n, old) || !tb.Is(n, tb.Box(n, false)) || tb.Is(n, false) {
		t.Error("Is must hold for all versions of the outer type, and not for the inner type")
	}
	first, now := reflect.TypeOf(old), reflect.TypeOf(tb.Box(n, true))
	if now == first || celltype.First(now) != first || celltype.First(first) != first {
		t.Errorf("First(%v) is %v", now, celltype.First(now))
	}
	composed := func(t reflect.Type) reflect.Type {
		return reflect.MapOf(t, reflect.ArrayOf(2, reflect.SliceOf(reflect.PointerTo(t))))
	}
	if got := celltype.First(composed(now)); got != composed(first) {
		t.Errorf("First(%v) is %v", composed(now), got)
	}
}

func TestCheck(t *testing.T) {
	if err := celltype.Check(); err != nil {
		t.Error(err)
	}
}

// TestGenerated tests that the stub tables are what their generator writes.
func TestGenerated(t *testing.T) {
	dir := t.TempDir()
	src, err := filepath.Abs("gen_stubs.go")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", src)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) == 0 {
		t.Fatal("nothing generated")
	}
	for _, f := range files {
		want, _ := os.ReadFile(f)
		got, err := os.ReadFile(filepath.Base(f))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is stale: go generate ./interp/compile/celltype", filepath.Base(f))
		}
	}
}

// TestLastStub tests that the last stub calls its method, and that types whose methods get no stub are refused each
// time.
func TestLastStub(t *testing.T) {
	if !celltype.HasMethods {
		t.Skip("packages see no methods of cells on this architecture")
	}
	tb, typ := declare(t)
	celsius := typ("Celsius(0)").(*types.Named)
	giveBack := celltype.UseStubs(2) // for the receivers *T and T
	defer giveBack()
	n, err := tb.Row(celsius)
	if err != nil {
		t.Fatal(err)
	}
	tb.Bind(celsius, "String", func(c *float64) string { return fmt.Sprint("degrees ", *c) })
	if got := fmt.Sprint(tb.Box(n, 3.0)); got != "degrees 3" {
		t.Error(got)
	}
	for range 2 {
		for _, full := range []string{"point{}", "[]point(nil)", "fn(nil)"} {
			if r, err := tb.Outer(typ(full)); err == nil || !strings.Contains(err.Error(), "restart the kernel") {
				t.Errorf("%s: %v %v", full, r, err)
			}
		}
	}
	_, err = tb.Outer(typ("struct{ point; n int }{}"))
	if want := "struct{point; n int} has too many methods: "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s...", err, want)
	}
	giveBack()
	if r, err := tb.Outer(typ("point{}")); err != nil || r.NumMethod() != 1 {
		t.Error(r, err)
	}
}

// TestRefused tests that types which refer to one that has no run-time type are refused each time.
func TestRefused(t *testing.T) {
	_, typ := declare(t)
	tb := celltype.New(func(path, name string) reflect.Type { return nil }, func(*types.TypeName) string { return "" })
	for _, x := range []string{"struct{ huge *[1 << 40]int; n int }{}", "bad{}", "badFunc(nil)", "struct { B *bad }{}"} {
		for range 2 {
			if r, err := tb.Inner(typ(x)); err == nil {
				t.Errorf("Inner(%s) is %v", x, r)
			}
			if r, err := tb.Outer(typ(x)); err == nil {
				t.Errorf("Outer(%s) is %v", x, r)
			}
		}
	}
}

// TestBlankFields tests that the outer type of a map with a struct as its key ignores blank fields when it hashes.
func TestBlankFields(t *testing.T) {
	tb, typ := declare(t)
	r, err := tb.Outer(typ("blanks(nil)"))
	if err != nil {
		t.Fatal(err)
	}
	a, b := reflect.New(r.Key()).Elem(), reflect.New(r.Key()).Elem()
	*(*int)(b.Field(0).Addr().UnsafePointer()) = 1
	m := reflect.MakeMap(r)
	m.SetMapIndex(a, reflect.ValueOf(5))
	if v := m.MapIndex(b); !v.IsValid() || v.Int() != 5 {
		t.Errorf("the element is %v, want 5", v)
	}
}

// TestMoreStubsThanTypes tests that there are stubs for ten thousand types with a method each.
func TestMoreStubsThanTypes(t *testing.T) {
	if !celltype.HasMethods {
		t.Skip("packages see no methods of cells on this architecture")
	}
	_, typ := declare(t)
	celsius := typ("Celsius(0)").(*types.Named)
	for i := range 10000 {
		tb := celltype.New(func(path, name string) reflect.Type { return nil }, func(*types.TypeName) string { return "" })
		if r, err := tb.Outer(celsius); err != nil || r.NumMethod() != 1 {
			t.Fatal(i, r, err)
		}
	}
}
