package ops_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
)

func TestEveryCodeHasOneRow(t *testing.T) {
	rows := map[ir.Code]int{}
	for _, d := range ops.All() {
		rows[d.Code]++
	}
	for c := ir.Invalid + 1; c < ir.NumCodes; c++ {
		if rows[c] != 1 {
			t.Errorf("%v has %d rows", c, rows[c])
		}
	}
	if ops.Lookup(ir.NumCodes) != nil || ops.Lookup(ir.Invalid) != nil {
		t.Error("Lookup returns a row for an invalid code")
	}
}

func TestRowsAreComplete(t *testing.T) {
	for _, d := range ops.All() {
		if d.Name != d.Code.String() {
			t.Errorf("%v is called %q", d.Code, d.Name)
		}
		if d.Infer == nil || d.Lower == nil || d.Eval == nil {
			t.Errorf("%s lacks a rule", d.Name)
		}
		if !strings.HasPrefix(d.Doc, d.Name+" returns ") || !strings.HasSuffix(d.Doc, ".") {
			t.Errorf("%s: the first sentence does not say what the result is: %q", d.Name, d.Doc)
		}
		if len(d.Accepts) != len(d.Params) {
			t.Errorf("%s accepts %d operands and names %d", d.Name, len(d.Accepts), len(d.Params))
		}
	}
}

// TestAccepts compares the dtypes that each row accepts with testdata/accepts.txt,
// which has the words of the specification.
func TestAccepts(t *testing.T) {
	spec := readSpecification(t)
	for _, d := range ops.All() {
		for i, param := range d.Params {
			words, ok := spec[d.Name+" "+param]
			if !ok {
				t.Errorf("testdata/accepts.txt has no line for %s %s", d.Name, param)
				continue
			}
			delete(spec, d.Name+" "+param)
			want := dtypesNamed(t, words)
			for _, dt := range dtype.All() {
				if d.Takes(i, dt) != slices.Contains(want, dt) {
					t.Errorf("%s %s: accepts %v: %v; the specification says %q", d.Name, param, dt, d.Takes(i, dt), words)
				}
			}
		}
	}
	for line := range spec {
		t.Errorf("testdata/accepts.txt: no row has %s", line)
	}
}

// readSpecification returns the lines "Op operand: words".
func readSpecification(t *testing.T) map[string]string {
	data, err := os.ReadFile("testdata/accepts.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]string{}
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "#")
		if key, words, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			lines[key] = words
		}
	}
	return lines
}

// dtypesNamed returns the dtypes that words of the specification name.
func dtypesNamed(t *testing.T, words string) []dtype.DType {
	classes := map[string]dtype.Kind{"tensor": dtype.Any, "boolean": dtype.Boolean, "integer": dtype.Integral,
		"signed integer": dtype.Signed, "floating-point": dtype.Floating, "complex": dtype.Complex, "real": dtype.Real | dtype.Boolean}
	var ds []dtype.DType
	for word := range strings.SplitSeq(words, ", ") {
		if k, ok := classes[word]; ok {
			ds = append(ds, k.DTypes()...)
			continue
		}
		d, err := dtype.Parse(word)
		if err != nil {
			t.Fatalf("testdata/accepts.txt: %q", words)
		}
		ds = append(ds, d)
	}
	return ds
}
