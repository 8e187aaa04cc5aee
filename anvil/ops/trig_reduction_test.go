package ops

import (
	"math"
	"math/big"
	"testing"
)

// TestReduceQuarterTurns tests numbers next to multiples of pi/2, where nearly all
// bits cancel. The reduced argument must be exact to about a hundred bits.
func TestReduceQuarterTurns(t *testing.T) {
	for _, multiple := range []float64{1, 2, 3, 4, 7, 355, 710, 1 << 20, 411557987 / 2, 1<<28 + 1} {
		x := multiple * math.Pi / 2
		for range 5 {
			for _, x := range []float64{x, -x, x * 0.93} {
				n, high, low := reduceQuarterTurns(x)
				whole, left := reduceExactly(x)
				left.Sub(left, big.NewFloat(high)).Sub(left, big.NewFloat(low))
				if off, _ := left.Float64(); n != whole || math.Abs(off) > math.Abs(high)*0x1p-95 {
					t.Errorf("%v: %d quarter turns and %v + %v, off by %g; want %d", x, n, high, low, off, whole)
				}
			}
			x = math.Nextafter(x, math.Inf(1))
		}
	}
}

// reduceExactly is reduceQuarterTurns computed with numbers of 1300 bits.
func reduceExactly(x float64) (n int, left *big.Float) {
	exact := new(big.Float).SetPrec(piBits).SetFloat64(x)
	turns, _ := new(big.Float).SetPrec(piBits).Mul(exact, twoOverPi).Float64()
	whole := math.Round(turns)
	off := new(big.Float).SetPrec(piBits).Mul(halfPi, big.NewFloat(whole))
	return int(int64(whole) & 3), off.Sub(exact, off)
}
