package anvil_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/ops"
)

// elsewhere lists, by reason, functions that have no answer of another system in a
// line of testdata. otherFamilies lists whole families of such functions.
var elsewhere = map[string]string{
	"values of Go, and moves": "From Lit New Scalar ToDevice AsType Item ItemAny Values ValuesAny PromoteToCommon",
	"options": "Only Range Clipped Weights Within Accumulate Precision Ord Antialias FFTLength FFTNorm AttentionMask AttentionScale " +
		"Delta Epsilon LabelSmoothing ClassWeights Reduction Blank InputLengths LabelLengths",
}

// otherFamilies are the sections of docs/operations.md that are not about
// numbers: programs, files and promotion.
var otherFamilies = map[string]bool{"Control flow and programs": true, "Data": true, "Dtypes and systems": true}

var documented = regexp.MustCompile("^- `([A-Za-z0-9]+)\\(")

// TestEveryFunctionIsCompared checks that each function is compared with other
// systems: as a row of the op table, by package reference, or by a file of testdata
// with their answers.
func TestEveryFunctionIsCompared(t *testing.T) {
	compared := map[string]bool{}
	for _, d := range ops.All() {
		compared[d.Name] = true
	}
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			compared[name] = true
		}
	}
	excepted := map[string]bool{}
	for _, names := range elsewhere {
		for _, name := range strings.Fields(names) {
			excepted[name] = true
		}
	}
	page, err := os.ReadFile("../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	section, functions := "", 0
	for line := range strings.Lines(string(page)) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			section = strings.TrimSpace(title)
		}
		m := documented.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		functions++
		if !compared[m[1]] && !excepted[m[1]] && !otherFamilies[section] {
			t.Errorf("%s has neither a row nor a line of another system's answers; add it to a generator of testdata, such as elementary.py", m[1])
		}
		delete(excepted, m[1])
	}
	if functions < 300 {
		t.Error("docs/operations.md lists ", functions, " functions")
	}
	for name := range excepted {
		t.Errorf("%s is not a function in docs/operations.md", name)
	}
}
