package anvil

import (
	"github.com/goanvil/notebook/anvil/emulate"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// A MatrixOption selects the factors that QR and SVD return: FullMatrices.
type MatrixOption interface{ full() bool }

// FullMatrices is the MatrixOption for square orthogonal factors. FullMatrices(false) is
// the default.
var FullMatrices fullMatrices = func(full bool) MatrixOption { return fullOption(full) }

type (
	fullMatrices func(full bool) MatrixOption
	fullOption   bool
)

func (fullMatrices) full() bool { return true }
func (s fullOption) full() bool { return bool(s) }

// fullAttrs returns the attributes set by opts, the options of a call of op on x.
func fullAttrs(op string, x any, opts []MatrixOption) (a ir.FullAttrs) {
	for _, o := range accepted(op, opts, x) {
		a.Full = o.full()
	}
	return a
}

// QR returns q with orthonormal columns and the upper triangular r with q*r = x. For an m
// by n matrix, q has min(m, n) columns, or m with FullMatrices. The signs of the diagonal
// of r are those of LAPACK.
func (l *Lib) QR(x any, opts ...MatrixOption) (q, r Tensor) {
	c, a, t := l.linear("QR", x)
	out := c.All(ir.QR, fullAttrs("QR", x, opts), nil, a)
	return c.resultAs(out[0], t), c.resultAs(out[1], t)
}

// LU returns the factors of x = p*lower*upper from elimination with partial pivoting: a
// permutation matrix, a lower triangular matrix with a unit diagonal, and an upper
// triangular matrix. For a singular x, the diagonal of upper contains a 0.
func (l *Lib) LU(x any) (p, lower, upper Tensor) {
	c, a, t := l.linear("LU", x)
	f := c.All(ir.LU, nil, nil, a)
	s, d := a.Shape(), a.DType()
	rank := len(s) - 2
	m, n := s[rank], s[rank+1]
	k := min(m, n)
	lowerPart, upperPart := c.sliceAxis(f[0], rank+1, 0, k, 1), c.sliceAxis(f[0], rank, 0, k, 1)
	unit := c.to(c.convert(c.compareIndices(m, k, ir.EQ), d), lowerPart.Shape())
	lowerPart = c.Where(c.to(c.compareIndices(m, k, ir.GT), lowerPart.Shape()), lowerPart, unit)
	upperPart = c.Where(c.to(c.compareIndices(k, n, ir.LE), upperPart.Shape()), upperPart, 0)

	square := append(s[:rank:rank].Clone(), m, m) // p[i,j] is 1 if row i of x is row j of lower*upper
	order := c.to(c.reshape(f[2], append(s[:rank:rank].Clone(), 1, m)), square)
	at := c.Iota(order.DType(), rank, square...)
	return c.resultAs(c.convert(c.Eq(at, order), d), t), c.resultAs(lowerPart, t), c.resultAs(upperPart, t)
}

// compareIndices returns an m by n matrix of bools: element (i, j) compares i with j.
func (c *call) compareIndices(m, n int, direction ir.Direction) expr.Value {
	return c.Compare(direction, c.Iota(I32, 0, m, n), c.Iota(I32, 1, m, n))
}

// LUFactor returns both triangular factors of LU in the matrix lu, without the unit diagonal
// of the lower one. Elimination step i exchanged rows i and pivots[i], counted from 0.
func (l *Lib) LUFactor(x any) (lu, pivots Tensor) {
	c, a, t := l.linear("LUFactor", x)
	f := c.All(ir.LU, nil, nil, a)
	c.checkRegular(emulate.SingularFactors, f[0])
	return c.resultAs(f[0], t), c.result(f[1], false)
}

// Eigh returns the eigenvalues of x in ascending order and its eigenvectors as columns of
// norm 1, so that x*vectors = vectors*diag(values). x is symmetric or Hermitian; only its
// lower triangle is read. Each vector is scaled so that the first component whose magnitude
// is at least 0.9 times the largest is real and positive.
func (l *Lib) Eigh(x any) (values, vectors Tensor) {
	c, a, t := l.linear("Eigh", x)
	c.squareLength(a)
	c.checkFinite(emulate.NotFiniteSquare, a)
	out := c.All(ir.Eigh, nil, nil, a)
	return c.resultAs(out[0], magnitudeType(t)), c.resultAs(out[1], t)
}

// EigValsH returns the eigenvalues that Eigh returns.
func (l *Lib) EigValsH(x any) Tensor {
	c, a, t := l.linear("EigValsH", x)
	c.squareLength(a)
	c.checkFinite(emulate.NotFiniteSquare, a)
	return c.resultAs(c.All(ir.Eigh, nil, nil, a)[0], magnitudeType(t))
}

// SVD returns the singular value decomposition u*diag(values)*vh = x. Columns of u and
// rows of vh are orthonormal; values descend. For an m by n matrix there are min(m, n) of
// each; with FullMatrices u and vh are square. Each column of u is scaled so that the
// first component whose magnitude is at least 0.9 times the largest is real and positive.
func (l *Lib) SVD(x any, opts ...MatrixOption) (u, values, vh Tensor) {
	c, a, t := l.linear("SVD", x)
	c.checkFinite(emulate.NotFinite, a)
	out := c.All(ir.SVD, fullAttrs("SVD", x, opts), nil, a)
	return c.resultAs(out[0], t), c.resultAs(out[1], magnitudeType(t)), c.resultAs(out[2], t)
}

// SVDVals returns the singular values of x in descending order.
func (l *Lib) SVDVals(x any) Tensor {
	c, a, t := l.linear("SVDVals", x)
	return c.resultAs(c.singularValues(a), magnitudeType(t))
}

// singularValues returns the singular values of a in descending order.
func (c *call) singularValues(a expr.Value) expr.Value {
	c.checkFinite(emulate.NotFinite, a)
	return c.All(ir.SVD, ir.FullAttrs{}, nil, a)[1]
}
