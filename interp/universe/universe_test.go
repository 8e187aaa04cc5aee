package universe

import (
	"bytes"
	"go/constant"
	"go/token"
	"go/types"
	"io/fs"
	"math"
	path "path"
	"reflect"
	"strings"
	"testing"

	yaegi "github.com/traefik/yaegi/interp"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/backend"
	"github.com/goanvil/notebook/display"

	"github.com/goanvil/notebook/interp/compile"
)

func TestEveryPackageHasTypesSymbolsAndDocumentation(t *testing.T) {
	u := WithReceivers(nil)
	for _, p := range Paths() {
		pkg, err := u.Import(p)
		if err != nil {
			t.Errorf("%s: %v", p, err)
			continue
		}
		if !pkg.Complete() || pkg.Name() != packageName(p) {
			t.Errorf("%s: package %s, complete %v", p, pkg.Name(), pkg.Complete())
		}
		checkSymbols(t, pkg, u.Symbols(p))
		if DocOf(p, "").Text == "" && !strings.HasPrefix(pkg.Path(), "gonum.org") {
			t.Errorf("%s: no package documentation", p)
		}
	}
}

// packageName returns the name of the package at a path, such as "rand" for "math/rand/v2", or "" if a cell cannot
// import it.
func packageName(p string) string {
	full, _ := Resolve(p)
	if pack := packs()[full]; pack != nil {
		return pack.name
	}
	return ""
}

// checkSymbols compares the names and kinds of the symbols of a package with its scope.
func checkSymbols(t *testing.T, pkg *types.Package, symbols map[string]reflect.Value) {
	t.Helper()
	for _, name := range pkg.Scope().Names() {
		o := pkg.Scope().Lookup(name)
		v, ok := symbols[name]
		switch {
		case !o.Exported():
		case !ok && !isGeneric(o):
			t.Errorf("%s.%s has no symbol", pkg.Path(), name)
		case ok && isGeneric(o):
			t.Errorf("%s.%s is generic and has a symbol", pkg.Path(), name)
		case ok:
			checkKind(t, o, v)
		}
	}
}

// isGeneric reports whether o is a generic function or type, or a constraint: these have no symbol.
func isGeneric(o types.Object) bool {
	switch o := o.(type) {
	case *types.Func:
		return o.Signature().TypeParams().Len() > 0
	case *types.TypeName:
		if i, ok := o.Type().Underlying().(*types.Interface); ok && !i.IsMethodSet() {
			return true
		}
		p, ok := o.Type().(interface{ TypeParams() *types.TypeParamList })
		return ok && p.TypeParams().Len() > 0
	}
	return false
}

// checkKind tests that v is a symbol for an object of o's kind.
func checkKind(t *testing.T, o types.Object, v reflect.Value) {
	t.Helper()
	switch o.(type) {
	case *types.Func:
		if v.Kind() != reflect.Func {
			t.Errorf("%v: the symbol is a %v", o, v.Kind())
		}
	case *types.Var:
		if !v.CanAddr() {
			t.Errorf("%v: the symbol is not addressable", o)
		}
	case *types.TypeName:
		if v.Kind() != reflect.Pointer || !v.IsNil() {
			t.Errorf("%v: the symbol is not a nil pointer", o)
		}
	}
}

func TestUntypedConstantsStayExact(t *testing.T) {
	u := WithReceivers(nil)
	pkg, err := u.Import("math")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"MaxUint64", "MinInt64", "MaxInt8"} {
		v := u.Symbols("math")[name].Interface().(constant.Value)
		if want := pkg.Scope().Lookup(name).(*types.Const).Val(); !constant.Compare(v, token.EQL, want) {
			t.Errorf("math.%s is %s; want %s", name, v.ExactString(), want.ExactString())
		}
	}
	pi := u.Symbols("math")["Pi"].Interface().(constant.Value)
	if f, _ := constant.Float64Val(pi); f != math.Pi {
		t.Errorf("math.Pi is %v", f)
	}
}

func TestNoFolderOfTheBuilderIsEmbedded(t *testing.T) {
	err := fs.WalkDir(files, "types", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := files.ReadFile(name)
		for _, folder := range []string{"/go/pkg/mod/", "/usr/local/go/"} {
			if bytes.Contains(text, []byte(folder)) {
				t.Errorf("%s names %q", name, folder)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestResolve(t *testing.T) {
	for path, want := range map[string]string{
		"anvil/dtype":           Module + "/anvil/dtype",
		Module + "/anvil/dtype": Module + "/anvil/dtype",
		"math/rand/v2":          "math/rand/v2",
		"gonum.org/v1/plot/vg":  "gonum.org/v1/plot/vg",
		"iter":                  "iter",
	} {
		if got, ok := Resolve(path); !ok || got != want {
			t.Errorf("Resolve(%q) = %q, %v", path, got, ok)
		}
	}
	for _, path := range []string{"unsafe", "syscall", "anvil/xla", "anvil/xla/internal/capi", "", "no/such"} {
		if got, ok := Resolve(path); ok {
			t.Errorf("Resolve(%q) = %q", path, got)
		}
	}
}

func TestImportErrorsSayWhatToDo(t *testing.T) {
	u := WithReceivers(nil)
	for path, want := range map[string]string{
		"syscall":        "not available in a cell",
		"C":              "cgo",
		"encoding/jsonn": "a cell can import the standard library",
		"plot/vgsvg":     `did you mean "gonum.org/v1/plot/vg/vgsvg"`,
	} {
		_, err := u.Import(path)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Import(%q): %v; want %q in it", path, err, want)
		}
	}
}

// counter is the state of a session in TestSymbolsAreBoundToTheSession.
type counter struct{ cells []string }

func (c *counter) ToUpper(s string) string { c.cells = append(c.cells, s); return "bound " + s }
func (c *counter) ToLower(n int) string    { return "another signature" }

func TestSymbolsAreBoundToTheSession(t *testing.T) {
	one, two := &counter{}, &counter{}
	u1 := WithReceivers(map[string]any{"strings": one})
	u2 := WithReceivers(map[string]any{"strings": two})
	call := func(u *Universe, name string) string {
		return u.Symbols("strings")[name].Interface().(func(string) string)("A")
	}
	if got := call(u1, "ToUpper"); got != "bound A" {
		t.Errorf("ToUpper is not bound: %q", got)
	}
	call(u2, "ToUpper")
	if len(one.cells) != 1 || len(two.cells) != 1 {
		t.Errorf("two sessions share state: %v, %v", one.cells, two.cells)
	}
	if got := call(u1, "ToLower"); got != "a" {
		t.Errorf("a method of another signature replaced ToLower: %q", got)
	}
}

func TestExitDoesNotEndTheKernel(t *testing.T) {
	exit := WithReceivers(nil).Symbols("os")["Exit"].Interface().(func(int))
	defer func() {
		if r, _ := recover().(compile.Exit); !strings.Contains(string(r), "os.Exit(3)") {
			t.Errorf("recovered %q", r)
		}
	}()
	exit(3)
}

func TestTheInterpreterRunsThem(t *testing.T) {
	u := WithReceivers(nil)
	var out bytes.Buffer
	i := yaegi.New(yaegi.Options{Stdout: &out})
	for _, p := range []string{"fmt", "math", "strings", "time", "errors", "io"} {
		if err := i.Use(yaegi.Exports{p + "/" + packageName(p): u.Symbols(p)}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := i.Eval(`
import ("errors"; "fmt"; "io"; "math"; "strings"; "time")
func main() {
	var b strings.Builder
	fmt.Fprint(&b, math.Sqrt(4), math.MaxInt8, time.Second*2, errors.Is(io.EOF, io.EOF))
	fmt.Print(b.String())
}`)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "2 127 2s true"; got != want {
		t.Errorf("printed %q; want %q", got, want)
	}
}

func TestDocOf(t *testing.T) {
	for _, c := range []struct{ path, name, text, decl string }{
		{"strings", "Cut", "Cut slices s around the first instance of sep", ""},
		{"strings", "Builder", "efficiently build a string", "type Builder struct"},
		{"strings", "Builder.WriteString", "appends the contents of s", ""},
		{"net/http", "Server.Addr", "optionally specifies the TCP address", ""},
		{"io", "Reader.Read", "", ""},
		{"math", "Pi", "", ""},
		{"fmt", "", "Package fmt implements", ""},
		{"builtin", "append", "appends elements", ""},
		{"iter", "Pull", "converts the", ""},
	} {
		d := DocOf(c.path, c.name)
		if !strings.Contains(d.Text, c.text) || !strings.Contains(d.Decl, c.decl) {
			t.Errorf("DocOf(%q, %q) = %+v", c.path, c.name, d)
		}
	}
	if d := DocOf("no/such", "X"); d != (Doc{}) {
		t.Errorf("DocOf an unknown package returns %+v", d)
	}
}

func BenchmarkImportFmt(b *testing.B) {
	for b.Loop() {
		if _, err := WithReceivers(nil).Import("fmt"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSymbolsOfPrelude(b *testing.B) {
	for b.Loop() {
		u := WithReceivers(nil)
		for _, p := range []string{"fmt", "math", "time"} {
			u.Symbols(p)
		}
	}
}

func TestNewBindsTheSessionsState(t *testing.T) {
	ctx := anvil.NewContext(anvil.ContextOptions{Backend: "reference"})
	var shown []string
	out := display.NewOutlet(sinkFunc(func(text string) { shown = append(shown, text) }))
	u := New(ctx, out, Stdio{})
	show := u.Symbols("display")["Show"].Interface().(func(any) *display.Handle)
	show("here")
	if len(shown) != 1 {
		t.Errorf("display.Show is not bound to the session's outlet: %v", shown)
	}
	if got := u.Symbols("anvil")["Default"].Interface().(func() *anvil.Context)(); got != ctx {
		t.Error("anvil.Default is not the session's Context")
	}
	if got := u.Symbols("display")["Default"].Interface(); got != out {
		t.Error("display.Default is not the session's Outlet")
	}
	if got := u.Symbols("anvil/backend")["Current"].Interface().(func() *backend.Settings)(); got != ctx.Settings() {
		t.Error("backend.Current does not return the session's settings")
	}
	for path, function := range map[string]string{"anvil/backend": "Set", "anvil/random": "Key", "anvil/data": "Iris",
		"anvil/tangent": "VJP"} {
		if bound, free := u.Symbols(path)[function], WithReceivers(nil).Symbols(path)[function]; !bound.IsValid() ||
			bound.Pointer() == free.Pointer() {
			t.Errorf("%s.%s is not bound to the session", path, function)
		}
	}
}

// Cells use packages without importing them by the packages' own names, and package anvil as nv.
func TestPrelude(t *testing.T) {
	u := WithReceivers(nil)
	for _, p := range prelude {
		want := path.Base(p.Path)
		if want == "anvil" {
			want = "nv"
		}
		if _, err := u.Import(p.Path); err != nil || p.Name != want {
			t.Errorf("%s is named %s, want %s (%v)", p.Path, p.Name, want, err)
		}
	}
}

// TestEveryConstructorIsBound tests that each function that makes a tensor from no tensor is a method of Context.
// Otherwise it would make tensors of another Context than the session's. TreeLeaves is an exception, since its tensors
// are in the tree.
func TestEveryConstructorIsBound(t *testing.T) {
	u := WithReceivers(nil)
	pkg, err := u.Import("anvil")
	if err != nil {
		t.Fatal(err)
	}
	methods := types.NewMethodSet(types.NewPointer(pkg.Scope().Lookup("Context").Type()))
	checked := 0
	for _, name := range pkg.Scope().Names() {
		f, ok := pkg.Scope().Lookup(name).(*types.Func)
		if !ok || !f.Exported() || name == "TreeLeaves" {
			continue
		}
		sig := f.Signature()
		if sig.TypeParams().Len() > 0 || !makesTensor(sig) {
			continue
		}
		checked++
		m := methods.Lookup(pkg, name)
		if m == nil {
			t.Errorf("%v: Context has no such method", f)
		} else if !types.Identical(m.Type(), types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())) {
			t.Errorf("%v: the method of Context has another signature: %v", f, m.Type())
		}
	}
	if checked < 10 {
		t.Errorf("only %d functions make tensors", checked)
	}
}

// makesTensor reports whether sig has a Tensor among the results and none among the parameters.
func makesTensor(sig *types.Signature) bool {
	hasTensor := func(tuple *types.Tuple) bool {
		for v := range tuple.Variables() {
			if strings.HasSuffix(types.TypeString(v.Type(), nil), "anvil.Tensor") {
				return true
			}
		}
		return false
	}
	return hasTensor(sig.Results()) && !hasTensor(sig.Params())
}

// A sinkFunc is a display.Sink that calls the function with the text of what is shown.
type sinkFunc func(text string)

func (f sinkFunc) Display(_ string, b display.Bundle) { f(b.Text()) }
func (f sinkFunc) Update(_ string, b display.Bundle)  { f(b.Text()) }
func (f sinkFunc) Clear(bool)                         {}
