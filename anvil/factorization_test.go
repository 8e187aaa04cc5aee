package anvil_test

import (
	"math/rand/v2"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestFactorsOfIntegers multiplies factors that compiled programs return for many small matrices of integers. They
// have equal eigenvalues, and zeros where rounding decides the sign.
func TestFactorsOfIntegers(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Compiled: true})
	defer c.Close()
	r := rand.New(rand.NewPCG(3, 4))
	const count, n = 20_000, 3
	numbers := make([]float64, count*n*n)
	for i := range numbers {
		numbers[i] = float64(r.IntN(7) - 3)
	}
	copy(numbers, []float64{0, 1, 0, 0, 0, 1, 0, 0, 0}) // ones above the diagonal
	off := func(x nv.Tensor) nv.Tensor { return x.Abs().Max(nv.Axis(1), nv.Axis(2)) }
	minus1 := func(q nv.Tensor) nv.Tensor { return off(nv.MatMul(q.SwapAxes(1, 2), q).Sub(c.Eye(n, nv.F64))) }
	errors := nv.Jit(func(x nv.Tensor) []nv.Tensor {
		u, s, v := nv.SVD(x)
		q, upper := nv.QR(x)
		symmetric := x.Add(x.SwapAxes(1, 2))
		w, vectors := nv.Eigh(symmetric)
		return []nv.Tensor{
			off(nv.MatMul(u.Mul(s.ExpandDims(1)), v).Sub(x)), minus1(u), minus1(v.SwapAxes(1, 2)),
			off(nv.MatMul(q, upper).Sub(x)), minus1(q),
			off(nv.MatMul(vectors.Mul(w.ExpandDims(1)), vectors.SwapAxes(1, 2)).Sub(symmetric)), minus1(vectors),
		}
	})(c.From(numbers).Reshape(nv.Shape{count, n, n}))
	names := []string{"SVD", "u of SVD", "v of SVD", "QR", "q of QR", "Eigh", "vectors of Eigh"}
	for i, name := range names {
		for k, off := range nv.Values[float64](errors[i]) {
			if !(off < 1e-13) {
				t.Fatalf("%s of %v: off by %g", name, numbers[k*n*n:][:n*n], off)
			}
		}
	}
}
