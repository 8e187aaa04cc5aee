package check_test

import (
	"fmt"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/universe"
)

// checked type-checks code as a cell of env.
func checked(t *testing.T, env *check.Env, code string) *check.Checked {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", "package main\n"+code, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return env.Check(t.Context(), fset, file)
}

// declare adds the objects that code declares to env.
func declare(t *testing.T, env *check.Env, cell int, code string) (objects []*check.Object) {
	t.Helper()
	c := checked(t, env, code)
	if len(c.Errors) > 0 {
		t.Fatal(code, c.Errors)
	}
	for _, name := range c.Pkg.Scope().Names() {
		if obj := c.Pkg.Scope().Lookup(name); obj.Pos().IsValid() && env.Of(obj) == nil {
			objects = append(objects, &check.Object{Object: obj, Engine: env.Unique(name), Cell: cell})
			env.Add(objects[len(objects)-1])
		}
	}
	return objects
}

// TestCells checks the errors of cells that are checked one after the other.
func TestCells(t *testing.T) {
	env := check.NewEnv(universe.WithReceivers(nil))
	env.AddImport("str", "strings")
	env.AddImport("gone", "no/such/path")
	env.AddDotImport("math")
	env.AddDotImport("time")
	env.AddDotImport("math")
	for i, cell := range []struct{ code, errs string }{
		{"var x = 3\nconst k = \"a\" + \"b\"\ntype T struct{ n int }\nfunc (T) M() {}\nfunc f() int { return x }", ""},
		{"var y = x + f() + len(k)\nvar _ T", ""},
		{"var z string = x", "cannot use x (variable of type int) as string value in variable declaration"},
		{"type U T\ntype V = T\ntype W []T", ""},
		{"func g() { var unused int; str.ToUpper(k) }", ""},
		{"import \"os\"\nfunc g() {}", ""},
		{"func g() { 3 }", "3 (untyped int constant) is not used"},
		{"var a1 = h1()\nfunc h1() int { return b1 + a1 }\nvar b1 = a1", ""},
		{"var self = self", "initialization cycle: self refers to itself"},
		{"var r = Sqrt(2) + Pi", ""},
		{"var d Duration", ""},
		{"var e = sqrt(2)", "undefined: sqrt"},
		{"var s = slices.Max([]int{x}) + rand.IntN(3) + rand.N(3)", ""},
		{"var s = slices.Nothing()", "undefined: slices.Nothing"},
		{"var s = rand.Nothing()", "undefined: rand"},
		{"const c1 = c2\nconst c2 = c1", "initialization cycle for c1; \tc1 refers to c2; \tc2 refers to c1"},
		{"var s = errors.new()", "undefined: errors.new (but have New)"},
		{"var s = gone.X", "undefined: gone"},
		{"var s = slices", "undefined: slices"},
		{"import \"strings\"\nvar s = strings.Repeat(k, 2)", ""},
		{"import r \"math/rand/v2\"\nvar s = r.N(2)", ""},
		{"const k1 = \"" + strings.Repeat("a", 1<<20) + "\"\nconst k2 = k1+k1+k1+k1+k1+k1+k1+k1\nvar l = len(k2 + (k2))",
			"this constant string has more than 16777216 bytes; declare one of its parts as a variable"},
		{"var long = k + k + \"c\" + string('a')", ""},
		{chain(1000), ""},
		{chain(1001), "more than 1000 types refer to each other in a row; declare some of them in other cells"},
		{"type L struct{ next *M }\ntype M struct{ back *L }", ""},
	} {
		var errs []string
		for _, e := range checked(t, env, cell.code).Errors {
			errs = append(errs, e.Msg)
		}
		if got := strings.Join(errs, "; "); got != cell.errs {
			t.Errorf("%.200s\ngives %q, not %q", cell.code, got, cell.errs)
		}
		if i == 0 {
			declare(t, env, 1, cell.code)
		}
	}
	if n := env.Checks(); n != 27 {
		t.Error("checks:", n)
	}
	env.Sizes = types.SizesFor("gc", "386")
	c := checked(t, env, "import \"unsafe\"\nconst size, align, at = unsafe.Sizeof(x), unsafe.Alignof(x), unsafe.Offsetof(struct{ a byte; b int }{}.b)")
	for _, name := range []string{"size", "align", "at"} {
		if v := c.Pkg.Scope().Lookup(name).(*types.Const).Val(); v.String() != "4" {
			t.Error(name, v)
		}
	}
}

// A failing is an importer that panics.
type failing struct{}

func (failing) Import(path string) (*types.Package, error) { panic("no package " + path) }

// TestPanicOfTheChecker checks that a panic of go/types is an error of the cell.
func TestPanicOfTheChecker(t *testing.T) {
	errs := checked(t, check.NewEnv(failing{}), "import \"math\"").Errors
	const want = "Go's type checker fails on this cell: no package math; write its declarations another way"
	if len(errs) != 1 || errs[0].Msg != want {
		t.Errorf("got %v, want %s", errs, want)
	}
}

// chain returns n types that refer to each other in a row.
func chain(n int) string {
	var b strings.Builder
	for i := range n - 1 {
		fmt.Fprintf(&b, "type C%d []C%d\n", i, i+1)
	}
	fmt.Fprintf(&b, "type C%d int\n", n-1)
	return b.String()
}

// TestNames checks what the names and engine names of an environment refer to.
func TestNames(t *testing.T) {
	env := check.NewEnv(universe.WithReceivers(nil))
	first := declare(t, env, 1, "var x = 3\nfunc f() {}\ntype T struct{}\nfunc (T) M() {}\nconst k = 4")
	byName := map[string]*check.Object{}
	for _, o := range first {
		byName[o.Name()] = o
		if env.Lookup(o.Name()) != o || env.Resolved(o.Engine) != o || env.Of(o.Object) != o || o.Cell != 1 {
			t.Errorf("%s is not found", o.Name())
		}
		if want := fmt.Sprintf("%sꓸ", o.Name()); !strings.HasPrefix(o.Engine, want) || check.AuthorName(o.Engine) != o.Name() {
			t.Errorf("the engine name of %s is %s", o.Name(), o.Engine)
		}
		renamed := check.Renamed(o.Object, "new")
		if renamed.Name() != "new" || renamed.Type() != o.Type() || renamed.Pos() != o.Pos() || fmt.Sprintf("%T", renamed) != fmt.Sprintf("%T", o.Object) {
			t.Errorf("%s renamed is %v", o.Name(), renamed)
		}
		if c := checked(t, env, "var y = "+o.Engine); o.Name() != "T" && len(c.Errors) > 0 && o.Name() != "f" {
			t.Error(o.Engine, c.Errors)
		}
	}
	if v := check.Renamed(byName["k"].Object, "n").(*types.Const).Val(); constant.Compare(v, token.NEQ, constant.MakeInt64(4)) {
		t.Error("the renamed constant is", v)
	}
	if check.Renamed(types.NewLabel(0, nil, "l"), "n") != nil {
		t.Error("a label is renamed")
	}
	if got := env.Names(); !slices.Equal(got, []string{"T", "f", "k", "x"}) {
		t.Error("names", got)
	}
	if n := len(env.Positions()); n != 5 {
		t.Error("positions", n)
	}
	second := declare(t, env, 2, "var x = \"text\"")[0]
	old := byName["x"]
	if env.Lookup("x") != second || env.Resolved(old.Engine) != old || env.Of(old.Object) != old || second.Engine == old.Engine {
		t.Error("x is not the second one")
	}
	env.Drop(old)
	if env.Lookup("x") != second || env.Resolved(old.Engine) != nil || env.Of(old.Object) != nil {
		t.Error("the first x is not dropped")
	}
	env.Drop(second)
	if env.Lookup("x") != nil || env.Resolved(second.Engine) != nil {
		t.Error("the second x is not dropped")
	}
	env.Keep(second)
	if env.Lookup("x") != nil || env.Resolved(second.Engine) != second || env.Of(second.Object) != second {
		t.Error("the second x is not kept")
	}

	env.AddImport("k", "strings")
	if env.Lookup("k") != nil || env.Imports()["k"] != "strings" || len(env.Imports()) != 1 {
		t.Error("k is not an import")
	}
	env.Add(byName["k"])
	if env.Lookup("k") != byName["k"] || len(env.Imports()) != 0 {
		t.Error("k is still an import")
	}

	name := byName["T"].Object.(*types.TypeName)
	if env.TypeName(name) != "" {
		t.Error("T has a name")
	}
	if env.NameType(name, "Tꓸ9"); env.TypeName(name) != "Tꓸ9" {
		t.Error("T has no name")
	}
	m := types.NewFunc(0, nil, "m", types.NewSignatureType(nil, nil, nil, nil, nil, false))
	if env.IsPending(m) {
		t.Error("m is pending")
	}
	if env.AddPending(m); !env.IsPending(m) {
		t.Error("m is not pending")
	}
	if env.Confirm(m); env.IsPending(m) {
		t.Error("m is still pending")
	}
}

// TestAliases checks the reserved names of packages.
func TestAliases(t *testing.T) {
	env := check.NewEnv(universe.WithReceivers(nil))
	for range 2 {
		for path, want := range map[string]string{
			"math": "ꓸmath", "net/http": "ꓸhttp", "gopkg.in/a-b.v2": "ꓸabv2", "a/Z_zA9/": "ꓸ", "x/AzZ_09é": "ꓸAzZ_09",
		} {
			if got := env.Alias(path); got != want || !env.IsAlias(want) {
				t.Errorf("the alias of %s is %s, not %s", path, got, want)
			}
		}
	}
	if a, b := env.Alias("other/math"), env.Alias("third/math"); a != "ꓸmathꓸ2" || b == a || b == "ꓸmath" || !strings.HasPrefix(b, "ꓸmathꓸ") {
		t.Error("the second and third aliases are", a, b)
	}
	if env.IsAlias("math") {
		t.Error("math is an alias")
	}
	c := checked(t, env, "var x = ꓸhttp.StatusOK")
	if len(c.Errors) > 0 {
		t.Error(c.Errors)
	}
	for engine, want := range map[string]string{"xꓸ3": "x", "x": "x", "ꓸx": "ꓸx", "xꓸ3ꓸ4": "xꓸ3"} {
		if got := check.AuthorName(engine); got != want {
			t.Errorf("the author's name of %s is %s", engine, got)
		}
	}
	for path, want := range map[string]string{"math/rand/v2": "rand", "fmt": "fmt", "a/v": "v", "a/v2x": "v2x", "a/w2": "w2"} {
		if got := check.NameIn(path); got != want {
			t.Errorf("the name of %s is %s", path, got)
		}
	}
	for path, want := range map[string]bool{"fmt": true, "net/http": true, "display": false, "display/chart": false,
		"displays": true, "anvil": false, "anvil/nn": false, "gonum.org/v1/plot": false} {
		if got := check.IsStandard(path); got != want {
			t.Errorf("%s is standard: %v", path, got)
		}
	}
	if pkg := types.NewPackage("main", "main"); !check.IsCell(pkg) || check.IsCell(nil) || check.IsCell(types.NewPackage("a/main", "main")) {
		t.Error("IsCell")
	}
	if !check.IsPackageName(types.NewPkgName(0, nil, "p", types.NewPackage("p", "p"))) || check.IsPackageName(types.Universe.Lookup("nil")) {
		t.Error("IsPackageName")
	}
}

// TestPathsOf checks that a package is found by its name: all packages whose paths have at most two elements, except
// those below display, and some others. Paths of the standard library are first, except for that of a second version.
func TestPathsOf(t *testing.T) {
	u := universe.WithReceivers(nil)
	for _, path := range universe.Paths() {
		if strings.Count(path, "/") > 1 || strings.HasPrefix(path, "display/") {
			continue
		}
		pkg, err := u.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(check.PathsOf(pkg.Name()), path) {
			t.Errorf("%s is not found by its name, %s", path, pkg.Name())
		}
	}
	for name, path := range map[string]string{"httptest": "net/http/httptest", "rand": "math/rand/v2",
		"plot": "gonum.org/v1/plot", "plotter": "gonum.org/v1/plot/plotter", "mat": "gonum.org/v1/gonum/mat"} {
		paths := check.PathsOf(name)
		if !slices.Contains(paths, path) {
			t.Errorf("%s is not found by its name", path)
		}
		others := slices.IndexFunc(paths, func(path string) bool { return !check.IsStandard(path) })
		last := len(paths) - 1
		if slices.ContainsFunc(paths[others:last], check.IsStandard) || paths[last] != "math/"+name+"/v2" {
			t.Errorf("the paths of %s are not in order: %q", name, paths)
		}
	}
}

// TestCheckExpr checks expressions that are checked after their cell.
func TestCheckExpr(t *testing.T) {
	env := check.NewEnv(universe.WithReceivers(nil))
	declare(t, env, 1, "var x = 3")
	env.Alias("strings")
	c := checked(t, env, "var y = 2")
	for text, want := range map[string]string{
		"x + y": "int", "ꓸstrings.ToUpper(\"a\")": "string", "fmt.Sprint()": "undefined: fmt", "nothing": "undefined: nothing",
	} {
		e, err := parser.ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := env.CheckExpr(token.NewFileSet(), c.Pkg, c.Info, e); err != nil {
			got = err.(types.Error).Msg
		} else {
			got = c.Info.TypeOf(e).String()
		}
		if got != want {
			t.Errorf("%s gives %s, not %s", text, got, want)
		}
	}
}

// TestTypeSpecs checks the types and names that a file declares.
func TestTypeSpecs(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "", `package main
import "math/rand/v2"
import f "fmt"
type A int
var x, y = 1, 2
type (B []A; C = B)
func g() { type inner int }
func (A) m() {}`, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var all, some []string
	for spec := range check.TypeSpecs(file) {
		all = append(all, spec.Name.Name)
	}
	for spec := range check.TypeSpecs(file) {
		if some = append(some, spec.Name.Name); len(some) == 2 {
			break
		}
	}
	if !slices.Equal(all, []string{"A", "B", "C"}) || !slices.Equal(some, []string{"A", "B"}) {
		t.Error(all, some)
	}
	got := check.DeclaredNames(file)
	for _, name := range []string{"rand", "f", "A", "B", "C", "x", "y", "g"} {
		if !got[name] {
			t.Error(name, "is not declared")
		}
	}
	if len(got) != 8 {
		t.Error(got)
	}
}
