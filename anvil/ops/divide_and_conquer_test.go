package ops_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// divideAndConquer returns the eigenvalues and eigenvectors of tridiagonal matrices of n rows, with zeros on the
// diagonal and e beside it; the last element of each n is not used.
func divideAndConquer(t *testing.T, d dtype.DType, e []float64, n int) (w, v []float64) {
	t.Helper()
	typ := shape.Of(d, len(e)/n, n)
	g := expr.Graph(ops.Infer, []shape.Type{typ, typ}, func(b expr.Builder, args []expr.Value) []expr.Value {
		w, v := ops.DivideAndConquer(b, args[0], args[1])
		return []expr.Value{w, v}
	})
	args := []array.Array{array.New(typ), array.Store(array.New(typ), e)}
	out, err := reference.Run(context.Background(), g, args)
	if err != nil {
		t.Fatal(err)
	}
	return array.Load[float64](out[0]), array.Load[float64](out[1])
}

// eigenError returns the greatest error of the eigenvalues w and eigenvectors v of a tridiagonal matrix with zeros on
// the diagonal and e beside it: in the definition of eigenvectors, and in their being orthogonal and of length 1.
func eigenError(e, w, v []float64) (worst float64) {
	n := len(w)
	for j := range n {
		for i := range n {
			sum := -w[j] * v[i*n+j]
			if i > 0 {
				sum += e[i-1] * v[(i-1)*n+j]
			}
			if i < n-1 {
				sum += e[i] * v[(i+1)*n+j]
			}
			worst = max(worst, math.Abs(sum))
		}
		for k := range n {
			dot := 0.0
			for i := range n {
				dot += v[i*n+j] * v[i*n+k]
			}
			if j == k {
				dot--
			}
			worst = max(worst, math.Abs(dot))
		}
	}
	return worst
}

// TestDivideAndConquer solves problems whose halves have equal and nearly equal eigenvalues, or eigenvalues that are
// those of the whole: off-diagonals of small numbers, many of them 0.
func TestDivideAndConquer(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ n, count int }{{2, 10}, {3, 20}, {4, 30}, {6, 60}, {8, 30}, {13, 6}, {40, 1}} {
		e := make([]float64, c.count*c.n)
		for i := range e {
			e[i] = math.Sqrt(float64(r.IntN(5)))
		}
		if c.n == 6 {
			copy(e, []float64{0, 2, 0, 2, 0, 0})                       // eigenvalues that differ by a rounding error, on both sides of a bound
			copy(e[6:], []float64{math.Sqrt2, 0, 0, 1, math.Sqrt2, 0}) // eigenvalues that a merge leaves as they are
		}
		for d, tolerance := range map[dtype.DType]float64{dtype.F64: 1e-14, dtype.F32: 5e-6} {
			w, v := divideAndConquer(t, d, e, c.n)
			for k := range c.count {
				e, w, v := e[k*c.n:][:c.n], w[k*c.n:][:c.n], v[k*c.n*c.n:][:c.n*c.n]
				if off := eigenError(e, w, v); !(off < tolerance*float64(c.n)) {
					t.Errorf("%v, off-diagonal %.4g: eigenvalues %g, off by %g", d, e[:c.n-1], w, off)
				}
			}
		}
	}
}
