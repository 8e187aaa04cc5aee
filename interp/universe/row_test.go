package universe_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/complete"
	"github.com/goanvil/notebook/interp/universe"
)

// TestRowIsAll holds the README of package ops to its word: the row that it
// shows is the one in the table, no source but those that it names mentions the
// operation, and symbols, documentation, completion and the test matrix have it,
// as they have every other operation whose method is its row.
func TestRowIsAll(t *testing.T) {
	root := filepath.Join("..", "..")
	readme := read(t, filepath.Join(root, "anvil", "ops", "README.md"))
	row := regexp.MustCompile(`(?s)\x60{3}go\s+(\{code: ir\.(\w+),.*?\},)\s+\x60{3}`).FindStringSubmatch(readme)
	if row == nil {
		t.Fatal("the README shows no row")
	}
	shown, name := strings.Join(strings.Fields(row[1]), " "), row[2]
	word := regexp.MustCompile(`\b` + name + `\b`)
	var mention []string
	found := false
	err := fs.WalkDir(os.DirFS(root), ".", func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, "_gen.go") {
			return err
		}
		text := read(t, filepath.Join(root, file))
		found = found || strings.HasPrefix(file, "anvil/ops/") && strings.Contains(strings.Join(strings.Fields(text), " "), shown)
		if word.MatchString(text) && strings.HasPrefix(file, "anvil/") && !strings.Contains(file, "testdata") {
			mention = append(mention, file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !found {
		t.Errorf("no file of anvil/ops has the row %s", shown)
	}
	for _, file := range mention {
		if !strings.Contains(readme, file) && !strings.HasPrefix(file, "anvil/ops/") {
			t.Errorf("%s mentions %s, and the README does not say so", file, name)
		}
	}
	rows := 0
	for _, d := range ops.All() {
		if d.Method {
			rows++
			everywhere(t, d)
		}
	}
	if rows == 0 || !slices.ContainsFunc(ops.All(), func(d *ops.Def) bool { return d.Method && d.Name == name }) {
		t.Errorf("%d rows are methods, and %s is none of them", rows, name)
	}
}

// everywhere finds a row in all that is made of the table.
func everywhere(t *testing.T, d *ops.Def) {
	t.Helper()
	u := universe.WithReceivers(nil)
	if !u.HasSymbol("anvil", d.Name) {
		t.Errorf("%s: a cell has no symbol of it", d.Name)
	}
	for _, symbol := range []string{d.Name, "Tensor." + d.Name} {
		if doc := universe.DocOf("anvil", symbol); !strings.HasPrefix(doc.Text, d.Name+" returns ") {
			t.Errorf("%s: its documentation is %+v", symbol, doc)
		}
	}
	for _, code := range []string{"nv." + d.Name[:2], "nv.Ones(nil)." + d.Name[:2]} {
		matches, _, _ := session(t, u).Complete(code, len(code))
		if !slices.ContainsFunc(matches, func(m complete.Match) bool { return strings.HasSuffix(m.Text, d.Name) }) {
			t.Errorf("completing %s: %d matches without %s", code, len(matches), d.Name)
		}
	}
	for _, dt := range dtype.All() {
		if d.Takes(0, dt) && len(d.Samples(dt)) == 0 {
			t.Errorf("%s: no samples of %s", d.Name, dt)
		}
	}
	c := anvil.NewContext(anvil.ContextOptions{Backend: "reference"})
	x := c.Scalar(2)
	f, ok := u.Symbols("anvil")[d.Name].Interface().(func(any) anvil.Tensor)
	if len(d.Params) == 1 && (!ok || f(x).String() == "" || f(x).DType().Is(dtype.Integral) != d.Takes(0, dtype.I32)) {
		t.Errorf("%s(2): %v", d.Name, f(x))
	}
}

// session returns what completes code in a fresh notebook.
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

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
