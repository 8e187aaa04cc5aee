package compile

import (
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestMatrixAllocations tests the estimates of the memory that functions of gonum allocate.
func TestMatrixAllocations(t *testing.T) {
	tested := map[string]bool{}
	test := func(key string, want float64, args ...any) {
		t.Helper()
		tested[key] = true
		fr, regs := arguments(args...)
		if size := matrixAllocations[key]; size == nil {
			t.Errorf("%s has no estimate", key)
		} else if got := size(fr, regs); got != want {
			t.Errorf("%s: %g bytes, want %g", key, got, want)
		}
	}
	matrix := func(rows, cols int) reflect.Value { return as[mat.Matrix](mat.NewDense(rows, cols, nil)) }
	vector := func(n int) reflect.Value { return as[mat.Vector](mat.NewVecDense(n, nil)) }
	symmetric := func(n int) reflect.Value { return as[mat.Symmetric](mat.NewSymDense(n, nil)) }
	triangular := func(n int) reflect.Value { return as[mat.Triangular](mat.NewTriDense(n, mat.Upper, nil)) }
	var none []float64

	// The elements of a band matrix are at most rows × (below + 1 + above).
	test("mat: NewDense", 8*12, 3, 4, none)
	test("mat: NewDense", 0, 3, 4, make([]float64, 12))
	test("mat: NewCDense", 16*12, 3, 4, []complex128(nil))
	test("mat: NewVecDense NewDiagDense", 8*5, 5, none)
	test("mat: NewSymDense", 8*25, 5, none)
	test("mat: NewTriDense", 8*25, 5, mat.Upper, none)
	test("mat: NewBandDense", 8*10*(2+1+3), 10, 8, 2, 3, none)
	test("mat: NewSymBandDense", 8*10*(2+1), 10, 2, none)
	test("mat: NewTriBandDense", 8*10*(2+1), 10, 2, mat.Upper, none)
	test("mat: DenseCopyOf", 8*2*3, matrix(2, 3))

	dense, filled := new(mat.Dense), mat.NewDense(2, 5, nil)
	test("Dense: Add Sub MulElem DivElem RankOne", 8*2*3, dense, matrix(2, 3), matrix(2, 3))
	test("Dense: Add Sub MulElem DivElem RankOne", 0, filled, matrix(2, 5), matrix(2, 5))
	test("Dense: Apply Scale", 8*2*3, dense, 1.5, matrix(2, 3))
	test("Dense: CloneFrom Exp Pow Inverse", 8*3*3, filled, as[mat.Matrix](mat.NewDiagDense(3, nil)))
	test("Dense: Mul", 8*2*5, dense, matrix(2, 3), matrix(3, 5))
	test("Dense: Mul", 0, filled, matrix(2, 3), matrix(3, 5))
	test("Dense: Mul", 0, (*mat.Dense)(nil), matrix(2, 3), matrix(3, 5))
	test("Dense: Mul", 0, dense, as[mat.Matrix](nil), matrix(3, 5))
	test("Dense: Mul", 0, dense, as[mat.Matrix]((*mat.Dense)(nil)), matrix(3, 5))
	test("Dense: Product", 8*5*5, dense, []mat.Matrix{filled.T(), filled})
	test("Dense: Product", 0, dense, []mat.Matrix{})
	test("Dense: Product", 0, dense, []mat.Matrix{nil})
	test("Dense: Outer", 8*3*4, dense, 1.5, vector(3), vector(4))
	test("Dense: Kronecker", 8*(2*4)*(3*5), dense, matrix(2, 3), matrix(4, 5))
	test("Dense: Stack", 8*(2+4)*3, dense, matrix(2, 3), matrix(4, 3))
	test("Dense: Augment", 8*2*(3+4), dense, matrix(2, 3), matrix(2, 4))
	test("Dense: Solve", 8*(2*3+3*4), dense, matrix(2, 3), matrix(2, 4))
	test("Dense: ReuseAs Grow", 8*2*3, dense, 2, 3)
	test("CDense: ReuseAs Grow", 16*2*3, new(mat.CDense), 2, 3)
	test("Dense: Permutation", 8*3*3, dense, 3, []int(nil))
	test("VecDense: ReuseAsVec", 8*3, new(mat.VecDense), 3)
	test("TriBandDense: ReuseAsTriBand", 8*4*(2+1), new(mat.TriBandDense), 4, 2, mat.Upper)

	sym, tri := new(mat.SymDense), new(mat.TriDense)
	test("SymDense: ReuseAsSym GrowSym", 8*3*3, sym, 3)
	test("SymDense: SymOuterK", 8*3*3, sym, 1.5, matrix(3, 7))
	test("SymDense: AddSym SymRankOne SymRankK RankTwo", 8*3*3, sym, symmetric(3), symmetric(3))
	test("SymDense: ScaleSym", 8*3*3, sym, 1.5, symmetric(3))
	test("SymDense: PowPSD", 8*3*3, sym, symmetric(3), 1.5)
	test("TriDense: ReuseAsTri", 8*3*3, tri, 3, mat.Upper)
	test("TriDense: MulTri InverseTri", 8*3*3, tri, triangular(3), triangular(3))
	test("TriDense: ScaleTri", 8*3*3, tri, 1.5, triangular(3))
	test("stat: CovarianceMatrix CorrelationMatrix", 8*3*(2+3), sym, matrix(2, 3), none)

	test("LU: Factorize", 8*3*3, new(mat.LU), matrix(3, 3))
	test("QR: Factorize", 8*4*3, new(mat.QR), matrix(4, 3))
	test("LQ: Factorize", 8*3*4, new(mat.LQ), matrix(3, 4))
	test("Cholesky: Factorize", 8*3*3, new(mat.Cholesky), symmetric(3))
	test("PivotedCholesky: Factorize", 8*3*3, new(mat.PivotedCholesky), symmetric(3), 1e-9)
	test("Eigen: Factorize", 8*3*3, new(mat.Eigen), matrix(3, 3), mat.EigenRight)
	test("EigenSym: Factorize", 8*3*3, new(mat.EigenSym), symmetric(3), true)
	test("SVD: Factorize", 8*4*3, new(mat.SVD), matrix(4, 3), mat.SVDThin)
	test("SVD: Factorize", 8*(4*3+4*4), new(mat.SVD), matrix(4, 3), mat.SVDFullU|mat.SVDThinV)
	test("SVD: Factorize", 8*(4*3+4*4+3*3), new(mat.SVD), matrix(4, 3), mat.SVDFull)
	var qr mat.QR
	qr.Factorize(mat.NewDense(4, 3, []float64{1, 2, 3, 4, 5, 6, 7, 8, 10, 1, 0, 1}))
	test("QR: QTo", 8*4*4, &qr, dense)
	test("QR: QTo", 0, &qr, mat.NewDense(4, 4, nil))
	var lq mat.LQ
	lq.Factorize(mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 7}))
	test("LQ: QTo", 8*3*3, &lq, dense)

	for key := range matrixAllocations {
		if !tested[key] {
			t.Errorf("the estimate of %s is not tested", key)
		}
	}
}
