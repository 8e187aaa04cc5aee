package random

import (
	"fmt"
	"math"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// MultivariateNormal returns vectors of the normal distribution with the given mean, a vector or a batch of
// vectors, and covariance (cov + transpose(cov))/2, where cov is a positive definite matrix or a batch of
// matrices. The shape of the result is s followed by the axis of the vectors; a nil s stands for the shape
// that the batches broadcast to. The result is NaN where cov is not positive definite. The default dtype is
// f64 if mean or cov is f64, and f32 otherwise.
func MultivariateNormal(k PRNGKey, mean, cov any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	d := nv.F32
	for _, x := range []any{mean, cov} {
		if t, ok := x.(nv.Tensor); ok && t.Valid() && t.DType() == nv.F64 {
			d = nv.F64
		}
	}
	r := newDraw("MultivariateNormal", k, nv.Shape{}, d, opts)
	r.format() // checks the dtype
	lib := r.lib
	m, c := lib.AsType(mean, r.d), lib.AsType(cov, r.d)
	n := -1 // mean is a scalar
	if m.Rank() > 0 {
		n = m.Shape()[m.Rank()-1]
	}
	if shape := c.Shape(); n < 0 || len(shape) < 2 || shape[len(shape)-1] != n || shape[len(shape)-2] != n {
		r.fail(fmt.Sprintf("mean and cov have shapes %s and %s", m.Shape(), c.Shape()),
			"the last axis of mean and the last two axes of cov must have the same length")
	}
	r.s = r.batchShape(s, m.Shape()[:m.Rank()-1], c.Shape()[:c.Rank()-2])
	r.s = append(r.s, n)
	c = c.Add(lib.SwapAxes(c, -1, -2)).Mul(constLike(c, 0.5))
	return r.result(r.multiply(r.factor(c), r.normal(r.uniform(r.key))).Add(m))
}

// multiply returns the products of the matrices a and the vectors x. As in jax.random, the vectors that share
// a matrix become the rows of a second matrix, and the two matrices are multiplied: other forms of the
// product add in another order, and so round differently.
func (r *draw) multiply(a, x nv.Tensor) nv.Tensor {
	lib, s := r.lib, x.Shape()
	lead := x.Rank() - (a.Rank() - 1) // the number of leading axes of x along which vectors share a matrix
	if lead == 0 {
		return lib.Squeeze(lib.MatMul(a, lib.ExpandDims(x, -1)), -1)
	}
	rows := lib.MoveAxis(x.Reshape(append(nv.Shape{s[:lead].Size()}, s[lead:]...)), 0, -2)
	return lib.MoveAxis(lib.MatMul(rows, lib.SwapAxes(a, -1, -2)), -2, 0).Reshape(s)
}

// maxUnrolled is the number of rows up to which all implementations of LAPACK return the same Cholesky factor
// in f32. For larger matrices, the order in which they add depends on the processor.
const maxUnrolled = 4

// factor returns the Cholesky factors of the matrices cov, NaN for matrices that are not positive definite.
// It factorizes small f32 matrices by the steps of LAPACK's spotf2, and rounds after each step.
func (r *draw) factor(cov nv.Tensor) nv.Tensor {
	lib, n := r.lib, cov.Shape()[cov.Rank()-1]
	if r.d != nv.F32 || n == 0 || n > maxUnrolled {
		return lib.Cholesky(cov)
	}
	columns, pivots := make([]any, n), make([]any, n)
	rows := lib.Iota(nv.Shape{n}, 0, nv.I32)
	for j := range n {
		column, pivotRow := cov.At(nv.Ellipsis, j), nv.Range(j, j+1)
		sum := constLike(column, 0)
		for _, l := range columns[:j] {
			l := l.(nv.Tensor).AsType(nv.F64) // in f32, a compiler could fuse the product and the sum, and round once
			sum = sum.Add(l.Mul(l.At(nv.Ellipsis, pivotRow)).AsType(nv.F32))
		}
		column = column.Sub(sum)
		pivot := column.At(nv.Ellipsis, pivotRow)
		root := pivot.Sqrt()
		pivots[j] = pivot
		columns[j] = lib.Where(rows.Eq(constLike(rows, float64(j))), root, column.Mul(constLike(root, 1).Div(root)))
	}
	allPivots := lib.Concatenate(-1, pivots...)
	definite := allPivots.Gt(constLike(allPivots, 0)).All(nv.Axis(-1), nv.KeepDims)
	l := lib.Stack(-1, columns...).Tril()
	return lib.ExpandDims(definite, -1).Where(l, constLike(l, math.NaN()))
}

// batchShape returns s, or the shape that batches broadcast to if s is nil. It panics if batches do not
// broadcast to s.
func (r *draw) batchShape(s nv.Shape, batches ...nv.Shape) nv.Shape {
	all := r.lib.Constant(s, 0, nv.I32)
	err := nv.Try(func() {
		for _, b := range batches {
			all = all.Add(r.lib.Constant(b, 0, nv.I32))
		}
	})
	if err != nil || s != nil && !all.Shape().Equal(s) {
		reason := fmt.Sprintf("the batch shapes %s of the mean and %s of the covariance do not broadcast",
			batches[0], batches[1])
		hint := "make the lengths of their batch axes equal or 1"
		if s != nil {
			reason, hint = reason+" to "+s.String(), "give the shape that they broadcast to, or nil"
		}
		r.fail(reason, hint)
	}
	return all.Shape().Clone()
}

// Orthogonal returns a batch of shape s of n x n matrices, uniformly distributed among the
// orthogonal matrices, or for a complex dtype among the unitary ones.
func Orthogonal(k PRNGKey, n int, s nv.Shape, opts ...nv.Option) nv.Tensor {
	return orthogonal("Orthogonal", k, n, n, s, opts)
}

// SemiOrthogonal returns a batch of shape s of n x m matrices with orthonormal rows if n is
// at most m, and orthonormal columns otherwise.
func SemiOrthogonal(k PRNGKey, n, m int, s nv.Shape, opts ...nv.Option) nv.Tensor {
	return orthogonal("SemiOrthogonal", k, n, m, s, opts)
}

// orthogonal is SemiOrthogonal for the function op.
func orthogonal(op string, k PRNGKey, n, m int, s nv.Shape, opts []nv.Option) nv.Tensor {
	if n < 0 || m < 0 {
		panic(&nv.Error{Op: "random." + op, Operands: fmt.Sprint(min(n, m)), Reason: "the number of rows or columns is negative",
			Hint: "use numbers of 0 or more"})
	}
	z := Normal(k, append(s.Clone(), max(n, m), min(n, m)), opts...)
	lib := library(z)
	q, r := lib.QR(z)
	d := lib.Diagonal(r)
	magnitude := lib.Abs(d)
	if d.DType().Is(dtype.Complex) {
		magnitude = lib.Complex(magnitude, library(magnitude).Zeros(magnitude.Shape(), magnitude.DType()))
	}
	// Multiply the columns of q by the signs or phases of r's diagonal; q itself is not uniformly
	// distributed.
	x := lib.Mul(q, lib.ExpandDims(lib.Div(d, magnitude), -2))
	if n < m {
		x = lib.SwapAxes(x, -1, -2)
	}
	if z.Ambiguous() {
		x = lib.New(x, x.DType(), nv.Ambiguous(true))
	}
	return x.Checked()
}
