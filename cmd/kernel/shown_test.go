package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/xla"
)

// TestValuesSayWhatTheyAre tests that the values of cells, and %who, describe a value by
// its use and not by its fields.
func TestValuesSayWhatTheyAre(t *testing.T) {
	f := newFront(t, "reference")
	f.contains("a setting", f.text("restore := backend.Set(\"torch\")\nrestore"), "to undo it, keep this function")
	f.want("restore(); backend.Active().Name", `""`)
	f.want("random.New(42)", "random.Stream with the key [0 42]")
	f.text("type P struct{ W nv.Tensor }\nps := []P{}\nr := random.New(1)\nm := map[string]nv.Tensor{}\nlib := nv.With(promote.Torch)")
	f.contains("%who", f.run("%who").stdout, "P  type struct{W nv.Tensor}\n", "ps  []P  0 elements\n", "r  *random.Stream\n", "m  map[string]nv.Tensor  0 keys\n",
		"lib  *nv.Lib\n", "restore  backend.Restore\n")
}

// TestReasonsOfTensors tests that Why names the rule that gave the dtype of operations,
// casts and constructors.
func TestReasonsOfTensors(t *testing.T) {
	f := newFront(t, "reference")
	f.text("i := nv.New([]int32{1, 2, 3})")
	for code, want := range map[string]string{
		"i.Sum()":                          "1. Sum of i32: i32 (reduction: anvil's reductions keep the dtype; the result is ambiguous (?) if the operand is)",
		"i.Sum(nv.Accumulate(nv.F64))":     "Sum of i32 as f64: f64 (asked for: the operation was called with this dtype or ambiguity)",
		"i.Mean()":                         "Mean of i32: f32? (mean: the sum divided by the count, which is a float literal)",
		"nv.Exp(i)":                        "Exp of f32?: f32? (function of reals: it is computed in floats)",
		"i.AsType(nv.F64)":                 "i32 as f64: f64 (converted: AsType converts to the given dtype, which is then known)",
		"i.Reshape(nv.Shape{3, 1})":        "(keeps the dtype: elements are moved, not computed: dtype and ambiguity stay)",
		"nv.Diff(i, 1)":                    "(first operand: neighbours are subtracted at their own dtype)",
		"i[1]":                             "(first operand: elements are selected by index and keep their dtype)",
		"i < 2":                            "Lt at i32: i1 (truth: a comparison is a bool; it is ambiguous only if both operands are)",
		"nv.Scalar(1) < 2":                 "i1? (truth, ambiguous: a comparison is a bool; it is ambiguous because both operands are)",
		"nv.Zeros(nv.Shape{2})":            "(made: no number is given: the system's default float, known)",
		"nv.Zeros(nv.Shape{2}, nv.I8)":     "(asked for: the constructor was called with this dtype or ambiguity)",
		"nv.Scalar(1)":                     "1. a number, i32?: i32? (literal: a plain Go number has no dtype of its own; by itself it counts as i32)",
		"nv.With(promote.Torch).Sum(i)":    "i64",
		"nv.With(promote.JAX).Add(i, 2.5)": "i32 -> i64 -> f*: f32? (climb: ",
	} {
		f.contains(code, f.text("nv.Why("+code+")"), want)
	}
	f.contains("a number too great", f.text("promote.Anvil.Explain(nv.I8, 300)"), "no result (number out of range: i8 holds -128 to 127, not 300: an error under anvil)")
	f.contains("one that wraps", f.text("promote.Torch.Explain(nv.I8, 300)"), "300 at i8: i8 (number beyond the dtype: i8 holds -128 to 127: 300 becomes 44 there, without an error)")
}

// TestDrawingsHaveNames tests that drawn programs show parameters by their names in the cell, and
// literals by their values.
func TestDrawingsHaveNames(t *testing.T) {
	f := newFront(t, "reference")
	f.text(`type net struct{ W, B nv.Tensor }
w := nv.New([]float64{1, 2, 3})
loss := func(m net, x nv.Tensor) nv.Tensor { return (x*m.W*w + m.B*2.5).Sum() }
m := net{w + 1, w}`)
	label := regexp.MustCompile(`fill="#1f2937" stroke="none">([^<]*)</text>`)
	for code, want := range map[string][]string{
		"nv.Lower(loss, m, w)":          {"m.W", "m.B", "x", "w", "2.5"},
		"nv.Lower(loss, m, w).Graph()":  {"m.W", "m.B", "x", "w", "2.5"},
		"nv.Lower(nv.Grad(loss), m, w)": {"m.B", "x", "w", "2.5"},
	} {
		var labels []string
		for _, m := range label.FindAllStringSubmatch(fmt.Sprint(f.run(code).result["image/svg+xml"]), -1) {
			labels = append(labels, m[1])
		}
		for _, w := range want {
			if !slices.Contains(labels, w) {
				t.Errorf("%s: %q is not among %q", code, w, labels)
			}
		}
		if slices.Contains(labels, "x1") {
			t.Errorf("%s: %q", code, labels)
		}
	}
}

// TestTextsAreCompleted tests the completion of strings that have few possible values.
func TestTextsAreCompleted(t *testing.T) {
	f := newFront(t, "reference")
	f.completes(`backend.Set("`, "torch")
	f.completes(`restore := backend.Set("to`, "torch")
	f.completes(`promote.ByName("ivy-`, "ivy-fast")
	f.completes("%promotion to", "torch")
	f.completes("%%compare torch j", "jax64")
	f.text(`table := nv.NewTable([]string{"length", "width", "species"}, []float64{1}, []float64{2}, []string{"setosa"})
weights := map[string]nv.Tensor{"bias": nv.Scalar(1), "kernel": nv.Scalar(2)}`)
	f.completes(`x := table.Col("`, "species")
	f.completes(`table.Matrix("length", "wi`, "width")
	f.completes(`weights["`, "kernel")
	f.completes(`y := 2*weights["b`, "bias")
	if r, err := f.client.Complete(t.Context(), `fmt.Println("to`, 15); err != nil || len(r.Matches) != 0 {
		t.Errorf("a text completes to %q, %v", r.Matches, err)
	}
}

// TestSetupTargets tests that setup refuses unknown targets, and several at once, before it
// fetches anything.
func TestSetupTargets(t *testing.T) {
	if err := setupTarget(nil, []string{"tpu"}); err == nil || err.Error() != "setup has no plugin for tpu, only for cpu, cuda12, cuda13. To use another PJRT plugin, name its file in GOANVIL_PJRT_PLUGIN or --plugin" {
		t.Error(err)
	}
	if err := setupTarget(nil, []string{"cpu", "cuda12"}); err == nil {
		t.Error("two targets at once")
	}
	if setupTarget(nil, nil) != nil || setupTarget(nil, []string{"cuda13"}) != nil || xla.Lacks("cpu") != "" {
		t.Error("refused what can be fetched")
	}
}

// TestTablesAreShown makes a table in a cell, shows it, and uses its columns.
func TestTablesAreShown(t *testing.T) {
	f := newFront(t, "reference")
	path := filepath.Join(t.TempDir(), "iris.csv")
	if err := os.WriteFile(path, []byte("length,species\n5.1,setosa\n,setosa\n7.0,\"versi\ncolor\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.want("t := nv.Must(nv.ReadCSV("+strconv.Quote(path)+"))\nt", "length            species\nfloats, 1 missing texts\n5.1               setosa\n-                 setosa\n7.0               versi color\n[3 rows, 2 columns]")
	f.want("t.Col(\"species\")", "species: 3 texts\nsetosa\nsetosa\nversi\ncolor")
	f.want("t.Matrix(\"length\").DType()", "f64")
	f.contains("a page", fmt.Sprint(f.run("t").result["text/html"]), "<th style=\"text-align:right\">length<br><code>floats, 1 missing</code></th>", "<td style=\"text-align:right\">setosa</td>")
	f.refused("t.Matrix(\"species\")", `Tensor("species"): the column has texts, not numbers: "setosa" at line 2, byte 5; the method Texts returns them, `+
		`and Codes encodes them as integers; if "setosa" means that a value is missing, give nv.CSV{Missing: []string{"", "setosa"}}`)
	f.refused("t.Col(\"lenght\")", `Col("lenght"): there is no such column; the columns are "length", "species"`)
	f.refused("nv.Mean(t.Col(\"length\"))", `Mean(*nv.Column): a column is not a tensor; write t.Col("length").Tensor()`)
	f.refused("t.Col(\"length\") * 2", `invalid operation: t.Col("length") * 2 (mismatched types *nv.Column and untyped int); `+
		`a column is not a tensor; write t.Col("length").Tensor() * 2`)
	page := fmt.Sprintf("%+v", f.run("t?").Payload)
	f.contains("help of a table", page, "A Table is a list of named columns of equal length, as ReadCSV returns it.")
	if strings.Contains(page, "iris") {
		t.Errorf("help of a table runs sentence and example together: %s", page)
	}
	f.completes("t.Ma", "Matrix")
	f.completes(`t.Col("l`, "length")
	f.completes(`t.GroupBy("`, "species")
	f.completes(`t.Sort("length", "s`, "species")
	f.completes(`t.Take(0).GroupBy("species").Mean("le`, "length")
	f.contains("a drawing", fmt.Sprint(f.run("chart.Line([]float64{1, 4})").result["text/html"]), `<img alt="plot: x 0 to 1, y 1 to 4" src="data:image/svg+xml;base64,`)
	f.contains("statistics", f.text("t.Describe()"), "count missing mean   std      min    25%    50%    75%    max\ntexts   ints  ints    floats floats   floats floats floats floats floats")
	if a := f.run("nv.Linspace(0, 1, 6).Reshape(nv.Shape{2, 3}).Image()"); a.result["image/png"] == nil || a.result["text/plain"] != "image 3 x 2" {
		t.Errorf("a picture shows %v", a.result)
	}
}
