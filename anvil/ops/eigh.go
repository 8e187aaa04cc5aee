package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// lowerEigh reduces the matrix to a real tridiagonal matrix by reflections, computes the
// eigenvalues and eigenvectors of the tridiagonal matrix by divide and conquer, and applies the
// reflections to the eigenvectors. XLA's own expansion, a Jacobi method, is a hundred times
// slower for large matrices, and half of its digits are wrong in f64.
func lowerEigh(b expr.Builder, n *ir.Node, args []expr.Value) []expr.Value {
	x, values, vectors := args[0], n.Results[0].Type, n.Results[1].Type
	batch, size, _, _ := matrix(vectors)
	if x.Shape().Size() == 0 {
		return []expr.Value{b.Number(0, values.DType, values.Shape...), x}
	}
	x, scale := normalize(b, fromLower(b, b.Reshape(x, batch.Size(), size, size)))
	t := tridiagonalize(b, x)
	w, v := divideAndConquer(b, t.diagonal, t.offDiagonal)
	v = applyReflections(b, t.reflections, b.Convert(v, x.DType()))
	w, v = sortEigenvalues(b, w, normalizePhase(b, v, v)[0])
	return []expr.Value{b.Reshape(b.Mul(w, scale), values.Shape...), b.Reshape(v, vectors.Shape...)}
}

// A tridiagonal represents the matrix Q*T*adjoint(Q), where T is real, symmetric and tridiagonal, and Q is a product of
// reflections. The last element of offDiagonal is not used.
type tridiagonal struct {
	diagonal, offDiagonal expr.Value
	reflections
}

// tridiagonalize reduces the Hermitian matrices of x to tridiagonal form, one column at a time.
func tridiagonalize(b expr.Builder, x expr.Value) tridiagonal {
	d, batch, n := x.DType(), x.Shape()[0], x.Shape()[1]
	start := []expr.Value{x, b.Number(0, d, batch, n, n), b.Number(0, d, batch, 1, n), b.Number(0, d.Elem(), batch, 1, n)}
	out := b.For(0, n-1, start, nil, func(b expr.Builder, k expr.Value, carried, _ []expr.Value) []expr.Value {
		x, next := carried[0], b.Add(k, 1)
		v, tau, beta := householder(b, b.DynamicSlice(x, 2, k, 1), next)
		below := b.Ge(b.Iota(dtype.I32, 0, n, 1), next)
		v = b.Where(below, v, 0)
		y := b.Where(below, b.Mul(tau, b.MatMul(x, v)), 0)
		half := b.Mul(-0.5, b.Mul(tau, b.MatMul(b.Adjoint(y), v)))
		w := b.Add(y, b.Mul(half, v))
		x = b.Sub(b.Sub(x, b.Mul(v, b.Adjoint(w))), b.Mul(w, b.Adjoint(v)))
		return []expr.Value{x, b.DynamicUpdateSlice(carried[1], v, 2, k), b.DynamicUpdateSlice(carried[2], tau, 2, k),
			b.DynamicUpdateSlice(carried[3], beta, 2, k)}
	})
	return tridiagonal{b.Real(diagonalOf(b, out[0])), b.Reshape(out[3], batch, n),
		reflections{out[1], b.Reshape(out[2], batch, n)}}
}
