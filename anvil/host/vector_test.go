package host

import (
	"math"
	"testing"
)

// TestVectors compares arithmetic by vector instructions, on lists of several lengths, with Go's loops, in which
// subnormal numbers among the operands and results are set to 0.
func TestVectors(t *testing.T) {
	const least = 0x1p-126
	some := []float32{1, -2.5, 0, float32(math.Copysign(0, -1)), 3e38, -3e38, least, -least, least / 2, -least / 4,
		float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 1.1, 7, 1e-30, -1e-20}
	for c, f := range vectors32 {
		for n := range 40 {
			x, y, out := make([]float32, n+1), make([]float32, n+1), make([]float32, n+1)
			for i := range x {
				x[i], y[i] = some[(i*5+n)%len(some)], some[(i*3+7*n)%len(some)]
			}
			f(&out[0], &x[0], &y[0], n)
			flush32(x)
			flush32(y)
			for i := range n {
				want := make([]float32, 1)
				float2[float32](c)(want, x[i:i+1], y[i:i+1])
				flush32(want)
				if got := out[i]; math.Float32bits(got) != math.Float32bits(want[0]) && (got == got || want[0] == want[0]) {
					t.Fatalf("%v(%v, %v) = %v, not %v", c, x[i], y[i], got, want[0])
				}
			}
			if out[n] != 0 {
				t.Fatalf("%v of %d elements writes an element too many", c, n)
			}
		}
	}
	for c, f := range vectors64 {
		x, y, out, want := make([]float64, 23), make([]float64, 23), make([]float64, 23), make([]float64, 23)
		for i := range x {
			x[i], y[i] = float64(some[i%len(some)]), float64(some[i*3%len(some)])
		}
		x[1], y[2] = 0x1p-1030, -0x1p-1040
		f(&out[0], &x[0], &y[0], len(out))
		flush64(x)
		flush64(y)
		float2[float64](c)(want, x, y)
		flush64(want)
		for i, v := range want {
			if math.Float64bits(out[i]) != math.Float64bits(v) && (v == v || out[i] == out[i]) {
				t.Errorf("%v(%v, %v) = %v, not %v", c, x[i], y[i], out[i], v)
			}
		}
	}
	if half := float32(least) / 2 * float32(len(some)) / float32(len(some)); half == 0 && len(vectors32) > 0 {
		t.Error("the processor still flushes subnormal numbers after the call")
	}
}
