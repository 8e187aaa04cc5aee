package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// reflections are the products H(0)*H(1)*... of H(k) = I - tau[k]*v*adjoint(v),
// where v is column k; each begins with zeros.
type reflections struct{ columns, taus *ir.Value }

// reflection returns the reflection that leaves of a column x, from row at on,
// only the element beta in row at; of a column of next to nothing it is none.
// Source: LAPACK, larfg.
func (p composer) reflection(x, at *ir.Value) (v, tau, beta *ir.Value) {
	d := x.Type.DType
	row := p.column(p.count(x.Type.Shape[1]))
	zero := p.like(x, 0)
	alpha := p.window(x, 1, at, 1)
	rest := p.where(p.compare(ir.GT, row, at), x, zero)
	square := p.sum(p.squared(rest), 1)
	square = p.reshape(square, alpha.Type.Shape...)
	nothing := p.compare(ir.LE, square, p.like(square, leastSquare(square.Type.DType)))
	if d.Is(dtype.Complex) {
		turn := p.squared(p.do(ir.Imag, nil, alpha))
		nothing = p.and(nothing, p.compare(ir.LE, turn, p.like(turn, leastSquare(turn.Type.DType))))
	}
	length := p.sqrt(p.add(square, p.squared(alpha)))
	beta = p.where(p.compare(ir.LT, p.real(alpha), p.like(length, 0)), length, p.neg(length))
	beta = p.where(nothing, p.real(alpha), beta)
	wide := p.convert(beta, d)
	divisor := p.where(nothing, p.like(x, 1), p.sub(alpha, wide))
	v = p.where(p.compare(ir.EQ, row, at), p.like(x, 1), p.div(rest, divisor))
	tau = p.where(nothing, zero, p.div(p.sub(wide, alpha), p.where(nothing, p.like(x, 1), wide)))
	return v, tau, beta
}

// leastSquare is what a sum of squares must be more than, so that squares that
// underflow are no part of it.
func leastSquare(d dtype.DType) float64 {
	if d == dtype.F64 {
		return 0x1p-940
	}
	return 0x1p-90
}

// squared returns the squares of the magnitudes of x.
func (p composer) squared(x *ir.Value) *ir.Value {
	if !x.Type.DType.Is(dtype.Complex) {
		return p.mul(x, x)
	}
	re, im := p.do(ir.Real, nil, x), p.do(ir.Imag, nil, x)
	return p.add(p.mul(re, re), p.mul(im, im))
}

// reflectedBlock is how many reflections are applied by one product of matrices.
const reflectedBlock = 32

// reflected returns the product of reflections and matrices x, blocks of
// reflections at a time: each is I - V*T*adjoint(V), where T is the inverse of
// the upper triangle of adjoint(V)*V with 1/tau on the diagonal. Source:
// Joffrain and others, Accumulating Householder transformations, revisited, 2006.
func (p composer) reflected(r reflections, x *ir.Value) *ir.Value {
	batch, n, steps := r.columns.Type.Shape[0], r.columns.Type.Shape[1], r.columns.Type.Shape[2]
	width := min(steps, reflectedBlock)
	blocks := (steps + width - 1) / width
	v, taus := p.pad(r.columns, n, blocks*width), p.pad(p.row(r.taus), 1, blocks*width)
	return p.loop(p.number(dtype.I32, 0), p.number(dtype.I32, float64(blocks)), []*ir.Value{x}, []*ir.Value{v, taus},
		func(p composer, i *ir.Value, carried, shared []*ir.Value) []*ir.Value {
			at := p.mul(p.sub(p.like(i, float64(blocks-1)), i), p.like(i, float64(width)))
			v, taus := p.window(shared[0], 2, at, width), p.window(shared[1], 2, at, width)
			y := p.factor(v, p.reshape(taus, batch, width), carried[0], ir.AsIs)
			return []*ir.Value{p.sub(carried[0], p.dot(v, y))}
		})[0]
}

// factor returns op(T)*adjoint(v)*x, where I - v*T*adjoint(v) is the product of
// reflections of columns v. A reflection that is none has 0 in place of its v.
func (p composer) factor(v, taus, x *ir.Value, op ir.MatrixOp) *ir.Value {
	n := v.Type.Shape[2]
	none := p.compare(ir.EQ, taus, p.like(taus, 0))
	v = p.where(p.row(none), p.like(v, 0), v)
	inverse := p.div(p.like(v, 1), p.where(none, p.like(v, 1), taus))
	adjoint := p.adjoint(v)
	t := p.where(p.eye(dtype.I1, n, n), p.column(inverse), p.dot(adjoint, v))
	return p.do(ir.TriangularSolve, ir.TriangularAttrs{Upper: true, Op: op}, t, p.dot(adjoint, x))
}

// triangular returns the reflections that make upper triangular matrices of x,
// and these: columns of zeros more than there are rows or columns of x are no
// reflections. It goes a panel of columns at a time: what a panel does to the
// others is one product of matrices.
func (p composer) triangular(x *ir.Value) (q reflections, r *ir.Value) {
	d, batch, m, n := x.Type.DType, x.Type.Shape[0], x.Type.Shape[1], x.Type.Shape[2]
	width := min(m, n, reflectedBlock)
	panels := (min(m, n) + width - 1) / width
	steps := panels * width
	x = p.pad(x, m, max(n, steps))
	start := []*ir.Value{x, p.zeros(d, batch, m, steps), p.zeros(d, batch, 1, steps)}
	out := p.loop(p.number(dtype.I32, 0), p.number(dtype.I32, float64(panels)), start, nil, func(p composer, i *ir.Value, carried, _ []*ir.Value) []*ir.Value {
		at := p.mul(i, p.like(i, float64(width)))
		panel := p.panel(p.window(carried[0], 2, at, width), at)
		x, v, taus := carried[0], panel[1], panel[2]
		y := p.factor(v, p.reshape(taus, batch, width), x, ir.Adjoint)
		x = p.where(p.compare(ir.GE, p.count(x.Type.Shape[2]), p.add(at, p.like(at, float64(width)))), p.sub(x, p.dot(v, y)), x)
		return []*ir.Value{p.update(x, panel[0], 2, at), p.update(carried[1], v, 2, at), p.update(carried[2], taus, 2, at)}
	})
	return reflections{out[1], p.reshape(out[2], batch, steps)}, p.cut(out[0], 2, 0, n)
}

// panel makes the columns of x upper triangular, of which the first has its
// diagonal in row at; it returns them, the reflections' columns, and their taus.
func (p composer) panel(x, at *ir.Value) []*ir.Value {
	d, batch, m, n := x.Type.DType, x.Type.Shape[0], x.Type.Shape[1], x.Type.Shape[2]
	start := []*ir.Value{x, p.zeros(d, batch, m, n), p.zeros(d, batch, 1, n)}
	return p.loop(p.like(at, 0), p.like(at, float64(n)), start, []*ir.Value{at}, func(p composer, i *ir.Value, carried, shared []*ir.Value) []*ir.Value {
		x, k := carried[0], p.add(shared[0], i)
		column := p.window(x, 2, i, 1)
		v, tau, beta := p.reflection(column, k)
		x = p.sub(x, p.mul(v, p.mul(p.conj(tau), p.dot(p.adjoint(v), x))))
		row := p.column(p.count(m))
		column = p.where(p.compare(ir.LT, row, k), column, p.where(p.compare(ir.EQ, row, k), p.convert(beta, d), p.like(x, 0)))
		return []*ir.Value{p.update(x, column, 2, i), p.update(carried[1], v, 2, i), p.update(carried[2], tau, 2, i)}
	})
}
