package anvil_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestReducedProductsWithOneNumber reduces products in which the second factor is one
// number repeated. A compiler that fuses product and reduction has computed them wrongly.
func TestReducedProductsWithOneNumber(t *testing.T) {
	const n = 64
	c := nv.NewContext(nv.ContextOptions{Compiled: true})
	defer c.Close()
	halves := func(x nv.Tensor) nv.Tensor { return x.Context().Constant(nv.Shape{n, n}, 0.5, x.DType()) }
	for name, second := range map[string]func(x nv.Tensor) nv.Tensor{
		"an argument": func(x nv.Tensor) nv.Tensor { return x.At(0, 0).Div(2).BroadcastTo(nv.Shape{n, n}) },
		"computed":    func(x nv.Tensor) nv.Tensor { return halves(x).Add(halves(x)).Div(2).T() },
		"in a loop": func(x nv.Tensor) nv.Tensor {
			return nv.ForI(3, halves(x).Div(8), func(_, y nv.Tensor) nv.Tensor { return y.Mul(2) })
		},
	} {
		for _, d := range []nv.DType{nv.F32, nv.F64, nv.BF16} {
			if name == "in a loop" && d != nv.F32 {
				continue
			}
			ones := c.Ones(nv.Shape{n, n}, d)
			got := nv.Jit(func(x nv.Tensor) []nv.Tensor {
				p := x.MatMul(second(x))
				return []nv.Tensor{p.Sum().AsType(nv.F32), x.MatMul(second(x)).Max(nv.Axis(1)).Sum().AsType(nv.F32), nv.ForI(2, x.At(0, 0), func(_, y nv.Tensor) nv.Tensor {
					return y.Add(x.MatMul(second(x)).Max())
				}).AsType(nv.F32)}
			})(ones)
			for i, want := range []float64{n * n * n / 2, n * n / 2, 1 + 2*n/2} {
				if v := got[i].Float(); v != want {
					t.Errorf("%s of %v: result %d is %v, want %v", name, d, i, v, want)
				}
			}
		}
	}
}
