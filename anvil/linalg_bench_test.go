package anvil_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// BenchmarkLinear measures linear algebra of one matrix, without compiling, with waiting for the result.
func BenchmarkLinear(b *testing.B) {
	c := nv.NewContext(nv.ContextOptions{})
	for _, d := range []nv.DType{nv.F32, nv.F64} {
		for name, n := range map[string]int{"128": 128, "512": 512} {
			i, j := c.Iota(nv.Shape{n, n}, 0, d), c.Iota(nv.Shape{n, n}, 1, d)
			x := c.Sin(c.Add(c.Mul(i, c.Add(j, 3)), c.Mul(j, j)))
			spd := c.Add(c.MatMul(x, x.T()), c.Eye(n, d))
			nv.Must(0, x.Wait())
			nv.Must(0, spd.Wait())
			for _, f := range []struct {
				name string
				run  func() nv.Tensor
			}{
				{"Cholesky", func() nv.Tensor { return spd.Cholesky() }},
				{"Solve", func() nv.Tensor { return c.Solve(x, x) }},
				{"QR", func() nv.Tensor { q, _ := x.QR(); return q }},
				{"Eigh", func() nv.Tensor { _, v := spd.Eigh(); return v }},
				{"SVD", func() nv.Tensor { u, _, _ := x.SVD(); return u }},
			} {
				b.Run(f.name+"/"+d.String()+"/"+name, func(b *testing.B) {
					for range 2 { // the first call compiles
						nv.Must(0, f.run().Wait())
					}
					for b.Loop() {
						nv.Must(0, f.run().Wait())
					}
				})
			}
		}
	}
}
