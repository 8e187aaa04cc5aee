package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// On branch cuts, at zeros and at infinities, the compiler's functions of complex numbers lose signs: its
// square root of -1-0i is i instead of -i. The expansions in this file correct the real and the imaginary part of
// the compiler's results to those that Annex G of the C standard prescribes.

// corrected returns the expansion that applies the compiler's operation c and then corrects complex results by f.
// For the operand x + y*i and the compiler's result u + v*i, f returns the real and the imaginary part of the
// corrected result.
func corrected(c ir.Code, f func(b expr.Builder, x, y, u, v expr.Value) (expr.Value, expr.Value)) Expansion {
	return func(b expr.Builder, z ...expr.Value) expr.Value {
		if !isComplex(z[0]) {
			return b.Do(c, nil, z...)
		}
		x, y := b.Real(z[0]), b.Imag(z[0])
		r := b.Do(c, nil, z...)
		u, v := f(b, x, y, b.Real(r), b.Imag(r))
		return b.Complex(u, v)
	}
}

// keepZero returns x where x is 0, with its sign, and v elsewhere.
func keepZero(b expr.Builder, v, x expr.Value) expr.Value { return b.Where(b.Eq(x, 0), x, v) }

// isInf returns whether x is infinite.
func isInf(b expr.Builder, x expr.Value) expr.Value { return b.Eq(b.Abs(x), math.Inf(1)) }

// oddParts gives each part of the result the sign of the same part of the operand.
func oddParts(b expr.Builder, x, y, u, v expr.Value) (expr.Value, expr.Value) {
	return copysign(b, u, x), copysign(b, v, y)
}

// logParts makes the real part of the logarithm infinite where a part of the operand is infinite.
func logParts(b expr.Builder, x, y, u, v expr.Value) (expr.Value, expr.Value) {
	inf := math.Inf(1)
	return b.Where(isInf(b, x), inf, b.Where(isInf(b, y), inf, u)), v
}

var (
	sqrt = corrected(ir.Sqrt, func(b expr.Builder, x, y, u, v expr.Value) (expr.Value, expr.Value) {
		inf := math.Inf(1)
		u = b.Where(b.Eq(x, inf), inf, u)
		v = b.Where(b.Eq(x, -inf), inf, v)
		infinite := isInf(b, y)
		return b.Where(infinite, inf, u), b.Where(infinite, y, copysign(b, v, y))
	})

	exp = corrected(ir.Exp, func(b expr.Builder, x, y, u, v expr.Value) (expr.Value, expr.Value) {
		notFinite := b.Ne(b.Sub(y, y), 0)               // y is infinite or NaN
		zero := b.And(notFinite, b.Eq(x, math.Inf(-1))) // exp(-Inf) is 0, whatever the angle y
		u = b.Where(zero, 0, b.Where(b.And(notFinite, b.Eq(x, math.Inf(1))), x, u))
		return u, keepZero(b, b.Where(zero, 0, v), y)
	})

	expm1 = corrected(ir.Expm1, func(b expr.Builder, x, y, u, v expr.Value) (expr.Value, expr.Value) {
		zero := b.And(b.Eq(x, 0), b.Eq(y, 0))
		return b.Where(zero, x, u), keepZero(b, v, y)
	})

	log = corrected(ir.Log, logParts)

	tan = corrected(ir.Tan, func(b expr.Builder, x, y, u, v expr.Value) (expr.Value, expr.Value) {
		return keepZero(b, u, x), copysign(b, v, y)
	})
	tanh = corrected(ir.Tanh, func(b expr.Builder, x, y, u, v expr.Value) (expr.Value, expr.Value) {
		return copysign(b, u, x), keepZero(b, v, y)
	})

	acosh = corrected(ir.Acosh, func(b expr.Builder, x, y, u, v expr.Value) (expr.Value, expr.Value) {
		return b.Abs(u), copysign(b, v, y)
	})
	asinh = corrected(ir.Asinh, oddParts)
)
