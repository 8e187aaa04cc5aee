package anvil_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
)

// BenchmarkAdd4 is an eager addition of f32[4], awaited.
func BenchmarkAdd4(b *testing.B) {
	c := nv.NewContext(nv.ContextOptions{})
	x, y := c.New([]float64{1, 2, 3, 4}), c.New([]float64{10, 20, 30, 40})
	if err := x.Add(y).Wait(); err != nil {
		b.Fatal(err)
	}
	before := c.Stats()
	b.ReportAllocs()
	for b.Loop() {
		if err := x.Add(y).Wait(); err != nil {
			b.Fatal(err)
		}
	}
	after := c.Stats()
	if after.Launches-before.Launches < int64(b.N) || after.Compiles != before.Compiles {
		b.Fatal(after.Launches-before.Launches, "launches")
	}
	b.ReportMetric(float64(after.Launches-before.Launches)/float64(b.N), "launches/op")
}

// BenchmarkPromotingAdd is the eager addition of two tensors, awaited, in each
// system: of one dtype, which promotion only looks at, and of two.
func BenchmarkPromotingAdd(b *testing.B) {
	c := nv.NewContext(nv.ContextOptions{})
	x, y := c.New([]float64{1, 2, 3, 4}), c.New([]float64{10, 20, 30, 40})
	h := c.New([]float64{1, 2, 3, 4}, nv.F16)
	for _, s := range []*promote.System{promote.Anvil, promote.Torch, promote.JAX, promote.NumPy} {
		lib := c.With(s)
		for _, with := range []struct {
			name string
			y    nv.Tensor
		}{{"same", y}, {"mixed", h}} {
			b.Run(s.Name()+"/"+with.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := lib.Add(x, with.y).Wait(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkRecord is an eager addition that is not looked at.
func BenchmarkRecord(b *testing.B) {
	c := nv.NewContext(nv.ContextOptions{})
	x, y := c.New([]float64{1, 2, 3, 4}), c.New([]float64{10, 20, 30, 40})
	b.ReportAllocs()
	for b.Loop() {
		x.Add(y)
	}
}

// BenchmarkJitCall is a call of a compiled function.
func BenchmarkJitCall(b *testing.B) {
	c := nv.NewContext(nv.ContextOptions{})
	x, y := c.New([]float64{1, 2, 3, 4}), c.New([]float64{10, 20, 30, 40})
	f := nv.Jit(func(x, y nv.Tensor) nv.Tensor { return x.Add(y) })
	b.ReportAllocs()
	for b.Loop() {
		if err := f(x, y).Wait(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkHundred is a chain of a hundred operations on f32[1000], read.
func BenchmarkHundred(b *testing.B) {
	c := nv.NewContext(nv.ContextOptions{})
	x := c.Ones(nv.Shape{1000})
	b.ReportAllocs()
	for b.Loop() {
		y := x
		for range 50 {
			y = y.Mul(x).Add(x)
		}
		if err := y.Wait(); err != nil {
			b.Fatal(err)
		}
	}
}
