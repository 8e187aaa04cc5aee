package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// lowerSVD reduces the matrix to a real bidiagonal matrix by reflections from both sides. The singular values and
// vectors of the bidiagonal matrix follow from the eigenvalues and eigenvectors of a tridiagonal matrix with zeros on
// its diagonal. The off-diagonal of the tridiagonal matrix has the elements of the bidiagonal matrix, alternately from
// the diagonal and from the superdiagonal. Source: Golub and Kahan, Calculating the singular values and pseudo-inverse
// of a matrix, 1965. The matrix is never multiplied by itself, so that small singular values are as accurate as large
// ones.
func lowerSVD(b expr.Builder, n *ir.Node, args []expr.Value) []expr.Value {
	x, results := args[0], n.Results
	batch, rows, cols, _ := matrix(n.Args[0].Type)
	full := n.Attrs.(ir.FullAttrs).Full
	if x.Shape().Size() == 0 {
		u, values, v := results[0].Type, results[1].Type, results[2].Type
		return []expr.Value{eyeOf(b, u.DType, u.Shape), b.Number(0, values.DType, values.Shape...),
			eyeOf(b, v.DType, v.Shape)}
	}
	x, scale := normalize(b, b.Reshape(x, batch.Size(), rows, cols))
	var u, w, v expr.Value
	if rows >= cols {
		u, w, v = lowerTallSVD(b, x, full)
	} else {
		v, w, u = lowerTallSVD(b, b.Adjoint(x), full)
	}
	u, v = normalizeSigns(b, u, v, min(rows, cols))
	return []expr.Value{b.Reshape(u, results[0].Type.Shape...), b.Reshape(b.Mul(w, scale), results[1].Type.Shape...),
		b.Reshape(b.Adjoint(v), results[2].Type.Shape...)}
}

// normalizeSigns multiplies the first common columns of u and v by phases that make their
// leading components in u real and positive. The further columns of u or of v are multiplied by
// phases that make their own leading components real and positive.
func normalizeSigns(b expr.Builder, u, v expr.Value, common int) (expr.Value, expr.Value) {
	both := normalizePhase(b, b.Slice(u, 2, 0, common), b.Slice(u, 2, 0, common), b.Slice(v, 2, 0, common))
	withRest := func(x, done expr.Value) expr.Value {
		if n := x.Shape()[2]; n > common {
			rest := b.Slice(x, 2, common, n)
			return b.Concatenate(2, done, normalizePhase(b, rest, rest)[0])
		}
		return done
	}
	return withRest(u, both[0]), withRest(v, both[1])
}

// lowerTallSVD returns the factors of matrices with at least as many rows as columns; w are the singular values.
func lowerTallSVD(b expr.Builder, x expr.Value, full bool) (u, w, v expr.Value) {
	d, batch, m, n := x.DType(), x.Shape()[0], x.Shape()[1], x.Shape()[2]
	bi := bidiagonalize(b, x)
	alternating := b.Reshape(b.Concatenate(2, b.Column(bi.diagonal), b.Column(bi.offDiagonal)), batch, 2*n)
	w, q := divideAndConquer(b, b.Number(0, d.Elem(), batch, 2*n), alternating)
	w, q = sortEigenvalues(b, w, q)
	// The eigenvalues are the negatives of the singular values and then, in ascending order, the singular values.
	w, q = b.Reverse(b.Slice(w, 1, n, 2*n), 1), b.Reverse(b.Slice(q, 2, n, 2*n), 2)
	q = b.Reshape(q, batch, n, 2, n) // an eigenvector has alternately elements of a right and of a left singular vector
	left, right := b.Reshape(b.Slice(q, 2, 1, 2), batch, n, n), b.Reshape(b.Slice(q, 2, 0, 1), batch, n, n)

	u, v = b.Convert(orthonormalize(b, left), d), b.Convert(orthonormalize(b, right), d)
	width := n
	if full {
		width = m
	}
	if m > n {
		below := b.Ge(b.Iota(dtype.I32, 0, m, 1), n)
		u = b.Add(padMatrix(b, u, m, width), b.Where(below, b.Eye(d, m, width), 0))
	}
	return applyReflections(b, bi.left, u), b.Max(w, 0), applyReflections(b, bi.right, v)
}

// orthonormalize makes the columns of x, which are nearly orthogonal to each other, orthogonal
// up to rounding errors and of length 1. A column of a negligible singular value may become any
// column that is orthogonal to the others.
func orthonormalize(b expr.Builder, x expr.Value) expr.Value {
	q, r := triangularize(b, x)
	diagonal := diagonalOf(b, r)
	sign := b.Where(b.Lt(diagonal, 0), b.Like(diagonal, -1), 1)
	return b.Mul(applyReflections(b, q, eyeOf(b, x.DType(), x.Shape())), b.Row(sign))
}

// A bidiagonal represents the matrix left*B*adjoint(right), where B is real and upper bidiagonal, and left and right
// are products of reflections. The last element of offDiagonal is not used.
type bidiagonal struct {
	diagonal, offDiagonal expr.Value
	left, right           reflections
}

// bidiagonalize reduces the matrices of x, which have no more columns than rows, to bidiagonal form, one column and
// one row at a time.
func bidiagonalize(b expr.Builder, x expr.Value) bidiagonal {
	d, batch, m, n := x.DType(), x.Shape()[0], x.Shape()[1], x.Shape()[2]
	start := []expr.Value{x, b.Number(0, d, batch, m, n), b.Number(0, d, batch, n, n),
		b.Number(0, d, batch, 2, n), b.Number(0, d.Elem(), batch, 2, n)}
	out := b.For(0, n, start, nil, func(b expr.Builder, k expr.Value, carried, _ []expr.Value) []expr.Value {
		x, next := carried[0], b.Add(k, 1)
		v, tau, beta := householder(b, b.DynamicSlice(x, 2, k, 1), k)
		z := b.Mul(b.Adjoint(b.MatMul(b.Adjoint(v), x)), tau) // x - v*adjoint(z) is x, reflected
		row := b.Sub(b.DynamicSlice(x, 1, k, 1), b.Mul(b.DynamicSlice(v, 1, k, 1), b.Adjoint(z)))
		w, tau2, beta2 := householder(b, b.Adjoint(row), next)
		y := b.Mul(tau2, b.Sub(b.MatMul(x, w), b.Mul(v, b.MatMul(b.Adjoint(z), w))))
		x = b.Sub(b.Sub(x, b.Mul(v, b.Adjoint(z))), b.Mul(y, b.Adjoint(w)))
		return []expr.Value{x, b.DynamicUpdateSlice(carried[1], v, 2, k), b.DynamicUpdateSlice(carried[2], w, 2, k),
			b.DynamicUpdateSlice(carried[3], b.Concatenate(1, tau, tau2), 2, k),
			b.DynamicUpdateSlice(carried[4], b.Concatenate(1, beta, beta2), 2, k)}
	})
	row := func(x expr.Value, i int) expr.Value { return b.Reshape(b.Slice(x, 1, i, i+1), batch, n) }
	return bidiagonal{row(out[4], 0), row(out[4], 1),
		reflections{out[1], row(out[3], 0)}, reflections{out[2], row(out[3], 1)}}
}
