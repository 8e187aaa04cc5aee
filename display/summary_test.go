package display

import (
	"math"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// summaryOf returns the summary in the page of x, without markup.
func summaryOf(t *testing.T, x nv.Tensor) string {
	page, err := summaryHTML(x)
	if err != nil {
		t.Fatal(err)
	}
	if faults := lint(page); faults != nil {
		t.Error(faults)
	}
	return strings.Join(strings.Fields(stripped(page)), " ")
}

// TestSummaryOfTensors checks the line below a tensor for each kind of dtype.
func TestSummaryOfTensors(t *testing.T) {
	ctx := newContext()
	halves := ctx.Arange(12).Mul(0.5)
	for _, c := range []struct {
		x    nv.Tensor
		want string
	}{
		{ctx.Arange(10), ""},
		{ctx.Arange(12), "12 elements · 0 to 11 · mean 5.5 · deviation 3.452 · ███ ██ ██ ██ ███"},
		{ctx.Ones(nv.Shape{3, 5}, nv.I8), "15 elements · all 1"},
		{ctx.Arange(12).Lt(5), "12 elements · 5 true"},
		{ctx.Ones(nv.Shape{12}, nv.C64), "12 elements · magnitude all 1"},
		{ctx.Full(nv.Shape{12}, math.NaN()), "12 elements · 12 NaN"},
		{halves, "12 elements · 0 to 5.5 · mean 2.75 · deviation 1.726 · ███ ██ ██ ██ ███ cast to f16 : exact " +
			"cast to bf16 : exact cast to f8e4m3fn : exact cast to f8e5m2 : 2 rounded"},
		{nv.Concatenate(0, halves, ctx.New([]float64{70000, 1e-9, math.Inf(-1), 0.1})), "16 elements · 1 infinite · 0 to 70000 · " +
			"mean 4669 · deviation 1.746e+04 · █ ▁ cast to f16 : 1 overflowed, 1 flushed to 0, 1 rounded cast to bf16 : 3 rounded " +
			"cast to f8e4m3fn : 1 overflowed, 1 flushed to 0, 1 rounded cast to f8e5m2 : 1 overflowed, 1 flushed to 0, 3 rounded"},
		{ctx.Zeros(nv.Shape{1 << 13, 1 << 12}, nv.I1), "33554432 elements; x.Summary() describes them"},
	} {
		if got := summaryOf(t, c.x); got != c.want {
			t.Errorf("%v: %s\nwant %s", c.x.Type(), got, c.want)
		}
	}
}
