package ops

import (
	"math"
	"math/big"
	"testing"
)

// TestPow checks that powers are within two units in the last place. The exponents are
// multiples of 1/8, so that square roots of 300 bits give the exact result.
func TestPow(t *testing.T) {
	for _, x := range []float64{3, 10, 0.1, 1.0000001, 0.999, 7.3, 1e-30, 1e30, 3.6e100, 2.5e-200, math.MaxFloat64} {
		for eighths := -2000; eighths <= 2000; eighths += 13 {
			y := float64(eighths) / 8
			want := exactPower(x, eighths)
			if math.Abs(want) < 0x1p-1000 || math.IsInf(want, 0) {
				continue
			}
			if got := powFloat(x, y); math.Abs(got-want) > 2*(math.Nextafter(want, math.Inf(1))-want) {
				t.Errorf("%v to the power %v is %v, want %v", x, y, got, want)
			}
		}
	}
}

// exactPower returns x to the power n/8.
func exactPower(x float64, n int) float64 {
	root := new(big.Float).SetPrec(300).SetFloat64(x)
	for range 3 {
		root.Sqrt(root)
	}
	r := new(big.Float).SetPrec(300).SetInt64(1)
	for range max(n, -n) {
		r.Mul(r, root)
	}
	if n < 0 {
		r.Quo(big.NewFloat(1), r)
	}
	f, _ := r.Float64()
	return f
}

// TestPowEdges tests powers that IEEE 754 specifies, and exact powers of integers.
func TestPowEdges(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range [][3]float64{{3, 2, 9}, {10, 22, 1e22}, {2, -3, 0.125}, {-2, 3, -8}, {-2, 4, 16}, {0, 0, 1}, {2, 1023, 0x1p1023}, {2, 1024, inf},
		{2, -1074, 0x1p-1074}, {-8, 1. / 3, nan}, {1.5, 1e300, inf}, {0.5, 1e300, 0}, {inf, -1, 0}, {-1, 1e20, 1}, {-1, inf, 1}, {2, 0.5, math.Sqrt2},
		{7, -1, 1. / 7}, {-3, 0x1p53, inf}, {nan, 0, 1}, {0, -1, inf}, {-inf, 3, -inf}} {
		if got := powFloat(c[0], c[1]); got != c[2] && !(math.IsNaN(got) && math.IsNaN(c[2])) {
			t.Errorf("%v to the power %v is %v, want %v", c[0], c[1], got, c[2])
		}
	}
}
