package anvil_test

import (
	"math"
	"strings"
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
		{func() { numpy.Inv(singular) }, "Inv(f32{2,2}): LinAlgError: Singular matrix; under numpy, nv.PInv(x)"},
		{func() { numpy.Inv(batch) }, "Singular matrix"},
		{func() { numpy.Solve(singular, b) }, "Solve(f32{2,2}, f32{2}): LinAlgError: Singular matrix; under numpy, nv.Lstsq"},
		{func() { numpy.MatrixPower(singular, -1) }, "Singular matrix"},
		{func() { numpy.Cond(singular, 1) }, ""},
		{func() { numpy.Det(singular) }, ""},
		{func() { numpy.LUFactor(singular) }, ""},
		{func() { numpy.Cholesky(indefinite) }, "Matrix is not positive definite"},
		{func() { numpy.Cholesky(broken) }, ""},
		{func() { numpy.Cholesky(nv.New([][]float64{{-1, nan}, {nan, 1}})) }, "Matrix is not positive definite"},
		{func() { numpy.SVD(broken) }, "SVD(f32{2,2}): LinAlgError: SVD did not converge; under numpy, nv.IsFinite(x)"},
		{func() { numpy.PInv(broken) }, "SVD did not converge"},
		{func() { numpy.MatrixRank(broken) }, "SVD did not converge"},
		{func() { numpy.Lstsq(broken, b) }, "SVD did not converge in Linear Least Squares"},
		{func() { numpy.Eigh(broken) }, ""},
		{func() { torch.Inv(singular) }, "linalg.inv: The diagonal element 2 is zero, the inversion could not be completed because the input matrix is singular; under torch"},
		{func() { torch.Inv(batch) }, "linalg.inv: (Batch element 1): The diagonal element 2 is zero"},
		{func() { torch.Solve(singular, b) }, "torch.linalg.solve: The solver failed because the input matrix is singular"},
		{func() { torch.Solve(batch, nv.Ones(nv.Shape{2, 2, 1})) }, "torch.linalg.solve: (Batch element 1): The solver failed"},
		{func() { torch.Cholesky(late) }, "the leading minor of order 3 is not positive-definite"},
		{func() { torch.Cholesky(broken) }, "the leading minor of order 1 is not positive-definite"},
		{func() { torch.Cholesky(nv.Stack(0, nv.Eye(2), indefinite)) }, "linalg.cholesky: (Batch element 1): The factorization could not be completed"},
		{func() { torch.SVD(nv.Stack(0, nv.Eye(2), broken)) }, "linalg.svd: (Batch element 1): The algorithm failed to converge"},
		{func() { torch.LUFactor(singular) }, "torch.linalg.lu_factor: U[2,2] is zero"},
		{func() { torch.LU(singular) }, ""},
		{func() { torch.Inv(broken) }, ""},
		{func() { torch.Inv(nv.Zeros(nv.Shape{0, 0})) }, ""},
		{func() { tf.Inv(singular) }, "Input is not invertible"},
		{func() { tf.Eigh(broken) }, "Self-adjoint eigen decomposition was not successful"},
		{func() { tf.Cholesky(indefinite) }, ""},
		{func() { nv.With(promote.JAX).Inv(singular) }, ""},
		{func() { nv.Inv(singular); nv.Cholesky(indefinite); nv.SVD(broken) }, ""},
		{func() { traced(numpy.Inv)(singular) }, "Singular matrix"},
		{func() { traced(torch.Inv)(singular) }, "linalg.inv: The diagonal element is zero"},
		{func() { traced(torch.Cholesky)(late) }, "(the leading minor is not positive-definite)"},
		{func() { traced(numpy.Cholesky)(broken) }, ""},
		{func() { traced(numpy.Cholesky)(late) }, "Matrix is not positive definite"},
		{func() { traced(torch.Inv)(indefinite) }, ""},
		{func() { traced(solveInLoop)(singular) }, "Singular matrix"},
		{func() { traced(solveInLoop)(indefinite) }, ""},
	} {
		err := nv.Try(c.f)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%v, want a value", err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
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
	if err == nil || !strings.Contains(err.Error(), "nv.FullMatrices is given twice; give it once") {
		t.Errorf("given twice: %v", err)
	}
}
