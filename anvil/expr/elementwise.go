package expr

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// Unary returns the result of an elementwise operation on one operand.
func (b Builder) Unary(c ir.Code, x Value) Value { return b.Do(c, nil, x) }

// Binary returns the result of an elementwise operation on two operands. At least one must be a Value.
func (b Builder) Binary(c ir.Code, x, y any) Value {
	v, w := b.pair(x, y)
	return b.Do(c, nil, v, w)
}

// Add returns x + y; for booleans, the logical or.
func (b Builder) Add(x, y any) Value { return b.Binary(ir.Add, x, y) }

// Sub returns x - y.
func (b Builder) Sub(x, y any) Value { return b.Binary(ir.Sub, x, y) }

// Mul returns x * y; for booleans, the logical and.
func (b Builder) Mul(x, y any) Value { return b.Binary(ir.Mul, x, y) }

// MulNoNaN returns x * y, but 0 where x is 0, even if y is infinite or NaN.
func (b Builder) MulNoNaN(x, y any) Value { return b.Binary(ir.MulNoNaN, x, y) }

// Div returns x / y; quotients of integers are truncated.
func (b Builder) Div(x, y any) Value { return b.Binary(ir.Div, x, y) }

// Rem returns the remainder of the truncated quotient x / y, with the sign of x.
func (b Builder) Rem(x, y any) Value { return b.Binary(ir.Rem, x, y) }

// Pow returns x to the power y.
func (b Builder) Pow(x, y any) Value { return b.Binary(ir.Pow, x, y) }

// Power returns x to the power n, by repeated squaring. n must be 1 or more.
func (b Builder) Power(x Value, n int) Value {
	if n == 1 {
		return x
	}
	half := b.Power(x, n/2)
	r := b.Mul(half, half)
	if n%2 == 1 {
		r = b.Mul(r, x)
	}
	return r
}

// Max returns the greater of x and y, and NaN if either is NaN.
func (b Builder) Max(x, y any) Value { return b.Binary(ir.Max, x, y) }

// Min returns the lesser of x and y, and NaN if either is NaN.
func (b Builder) Min(x, y any) Value { return b.Binary(ir.Min, x, y) }

// Atan2 returns the angle of the point (x, y) from the positive x axis, in
// radians.
func (b Builder) Atan2(y, x any) Value { return b.Binary(ir.Atan2, y, x) }

// And returns x & y: logical for booleans, bitwise for integers.
func (b Builder) And(x, y any) Value { return b.Binary(ir.And, x, y) }

// Or returns x | y: logical for booleans, bitwise for integers.
func (b Builder) Or(x, y any) Value { return b.Binary(ir.Or, x, y) }

// Xor returns x ^ y: logical for booleans, bitwise for integers.
func (b Builder) Xor(x, y any) Value { return b.Binary(ir.Xor, x, y) }

// ShiftLeft returns x shifted n bits to the left.
func (b Builder) ShiftLeft(x, n any) Value { return b.Binary(ir.ShiftLeft, x, n) }

// ShiftRight returns x shifted n bits to the right. The free bits become the sign bit if x is signed, and
// otherwise zeros.
func (b Builder) ShiftRight(x Value, n any) Value {
	if x.DType().Is(dtype.Signed) {
		return b.Binary(ir.ShiftRightArithmetic, x, n)
	}
	return b.ShiftRightLogical(x, n)
}

// ShiftRightLogical returns x shifted n bits to the right. The free bits become zeros.
func (b Builder) ShiftRightLogical(x, n any) Value { return b.Binary(ir.ShiftRightLogical, x, n) }

// Complex returns re + im*i of two floats.
func (b Builder) Complex(re, im any) Value { return b.Binary(ir.Complex, re, im) }

// Neg returns -x.
func (b Builder) Neg(x Value) Value { return b.Unary(ir.Neg, x) }

// Not returns the complement of x: logical for booleans, bitwise for integers.
func (b Builder) Not(x Value) Value { return b.Unary(ir.Not, x) }

// Abs returns the magnitude of x. The magnitude of a complex number is a float.
func (b Builder) Abs(x Value) Value {
	if x.DType().Is(dtype.Unsigned | dtype.Boolean) { // the operation does not accept these dtypes
		return x
	}
	return b.Unary(ir.Abs, x)
}

// Sign returns -1, 0 or 1, and x/|x| for a complex x.
func (b Builder) Sign(x Value) Value { return b.Unary(ir.Sign, x) }

// Sqrt returns the square root of x.
func (b Builder) Sqrt(x Value) Value { return b.Unary(ir.Sqrt, x) }

// Rsqrt returns 1 / sqrt(x).
func (b Builder) Rsqrt(x Value) Value { return b.Unary(ir.Rsqrt, x) }

// Exp returns e to the power x.
func (b Builder) Exp(x Value) Value { return b.Unary(ir.Exp, x) }

// Expm1 returns exp(x) - 1, accurate even where x is small.
func (b Builder) Expm1(x Value) Value { return b.Unary(ir.Expm1, x) }

// Log returns the natural logarithm of x.
func (b Builder) Log(x Value) Value { return b.Unary(ir.Log, x) }

// Log1p returns log(1 + x), accurate even where x is small.
func (b Builder) Log1p(x Value) Value { return b.Unary(ir.Log1p, x) }

// Sin returns the sine of x in radians.
func (b Builder) Sin(x Value) Value { return b.Unary(ir.Sin, x) }

// Cos returns the cosine of x in radians.
func (b Builder) Cos(x Value) Value { return b.Unary(ir.Cos, x) }

// Tanh returns the hyperbolic tangent of x.
func (b Builder) Tanh(x Value) Value { return b.Unary(ir.Tanh, x) }

// Floor returns the greatest integer less than or equal to x. x must be a float.
func (b Builder) Floor(x Value) Value { return b.Unary(ir.Floor, x) }

// Ceil returns the least integer greater than or equal to x. x must be a float.
func (b Builder) Ceil(x Value) Value { return b.Unary(ir.Ceil, x) }

// RoundEven returns the integer nearest to x, with ties to even. x must be a float.
func (b Builder) RoundEven(x Value) Value { return b.Unary(ir.RoundEven, x) }

// Real returns the real part of x.
func (b Builder) Real(x Value) Value {
	if !x.DType().Is(dtype.Complex) {
		return x
	}
	return b.Unary(ir.Real, x)
}

// Imag returns the imaginary part of x, or zeros if x is not complex.
func (b Builder) Imag(x Value) Value {
	if !x.DType().Is(dtype.Complex) {
		return b.Like(x, 0)
	}
	return b.Unary(ir.Imag, x)
}

// Conj returns the complex conjugate of x.
func (b Builder) Conj(x Value) Value {
	if !x.DType().Is(dtype.Complex) {
		return x
	}
	return b.Complex(b.Real(x), b.Neg(b.Imag(x)))
}

// Square returns x * x.
func (b Builder) Square(x Value) Value { return b.Mul(x, x) }

// Reciprocal returns 1 / x.
func (b Builder) Reciprocal(x Value) Value { return b.Div(1, x) }

// Compare returns whether the relation d between x and y holds, elementwise.
func (b Builder) Compare(d ir.Direction, x, y any) Value {
	v, w := b.pair(x, y)
	return b.Do(ir.Compare, ir.CompareAttrs{Direction: d}, v, w)
}

// Eq returns whether x == y.
func (b Builder) Eq(x, y any) Value { return b.Compare(ir.EQ, x, y) }

// Ne returns whether x != y. It is true if either is NaN.
func (b Builder) Ne(x, y any) Value { return b.Compare(ir.NE, x, y) }

// Lt returns whether x < y.
func (b Builder) Lt(x, y any) Value { return b.Compare(ir.LT, x, y) }

// Le returns whether x <= y.
func (b Builder) Le(x, y any) Value { return b.Compare(ir.LE, x, y) }

// Gt returns whether x > y.
func (b Builder) Gt(x, y any) Value { return b.Compare(ir.GT, x, y) }

// Ge returns whether x >= y.
func (b Builder) Ge(x, y any) Value { return b.Compare(ir.GE, x, y) }

// IsNaN returns whether x is NaN.
func (b Builder) IsNaN(x Value) Value { return b.Ne(x, x) }

// IsFinite returns whether the float x is neither infinite nor NaN.
func (b Builder) IsFinite(x Value) Value { return b.Unary(ir.IsFinite, x) }

// Where returns x where cond is true, and y elsewhere. At least one of x and y must be a Value.
func (b Builder) Where(cond Value, x, y any) Value {
	v, w := b.pair(x, y)
	if s := v.Shape(); !s.Equal(cond.Shape()) {
		s = broadcast(cond.Shape(), s)
		cond, v, w = b.BroadcastTo(cond, s), b.BroadcastTo(v, s), b.BroadcastTo(w, s)
	}
	return b.Do(ir.Select, nil, cond, v, w)
}

// Polynomial returns the polynomial in x with these coefficients, the highest
// power first, by Horner's rule.
func (b Builder) Polynomial(x Value, coefficients []float64) Value {
	r := b.Like(x, coefficients[0])
	for _, a := range coefficients[1:] {
		r = b.Add(b.Mul(r, x), a)
	}
	return r
}
