package anvil

import (
	"math"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
)

// TestSummaryOnDevice compares the summary that the device computes with that computed in host memory.
func TestSummaryOnDevice(t *testing.T) {
	c := NewContext(ContextOptions{Compiled: true})
	defer c.Close()
	values := []float64{1, -2.5, 70000, 1e-9, 3e-8, math.NaN(), math.Inf(1), 0, 464, 465, 1e-42, -1e30, 448}
	for _, x := range []Tensor{
		c.From(values), c.From(values).AsType(F32), c.From(values).AsType(F16), c.From(values).AsType(BF16),
		c.Arange(60).Reshape(Shape{3, 4, 5}), c.Arange(7).AsType(I4), c.Arange(7).Lt(3), c.From([]complex64{3 + 4i, 1}),
		c.Full(Shape{3}, math.Inf(-1)), c.Full(Shape{4}, 2.5),
	} {
		got, err := x.summaryOnDevice()
		if err != nil {
			t.Fatal(err)
		}
		want, err := c.Zeros(Shape{}).Summary()
		if err != nil || want.Count != 1 {
			t.Fatal(want, err)
		}
		if want, err = x.Summary(); err != nil {
			t.Fatal(err)
		}
		near := func(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-9*math.Abs(a) || a != a && b != b }
		if got.Count != want.Count || got.NaN != want.NaN || got.Infinite != want.Infinite || got.Bins != want.Bins ||
			!near(got.Min, want.Min) || !near(got.Max, want.Max) || !near(got.Mean, want.Mean) || !near(got.Deviation, want.Deviation) {
			t.Errorf("%v: %+v, want %+v", x.Type(), got, want)
		}
		if len(got.Casts) != len(want.Casts) {
			t.Fatalf("%v: %v, want %v", x.Type(), got.Casts, want.Casts)
		}
		for i, w := range want.Casts {
			if got.Casts[i] != w {
				t.Errorf("%v: %+v, want %+v", x.Type(), got.Casts[i], w)
			}
		}
	}
}

// TestSummaryIsNotCopied: a summary neither copies the elements nor compiles a program, and
// it is kept for a large tensor.
func TestSummaryIsNotCopied(t *testing.T) {
	c := NewContext(ContextOptions{NoCache: true})
	defer c.Close()
	x := c.Linspace(0, 1, 1_000_000, dtype.F32).Reshape(Shape{1000, 1000})
	if err := x.Wait(); err != nil {
		t.Fatal(err)
	}
	before := c.Stats()
	s, err := x.Summary()
	if err != nil || s.Count != 1_000_000 || math.Abs(s.Mean-0.5) > 1e-6 || s.Casts[0].Round == 0 {
		t.Errorf("%+v, %v", s, err)
	}
	after := c.Stats()
	if after.BytesToHost != before.BytesToHost || after.Compiles != before.Compiles || after.Launches != before.Launches {
		t.Errorf("before %v\nafter %v", before, after)
	}
	if _, found := c.summaries.find(x.t); !found {
		t.Error("it is not kept")
	}
}
