package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/emulate"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// In linear algebra, the last two axes of a tensor are a matrix and the axes before them a
// batch. Integers and bools are computed as the system's default float. Floats narrower than
// f32, unless the system refuses them, are computed in f32 and rounded once.

// Cholesky returns the lower triangular matrix l with l*conj(l.T) = x. x must be
// Hermitian and positive definite; only its lower triangle is read. If x is not positive
// definite, the lower triangle of the result is nan; under systems that define an error
// for it, Cholesky panics with that error.
func (l *Lib) Cholesky(x any) Tensor {
	c, a, t := l.linear("Cholesky", x)
	c.squareLength(a)
	return c.resultAs(c.cholesky(a), t)
}

// A TriangularOption describes the equation that TriangularSolve solves.
type TriangularOption func(*ir.TriangularAttrs)

// The options of TriangularSolve.
var (
	// Upper says that the matrix is upper triangular.
	Upper TriangularOption = func(a *ir.TriangularAttrs) { a.Upper = true }
	// UnitDiagonal reads the diagonal of the matrix as ones.
	UnitDiagonal TriangularOption = func(a *ir.TriangularAttrs) { a.Unit = true }
	// RightSide solves x*a = b instead of a*x = b.
	RightSide TriangularOption = func(a *ir.TriangularAttrs) { a.Right = true }
	// TransposeA solves with the transpose of the matrix.
	TransposeA TriangularOption = func(a *ir.TriangularAttrs) { a.Op = ir.Transposed }
	// AdjointA solves with the conjugate transpose of the matrix.
	AdjointA TriangularOption = func(a *ir.TriangularAttrs) { a.Op = ir.Adjoint }
)

// TriangularSolve returns the x with a*x = b, where a is a lower triangular matrix and b
// a matrix or a vector. The upper triangle of a is not read. Options select an upper
// triangle, a unit diagonal, a transposed matrix, or x*a = b. Batch axes broadcast.
func (l *Lib) TriangularSolve(a, b any, opts ...TriangularOption) Tensor {
	c, m, r, t := l.linearPair("TriangularSolve", a, b)
	var attrs ir.TriangularAttrs
	for _, o := range opts {
		if o != nil {
			o(&attrs)
		}
	}
	n := c.squareLength(m)
	vector := len(r.Shape()) == 1
	switch {
	case vector && attrs.Right:
		r = c.reshape(r, append(Shape{1}, r.Shape()...))
	case vector:
		r = c.reshape(r, append(r.Shape().Clone(), 1))
	}
	c.requireMatrices(r)
	s := r.Shape()
	rows, cols := s[len(s)-2], s[len(s)-1]
	if rows != n && !attrs.Right || cols != n && attrs.Right {
		c.failLengths(m, r)
	}
	m, r = c.broadcastBatch(m, r)
	x := c.Do(ir.TriangularSolve, attrs, m, r)
	if s := x.Shape(); vector {
		x = c.reshape(x, append(s[:len(s)-2:len(s)-2].Clone(), n))
	}
	return c.resultAs(x, t)
}

// Solve returns the x with a*x = b, where a is a square matrix and b a matrix or a
// vector, by elimination with partial pivoting. Batch axes broadcast. For a singular a
// the result holds infinities or nan; under systems that define an error for it, Solve
// panics with that error.
func (l *Lib) Solve(a, b any) Tensor {
	c, m, r, t := l.linearPair("Solve", a, b)
	n := c.squareLength(m)
	vector := len(r.Shape()) == 1
	if vector {
		r = c.reshape(r, append(r.Shape().Clone(), 1))
	}
	c.requireMatrices(r)
	if s := r.Shape(); s[len(s)-2] != n {
		c.failLengths(m, r)
	}
	x := c.solve(m, r, emulate.SingularSystem)
	if s := x.Shape(); vector {
		x = c.reshape(x, s[:len(s)-1].Clone())
	}
	return c.resultAs(x, t)
}

// Inv returns the inverse of square matrices x. For a singular x the result holds
// infinities or nan; under systems that define an error for it, Inv panics with that error.
func (l *Lib) Inv(x any) Tensor {
	c, a, t := l.linear("Inv", x)
	return c.resultAs(c.inverse(a, emulate.Singular), t)
}

// inverse returns the inverses of square matrices a. See solve for faults.
func (c *call) inverse(a expr.Value, faults ...emulate.Fault) expr.Value {
	n := c.squareLength(a)
	return c.solve(a, c.to(c.identityMatrix(n, a.DType()), a.Shape()), faults...)
}

// Det returns the determinants of square matrices x. The determinant of an empty matrix
// is 1.
func (l *Lib) Det(x any) Tensor {
	c, a, t := l.linear("Det", x)
	n := c.squareLength(a)
	f := c.All(ir.LU, nil, nil, a)
	det := c.determinant(f)
	if n > 0 && c.Traced([]expr.Value{a}) {
		// The value is that of det, the derivative that of the bordered determinant.
		tangent := func(_ expr.Builder, _ []expr.Value, _ expr.Value, t []expr.Value) expr.Value { return t[0] }
		det = c.Derived(det, tangent, c.borderedDeterminant(a, f[0]))
	}
	return c.resultAs(det, t)
}

// determinant returns the determinants of the matrices whose LU factorizations are f (see pivots).
func (c *call) determinant(f []expr.Value) expr.Value {
	diagonal, sign := c.pivots(f)
	return c.timesSign(c.fold(ir.ReduceProd, diagonal, lastAxis), sign)
}

// timesSign returns product * sign, with +0 where product is 0.
func (c *call) timesSign(product, sign expr.Value) expr.Value {
	r := c.Mul(product, c.convert(sign, product.DType()))
	return c.Where(c.Eq(product, 0), 0, r)
}

// SlogDet returns the signs of the determinants of square matrices x (phases, if x is
// complex) and the logarithms of the magnitudes of the determinants, which do not overflow.
// For a singular x it returns 0 and -inf.
func (l *Lib) SlogDet(x any) (sign, logarithm Tensor) {
	c, a, t := l.linear("SlogDet", x)
	c.squareLength(a)
	diagonal, parity := c.pivots(c.All(ir.LU, nil, nil, a))
	d := a.DType()
	size := c.Abs(diagonal)
	zero := c.Eq(size, 0)
	phase := c.Where(zero, 0, c.Div(diagonal, c.convert(size, d)))
	s := c.timesSign(c.fold(ir.ReduceProd, phase, lastAxis), parity)
	sum := c.fold(ir.ReduceSum, c.Log(size), lastAxis)
	return c.resultAs(s, t), c.resultAs(sum, magnitudeType(t))
}

// pivots returns, for the square matrices whose LU factorizations are f, the diagonals of u and
// the signs of the row permutations, 1 or -1. f[0] has l and u in one matrix, f[1][..., i] is the
// row that step i exchanged with row i, and f[2] is the order of the rows.
func (c *call) pivots(f []expr.Value) (diagonal, parity expr.Value) {
	s := f[1].Shape()
	at := c.Iota(dtype.I32, len(s)-1, s...)
	exchanged := c.convert(c.Ne(f[1], at), dtype.I32)
	odd := c.And(c.fold(ir.ReduceSum, exchanged, lastAxis), 1)
	parity = c.Sub(1, c.Add(odd, odd))
	if s[len(s)-1] == 0 {
		return c.to(c.zero(f[0].DType()), s), parity
	}
	return c.diagonal(f[0], 0), parity
}

// solve returns the x with a*x = b; batch axes broadcast. If a is singular, it fails with the
// framework's error for faults, unless the framework has none.
func (c *call) solve(a, b expr.Value, faults ...emulate.Fault) expr.Value {
	f := c.All(ir.LU, nil, nil, a)
	for _, fault := range faults {
		c.checkRegular(fault, f[0])
	}
	return c.solveFactored(f, b)
}

// solveFactored is solve for the matrices whose LU factorizations are f (see pivots).
func (c *call) solveFactored(f []expr.Value, b expr.Value) expr.Value {
	lu, b := c.broadcastBatch(f[0], b)
	s := b.Shape()
	rank := len(s) - 2
	order := c.to(f[2], append(s[:rank:rank].Clone(), s[rank]))
	b = c.takeRows(b, order)
	b = c.Do(ir.TriangularSolve, ir.TriangularAttrs{Unit: true}, lu, b)
	return c.Do(ir.TriangularSolve, ir.TriangularAttrs{Upper: true}, lu, b)
}

// magnitudeType returns the type of the magnitudes of numbers of type t, as returned by Abs.
func magnitudeType(t dtype.Typed) dtype.Typed {
	return dtype.Typed{DType: t.DType.Elem(), Ambiguous: t.Ambiguous}
}

// takeRows returns the matrices of a with row i taken from row order[..., i].
func (c *call) takeRows(a, order expr.Value) expr.Value {
	s := a.Shape()
	rank := len(s) - 2
	batch := s[:rank].Size()
	if s.Size() == 0 {
		return a
	}
	attrs := ir.GatherAttrs{
		OffsetDims: shape.DimsOf(2), CollapsedSliceDims: shape.DimsOf(1),
		OperandBatchingDims: shape.DimsOf(0), IndicesBatchingDims: shape.DimsOf(0),
		StartIndexMap: shape.DimsOf(1), IndexVectorDim: 2, SliceSizes: shape.DimsOf(1, 1, s[rank+1]),
	}
	a, order = c.reshape(a, Shape{batch, s[rank], s[rank+1]}), c.reshape(order, Shape{batch, s[rank]})
	return c.reshape(c.Do(ir.Gather, attrs, a, order), s)
}

// linear begins a call of linear algebra on x. a is x in the dtype used for computing, and
// t the type of the result.
func (l *Lib) linear(op string, x any) (c *call, a expr.Value, t dtype.Typed) {
	c = l.call(op, x)
	t = c.linearType(c.typed(x))
	a = c.convert(c.at(x, t.DType), wide(t.DType))
	c.requireMatrices(a)
	return c, a, t
}

// linearPair is linear for two operands at their common dtype. y may be a vector.
func (l *Lib) linearPair(op string, x, y any) (c *call, a, b expr.Value, t dtype.Typed) {
	c = l.call(op, x, y)
	t = c.linearType(c.common(x, y))
	a, b = c.convert(c.at(x, t.DType), wide(t.DType)), c.convert(c.at(y, t.DType), wide(t.DType))
	c.requireMatrices(a)
	if len(b.Shape()) == 0 {
		c.fail("the right-hand side is a scalar",
			"give a vector or a matrix; to scale the inverse write nv.Inv(a).Mul(s)")
	}
	return c, a, b, t
}

// linearType returns the type of the result of linear algebra on numbers of type t. It fails
// if the system does not support t.
func (c *call) linearType(t dtype.Typed) dtype.Typed {
	c.requireSupport("linear", t.DType, "convert with AsType(nv.F32)")
	r := c.inexact(t)
	r.Ambiguous = c.framework.LinearFlag(t, r)
	return r
}

// squareLength returns the number of rows of square matrices a, and fails if they are not
// square.
func (c *call) squareLength(a expr.Value) int {
	c.requireMatrices(a)
	s := a.Shape()
	n, m := s[len(s)-2], s[len(s)-1]
	if n != m {
		c.fail("the matrix has "+itoa(n)+" rows and "+itoa(m)+" columns, and must be square",
			"nv.Lstsq, nv.PInv, nv.QR and nv.SVD take matrices of any shape")
	}
	return n
}

// failLengths fails because matrix a and right-hand side b do not match.
func (c *call) failLengths(a, b expr.Value) {
	c.fail("a matrix of shape "+a.Shape().String()+" does not match a right-hand side of shape "+b.Shape().String(),
		"a*x = b needs as many rows in b as in a; x*a = b as many columns")
}

// broadcastBatch broadcasts the batch axes of matrices a and b to each other.
func (c *call) broadcastBatch(a, b expr.Value) (expr.Value, expr.Value) {
	sa, sb := a.Shape(), b.Shape()
	na, nb := len(sa)-2, len(sb)-2
	batch, ok := broadcastShapes(sa[:na], sb[:nb])
	if !ok {
		c.failBroadcast(sa[:na], sb[:nb])
	}
	return c.to(a, append(batch.Clone(), sa[na:]...)), c.to(b, append(batch.Clone(), sb[nb:]...))
}

// identityMatrix returns the n by n identity matrix.
func (c *call) identityMatrix(n int, d dtype.DType) expr.Value {
	return c.convert(c.compareIndices(n, n, ir.EQ), d)
}
