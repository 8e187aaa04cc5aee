package random

import (
	"fmt"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// MultivariateNormal returns vectors of the normal distribution with mean, a
// vector or a batch of them, and covariance cov, a symmetric positive definite
// matrix of which the lower triangle is read, or a batch of them. The result has
// shape s and behind it the axis of the vectors; a nil s is what the batches
// broadcast to. It is nan where cov is not positive definite. The numbers are of
// f32, or of f64 where mean or cov is, where no option names another dtype.
func MultivariateNormal(k PRNGKey, mean, cov any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	lib := library(k.Data)
	d := nv.F32
	for _, x := range []any{mean, cov} {
		if t, ok := x.(nv.Tensor); ok && t.Valid() && t.DType() == nv.F64 {
			d = nv.F64
		}
	}
	r := begin("MultivariateNormal", k, nv.Shape{}, d, opts)
	r.format()
	m, c := lib.AsType(mean, r.d), lib.AsType(cov, r.d)
	n := -1
	if m.Rank() > 0 {
		n = m.Shape()[m.Rank()-1]
	}
	if shape := c.Shape(); n < 0 || len(shape) < 2 || shape[len(shape)-1] != n || shape[len(shape)-2] != n {
		r.fail(fmt.Sprintf("mean and cov have shapes %s and %s", m.Shape(), c.Shape()), "mean is a vector of n elements, and cov a matrix of n rows and columns")
	}
	r.s = r.vectors(s, m.Shape()[:m.Rank()-1], c.Shape()[:c.Rank()-2])
	r.s = append(r.s, n)
	x := lib.ExpandDims(r.normal(r.uniform(r.key)), -1)
	return r.result(m.Add(lib.Squeeze(lib.MatMul(lib.Cholesky(c), x), -1)))
}

// vectors returns the shape of the batch: s, to which those of the parameters
// broadcast, or what they broadcast to.
func (r *draw) vectors(s nv.Shape, batches ...nv.Shape) nv.Shape {
	all := r.lib.Constant(s, 0, nv.I32)
	err := nv.Try(func() {
		for _, b := range batches {
			all = all.Add(r.lib.Constant(b, 0, nv.I32))
		}
	})
	if err != nil || s != nil && !all.Shape().Equal(s) {
		r.fail(fmt.Sprintf("batches of shapes %s and %s do not broadcast to %s", batches[0], batches[1], s), "give the shape that they broadcast to, or nil")
	}
	return all.Shape().Clone()
}

// Orthogonal returns matrices of n rows and columns, a batch of shape s of them,
// drawn uniformly from the orthogonal ones, of a complex dtype from the unitary
// ones.
func Orthogonal(k PRNGKey, n int, s nv.Shape, opts ...nv.Option) nv.Tensor {
	if n < 0 {
		panic(&nv.Error{Op: "random.Orthogonal", Operands: fmt.Sprint(n), Reason: "a negative number of rows"})
	}
	z := Normal(k, append(s.Clone(), n, n), opts...)
	lib := library(z)
	q, r := lib.QR(z)
	d := lib.Diagonal(r)
	size := lib.Abs(d)
	if d.DType().Is(dtype.Complex) {
		size = lib.Complex(size, library(size).Zeros(size.Shape(), size.DType()))
	}
	x := lib.Mul(q, lib.ExpandDims(lib.Div(d, size), -2))
	if z.Ambiguous() {
		x = lib.New(x, x.DType(), nv.Ambiguous(true))
	}
	return x.Checked()
}
