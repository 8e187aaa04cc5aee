package anvil_test

import (
	"math"
	"math/cmplx"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestCholeskyInBlocks: factors of matrices that do and do not fill blocks of
// columns give the matrix back, and are lower triangular with a positive
// diagonal; of a matrix that is not positive definite, the second of a batch,
// they are nan in the triangle.
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
						t.Fatalf("%s %d: of a matrix that is not positive definite, element %d, %d is %v", d, n, i, j, v)
					}
				}
			}
		}
	}
}

// definite returns a Hermitian matrix whose diagonal outweighs the rest.
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
