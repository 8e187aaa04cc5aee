package host

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestLowIsSeenAnywhere checks that a single number below the normal ones is found at any
// position of vectors of even and odd length, and that none is found if there is none.
func TestLowIsSeenAnywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		xs, ys := make([]float32, 1+r.IntN(9)), make([]float64, 1+r.IntN(9))
		for i := range xs {
			xs[i] = math.Float32frombits(r.Uint32() | 0x0080_0000)
		}
		for i := range ys {
			ys[i] = math.Float64frombits(r.Uint64() | 1<<52)
		}
		if hasZeroExponent32(xs) || hasZeroExponent64(ys) {
			t.Fatalf("%v %v", xs, ys)
		}
		sign := r.Uint32() &^ (1<<31 - 1)
		xs[r.IntN(len(xs))] = math.Float32frombits(sign | r.Uint32N(0x0080_0000))
		ys[r.IntN(len(ys))] = math.Float64frombits(uint64(sign)<<32 | r.Uint64N(1<<52))
		if !hasZeroExponent32(xs) || !hasZeroExponent64(ys) {
			t.Fatalf("%v %v", xs, ys)
		}
	}
}
