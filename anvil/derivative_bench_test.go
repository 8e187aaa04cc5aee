package anvil_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// fiveOperations is the function of the benchmarks: five operations.
func fiveOperations(x nv.Tensor) nv.Tensor {
	return nv.Sum(nv.Mul(nv.Tanh(nv.Add(nv.Mul(x, x), x)), x))
}

func BenchmarkEagerGradient(b *testing.B) {
	x := nv.New([]float64{1, 2, 3, 4})
	g := nv.Grad(fiveOperations)
	for b.Loop() {
		g(x).Wait()
	}
}

func BenchmarkEagerGradientOfGradient(b *testing.B) {
	x := nv.New([]float64{1, 2, 3, 4})
	g := nv.Grad(func(x nv.Tensor) nv.Tensor { return nv.Sum(nv.Grad(fiveOperations)(x)) })
	for b.Loop() {
		g(x).Wait()
	}
}

func BenchmarkJittedGradient(b *testing.B) {
	x := nv.New([]float64{1, 2, 3, 4})
	g := nv.JitAny(nv.Grad(fiveOperations)).(func(nv.Tensor) nv.Tensor)
	for b.Loop() {
		g(x).Wait()
	}
}
