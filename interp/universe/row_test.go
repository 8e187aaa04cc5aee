package universe_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/ops/opstest"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/complete"
	"github.com/goanvil/notebook/interp/universe"
)

// TestFunctionsAreEverywhere tests that each function in the table of operations has what is made from the table:
// symbols, documentation, completion, and samples for tests.
func TestFunctionsAreEverywhere(t *testing.T) {
	for _, d := range ops.Functions() {
		checkFunction(t, d)
	}
}

// checkFunction tests the function of one row.
func checkFunction(t *testing.T, d *ops.Def) {
	t.Helper()
	u := universe.WithReceivers(nil)
	if !u.HasSymbol("anvil", d.Name) {
		t.Errorf("%s has no symbol in cells", d.Name)
	}
	symbols := []string{d.Name}
	prefixes := []string{"nv." + d.Name[:2]}
	if d.Args[0] == "x" {
		symbols, prefixes = append(symbols, "Tensor."+d.Name), append(prefixes, "nv.Ones(nil)."+d.Name[:2])
	}
	for _, symbol := range symbols {
		if doc := universe.DocOf("anvil", symbol); !strings.HasPrefix(doc.Text, d.Name+" returns ") {
			t.Errorf("%s: its documentation is %+v", symbol, doc)
		}
	}
	for _, code := range prefixes {
		var matches []complete.Match
		// On a slow machine, completion may time out and return nothing.
		for tries := 0; len(matches) == 0 && tries < 30; tries++ {
			matches, _, _ = session(t, u).Complete(code, len(code))
		}
		if !slices.ContainsFunc(matches, func(m complete.Match) bool { return strings.HasSuffix(m.Text, d.Name) }) {
			t.Errorf("completing %s: %d matches without %s", code, len(matches), d.Name)
		}
	}
	if d.Body == nil {
		for _, dt := range dtype.All() {
			if d.Takes(0, dt) && len(opstest.Samples(d, dt)) == 0 {
				t.Errorf("%s: no samples of %s", d.Name, dt)
			}
		}
	}
	c := anvil.NewContext(anvil.ContextOptions{Backend: "reference"})
	x := c.Scalar(2)
	f, ok := u.Symbols("anvil")[d.Name].Interface().(func(any) anvil.Tensor)
	if ok && (f(x).String() == "" || f(x).DType().Is(dtype.Integral)) {
		t.Errorf("%s(2): %v", d.Name, f(x))
	}
}

// addedRows are the rows of two operations that the library does not have: one with two operands, and one with an
// option.
const addedRows = `
	{Name: "SumSquares", Params: []string{"x", "y"}, Function: Function{Operands: Real,
		Body: func(b expr.Builder, x []expr.Value, _ float64) expr.Value { return b.Add(b.Square(x[0]), b.Square(x[1])) }},
		Doc: "SumSquares returns x*x + y*y, elementwise."},
	{Name: "Celu", Params: []string{"x"}, Function: Function{Operands: Real, Option: Option{"alpha", 1},
		Body: func(b expr.Builder, x []expr.Value, alpha float64) expr.Value {
			return b.Add(b.Max(x[0], 0), b.Min(b.Mul(b.Expm1(b.Div(x[0], alpha)), alpha), 0))
		}},
		Doc: "Celu returns the greater of x and 0, and alpha * (exp(x/alpha) - 1) below; alpha is 1 where none is given."},
`

// addedUse is a test that calls the two operations in cells, as functions and as methods.
const addedUse = `package interp_test

import (
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/interptest"
	"github.com/goanvil/notebook/interp/universe"
)

func TestAdded(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	for i, cell := range [][2]string{
		{"nv.SumSquares(3.0, 4).Item()", "25"},
		{"nv.New([]float64{3, -1}).SumSquares(4.0).Sum().Item()", "42"},
		{"nv.Celu(2.0).Item()", "2"},
		{"nv.New([]float64{-100, 1}).Celu(2).Sum().Item()", "-1"},
	} {
		if got := nb.MustRun(t, i+1, cell[0]); !strings.Contains(got, cell[1]) {
			t.Errorf("%s: %s, want %s", cell[0], got, cell[1])
		}
	}
	for _, name := range []string{"SumSquares", "Tensor.SumSquares", "Celu", "Tensor.Celu"} {
		if doc := universe.DocOf("anvil", name).Text; !strings.Contains(doc, "returns") {
			t.Errorf("documentation of %s: %q", name, doc)
		}
	}
}
`

// TestAddedOperations adds operations to a copy of the sources, and tests that a row in one file is all that a person
// has to write for each.
func TestAddedOperations(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the library once more")
	}
	dir := t.TempDir()
	copySources(t, filepath.Join("..", ".."), dir)
	file := filepath.Join(dir, "anvil", "ops", "special_functions.go")
	text := read(t, file)
	const begin = "var specialFunctions = []Def{"
	if !strings.Contains(text, begin) {
		t.Fatalf("%s does not contain %q", file, begin)
	}
	write(t, file, strings.Replace(text, begin, begin+addedRows, 1))
	write(t, filepath.Join(dir, "interp", "added_test.go"), addedUse)
	for _, args := range [][]string{
		{"generate", "./anvil", "./interp/universe"}, {"test", "./interp", "-run", "TestAdded$"},
	} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// copySources copies the files that a build needs.
func copySources(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if e.IsDir() {
			if base := e.Name(); name != "." && strings.HasPrefix(base, ".") {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// write writes a file.
func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// session returns the completion session of a new notebook.
func session(t *testing.T, u *universe.Universe) *complete.Session {
	t.Helper()
	env := check.NewEnv(u)
	env.AddImport("nv", universe.Module+"/anvil")
	path, name := u.Tensor()
	return &complete.Session{Env: env, TensorPath: path, TensorName: name,
		Doc:    func(string, string) complete.Doc { return complete.Doc{} },
		Paths:  universe.Paths,
		Magics: func() map[string]string { return nil },
		Source: func(int) string { return "" },
		Value:  func(string) string { return "" }}
}

// read returns the content of a file.
func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
