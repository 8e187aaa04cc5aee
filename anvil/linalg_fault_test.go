package anvil_test

import (
	"math"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
)

// TestMatrixFaults checks that matrices for which NumPy 2.4, PyTorch 2.15 or TensorFlow
// 2.21 has an error give that error, with the same words, and a value under the other
// systems.
func TestMatrixFaults(t *testing.T) {
	nan := math.NaN()
	singular := nv.New([][]float64{{1, 2}, {2, 4}})
	batch := nv.Stack(0, nv.Eye(2), singular)
	indefinite := nv.New([][]float64{{1, 2}, {2, 1}})
	broken := nv.New([][]float64{{nan, 1}, {1, 1}})
	b := nv.Ones(nv.Shape{2})
	late := nv.New([][]float64{{1, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, -1, 0}, {0, 0, 0, 1}})
	numpy, torch, tf := nv.With(promote.NumPy), nv.With(promote.Torch), nv.With(promote.TensorFlow)
	// The first operand depends on the loop, and the last one only on the function around it.
	solveInLoop := func(b any) nv.Tensor {
		return nv.ForI(2, b.(nv.Tensor), func(_, x nv.Tensor) nv.Tensor { return numpy.Solve(x, b) })
	}
	for _, c := range []struct {
		f    func()
		want string // "" for none
	}{
		{func() { numpy.Inv(singular) }, "Inv(f32{2,2}): LinAlgError: Singular matrix; under numpy, nv.PInv(x) " +
			"returns a pseudoinverse of any matrix"},
		{func() { numpy.Inv(batch) }, "Inv(f32{2,2,2}): LinAlgError: Singular matrix; under numpy, nv.PInv(x) " +
			"returns a pseudoinverse of any matrix"},
		{func() { numpy.Solve(singular, b) }, "Solve(f32{2,2}, f32{2}): LinAlgError: Singular matrix; under numpy, " +
			"nv.Lstsq(a, b) returns the least-squares solution of least norm"},
		{func() { numpy.MatrixPower(singular, -1) }, "MatrixPower(f32{2,2}): LinAlgError: Singular matrix; under " +
			"numpy, nv.PInv(x) returns a pseudoinverse of any matrix"},
		{func() { numpy.Cond(singular, 1) }, ""},
		{func() { numpy.Det(singular) }, ""},
		{func() { numpy.LUFactor(singular) }, ""},
		{func() { numpy.Cholesky(indefinite) }, "Cholesky(f32{2,2}): LinAlgError: Matrix is not positive definite; " +
			"under numpy, nv.EigValsH(x) shows which eigenvalues are not positive; add a small number to " +
			"the diagonal, or use nv.LU"},
		{func() { numpy.Cholesky(broken) }, ""},
		{func() { numpy.Cholesky(nv.New([][]float64{{-1, nan}, {nan, 1}})) },
			"Cholesky(f32{2,2}): LinAlgError: Matrix is not positive definite; under numpy, nv.EigValsH(x) " +
				"shows which eigenvalues are not positive; add a small number to the diagonal, or use nv.LU"},
		{func() { numpy.SVD(broken) }, "SVD(f32{2,2}): LinAlgError: SVD did not converge; under numpy, " +
			"nv.IsFinite(x) shows which elements of x are finite"},
		{func() { numpy.PInv(broken) }, "PInv(f32{2,2}): LinAlgError: SVD did not converge; under numpy, " +
			"nv.IsFinite(x) shows which elements of x are finite"},
		{func() { numpy.MatrixRank(broken) }, "MatrixRank(f32{2,2}): LinAlgError: SVD did not converge; under " +
			"numpy, nv.IsFinite(x) shows which elements of x are finite"},
		{func() { numpy.Lstsq(broken, b) }, "Lstsq(f32{2,2}, f32{2}): LinAlgError: SVD did not converge in Linear " +
			"Least Squares; under numpy, nv.IsFinite(a) shows which elements of a are finite"},
		{func() { numpy.Eigh(broken) }, ""},
		{func() { torch.Inv(singular) }, "Inv(f32{2,2}): LinAlgError: linalg.inv: The diagonal element 2 is zero, " +
			"the inversion could not be completed because the input matrix is singular; under torch, " +
			"nv.PInv(x) returns a pseudoinverse of any matrix"},
		{func() { torch.Inv(batch) }, "Inv(f32{2,2,2}): LinAlgError: linalg.inv: (Batch element 1): The diagonal " +
			"element 2 is zero, the inversion could not be completed because the input matrix is singular; " +
			"under torch, nv.PInv(x) returns a pseudoinverse of any matrix"},
		{func() { torch.Solve(singular, b) }, "Solve(f32{2,2}, f32{2}): LinAlgError: torch.linalg.solve: The " +
			"solver failed because the input matrix is singular; under torch, nv.Lstsq(a, b) returns the " +
			"least-squares solution of least norm"},
		{func() { torch.Solve(batch, nv.Ones(nv.Shape{2, 2, 1})) },
			"Solve(f32{2,2,2}, f32{2,2,1}): LinAlgError: torch.linalg.solve: (Batch element 1): The solver " +
				"failed because the input matrix is singular; under torch, nv.Lstsq(a, b) returns the " +
				"least-squares solution of least norm"},
		{func() { torch.Cholesky(late) }, "Cholesky(f32{4,4}): LinAlgError: linalg.cholesky: The factorization " +
			"could not be completed because the input is not positive-definite (the leading minor of order " +
			"3 is not positive-definite); under torch, nv.EigValsH(x) shows which eigenvalues are not " +
			"positive; add a small number to the diagonal, or use nv.LU"},
		{func() { torch.Cholesky(broken) }, "Cholesky(f32{2,2}): LinAlgError: linalg.cholesky: The factorization " +
			"could not be completed because the input is not positive-definite (the leading minor of order " +
			"1 is not positive-definite); under torch, nv.IsNaN(x) shows which elements of x are nan"},
		{func() { torch.Cholesky(nv.Stack(0, nv.Eye(2), indefinite)) },
			"Cholesky(f32{2,2,2}): LinAlgError: linalg.cholesky: (Batch element 1): The factorization " +
				"could not be completed because the input is not positive-definite (the leading minor of order " +
				"2 is not positive-definite); under torch, nv.EigValsH(x) shows which eigenvalues are not " +
				"positive; add a small number to the diagonal, or use nv.LU"},
		{func() { torch.SVD(nv.Stack(0, nv.Eye(2), broken)) },
			"SVD(f32{2,2,2}): LinAlgError: linalg.svd: (Batch element 1): The algorithm failed to converge " +
				"because the input matrix contained non-finite values; under torch, nv.IsFinite(x) shows which " +
				"elements of x are finite"},
		{func() { torch.LUFactor(singular) }, "LUFactor(f32{2,2}): RuntimeError: torch.linalg.lu_factor: U[2,2] is " +
			"zero and using it on lu_solve would result in a division by zero. If you still want to " +
			"perform the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, " +
			"pivot); under torch, nv.LU(x) factorizes any matrix"},
		{func() { torch.LU(singular) }, ""},
		{func() { torch.Inv(broken) }, ""},
		{func() { torch.Inv(nv.Zeros(nv.Shape{0, 0})) }, ""},
		{func() { tf.Inv(singular) }, "Inv(f32{2,2}): InvalidArgumentError: Input is not invertible; under " +
			"tensorflow, nv.PInv(x) returns a pseudoinverse of any matrix"},
		{func() { tf.Eigh(broken) }, "Eigh(f32{2,2}): InvalidArgumentError: Self-adjoint eigen decomposition was " +
			"not successful. The input might not be valid; under tensorflow, nv.IsFinite(x) shows which " +
			"elements of x are finite"},
		{func() { tf.Cholesky(indefinite) }, ""},
		{func() { nv.With(promote.JAX).Inv(singular) }, ""},
		{func() { nv.Inv(singular); nv.Cholesky(indefinite); nv.SVD(broken) }, ""},
		{func() { traced(numpy.Inv)(singular) }, "Inv(f32{2,2}): LinAlgError: Singular matrix; under numpy, " +
			"nv.PInv(x) returns a pseudoinverse of any matrix"},
		{func() { traced(torch.Inv)(singular) }, "Inv(f32{2,2}): LinAlgError: linalg.inv: The diagonal element is " +
			"zero, the inversion could not be completed because the input matrix is singular; under torch, " +
			"nv.PInv(x) returns a pseudoinverse of any matrix"},
		{func() { traced(torch.Cholesky)(late) }, "Cholesky(f32{4,4}): LinAlgError: linalg.cholesky: The " +
			"factorization could not be completed because the input is not positive-definite (the leading " +
			"minor is not positive-definite); under torch, nv.EigValsH(x) shows which eigenvalues are not " +
			"positive; add a small number to the diagonal, or use nv.LU"},
		{func() { traced(numpy.Cholesky)(broken) }, ""},
		{func() { traced(numpy.Cholesky)(late) }, "Cholesky(f32{4,4}): LinAlgError: Matrix is not positive " +
			"definite; under numpy, nv.EigValsH(x) shows which eigenvalues are not positive; add a small " +
			"number to the diagonal, or use nv.LU"},
		{func() { traced(torch.Inv)(indefinite) }, ""},
		{func() { traced(solveInLoop)(singular) }, "Solve(f32{2,2}, f32{2,2}): LinAlgError: Singular matrix; under " +
			"numpy, nv.Lstsq(a, b) returns the least-squares solution of least norm"},
		{func() { traced(solveInLoop)(indefinite) }, ""},
	} {
		err := nv.Try(c.f)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%v, want a value", err)
		case c.want != "" && (err == nil || err.Error() != c.want):
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// traced returns the function that computes f as a program and waits for the result.
func traced(f func(x any) nv.Tensor) func(nv.Tensor) {
	program := nv.Jit(func(x nv.Tensor) nv.Tensor { return f(x) })
	return func(x nv.Tensor) {
		r := program(x)
		nv.Must(0, r.Wait())
	}
}

// TestFullMatrices checks the option as a value, FullMatrices, and as a call, FullMatrices(false).
func TestFullMatrices(t *testing.T) {
	x := nv.Ones(nv.Shape{3, 2})
	for _, c := range []struct {
		opts []nv.MatrixOption
		want int
	}{{nil, 2}, {[]nv.MatrixOption{nv.FullMatrices}, 3}, {[]nv.MatrixOption{nv.FullMatrices(true)}, 3}, {[]nv.MatrixOption{nv.FullMatrices(false)}, 2}} {
		u, _, _ := x.SVD(c.opts...)
		q, _ := x.QR(c.opts...)
		if u.Shape()[1] != c.want || q.Shape()[1] != c.want {
			t.Errorf("u of %d columns and q of %d, want %d", u.Shape()[1], q.Shape()[1], c.want)
		}
	}
	err := nv.Try(func() { x.SVD(nv.FullMatrices, nv.FullMatrices(false)) })
	if err == nil || err.Error() != "SVD(f32{3,2}): nv.FullMatrices is given twice; give it once" {
		t.Errorf("given twice: %v", err)
	}
}
