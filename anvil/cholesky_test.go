package anvil_test

import (
	"math"
	"math/cmplx"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestCholeskyInBlocks checks that the factors of matrices whose sizes are and are
// not multiples of the block size multiply to the matrix, and are lower triangular
// with a positive diagonal. The triangle is nan for a matrix that is not positive
// definite, the second of a batch.
func TestCholeskyInBlocks(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{})
	for d, sizes := range map[nv.DType][]int{nv.F32: {1, 32, 70}, nv.F64: {33}, nv.C64: {33}, nv.C128: {70}} {
		eps := 0x1p-23
		if d == nv.F64 || d == nv.C128 {
			eps = 0x1p-52
		}
		for _, n := range sizes {
			a := definite(n, d == nv.C64 || d == nv.C128)
			both := make([]complex128, 2*n*n)
			for i, v := range a {
				both[i], both[n*n+i] = v, -v
			}
			l := nv.Values[complex128](c.Cholesky(c.New(both, nv.C128).Reshape(nv.Shape{2, n, n}).AsType(d)).AsType(nv.C128))
			for i := range n {
				for j := range n {
					var sum complex128
					for k := range n {
						sum += l[i*n+k] * cmplx.Conj(l[j*n+k])
					}
					if off := cmplx.Abs(sum - a[i*n+j]); !(off <= 8*eps*float64(n*n)) {
						t.Fatalf("%s %d: element %d, %d of l*adjoint(l) is off by %v", d, n, i, j, off)
					}
					if v := l[i*n+j]; j > i && v != 0 || i == j && !(real(v) > 0 && imag(v) == 0) {
						t.Fatalf("%s %d: element %d, %d of l is %v", d, n, i, j, v)
					}
					if v := l[n*n+i*n+j]; j > i && v != 0 || j <= i && !math.IsNaN(real(v)) {
						t.Fatalf("%s %d: element %d, %d is %v for a matrix that is not positive definite", d, n, i, j, v)
					}
				}
			}
		}
	}
}

// TestTangentOfLargeCholesky checks factors and tangents of matrices that are computed in blocks, with sizes that
// are and are not multiples of the block size. They satisfy l*adjoint(l) = a and its derivative, the tangent is
// lower triangular, and the pullback is its adjoint. In a batch, a matrix that is not positive definite gives nan
// and does not affect the others.
func TestTangentOfLargeCholesky(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{})
	for _, d := range []nv.DType{nv.F64, nv.C128} {
		for _, n := range []int{129, 256, 300} {
			one := definite(n, d == nv.C128)
			batch := make([]complex128, 2*n*n)
			for i, v := range one {
				batch[i], batch[n*n+i] = v, -v
			}
			s := nv.Shape{2, n, n}
			a := c.New(batch, nv.C128).Reshape(s).AsType(d)
			random := func(scale float64) nv.Tensor {
				x := c.Reshape(c.Sin(c.Mul(c.Arange(2*n*n, nv.F64), scale)), s)
				if d == nv.C128 {
					x = c.Complex(x, c.Cos(c.Mul(x, 3)))
				}
				return x
			}
			x := random(1.7)
			da := c.Add(x, c.Conj(c.Transpose(x, 0, 2, 1)))
			w := random(0.9)
			results := nv.Jit(func(in [3]nv.Tensor) [4]nv.Tensor {
				// The addition makes the factor a part of a compiled program.
				cholesky := func(a nv.Tensor) nv.Tensor { return nv.Cholesky(nv.Add(a, 0)) }
				l, dl := nv.JVP(cholesky, in[0], in[1])
				_, pullback := nv.VJP(cholesky, in[0])
				lh, dlh := nv.Conj(nv.Transpose(l, 0, 2, 1)), nv.Conj(nv.Transpose(dl, 0, 2, 1))
				return [4]nv.Tensor{nv.MatMul(l, lh), nv.Add(nv.MatMul(dl, lh), nv.MatMul(l, dlh)), dl, pullback(in[2])}
			})([3]nv.Tensor{a, da, w})
			first := func(x nv.Tensor) nv.Tensor { return x.At(0) }
			near := func(what string, got, want nv.Tensor, bound float64) {
				t.Helper()
				if off := nv.Max(nv.Abs(nv.Sub(got, want))).Float(); !(off <= bound) {
					t.Errorf("%s %d: %s is off by %v", d, n, what, off)
				}
			}
			near("l*adjoint(l)", first(results[0]), first(a), 1e-11)
			near("the tangent of l*adjoint(l)", first(results[1]), first(da), 1e-12)
			dl := first(results[2])
			near("the tangent above the diagonal", nv.Triu(dl, 1), nv.ZerosLike(dl), 0)
			inner := func(x, y nv.Tensor) nv.Tensor { return nv.Sum(nv.Real(nv.Mul(nv.Conj(x), y))) }
			got := inner(first(results[3]), first(da))
			near("the product with the pullback", got, inner(first(w), dl), 1e-11)
			if !nv.IsNaN(nv.Real(results[2].At(1).Diagonal())).All().Bool() {
				t.Errorf("%s %d: the tangent is not nan for a matrix that is not positive definite", d, n)
			}
		}
	}
}

// definite returns a diagonally dominant Hermitian matrix, which is positive definite.
func definite(n int, isComplex bool) []complex128 {
	a := make([]complex128, n*n)
	for i := range n {
		for j := range i {
			v := complex(math.Sin(float64(i*i+3*j)), 0)
			if isComplex {
				v += complex(0, math.Cos(float64(5*i+j*j)))
			}
			v = complex(float64(float32(real(v))), float64(float32(imag(v))))
			a[i*n+j], a[j*n+i] = v, cmplx.Conj(v)
		}
		a[i*n+i] = complex(2*float64(n), 0)
	}
	return a
}
