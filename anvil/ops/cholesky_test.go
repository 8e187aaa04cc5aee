package ops_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// hermitian returns count random Hermitian matrices of n rows. diagonal is added to their diagonals; if it is 2n,
// the matrices are positive definite.
func hermitian(r *rand.Rand, d dtype.DType, count, n int, diagonal float64) []complex128 {
	xs := make([]complex128, count*n*n)
	for k := range count {
		m := xs[k*n*n:][:n*n]
		for i := range n {
			for j := range i {
				v := complex(r.Float64()-0.5, 0)
				if d == dtype.C128 {
					v += complex(0, r.Float64()-0.5)
				}
				m[i*n+j], m[j*n+i] = v, cmplx.Conj(v)
			}
			m[i*n+i] = complex(r.Float64()+diagonal, 0)
		}
	}
	return xs
}

// arrayOf returns an array of dtype f64 or c128.
func arrayOf(d dtype.DType, xs []complex128, s ...int) array.Array {
	a := array.New(shape.Of(d, s...))
	if d == dtype.C128 {
		return array.Store(a, xs)
	}
	reals := make([]float64, len(xs))
	for i, x := range xs {
		reals[i] = real(x)
	}
	return array.Store(a, reals)
}

// complexes returns the elements of an array of dtype f64 or c128.
func complexes(a array.Array) []complex128 {
	if a.DType() == dtype.C128 {
		return array.Load[complex128](a)
	}
	xs := make([]complex128, a.Size())
	for i, x := range array.Load[float64](a) {
		xs[i] = complex(x, 0)
	}
	return xs
}

// timesAdjoint returns x*adjoint(y) for matrices of n rows.
func timesAdjoint(x, y []complex128, n int) []complex128 {
	product := make([]complex128, n*n)
	for i := range n {
		for j := range n {
			for k := range n {
				product[i*n+j] += x[i*n+k] * cmplx.Conj(y[j*n+k])
			}
		}
	}
	return product
}

// checkLower fails the test unless the matrix l of n rows is lower triangular.
func checkLower(t *testing.T, name string, l []complex128, n int) {
	t.Helper()
	for i := range n {
		for j := i + 1; j < n; j++ {
			if l[i*n+j] != 0 {
				t.Fatalf("%s: element %d, %d is %v", name, i, j, l[i*n+j])
			}
		}
	}
}

// TestCholeskyInBlocks checks that the factor L of a matrix A satisfies L*adjoint(L) = A, and its tangent the derivative
// of that equation. The matrices have one block or several, and the last one may be smaller.
func TestCholeskyInBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{1, 3, 32, 33, 65, 129} {
		for _, d := range []dtype.DType{dtype.F64, dtype.C128} {
			name, count := fmt.Sprintf("%v, %d rows", d, n), 2
			if n > 100 { // the evaluator is slow
				if count = 1; d == dtype.C128 {
					continue
				}
			}
			a, da := hermitian(r, d, count, n, 2*float64(n)), hermitian(r, d, count, n, 0)
			x, dx := arrayOf(d, a, count, n, n), arrayOf(d, da, count, n, n)
			inBlocks := expr.Graph(ops.Infer, []shape.Type{x.Type}, func(b expr.Builder, args []expr.Value) []expr.Value {
				return []expr.Value{ops.CholeskyInBlocks(b, args[0])}
			})
			row := expr.Graph(ops.Infer, []shape.Type{x.Type}, func(b expr.Builder, args []expr.Value) []expr.Value {
				return []expr.Value{b.Do(ir.Cholesky, nil, args[0])}
			})
			jvp, err := autodiff.JVP(row, []bool{true}, nil)
			if err != nil {
				t.Fatal(err)
			}
			factors, err := reference.Run(t.Context(), inBlocks, []array.Array{x})
			if err != nil {
				t.Fatal(err)
			}
			both, err := reference.Run(t.Context(), jvp, []array.Array{x, dx})
			if err != nil {
				t.Fatal(err)
			}
			for k := range count {
				at := func(xs []complex128) []complex128 { return xs[k*n*n:][:n*n] }
				l, dl := at(complexes(factors[0])), at(complexes(both[1]))
				checkLower(t, name, l, n)
				checkLower(t, name+", tangent", dl, n)
				product, change := timesAdjoint(l, l, n), timesAdjoint(dl, l, n)
				for i := range n {
					for j := range n {
						if off := cmplx.Abs(product[i*n+j] - at(a)[i*n+j]); off > 1e-12*float64(n) {
							t.Fatalf("%s: element %d, %d of the product is off by %g", name, i, j, off)
						}
						sum := change[i*n+j] + cmplx.Conj(change[j*n+i])
						if off := cmplx.Abs(sum - at(da)[i*n+j]); off > 1e-12*float64(n) {
							t.Fatalf("%s: element %d, %d of the tangent's product is off by %g", name, i, j, off)
						}
					}
				}
			}
		}
	}
}

// TestCholeskyInBlocksOfOthers checks that the factor of a matrix that is not positive definite is NaN, that only the
// lower triangle of a matrix is read, and that a batch may be empty.
func TestCholeskyInBlocksOfOthers(t *testing.T) {
	factor := func(x array.Array) []float64 {
		g := expr.Graph(ops.Infer, []shape.Type{x.Type}, func(b expr.Builder, args []expr.Value) []expr.Value {
			return []expr.Value{ops.CholeskyInBlocks(b, args[0])}
		})
		out, err := reference.Run(t.Context(), g, []array.Array{x})
		if err != nil {
			t.Fatal(err)
		}
		return array.Load[float64](out[0])
	}
	nan := math.NaN()
	x := array.Store(array.New(shape.Of(dtype.F64, 3, 2, 2)), []float64{4, nan, 2, 5, -1, 0, 0, 1, 0, 0, 0, 1})
	want := []float64{2, 0, 1, 2, nan, 0, nan, nan, nan, 0, nan, nan}
	for i, got := range factor(x) {
		if got != want[i] && !(math.IsNaN(got) && math.IsNaN(want[i])) {
			t.Errorf("element %d is %g, want %g", i, got, want[i])
		}
	}
	if l := factor(array.New(shape.Of(dtype.F64, 0, 3, 3))); len(l) != 0 {
		t.Errorf("no matrices have the factors %v", l)
	}
}
