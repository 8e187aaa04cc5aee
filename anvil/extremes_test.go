package anvil_test

import (
	"math"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestExtremes checks that results near the greatest and least numbers of a dtype do not wrap around.
func TestExtremes(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	low := c.New([]int64{math.MinInt64, math.MinInt64, 6}, nv.I64)
	want(t, c.Gcd(low, c.New([]int64{-6, math.MinInt64 + 1, math.MinInt64})), "i64{3} [2 1 2]")
	want(t, c.Lcm(c.New([]int8{-128, 3}), c.New([]int8{1, -42})), "i8{2} [-128 42]")
	at := c.New([]int8{4, 100})
	want(t, c.RavelMultiIndex([]nv.Tensor{at, c.New([]int8{0, 3})}, nv.Shape{101, 4}), "i64{2} [16 403]")
	want(t, c.RavelMultiIndex([]nv.Tensor{at}, nv.Shape{128}), "i8{2} [4 100]")
	want(t, c.Stack(0, anys(c.UnravelIndex(at, nv.Shape{3, 200}))...), "i8{2,2} [0 0 4 100]")
	want(t, c.RFFTFreq(2, 0.25), "f32{2} [0 2]")
	want(t, c.FFTFreq(2, 0.25), "f32{2} [0 -2]")
}
