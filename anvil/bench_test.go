package anvil_test

import (
	"strconv"
	"sync"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
)

// BenchmarkAdd4 measures an eager addition of f32[4], with waiting for the result.
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

// BenchmarkPromotingAdd measures the eager addition of two tensors, with waiting
// for the result, in each system: of one dtype, and of two dtypes.
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

// BenchmarkRecord measures an eager addition whose result is not read.
func BenchmarkRecord(b *testing.B) {
	c := nv.NewContext(nv.ContextOptions{})
	x, y := c.New([]float64{1, 2, 3, 4}), c.New([]float64{10, 20, 30, 40})
	b.ReportAllocs()
	for b.Loop() {
		x.Add(y)
	}
}

// BenchmarkJitCall measures a call of a compiled function.
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

// BenchmarkTraceAndLower measures tracing a function of n operations and writing
// its program, and reports the time per operation.
func BenchmarkTraceAndLower(b *testing.B) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	x := c.New([]float64{1, 2, 3})
	for _, n := range []int{10, 100, 1000, 10_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				c.Lower(func(x nv.Tensor) nv.Tensor { return mixedOps(x, n) }, x).StableHLO()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/operation")
		})
	}
}

// BenchmarkColdPrograms measures compiling two programs, one after the other and
// at the same time.
func BenchmarkColdPrograms(b *testing.B) {
	n := 0
	fresh := func(c *nv.Context) nv.Tensor {
		n++
		x := c.Ones(nv.Shape{1000 + n, 50})
		return x.Tanh().MatMul(x.Exp().Transpose()).Sum()
	}
	c := nv.NewContext(nv.ContextOptions{Compiled: true, NoCache: true})
	wait := func(x nv.Tensor) {
		if err := x.Wait(); err != nil {
			b.Error(err)
		}
	}
	b.Run("one after the other", func(b *testing.B) {
		for b.Loop() {
			wait(fresh(c))
			wait(fresh(c))
		}
	})
	b.Run("at the same time", func(b *testing.B) {
		for b.Loop() {
			x, y := fresh(c), fresh(c)
			var wg sync.WaitGroup
			wg.Go(func() { wait(x) })
			wg.Go(func() { wait(y) })
			wg.Wait()
		}
	})
}

// BenchmarkHundred measures a chain of a hundred operations on f32[1000] whose result is read.
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
