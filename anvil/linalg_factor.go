package anvil

import (
	"github.com/goanvil/notebook/anvil/emulate"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// A MatrixOption tells QR and SVD which factors to return: FullMatrices.
type MatrixOption interface{ full() bool }

// FullMatrices is the MatrixOption that makes orthogonal factors square;
// FullMatrices(false) says that they are not, as without it.
var FullMatrices fullMatrices = func(full bool) MatrixOption { return fullOption(full) }

type (
	fullMatrices func(full bool) MatrixOption
	fullOption   bool
)

func (fullMatrices) full() bool { return true }
func (s fullOption) full() bool { return bool(s) }

func fullAttrs(opts []MatrixOption) (a ir.FullAttrs) {
	for _, o := range nonNil(opts) {
		a.Full = o.full()
	}
	return a
}

// QR returns q with orthonormal columns and the upper triangular r with
// q*r = x. Of m rows and n columns q has min(m, n) columns, with FullMatrices m.
// The diagonal of r has the signs that LAPACK gives it.
func (l *Lib) QR(x any, opts ...MatrixOption) (q, r Tensor) {
	c, a, t := l.linear("QR", x)
	out := c.All(ir.QR, fullAttrs(opts), nil, a)
	return c.done(out[0], t), c.done(out[1], t)
}

// LU returns the factors of x = p*l*u by elimination with partial pivoting: a
// permutation matrix, a lower triangular matrix with ones on the diagonal, and an
// upper triangular one. Of a singular x, u has a 0 on the diagonal.
func (l *Lib) LU(x any) (p, lower, upper Tensor) {
	c, a, t := l.linear("LU", x)
	f := c.All(ir.LU, nil, nil, a)
	s, d := a.Shape(), a.DType()
	rank := len(s) - 2
	m, n := s[rank], s[rank+1]
	k := min(m, n)
	left, above := c.every(f[0], rank+1, 0, k, 1), c.every(f[0], rank, 0, k, 1)
	unit := c.compareIndices(m, k, ir.EQ)
	left = c.Where(c.to(c.compareIndices(m, k, ir.GT), left.Shape()), left, c.to(c.convert(unit, d), left.Shape()))
	above = c.Where(c.to(c.compareIndices(k, n, ir.LE), above.Shape()), above, 0)

	square := append(s[:rank:rank].Clone(), m, m) // p[i,j]: row i of x is row j of l*u
	order := c.to(c.reshape(f[2], append(s[:rank:rank].Clone(), 1, m)), square)
	at := c.Do(ir.Iota, ir.IotaAttrs{DType: order.DType(), Shape: square.Dims(), Axis: rank})
	return c.done(c.convert(c.Eq(at, order), d), t), c.done(left, t), c.done(above, t)
}

// compareIndices returns the m x n matrix of whether the row compares so with the column.
func (c *call) compareIndices(m, n int, direction ir.Direction) expr.Value {
	s := Shape{m, n}.Dims()
	return c.Compare(direction, c.Do(ir.Iota, ir.IotaAttrs{DType: I32, Shape: s, Axis: 0}), c.Do(ir.Iota, ir.IotaAttrs{DType: I32, Shape: s, Axis: 1}))
}

// LUFactor returns l and u of LU(x) in one matrix, without the ones of l, and the
// row that each step exchanged its own with, counted from 0.
func (l *Lib) LUFactor(x any) (lu, pivots Tensor) {
	c, a, t := l.linear("LUFactor", x)
	f := c.All(ir.LU, nil, nil, a)
	c.checkRegular(emulate.SingularFactors, f[0])
	return c.done(f[0], t), c.result(f[1], false)
}

// Eigh returns the eigenvalues of x, a symmetric or Hermitian matrix of which the
// lower triangle is read, in ascending order, and its eigenvectors as columns of
// scanLength 1: x*vectors = vectors*values. Of each vector the first component of
// (nearly, to 0.9) the greatest magnitude is real and positive.
func (l *Lib) Eigh(x any) (values, vectors Tensor) {
	c, a, t := l.linear("Eigh", x)
	c.squareLength(a)
	c.checkFinite(emulate.NotFiniteSquare, a)
	out := c.All(ir.Eigh, nil, nil, a)
	return c.done(out[0], magnitudeType(t)), c.done(out[1], t)
}

// EigValsH returns the eigenvalues of x that Eigh returns.
func (l *Lib) EigValsH(x any) Tensor {
	c, a, t := l.linear("EigValsH", x)
	c.squareLength(a)
	c.checkFinite(emulate.NotFiniteSquare, a)
	return c.done(c.All(ir.Eigh, nil, nil, a)[0], magnitudeType(t))
}

// SVD returns the singular value decomposition of x: u and v with orthonormal
// columns, v as its conjugate transpose vh, and the singular values in descending
// order, so that u*diag(values)*vh = x. Of m rows and n columns there are
// min(m, n) of each; with FullMatrices u and vh are square. Of each column of u
// the first component of (nearly, to 0.9) the greatest magnitude is real and
// positive.
func (l *Lib) SVD(x any, opts ...MatrixOption) (u, values, vh Tensor) {
	c, a, t := l.linear("SVD", x)
	c.checkFinite(emulate.NotFinite, a)
	out := c.All(ir.SVD, fullAttrs(opts), nil, a)
	return c.done(out[0], t), c.done(out[1], magnitudeType(t)), c.done(out[2], t)
}

// SVDVals returns the singular values of x in descending order.
func (l *Lib) SVDVals(x any) Tensor {
	c, a, t := l.linear("SVDVals", x)
	return c.done(c.singularValues(a), magnitudeType(t))
}

func (c *call) singularValues(a expr.Value) expr.Value {
	c.checkFinite(emulate.NotFinite, a)
	return c.All(ir.SVD, ir.FullAttrs{}, nil, a)[1]
}
