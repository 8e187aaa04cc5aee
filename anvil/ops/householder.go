package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// A reflections is a batch of products H(0)*H(1)*... of Householder reflections
// H(k) = I - taus[k]*v*adjoint(v), where v is column k of columns and begins with zeros.
type reflections struct{ columns, taus expr.Value }

// householder returns v, tau and beta of the reflection H = I - tau*v*adjoint(v) for which adjoint(H)*x has beta
// in row number at and zeros below it; the rows above stay as in x. If the elements below row number at are
// negligible (and, for complex x, the imaginary part in that row), H is the identity, with tau = 0.
// Source: LAPACK, larfg.
func householder(b expr.Builder, x, at expr.Value) (v, tau, beta expr.Value) {
	d := x.DType()
	// Without the barrier the compiler may compute x in several places with different roundings. Then the sign of an
	// alpha near 0 could differ between these places, and with it the sign of beta.
	x = b.Barrier(x)[0]
	row := b.Iota(dtype.I32, 0, x.Shape()[1], 1)
	alpha := b.DynamicSlice(x, 1, at, 1)
	rest := b.Where(b.Gt(row, at), x, 0)
	square := b.Reshape(b.Sum(squaredMagnitude(b, rest), 1), alpha.Shape()...)
	negligible := b.Le(square, negligibleSquare(square.DType()))
	if d.Is(dtype.Complex) {
		imag := b.Square(b.Imag(alpha))
		negligible = b.And(negligible, b.Le(imag, negligibleSquare(imag.DType())))
	}
	length := b.Sqrt(b.Add(square, squaredMagnitude(b, alpha)))
	beta = b.Where(b.Lt(b.Real(alpha), 0), length, b.Neg(length))
	beta = b.Where(negligible, b.Real(alpha), beta)
	target := b.Convert(beta, d)
	divisor := b.Where(negligible, 1, b.Sub(alpha, target))
	v = b.Where(b.Eq(row, at), 1, b.Div(rest, divisor))
	tau = b.Where(negligible, 0, b.Div(b.Sub(target, alpha), b.Where(negligible, 1, target)))
	return v, tau, beta
}

// negligibleSquare returns the greatest sum of the squares of a column that counts as zero. In a larger sum, squares
// that underflow make no difference.
func negligibleSquare(d dtype.DType) float64 {
	if d == dtype.F64 {
		return 0x1p-940
	}
	return 0x1p-90
}

// squaredMagnitude returns |x|², elementwise.
func squaredMagnitude(b expr.Builder, x expr.Value) expr.Value {
	if !x.DType().Is(dtype.Complex) {
		return b.Square(x)
	}
	return b.Add(b.Square(b.Real(x)), b.Square(b.Imag(x)))
}

// reflectionsBlock is the number of reflections that one product of matrices applies.
const reflectionsBlock = 32

// applyReflections returns the product of r and the matrices of x. It applies a block of reflections at a time, whose
// product is I - V*T*adjoint(V): V has the columns of the block, and T is the inverse of the upper triangle of
// adjoint(V)*V with its diagonal replaced by 1/tau. Source: Joffrain and others, Accumulating Householder
// transformations, revisited, 2006.
func applyReflections(b expr.Builder, r reflections, x expr.Value) expr.Value {
	batch, n, steps := r.columns.Shape()[0], r.columns.Shape()[1], r.columns.Shape()[2]
	width := min(steps, reflectionsBlock)
	blocks := (steps + width - 1) / width
	v, taus := padMatrix(b, r.columns, n, blocks*width), padMatrix(b, b.Row(r.taus), 1, blocks*width)
	return b.For(0, blocks, []expr.Value{x}, []expr.Value{v, taus}, func(
		b expr.Builder, i expr.Value, carried, shared []expr.Value,
	) []expr.Value {
		at := b.Mul(b.Sub(blocks-1, i), width)
		v, taus := b.DynamicSlice(shared[0], 2, at, width), b.DynamicSlice(shared[1], 2, at, width)
		y := reflectionCoefficients(b, v, b.Reshape(taus, batch, width), carried[0], ir.AsIs)
		return []expr.Value{b.Sub(carried[0], b.MatMul(v, y))}
	})[0]
}

// reflectionCoefficients returns op(T)*adjoint(v)*x, where I - v*T*adjoint(v) is the product of the
// reflections with the columns v. A reflection with tau = 0 is the identity, so that its column is replaced by zeros.
func reflectionCoefficients(b expr.Builder, v, taus, x expr.Value, op ir.MatrixOp) expr.Value {
	n := v.Shape()[2]
	identity := b.Eq(taus, 0)
	v = b.Where(b.Row(identity), 0, v)
	inverse := b.Div(1, b.Where(identity, 1, taus))
	adjoint := b.Adjoint(v)
	t := b.Where(b.Eye(dtype.I1, n, n), b.Column(inverse), b.MatMul(adjoint, v))
	return b.Do(ir.TriangularSolve, ir.TriangularAttrs{Upper: true, Op: op}, t, b.MatMul(adjoint, x))
}

// triangularize returns factors with x = q*r, where r is upper triangular. The reflections of q may be padded with
// identities, which have zero columns. It computes panels of columns from left to right, and applies the reflections
// of each panel to the columns right of it by products of matrices.
func triangularize(b expr.Builder, x expr.Value) (q reflections, r expr.Value) {
	d, batch, m, n := x.DType(), x.Shape()[0], x.Shape()[1], x.Shape()[2]
	width := min(m, n, reflectionsBlock)
	panels := (min(m, n) + width - 1) / width
	steps := panels * width
	x = padMatrix(b, x, m, max(n, steps))
	start := []expr.Value{x, b.Number(0, d, batch, m, steps), b.Number(0, d, batch, 1, steps)}
	out := b.For(0, panels, start, nil, func(b expr.Builder, i expr.Value, carried, _ []expr.Value) []expr.Value {
		at := b.Mul(i, width)
		panel := triangularizePanel(b, b.DynamicSlice(carried[0], 2, at, width), at)
		x, v, taus := carried[0], panel[1], panel[2]
		y := reflectionCoefficients(b, v, b.Reshape(taus, batch, width), x, ir.Adjoint)
		right := b.Ge(b.Iota(dtype.I32, 0, x.Shape()[2]), b.Add(at, width))
		x = b.Where(right, b.Sub(x, b.MatMul(v, y)), x)
		return []expr.Value{b.DynamicUpdateSlice(x, panel[0], 2, at), b.DynamicUpdateSlice(carried[1], v, 2, at),
			b.DynamicUpdateSlice(carried[2], taus, 2, at)}
	})
	return reflections{out[1], b.Reshape(out[2], batch, steps)}, b.Slice(out[0], 2, 0, n)
}

// triangularizePanel makes zero all elements of x below a diagonal that begins in row at of column 0. It returns
// the resulting panel, and the columns and taus of the reflections.
func triangularizePanel(b expr.Builder, x, at expr.Value) []expr.Value {
	d, batch, m, n := x.DType(), x.Shape()[0], x.Shape()[1], x.Shape()[2]
	start := []expr.Value{x, b.Number(0, d, batch, m, n), b.Number(0, d, batch, 1, n)}
	return b.For(0, n, start, []expr.Value{at}, func(
		b expr.Builder, i expr.Value, carried, shared []expr.Value,
	) []expr.Value {
		x, k := carried[0], b.Add(shared[0], i)
		column := b.DynamicSlice(x, 2, i, 1)
		v, tau, beta := householder(b, column, k)
		x = b.Sub(x, b.Mul(v, b.Mul(b.Conj(tau), b.MatMul(b.Adjoint(v), x))))
		row := b.Iota(dtype.I32, 0, m, 1)
		column = b.Where(b.Lt(row, k), column, b.Where(b.Eq(row, k), b.Convert(beta, d), 0))
		return []expr.Value{b.DynamicUpdateSlice(x, column, 2, i), b.DynamicUpdateSlice(carried[1], v, 2, i),
			b.DynamicUpdateSlice(carried[2], tau, 2, i)}
	})
}
