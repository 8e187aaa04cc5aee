package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"gen": main}) }

// packageSetOf returns a packageSet with the packages of sources, by path, in the order of paths. Those whose paths end
// in "/hidden" cannot be imported by cells.
func packageSetOf(t *testing.T, paths []string, sources map[string]string) *packageSet {
	t.Helper()
	fset, checked, set := token.NewFileSet(), map[string]*types.Package{}, &packageSet{}
	for _, path := range paths {
		file, err := parser.ParseFile(fset, path, sources[path], 0)
		if err != nil {
			t.Fatal(err)
		}
		config := types.Config{Importer: importFunc(func(path string) (*types.Package, error) {
			if p := checked[path]; p != nil {
				return p, nil
			}
			if path == "unsafe" {
				return types.Unsafe, nil
			}
			return nil, errors.New(path + " is not known")
		})}
		p, err := config.Check(path, fset, []*ast.File{file}, nil)
		if err != nil {
			t.Fatal(err)
		}
		checked[path] = p
		if !strings.HasSuffix(path, "/hidden") {
			set.packages = append(set.packages, &pkg{path: path, name: p.Name(), types: p})
		}
	}
	return set
}

type importFunc func(path string) (*types.Package, error)

func (f importFunc) Import(path string) (*types.Package, error) { return f(path) }

const hiddenSource = `package hidden

type Used struct{ A int; b []int; c string }

func (Used) M() {}
func (*Used) m() {}

type Named = Used

type Unused int

func F() {}
`

const shownSource = `package shown

import (
	"unsafe"

	"m/hidden"
	other "m/other/hidden"
)

const (
	Typed   int8 = 3
	Whole        = 1 << 70
	Third        = 1.0 / 3
	Seven        = 7.0
	Rune         = 'a'
	Text         = "t\x00"
	Truth        = true
	lower        = 1
)

var V hidden.Named

var Pointer unsafe.Pointer

var Other other.Used

type inner struct{}

func (inner) Shown() {}
func (inner) own() {}

type Struct struct {
	Exported int ` + "`json:\"x\"`" + `
	hidden   string
	list     []int
	inner
}

func (s *Struct) Second(a, b int, more ...string) (n int, err error) { return 0, nil }
func (s Struct) First() {}
func (s Struct) unseen() {}
func (s Struct) sealed() {}

type Sealed interface {
	sealed()
	Seen(map[key]chan element) [2]item
}

type (
	key     int
	element string
	item    bool
)

type Empty interface{}

type Embeds interface {
	Sealed
	error
}

type Number interface{ ~int | ~float64 }

type Generic[K comparable, V Number] struct {
	m map[K]V
	key K
}

func (g *Generic[K, V]) Get(k K) V { return g.m[k] }

type Alias = []inner

type Func func(x inner) Generic[string, int]

func Of[T any](x T) T { return x }

func Plain(x int) {}

func unexported() {}
`

// TestSmallDeclarations checks the declarations of a package with each form of declaration, and of a package that it
// mentions and that cells cannot import.
func TestSmallDeclarations(t *testing.T) {
	set := packageSetOf(t, []string{"m/hidden", "m/other/hidden", "m/shown"}, map[string]string{
		"m/hidden": hiddenSource, "m/other/hidden": hiddenSource, "m/shown": shownSource,
	})
	got, err := declarations(set)
	if err != nil {
		t.Fatal(err)
	}
	const used = `package hidden
%s
type Used struct {
	A int
	b func()
	c struct{}
}

func (Used) M()
`
	for path, want := range map[string]string{
		"m/hidden": fmt.Sprintf(used, "\ntype Named = Used"), "m/other/hidden": fmt.Sprintf(used, ""),
		"m/shown": `package shown

import hidden_ "m/hidden"
import hidden "m/other/hidden"
import unsafe "unsafe"

type Alias = []inner
type Embeds interface {
	Sealed
	error
}
type Empty interface{}
type Func func(x inner) Generic[string, int]
type Generic[K comparable, V Number] struct {
	m   map[K]V
	key K
}

func (*Generic[K, V]) Get(k K) V

type Number interface{ ~int | ~float64 }

func Of[T any](x T) T {}

var Other hidden.Used

func Plain(x int)

var Pointer unsafe.Pointer

const Rune = '\x00' + 97

type Sealed interface {
	Seen(map[key]chan element) [2]item
	sealed()
}

const Seven = 7.0

type Struct struct {
	Exported int "json:\"x\""
	hidden   struct{}
	list     func()
	inner
}

func (Struct) First()
func (*Struct) Second(a int, b int, more ...string) (n int, err error)
func (Struct) sealed()

const Text = "t\x00"
const Third = 1.0 / 3.0
const Truth = true
const Typed int8 = 3

var V hidden_.Named

const Whole = 1180591620717411303424

type element string
type inner struct {
}

func (inner) Shown()

type item bool
type key int
`,
	} {
		if string(got[path]) != want {
			t.Errorf("%s is declared as\n%s\nwant\n%s", path, got[path], want)
		}
	}
	if len(got) != 3 {
		t.Errorf("%d packages are declared", len(got))
	}
}

// TestUndeclarable checks the error of a package that mentions an unexported type of another package.
func TestUndeclarable(t *testing.T) {
	set := packageSetOf(t, []string{"m/hidden", "m/shown"}, map[string]string{
		"m/hidden": "package hidden\n\ntype lower int\n\nfunc F() lower { return 0 }\n",
		"m/shown":  "package shown\n\nimport \"m/hidden\"\n\nvar V = hidden.F()\n",
	})
	if got, err := declarations(set); err == nil || !strings.Contains(err.Error(), "m/shown mentions") {
		t.Errorf("%v\n%s", err, got["m/shown"])
	}
}

// TestSmallSymbols checks the table of symbols of a small package: generic functions and types, and constraints, have
// no row.
func TestSmallSymbols(t *testing.T) {
	const source = shownSource + `
const (
	Huge   = 1<<64 - 1
	Least  = -1 << 63
	Most   = 1<<63 - 1
	Far    = 1<<64
	Pi     = 3.25
	Named  key = 2
	Truths = !Truth
	Imag   = 1i
)
`
	set := packageSetOf(t, []string{"m/hidden", "m/other/hidden", "m/shown"}, map[string]string{
		"m/hidden": hiddenSource, "m/other/hidden": hiddenSource, "m/shown": source,
	})
	set.packages[0].group = 2
	other := *set.packages[0]
	other.path, other.group = "m/other", 1
	set.packages = append(set.packages, &other)
	got, err := symbolFile(set, groups[2])
	if err != nil {
		t.Fatal(err)
	}
	text := string(got)
	const row = "\t\t{%q, %s, %s},\n"
	for _, c := range [][3]string{
		{"Typed", "value", "m_shown.Typed"}, {"Whole", "untyped", `integer("1180591620717411303424")`}, {"Seven", "untyped", `decimal("7")`},
		{"Rune", "untyped", "int64(m_shown.Rune)"}, {"Text", "untyped", "string(m_shown.Text)"}, {"Truth", "value", "m_shown.Truth"},
		{"Truths", "value", "m_shown.Truths"}, {"Huge", "untyped", "uint64(m_shown.Huge)"}, {"Least", "untyped", "int64(m_shown.Least)"},
		{"Most", "untyped", "int64(m_shown.Most)"}, {"Far", "untyped", `integer("18446744073709551616")`}, {"Pi", "untyped", `decimal("3.25")`},
		{"Named", "value", "m_shown.Named"}, {"V", "variable", "&m_shown.V"}, {"Plain", "value", "m_shown.Plain"},
		{"Struct", "value", "(*m_shown.Struct)(nil)"}, {"Sealed", "value", "(*m_shown.Sealed)(nil)"}, {"Empty", "value", "(*m_shown.Empty)(nil)"},
		{"Alias", "value", "(*m_shown.Alias)(nil)"},
	} {
		if want := fmt.Sprintf(row, c[0], c[1], c[2]); !strings.Contains(text, want) {
			t.Errorf("the table lacks %s", want)
		}
	}
	if !strings.Contains(text, `decimal("0.333333333333333333333333333333333333333333333333333333333333333333333333333`) {
		t.Error("a third is not exact")
	}
	for _, unwanted := range []string{`"Of"`, `"Generic"`, `"Number"`, `"lower"`, `"inner"`, "m/other"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("the table has %s", unwanted)
		}
	}
	if !strings.HasPrefix(text, "// Code generated by go generate interp/universe; DO NOT EDIT.\n") ||
		!strings.Contains(text, "\nvar anvilTable = []pack{\n\t{path: \"m/shown\", name: \"shown\", syms: []sym{\n") ||
		!strings.Contains(text, "\nimport (\n\tm_shown \"m/shown\"\n)\n") {
		t.Errorf("%.500s", text)
	}
	if strings.Count(text, "\n\t\t{") != 25 {
		t.Errorf("the table has %d rows:\n%s", strings.Count(text, "\n\t\t{"), text)
	}
}

const documented = `// Package documented has
// each form of symbol.
package documented

// Group has two constants.
const (
	A = 1
	B = 2 // B has its own comment.
	// C has one above it.
	C = 3
	d = 4
)

// V is a variable.
var V, W int

// F is a function.
//
//	code
func F() {}

// hidden is not exported.
func hidden() {}

// T is a type.
type T struct {
	// X is a field.
	X, Y int
	Z    int // Z is described beside it.
	u    int // u is not exported.
	N    int
}

// M is a method.
func (t T) M() {}

func (t T) None() {}

// New returns a T.
func New() T { return T{} }

// Zero is a T.
var Zero T

// I is an interface.
type I interface {
	// Do does it.
	Do()
}

type Bare int
`

const documentation = `A
	Group has two constants.
B
	B has its own comment.
type Bare
	type Bare int
C
	C has one above it.
F
	F is a function.

		code
I
	I is an interface.
type I
	type I interface {
		// Do does it.
		Do()
	}
I.Do
	Do does it.
New
	New returns a T.
T
	T is a type.
type T
	type T struct {
		// X is a field.
		X, Y	int
		Z	int	// Z is described beside it.

		N	int
		// contains filtered or unexported fields
	}
T.M
	M is a method.
T.X
	X is a field.
T.Y
	X is a field.
T.Z
	Z is described beside it.
V
	V is a variable.
W
	V is a variable.
Zero
	Zero is a T.
`

// TestSmallDocumentation checks the file of documentation of a package with each form of symbol.
func TestSmallDocumentation(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.go": documented, "b.go": "package documented\n\n// G is in another file.\nfunc G() {}\n", "bad.go": "nonsense"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := &pkg{path: "m/documented", dir: dir, files: []string{"a.go"}}
	got, err := docText(p)
	want := "package\n\tPackage documented has\n\teach form of symbol.\n" + documentation
	if err != nil || normal(string(got)) != normal(want) {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	p.files = []string{"a.go", "b.go"}
	if got, err := docText(p); err != nil || !strings.Contains(string(got), "\nG\n\tG is in another file.\n") {
		t.Errorf("%v\n%s", err, got)
	}
	for _, files := range [][]string{{"a.go", "bad.go"}, {"none.go"}} {
		p.files = files
		if got, err := docText(p); err == nil {
			t.Errorf("%v: %s", files, got)
		}
	}
}

// normal returns text with words separated by one blank; line ends and indents stay.
func normal(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		trimmed := strings.TrimLeft(line, "\t")
		lines = append(lines, line[:len(line)-len(trimmed)]+strings.Join(strings.Fields(trimmed), " "))
	}
	return strings.Join(lines, "\n")
}

// TestBuiltins checks the documentation of the predeclared names, which are in lower case.
func TestBuiltins(t *testing.T) {
	p, err := builtins()
	if err != nil {
		t.Fatal(err)
	}
	text, err := docText(p)
	if err != nil || p.path != "builtin" || p.types != nil {
		t.Errorf("%+v, %v", p, err)
	}
	for _, want := range []string{"\nappend\n\t", "\ntype error\n\t", "\niota\n\t", "\nlen\n\t"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the documentation lacks %q", want)
		}
	}
}

// TestCommands checks the errors of the go command, what it lists, and the platform that it is for.
func TestCommands(t *testing.T) {
	if _, err := goCommand("", "nonsense"); err == nil || !strings.HasPrefix(err.Error(), "go nonsense: ") || !strings.Contains(err.Error(), "unknown command") {
		t.Errorf("%v", err)
	}
	if _, err := goCommand(filepath.Join(t.TempDir(), "none"), "env"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that does not exist: %v", err)
	}
	out, err := goCommand("", "env", "GOOS", "GOARCH", "CGO_ENABLED", "GOWORK")
	if err != nil || string(out) != "linux\namd64\n0\noff\n" {
		t.Errorf("%q, %v", out, err)
	}
	found, err := list("", "-json=ImportPath,Name", "errors", "fmt")
	if err != nil || len(found) != 2 || found[0].ImportPath != "errors" || found[1].Name != "fmt" {
		t.Errorf("%+v, %v", found, err)
	}
	if found, err := list("", "-f={{.Name}}", "errors"); err == nil {
		t.Errorf("no JSON: %+v", found)
	}
	if found, err := list("", "-json", "./none"); err == nil {
		t.Errorf("no package: %+v", found)
	}
}

// TestFiles checks the names of the files of documentation.
func TestFiles(t *testing.T) {
	for path, want := range map[string]string{
		"fmt": "doc/fmt.txt.gz", "net/http": "doc/net/http.txt.gz", modulePath + "/anvil": "doc/anvil.txt", modulePath + "/display/chart": "doc/display/chart.txt",
	} {
		if got := docFile(&pkg{path: path}); got != want {
			t.Errorf("%s is in %s, want %s", path, got, want)
		}
	}
}

// TestBrokenPackages checks that a package that does not compile is an error, or is left out and named.
func TestBrokenPackages(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	broken, overlay := filepath.Join(dir, "broken.go"), filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, "anvil", "broken", "broken.go"): broken}})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(broken, []byte("package broken\n\nvar V int = \"text\"\n"), 0o644), os.WriteFile(overlay, text, 0o644)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" -overlay="+overlay)
	if _, err := loadPackages(root, false); err == nil || !strings.Contains(err.Error(), "anvil/broken") {
		t.Errorf("%v", err)
	}
	var logged bytes.Buffer
	defer log.SetOutput(log.Writer())
	log.SetOutput(&logged)
	set, err := loadPackages(root, true)
	if err != nil || !strings.Contains(logged.String(), "left out: "+modulePath+"/anvil/broken\n") || strings.Count(logged.String(), "\n") != 1 {
		t.Fatalf("%v, logged %s", err, logged.String())
	}
	found := map[string]bool{}
	for i, p := range set.packages {
		found[p.path] = true
		if i > 0 && set.packages[i-1].path >= p.path {
			t.Errorf("%s comes after %s", p.path, set.packages[i-1].path)
		}
		if p.types == nil || p.types.Path() != p.path || p.name == "" || len(p.files) == 0 || p.dir == "" || p.group < 0 {
			t.Errorf("%+v", p)
		}
	}
	if found[modulePath+"/anvil/broken"] || !found[modulePath+"/anvil"] || !found["fmt"] || !found["gonum.org/v1/plot"] {
		t.Errorf("found %d packages", len(found))
	}
	fresh := t.TempDir()
	cmd := exec.Command("gen", "-dir", fresh, "-skip-broken")
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "gen: left out: "+modulePath+"/anvil/broken\n" {
		t.Errorf("%v\n%s", err, out)
	}
	if text, err := os.ReadFile(filepath.Join(fresh, "types", "anvil.txt")); err != nil || !strings.HasPrefix(string(text), "package anvil\n") {
		t.Errorf("the declarations of package anvil: %v", err)
	}
}

// TestOutside checks the error of the program outside of the module.
func TestOutside(t *testing.T) {
	cmd := exec.Command("gen", "-dir", t.TempDir())
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "GO111MODULE=on")
	if out, err := cmd.CombinedOutput(); err == nil || !strings.HasPrefix(string(out), "gen: the working directory is in no module") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestRemovesOthers checks which files are removed: those that are embedded and belong to no package.
func TestRemovesOthers(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"types/a.txt", "types/b/c.txt", "doc/d.txt", "doc/e.txt.gz", "f.txt"} {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, nil, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := removeOthers(dir, map[string][]byte{"types/a.txt": {1}, "doc/e.txt.gz": {1}}); err != nil {
		t.Fatal(err)
	}
	found, err := embedded(dir)
	if err != nil || strings.Join(found, " ") != "types/a.txt doc/e.txt.gz" {
		t.Errorf("%v, %v", found, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "f.txt")); err != nil {
		t.Error(err)
	}
	if found, err := embedded(filepath.Join(dir, "none")); err == nil {
		t.Errorf("a folder that does not exist has %v", found)
	}
	if err := removeOthers(filepath.Join(dir, "none"), nil); err == nil {
		t.Error("the files of a folder that does not exist are removed")
	}
}

// TestReplaceFails checks the errors of files that cannot be written.
func TestReplaceFails(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "file"), nil, 0o644), os.Mkdir(filepath.Join(dir, "folder"), 0o755),
		os.WriteFile(filepath.Join(dir, "bad.gz"), []byte("nonsense"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"file/x.txt", "folder"} {
		if err := replace(filepath.Join(dir, name), []byte("new")); err == nil {
			t.Errorf("%s is written", name)
		}
	}
	if data, err := contentOf(filepath.Join(dir, "bad.gz")); err == nil {
		t.Errorf("nonsense is the content %q", data)
	}
	if err := replace(filepath.Join(dir, "bad.gz"), []byte("new")); err != nil {
		t.Error(err)
	}
}
