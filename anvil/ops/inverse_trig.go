package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// Expansions of the inverse trigonometric functions of floats. XLA's CPU compiler would call libc for each
// element, which is twenty times slower; as of 2026 it also passes the wrong elements to libc if it knows that an
// operand of atan2 is 1. Complex numbers use the compiler's operations; the results of all but atan2 are then
// corrected (see corrected).

// atan2 returns the angle of the point (x, y) from the positive x axis.
func atan2(b expr.Builder, operands ...expr.Value) expr.Value {
	y, x := operands[0], operands[1]
	if isComplex(x) {
		return b.Atan2(y, x)
	}
	u, v := b.Abs(y), b.Abs(x)
	low, high := b.Min(u, v), b.Max(u, v)
	ratio := b.Div(low, high)
	ratio = b.Where(b.Eq(low, high), 1, ratio) // Inf/Inf is NaN
	ratio = b.Where(b.Eq(high, 0), 0, ratio)
	r := atanUnit(b, ratio)
	r = b.Where(b.Gt(u, v), b.Sub(math.Pi/2, r), r)
	left := b.Lt(signOf(b, x), 0)
	r = b.Where(left, b.Sub(math.Pi, r), r)
	return b.Mul(signOf(b, y), r)
}

// atan returns the inverse tangent.
func atan(b expr.Builder, x ...expr.Value) expr.Value {
	if isComplex(x[0]) {
		return corrected(ir.Atan, oddParts)(b, x...)
	}
	a := b.Abs(x[0])
	steep := b.Gt(a, 1)
	r := atanUnit(b, b.Where(steep, b.Div(1, a), a))
	r = b.Where(steep, b.Sub(math.Pi/2, r), r)
	return b.Mul(signOf(b, x[0]), r)
}

// asin returns the inverse sine.
func asin(b expr.Builder, x ...expr.Value) expr.Value {
	if isComplex(x[0]) {
		return corrected(ir.Asin, oddParts)(b, x...)
	}
	return atan2(b, x[0], sqrtOneMinusSquare(b, x[0]))
}

// acos returns the inverse cosine.
func acos(b expr.Builder, x ...expr.Value) expr.Value {
	if isComplex(x[0]) {
		return corrected(ir.Acos, func(b expr.Builder, x, y, u, v expr.Value) (expr.Value, expr.Value) {
			return u, copysign(b, v, b.Neg(y))
		})(b, x...)
	}
	return atan2(b, sqrtOneMinusSquare(b, x[0]), x[0])
}

// sqrtOneMinusSquare returns sqrt(1-x²), computed as sqrt((1-x)(1+x)), which does
// not cancel near 1.
func sqrtOneMinusSquare(b expr.Builder, x expr.Value) expr.Value {
	return b.Sqrt(b.Mul(b.Sub(1, x), b.Add(1, x)))
}

// atanUnit returns the inverse tangent of t, 0 <= t <= 1. For t above sqrt(2)-1 it is pi/4 + atan((t-1)/(t+1)).
// The polynomials are those of Moshier's Cephes library (atanf and atan).
func atanUnit(b expr.Builder, t expr.Value) expr.Value {
	large := b.Gt(t, math.Sqrt2-1)
	u := b.Where(large, b.Div(b.Sub(t, 1), b.Add(t, 1)), t)
	z := b.Square(u)
	var series expr.Value
	if isDouble(t) {
		series = b.Div(
			b.Polynomial(z, []float64{-8.750608600031904122785e-1, -1.615753718733365076637e1, -7.500855792314704667340e1,
				-1.228866684490136173410e2, -6.485021904942025371773e1}),
			b.Polynomial(z, []float64{1, 2.485846490142306297962e1, 1.650270098316988542046e2,
				4.328810604912902668951e2, 4.853903996359136964868e2, 1.945506571482613964425e2}))
	} else {
		series = b.Polynomial(z, []float64{8.05374449538e-2, -1.38776856032e-1, 1.99777106478e-1, -3.33329491539e-1})
	}
	r := b.Add(u, b.Mul(u, b.Mul(z, series)))
	return b.Where(large, b.Add(math.Pi/4, r), r)
}
