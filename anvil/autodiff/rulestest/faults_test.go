package rulestest_test

import (
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/autodiff/rulestest"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
)

// only leaves out all rows but some in Check.
func only(codes ...ir.Code) {
	for _, d := range ops.All() {
		if !slices.Contains(codes, d.Code) {
			rulestest.Kinks[d.Name] = "it is not tested here"
		}
	}
}

// scaled multiplies the derivative of a row with Partial by a factor.
func scaled(c ir.Code, by float64) {
	d := ops.Lookup(c)
	right := d.Partial
	d.Partial = func(b expr.Builder, i int, x []expr.Value, y expr.Value) expr.Value {
		return b.Mul(right(b, i, x, y), by)
	}
}

// A fault is a change of the table of rules, a check of them, and words of what the check prints, all of them or, after
// "not ", none. Without words the check passes.
type fault struct {
	check func(t *testing.T)
	words []string
}

var faults = map[string]fault{
	"all rows": {rulestest.Check, nil},
	"smooth rows": {func(t *testing.T) {
		only(ir.Sinh)
		rulestest.Check(t)
		// of f64 and c128, 35 elements of samples, two of the results of each of two second derivatives
	}, []string{"350 elements of tangents"}},
	"a small part": {func(t *testing.T) {
		only(ir.Erf)
		scaled(ir.Erf, 1+5e-7)
		rulestest.Check(t)
	}, []string{"Erf/f64/", ": tangent ", "not /JVP", "not <ct"}},
	"a rounding error": {func(t *testing.T) {
		only(ir.Erf)
		scaled(ir.Erf, 1+5e-8)
		rulestest.Check(t)
	}, nil},
	"second derivatives": {func(t *testing.T) {
		only(ir.Sinh)
		scaled(ir.Cosh, 2)
		rulestest.Check(t)
	}, []string{"Sinh/f64/", "/JVP of JVP: tangent", "/VJP of VJP: tangent", "not awkward: "}},
	"reverse mode": {func(t *testing.T) {
		only(ir.Neg)
		ops.Lookup(ir.Neg).Transpose = func(_ expr.Builder, _ *ir.Node, _, ct []expr.Value) []expr.Value { return ct }
		rulestest.Check(t)
	}, []string{"Neg/f64/", "Neg/c128/", ": <ct, tangent> is", "not tangent -"}},
	"reverse mode, a rounding error": {func(t *testing.T) {
		only(ir.Neg)
		ops.Lookup(ir.Neg).Transpose = func(b expr.Builder, _ *ir.Node, _, ct []expr.Value) []expr.Value {
			return []expr.Value{b.Mul(ct[0], -1-1e-10)}
		}
		rulestest.Check(t)
	}, []string{"Neg/f64/", ": <ct, tangent> is"}},

	"a kink": {func(t *testing.T) {
		only()
		scaled(ir.Tan, 2)
		rulestest.Check(t)
	}, nil},
	"a kink of a dtype": {func(t *testing.T) {
		only(ir.Tan)
		scaled(ir.Tan, 2)
		rulestest.Kinks["Tan/f64"] = "it is wrong"
		rulestest.Check(t)
	}, []string{"Tan/c128/", "not Tan/f64"}},
	"kinks of both dtypes": {func(t *testing.T) {
		only(ir.Tan)
		rulestest.Kinks["Tan/f64"], rulestest.Kinks["Tan/c128"] = "it is wrong", "it is wrong"
		rulestest.Check(t)
	}, []string{"Tan: no sample has a derivative that can be checked"}},
	"a kink of a sample": {func(t *testing.T) {
		only(ir.Tan)
		scaled(ir.Tan, 2)
		rulestest.Kinks["Tan/awkward"], rulestest.Kinks["Tan/f64/{1}"] = "it is wrong", "it is wrong"
		rulestest.Check(t)
	}, []string{"Tan/f64/{2,3}", "Tan/c128/{1}", "not awkward", "not Tan/f64/{1}"}},

	"a batch of the wrong shape": {func(t *testing.T) {
		d := ops.Lookup(ir.Reverse)
		right := d.Batch
		d.Batch = func(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
			y := right(b, n, size, x, batched)[0]
			return []expr.Value{b.Do(ir.Reshape, ir.ReshapeAttrs{Shape: append(y.Shape().Clone(), 1).Dims()}, y)}
		}
		rulestest.CheckBatch(t, d)
	}, []string{"want 3 lanes of"}},
	"a batch that ignores lanes": {func(t *testing.T) {
		d := ops.Lookup(ir.Sub)
		right := d.Batch
		d.Batch = func(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
			if batched[0] && batched[1] {
				x = []expr.Value{x[1], x[0]}
			}
			return right(b, n, size, x, batched)
		}
		rulestest.CheckBatch(t, d)
	}, []string{`Sub: sample "awkward" of i2, lanes [true true]`, "result 0 is ["}},
	"a batch that fails": {func(t *testing.T) {
		d := ops.Lookup(ir.Reverse)
		d.Batch = nil
		rulestest.CheckBatch(t, d)
	}, []string{"Reverse"}},
	"batches": {func(t *testing.T) {
		for _, c := range []ir.Code{ir.Sub, ir.Select, ir.Clamp, ir.Gather, ir.Scatter, ir.If, ir.While, ir.Scan, ir.DynamicUpdateSlice} {
			rulestest.CheckBatch(t, ops.Lookup(c))
		}
	}, nil},
}

// TestFault makes the check of a fault where TestFaultsAreNoticed runs it.
func TestFault(t *testing.T) {
	if f, ok := faults[os.Getenv("GOANVIL_TEST_FAULT")]; ok {
		f.check(t)
	}
}

// TestFaultsAreNoticed checks what the checks of faults print.
func TestFaultsAreNoticed(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(faults)) {
		cmd := exec.Command(os.Args[0], "-test.run=^TestFault$", "-test.v")
		cmd.Env = append(os.Environ(), "GOANVIL_TEST_FAULT="+name)
		out, err := cmd.CombinedOutput()
		text, words := string(out), faults[name].words
		passes := len(words) == 0 || strings.HasSuffix(words[0], "elements of tangents")
		if (err == nil) != passes || strings.Contains(text, "panic: ") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
		for _, word := range words {
			if word, not := strings.CutPrefix(word, "not "); strings.Contains(text, word) == not {
				t.Errorf("%s: %q in it: %t\n%s", name, word, !not, text)
			}
		}
	}
}
