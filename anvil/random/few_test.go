package random_test

import (
	"math"
	"slices"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/random"
)

// TestFewDraws checks that words hashed in Go have the same bits as words computed as tensors.
func TestFewDraws(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	key := random.In(c).Key(42)
	computed := random.Words(key.Data.Add(c.Zeros(nv.Shape{2}, nv.U32)))
	for _, s := range []nv.Shape{{}, {0}, {1}, {2, 3}, {1024}, {1025}} {
		for _, d := range []nv.DType{nv.U8, nv.U16, nv.U32, nv.U64} {
			got, want := random.Bits(key, s, d), random.Bits(computed, s, d)
			if !got.Shape().Equal(s) || got.DType() != d || !slices.Equal(nv.Values[uint64](got), nv.Values[uint64](want)) {
				t.Errorf("%v of %v: %v, want %v", s, d, got, want)
			}
		}
		for name, draw := range map[string]func(random.PRNGKey) nv.Tensor{
			"RandInt":   func(k random.PRNGKey) nv.Tensor { return random.RandInt(k, s, -5, 1000) },
			"Uniform":   func(k random.PRNGKey) nv.Tensor { return random.Uniform(k, s, nv.F64) },
			"Bernoulli": func(k random.PRNGKey) nv.Tensor { return random.Bernoulli(k, 0.3, s) },
		} {
			if got, want := nv.Values[float64](draw(key)), nv.Values[float64](draw(computed)); !slices.Equal(got, want) {
				t.Errorf("%s of %v: %v, want %v", name, s, got, want)
			}
		}
	}
}

// TestAllIntegers checks that RandInt draws from all numbers of the dtype under systems that differ in x%0.
func TestAllIntegers(t *testing.T) {
	var want []int32
	for _, sys := range []*promote.System{promote.Anvil, promote.NumPy, promote.JAX64, promote.TensorFlow} {
		c := nv.NewContext(nv.ContextOptions{Backend: "reference", System: sys})
		got := nv.Values[int32](random.RandInt(random.In(c).Key(1), nv.Shape{4}, math.MinInt32, 1<<31, nv.I32))
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) || slices.Max(got) == slices.Min(got) {
			t.Errorf("%s: %v, want %v", sys, got, want)
		}
	}
}

// TestFewDrawsAreShort: a draw of one number records no rounds of Threefry.
func TestFewDrawsAreShort(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	key := random.In(c).Key(1)
	if n := testing.AllocsPerRun(10, func() { random.Uniform(key, nv.Shape{}) }); n > 150 {
		t.Error(n, "allocations")
	}
}
