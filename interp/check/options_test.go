package check_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/universe"
)

// TestOptions checks which names of a package are options of a function, and how they are written.
func TestOptions(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", `package p
type Option interface{ apply() }
type Level int
func (Level) apply() {}
const ( Low Level = iota; High )
type Mode int
func (Mode) apply() {}
const ( M0 Mode = iota; M1; M2; M3; M4 )
type Four int
func (Four) apply() {}
const ( F0 Four = iota; F1; F2; F3 )
type Free string
func (Free) apply() {}
type hidden struct{}
func (hidden) apply() {}
var On hidden
var off hidden
var Other int
const Number = 3
type Wider interface{ Option; More() }
func With(name string, n int) Option { return On }
func Several(names ...string) Option { return On }
func None() hidden { return On }
func Two() (Option, error) { return On, nil }
func Generic[T any](x T) Option { return On }
func Plain() int { return 0 }
func Use(x int, opts ...Option) {}
func Ints(xs ...int) {}
func Fixed(o Option) {}
func Funcs(fs ...func()) {}
type Knob func()
type KnobOption func()
func Knobs(ks ...KnobOption) {}
func Loud() {}
`, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{}).Check("a/p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	function := func(name string) *types.Func { return pkg.Scope().Lookup(name).(*types.Func) }
	want := map[string]string{
		"Low": "Low", "High": "High", "Mode": "type Mode", "F0": "F0", "F1": "F1", "F2": "F2", "F3": "F3", "Free": "type Free",
		"On": "On", "With": "With(name, n)", "Several": "Several(names...)", "None": "None()",
	}
	if got := check.Options(function("Use"), pkg); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the options are %v, not %v", got, want)
	}
	for _, name := range []string{"Ints", "Fixed", "Funcs", "Plain"} {
		if got := check.Options(function(name), pkg); got != nil {
			t.Errorf("%s has the options %v", name, got)
		}
	}
	if got := check.Options(function("Use"), nil); got != nil {
		t.Errorf("there are options %v of no package", got)
	}
	if got := check.Options(function("Knobs"), pkg); len(got) != 0 {
		t.Errorf("Knobs has the options %v", got)
	}
	if !check.IsOption(pkg.Scope().Lookup("Option").Type()) || check.IsOption(pkg.Scope().Lookup("Mode").Type()) ||
		check.IsOption(types.Typ[types.Int]) || !check.IsOption(pkg.Scope().Lookup("KnobOption").Type()) {
		t.Error("IsOption")
	}
	u := universe.WithReceivers(nil)
	path, _ := u.Tensor()
	anvil, err := u.Import(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Scan": "map[Reverse:Reverse Steps:Steps(n)]", "QR": "map[FullMatrices:FullMatrices]", "Add": "map[Alpha:Alpha(alpha) Out:Out(x)]",
		"Sin": "map[]",
	} {
		if got := fmt.Sprint(check.Options(anvil.Scope().Lookup(name).(*types.Func), anvil)); got != want {
			t.Errorf("%s has the options %s, not %s", name, got, want)
		}
	}
	charts, err := u.Import(universe.Module + "/display/chart")
	if err != nil {
		t.Fatal(err)
	}
	line := charts.Scope().Lookup("Line").(*types.Func) // its only parameter is ...any
	if got := check.Options(line, charts); got["LogX"] != "LogX()" || got["Title"] != "Title(text)" || got["Bins"] != "" || len(got) != 5 {
		t.Errorf("Line has the options %v", got)
	}
	if got := check.Options(line, anvil); len(got) != 0 {
		t.Errorf("Line has the options %v of another package", got)
	}
	for _, o := range []types.Object{types.Universe.Lookup("int"), types.Universe.Lookup("len"), line, types.NewPkgName(0, pkg, "q", anvil)} {
		_, isType := o.(*types.TypeName)
		_, isPackage := o.(*types.PkgName)
		if check.IsTypeName(o) != isType || check.IsPackageName(o) != isPackage {
			t.Errorf("%v is the name of a type: %t, of a package: %t", o, check.IsTypeName(o), check.IsPackageName(o))
		}
	}
}
