package tensor_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/explain"
	"github.com/goanvil/notebook/interp/tensor"
	"github.com/goanvil/notebook/interp/universe"
)

// TestTypeExpr checks that lowered code writes a type as Go does, with the reserved names of packages and the engine
// names of declared types.
func TestTypeExpr(t *testing.T) {
	rows := []struct{ typ, want string }{
		{"int", "int"},
		{"byte", "byte"},
		{"any", "any"},
		{"error", "error"},
		{"unsafe.Pointer", "ꓸunsafe.Pointer"},
		{"*[]**string", "*[]**string"},
		{"[30][0]bool", "[30][0]bool"},
		{"map[string][]float64", "map[string][]float64"},
		{"chan int", "chan int"},
		{"chan<- int", "chan<- int"},
		{"<-chan (<-chan int)", "<-chan <-chan int"},
		{"func()", "func()"},
		{"func(int, ...string) (bool, error)", "func(int, ...string) (bool, error)"},
		{"func([]string) func() bool", "func([]string) func() bool"},
		{"struct{}", "struct{}"},
		{"struct{ x int; y []string }", "struct{x int; y []string}"},
		{"struct{ X int `json:\"x\"`; time.Time }", "struct{X int; ꓸtime.Time}"},
		{"interface{}", "interface{}"},
		{"interface{ M(int) string; N() }", "interface{M(int) string; N()}"},
		{"interface{ ~int | string; error; M() }", "interface{M(); ~int | string; error}"},
		{"interface{ int }", "interface{int}"},
		{"time.Duration", "ꓸtime.Duration"},
		{"*list.List", "*ꓸlist.List"},
		{"local", "local"},
		{"own", "ownꓸ1"},
		{"earlier", "earlierꓸ2"},
		{"box[int]", "box[int]"},
		{"couple[string, []own]", "couple[string, []ownꓸ1]"},
	}
	source := "package main\nimport (\"container/list\"; \"time\"; \"unsafe\")\n" +
		"type local int\ntype own int\ntype earlier int\ntype box[T any] struct{ v T }\ntype couple[A, B any] struct{ a A; b B }\n"
	for i, row := range rows {
		source += fmt.Sprintf("type t%d = %s\n", i, row.typ)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	u := universe.WithReceivers(nil)
	pkg, err := (&types.Config{Importer: u}).Check("main", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	env := check.NewEnv(u)
	c := tensor.New(env, fset, "", "", tensor.System{})
	c.Engine[pkg.Scope().Lookup("own")] = "ownꓸ1"
	env.Add(&check.Object{Object: pkg.Scope().Lookup("earlier"), Engine: "earlierꓸ2"})
	for i, row := range rows {
		e, err := c.TypeExpr(7, pkg.Scope().Lookup(fmt.Sprintf("t%d", i)).Type().(*types.Alias).Rhs())
		if err != nil {
			t.Errorf("%s: %v", row.typ, err)
			continue
		}
		if got := types.ExprString(e); got != row.want {
			t.Errorf("%s becomes %s, not %s", row.typ, got, row.want)
		}
		if e.Pos() != 7 {
			t.Errorf("%s is at %d", row.typ, e.Pos())
		}
		if strings.Contains(row.typ, "json") {
			if tag := e.(*ast.StructType).Fields.List[0].Tag.Value; tag != `"json:\"x\""` {
				t.Error("the tag is", tag)
			}
		}
	}
	if !c.Imports["time"] || !c.Imports["container/list"] || c.Imports["fmt"] {
		t.Error("imports", c.Imports)
	}
}

// TestNoTypeExpr checks the errors for types that have no name in a cell, also inside of others.
func TestNoTypeExpr(t *testing.T) {
	other := types.NewPackage("a/other", "other")
	hidden := types.NewNamed(types.NewTypeName(0, other, "hidden", nil), types.NewStruct(nil, nil), nil)
	c := tensor.New(check.NewEnv(universe.WithReceivers(nil)), token.NewFileSet(), "", "", tensor.System{})
	for _, row := range []struct {
		typ  types.Type
		name string
	}{
		{hidden, "other.hidden"},
		{types.NewMap(types.Typ[types.Int], types.NewSlice(hidden)), "other.hidden"},
		{types.Typ[types.UntypedNil], "untyped nil"},
		{types.Typ[types.Invalid], "invalid type"},
		{types.NewTuple(), "()"},
	} {
		e, err := c.TypeExpr(7, row.typ)
		want := row.name + " has no name outside its package; keep its values in variables of an interface type"
		failure, ok := err.(*explain.Error)
		if e != nil || !ok || failure.Pos != 7 || failure.Msg != want {
			t.Errorf("%v becomes %v, %+v; want %s", row.typ, e, err, want)
		}
	}
	param := types.NewTypeParam(types.NewTypeName(0, other, "T", nil), types.Universe.Lookup("any").Type())
	if e, err := c.TypeExpr(7, types.NewPointer(param)); err != nil || types.ExprString(e) != "*T" {
		t.Error(e, err)
	}
}
