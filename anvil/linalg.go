package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/emulate"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Linear algebra. A matrix is the last two axes of a tensor; the axes before
// them are a batch, each of whose matrices is treated alike. Integers and bools are
// computed as the system's float. Narrow floats are computed in f32 and rounded
// once where the system does not refuse them, as PyTorch, NumPy and JAX do.

// Cholesky returns the lower triangular matrix l with l*conj(l.T) = x, a
// Hermitian positive definite matrix of which the lower triangle is read; nan in
// the lower triangle where x is not positive definite, or the system's error.
func (l *Lib) Cholesky(x any) Tensor {
	c, a, t := l.linear("Cholesky", x)
	c.squareLength(a)
	return c.done(c.cholesky(a), t)
}

// A TriangularOption says what TriangularSolve solves.
type TriangularOption func(*ir.TriangularAttrs)

// The options of TriangularSolve.
var (
	// Upper says that the matrix is upper triangular.
	Upper TriangularOption = func(a *ir.TriangularAttrs) { a.Upper = true }
	// UnitDiagonal says that the diagonal of the matrix counts as ones.
	UnitDiagonal TriangularOption = func(a *ir.TriangularAttrs) { a.Unit = true }
	// RightSide asks for the x of x*a = b.
	RightSide TriangularOption = func(a *ir.TriangularAttrs) { a.Right = true }
	// TransposeA solves with the transpose of the matrix.
	TransposeA TriangularOption = func(a *ir.TriangularAttrs) { a.Op = ir.Transposed }
	// AdjointA solves with the conjugate transpose of the matrix.
	AdjointA TriangularOption = func(a *ir.TriangularAttrs) { a.Op = ir.Adjoint }
)

// TriangularSolve returns the x with a*x = b, where a is a lower triangular
// matrix whose other triangle is not read, and b a matrix or a vector; options
// say what else a is, or that it stands on the right of x. Batch axes broadcast.
func (l *Lib) TriangularSolve(a, b any, opts ...TriangularOption) Tensor {
	c, m, r, t := l.linearPair("TriangularSolve", a, b)
	var attrs ir.TriangularAttrs
	for _, o := range opts {
		if o != nil { // which says nothing
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
	c.matrices(r)
	s := r.Shape()
	if side := s[len(s)-2:]; side[0] != n && !attrs.Right || side[1] != n && attrs.Right {
		c.failLengths(m, r)
	}
	m, r = c.broadcastBatch(m, r)
	x := c.Do(ir.TriangularSolve, attrs, m, r)
	if s := x.Shape(); vector {
		x = c.reshape(x, append(s[:len(s)-2:len(s)-2].Clone(), n))
	}
	return c.done(x, t)
}

// Solve returns the x with a*x = b, where a is a square matrix, and b a matrix or a
// vector, by elimination with partial pivoting. Batch axes broadcast. Of a
// singularValues a the result holds infinities or nan, under systems that have an error
// it is one.
func (l *Lib) Solve(a, b any) Tensor {
	c, m, r, t := l.linearPair("Solve", a, b)
	n := c.squareLength(m)
	vector := len(r.Shape()) == 1
	if vector {
		r = c.reshape(r, append(r.Shape().Clone(), 1))
	}
	c.matrices(r)
	if s := r.Shape(); s[len(s)-2] != n {
		c.failLengths(m, r)
	}
	x := c.solve(m, r, emulate.SingularSystem)
	if s := x.Shape(); vector {
		x = c.reshape(x, s[:len(s)-1].Clone())
	}
	return c.done(x, t)
}

// Inv returns the inverse of square matrices x: inv(x)*x is the identity matrix.
// Of a singular x it holds infinities or nan, under systems that have an error it
// is one.
func (l *Lib) Inv(x any) Tensor {
	c, a, t := l.linear("Inv", x)
	return c.done(c.inverse(a, emulate.Singular), t)
}

func (c *call) inverse(a expr.Value, faults ...emulate.Fault) expr.Value {
	n := c.squareLength(a)
	return c.solve(a, c.to(c.identityMatrix(n, a.DType()), a.Shape()), faults...)
}

// Det returns the determinants of square matrices x; that of an empty matrix is 1.
func (l *Lib) Det(x any) Tensor {
	c, a, t := l.linear("Det", x)
	diagonal, sign := c.pivots(a)
	return c.done(c.timesSign(c.fold(ir.ReduceProd, diagonal, lastAxis), sign), t)
}

// timesSign returns product * sign, with +0 where product is 0.
func (c *call) timesSign(product, sign expr.Value) expr.Value {
	r := c.Mul(product, c.convert(sign, product.DType()))
	return c.Where(c.Eq(product, 0), 0, r)
}

// SlogDet returns the signs of the determinants of square matrices x, of complex
// ones their phases, and the logarithms of their magnitudes, which does not
// overflow; 0 and -inf of a singular x.
func (l *Lib) SlogDet(x any) (sign, logarithm Tensor) {
	c, a, t := l.linear("SlogDet", x)
	diagonal, parity := c.pivots(a)
	d := a.DType()
	size := c.Abs(diagonal)
	zero := c.Eq(size, 0)
	phase := c.Where(zero, 0, c.Div(diagonal, c.convert(size, d)))
	s := c.timesSign(c.fold(ir.ReduceProd, phase, lastAxis), parity)
	sum := c.fold(ir.ReduceSum, c.Log(size), lastAxis)
	return c.done(s, t), c.done(sum, magnitudeType(t))
}

// pivots returns the diagonal that elimination makes of square matrices a, and
// whether the rows were exchanged an odd number of times, as 1 and -1.
func (c *call) pivots(a expr.Value) (diagonal, parity expr.Value) {
	n := c.squareLength(a)
	out := c.All(ir.LU, nil, nil, a)
	s := out[1].Shape()
	at := c.Do(ir.Iota, ir.IotaAttrs{DType: dtype.I32, Shape: s.Dims(), Axis: len(s) - 1})
	exchanged := c.convert(c.Ne(out[1], at), dtype.I32)
	odd := c.fold(ir.ReduceSum, exchanged, []ReduceOption{Axis(-1)})
	odd = c.And(odd, 1)
	parity = c.Sub(1, c.Add(odd, odd))
	if n == 0 {
		return c.to(c.zero(a.DType()), s), parity
	}
	return c.diagonal(out[0], 0), parity
}

// solve returns the x of a*x = b, matrices whose batch axes broadcast; that a is
// singularValues is one of faults, if any.
func (c *call) solve(a, b expr.Value, faults ...emulate.Fault) expr.Value {
	f := c.All(ir.LU, nil, nil, a)
	for _, fault := range faults {
		c.checkRegular(fault, f[0])
	}
	lu, b := c.broadcastBatch(f[0], b)
	s := b.Shape()
	rank := len(s) - 2
	order := c.to(f[2], append(s[:rank:rank].Clone(), s[rank]))
	b = c.takeRows(b, order)
	b = c.Do(ir.TriangularSolve, ir.TriangularAttrs{Unit: true}, lu, b)
	return c.Do(ir.TriangularSolve, ir.TriangularAttrs{Upper: true}, lu, b)
}

// magnitudeType returns the dtype of magnitudes of numbers of t.
func magnitudeType(t dtype.Typed) dtype.Typed {
	return dtype.Typed{DType: t.DType.Elem(), Ambiguous: t.Ambiguous}
}

// takeRows returns the rows of the matrices of a in the given order.
func (c *call) takeRows(a, order expr.Value) expr.Value {
	s := a.Shape()
	rank := len(s) - 2
	batch := s[:rank].Size()
	attrs := ir.GatherAttrs{OffsetDims: shape.DimsOf(2), CollapsedSliceDims: shape.DimsOf(1), OperandBatchingDims: shape.DimsOf(0),
		IndicesBatchingDims: shape.DimsOf(0), StartIndexMap: shape.DimsOf(1), IndexVectorDim: 2, SliceSizes: shape.DimsOf(1, 1, s[rank+1])}
	if s.Size() == 0 {
		return a
	}
	return c.reshape(c.Do(ir.Gather, attrs, c.reshape(a, Shape{batch, s[rank], s[rank+1]}), c.reshape(order, Shape{batch, s[rank]})), s)
}

// linear begins a call of linear algebra on x. The result has dtype t; a is x
// in the dtype that is computed in.
func (l *Lib) linear(op string, x any) (c *call, a expr.Value, t dtype.Typed) {
	c = l.call(op, x)
	t = c.linearType(c.own(x))
	a = c.convert(c.at(x, t.DType), wide(t.DType))
	c.matrices(a)
	return c, a, t
}

// linearPair is linear of two operands at their common dtype; y may be a vector.
func (l *Lib) linearPair(op string, x, y any) (c *call, a, b expr.Value, t dtype.Typed) {
	c = l.call(op, x, y)
	t = c.linearType(c.common(x, y))
	a, b = c.convert(c.at(x, t.DType), wide(t.DType)), c.convert(c.at(y, t.DType), wide(t.DType))
	c.matrices(a)
	if len(b.Shape()) == 0 {
		c.fail("the right side is a scalar", "it is a vector or a matrix; multiply nv.Inv(a) by a scalar")
	}
	return c, a, b, t
}

// linearType returns the dtype of linear algebra on t, where the system has it.
func (c *call) linearType(t dtype.Typed) dtype.Typed {
	c.requireSupport("linear", t.DType, "convert with AsType(nv.F32)")
	r := c.inexact(t)
	if c.framework.LinearFlag != nil {
		r.Ambiguous = c.framework.LinearFlag(c.sys.Name(), t, r)
	}
	return r
}

// squareLength fails where the matrices of a are not square; it returns their length.
func (c *call) squareLength(a expr.Value) int {
	c.matrices(a)
	s := a.Shape()
	n, m := s[len(s)-2], s[len(s)-1]
	if n != m {
		c.fail("it is of square matrices, not of "+itoa(n)+" rows and "+itoa(m)+" columns", "nv.Lstsq, nv.PInv, nv.QR and nv.SVD take any")
	}
	return n
}

func (c *call) failLengths(a, b expr.Value) {
	c.fail("matrices of "+a.Shape().String()+" and a right side of "+b.Shape().String()+" do not go together",
		"the sides that meet are of one length")
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

// identityMatrix returns the identity matrix of n rows.
func (c *call) identityMatrix(n int, d dtype.DType) expr.Value {
	s := shape.DimsOf(n, n)
	row := c.Do(ir.Iota, ir.IotaAttrs{DType: dtype.I32, Shape: s, Axis: 0})
	return c.convert(c.Eq(row, c.Do(ir.Iota, ir.IotaAttrs{DType: dtype.I32, Shape: s, Axis: 1})), d)
}

// requireSupport fails where the framework does not have operations of a family of d.
func (c *call) requireSupport(family string, d dtype.DType, hint string) {
	if lacks := c.framework.Lacks[family]; lacks != nil {
		if reason := lacks(c.sys.Name(), c.op, d); reason != "" {
			c.fail(reason, hint)
		}
	}
}
