package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A checklistRow is a row of docs/checklist.md.
type checklistRow struct {
	id    string
	tests []string // "cmd/kernel TestChecklist/A1"
	none  string   // why there is no test
}

// checklistLine matches a row of a table: its id, its behaviour, its tests.
var checklistLine = regexp.MustCompile(`(?m)^\| ([A-Z][0-9]+) \| (.+) \| (.+) \|$`)

var namedTest = regexp.MustCompile("`([a-z/]+ Test[A-Za-z0-9_]+(/[A-Z0-9]+)?)`")

func readChecklistMap(t *testing.T) (rows []checklistRow) {
	t.Helper()
	text, err := os.ReadFile("../../docs/checklist.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range checklistLine.FindAllStringSubmatch(string(text), -1) {
		row := checklistRow{id: m[1]}
		for _, name := range namedTest.FindAllStringSubmatch(m[3], -1) {
			row.tests = append(row.tests, name[1])
		}
		if len(row.tests) == 0 {
			row.none = m[3]
		}
		rows = append(rows, row)
	}
	return rows
}

// checklistIDs returns the ids of all rows.
func checklistIDs() (ids []string) {
	for _, r := range []struct {
		letter      string
		first, last int
	}{{"A", 1, 58}, {"C", 1, 74}, {"T", 1, 68}, {"I", 1, 113}, {"F", 1, 42}, {"K", 1, 25}, {"K", 27, 27}} {
		for n := r.first; n <= r.last; n++ {
			ids = append(ids, fmt.Sprint(r.letter, n))
		}
	}
	return ids
}

// TestChecklistMap tests that each row occurs once in docs/checklist.md, with tests that
// exist or with the reason why there is no test.
func TestChecklistMap(t *testing.T) {
	rows := readChecklistMap(t)
	tests := goTests{}
	seen := map[string]int{}
	sections := checklistSections(t)
	for _, row := range rows {
		seen[row.id]++
		switch {
		case len(row.tests) > 0:
		case !strings.HasPrefix(row.none, "no behaviour: ") && !strings.HasPrefix(row.none, "not yet: "):
			t.Errorf("%s: %q is neither a test nor a reason why there is none", row.id, row.none)
		}
		for _, test := range row.tests {
			dir, name, _ := strings.Cut(test, " ")
			name, sub, _ := strings.Cut(name, "/")
			if err := tests.find(filepath.Join("..", "..", dir), name); err != nil {
				t.Errorf("%s: %s: %v", row.id, test, err)
			}
			if name == "TestChecklist" && (sub != row.id || !sections[sub]) {
				t.Errorf("%s: %s: no cell of testdata/checklist belongs to this row", row.id, test)
			}
		}
	}
	for _, id := range checklistIDs() {
		if seen[id] != 1 {
			t.Errorf("%s occurs %d times in docs/checklist.md", id, seen[id])
		}
		delete(seen, id)
	}
	if len(seen) > 0 {
		t.Errorf("there are no such rows: %v", seen)
	}
	for id := range sections {
		if !slices.ContainsFunc(rows, func(r checklistRow) bool { return slices.Contains(r.tests, "cmd/kernel TestChecklist/"+id) }) {
			t.Errorf("docs/checklist.md does not name the cells of row %s", id)
		}
	}
}

// checklistSections returns the rows that have cells.
func checklistSections(t *testing.T) map[string]bool {
	ids := map[string]bool{}
	files, err := filepath.Glob("testdata/checklist/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		sections, _ := readChecklist(t, file)
		for _, s := range sections {
			for _, id := range s.ids {
				ids[id] = true
			}
		}
	}
	return ids
}

// goTests are the tests of packages by folder and name.
type goTests map[string]map[string]*ast.FuncDecl

// find returns an error if the package in dir has no test called name, or if the test may skip.
func (ts goTests) find(dir, name string) error {
	if ts[dir] == nil {
		tests, err := parseTests(dir)
		if err != nil {
			return err
		}
		ts[dir] = tests
	}
	fn, ok := ts[dir][name]
	if !ok {
		return fmt.Errorf("%s has no such test", dir)
	}
	return mayNotSkip(fn)
}

func parseTests(dir string) (map[string]*ast.FuncDecl, error) {
	tests := map[string]*ast.FuncDecl{}
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				tests[fn.Name.Name] = fn
			}
		}
	}
	return tests, err
}

func mayNotSkip(fn *ast.FuncDecl) (err error) {
	ast.Inspect(fn, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && strings.HasPrefix(s.Sel.Name, "Skip") && fmt.Sprint(s.X) == "t" {
			err = fmt.Errorf("it may be skipped")
		}
		return true
	})
	return err
}

// checkAllRan reports rows whose cells did not run.
func checkAllRan(t *testing.T, ran map[string]bool) {
	t.Helper()
	for _, row := range readChecklistMap(t) {
		if slices.Contains(row.tests, "cmd/kernel TestChecklist/"+row.id) && !ran[row.id] {
			t.Errorf("%s: its cells did not run", row.id)
		}
	}
}
