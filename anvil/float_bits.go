package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// A floatLayout describes the bits of f32 or f64. Narrower floats are first converted to f32, which is exact.
type floatLayout struct {
	ints     dtype.DType // the integer dtype of the same width
	mantissa int         // the number of stored bits of the mantissa
	bias     int         // the bias of the exponent
}

var (
	layoutF32 = floatLayout{dtype.I32, 23, 127}
	layoutF64 = floatLayout{dtype.I64, 52, 1023}
)

// toFloatLayout returns a converted to f32, or unchanged if a is f64, and the layout of the result's dtype.
func (c *call) toFloatLayout(a expr.Value) (expr.Value, floatLayout) {
	a = c.convert(a, wide(a.DType()))
	if a.DType() == dtype.F64 {
		return a, layoutF64
	}
	return a, layoutF32
}

// SignBit returns whether the sign bit of x is set, elementwise: for x < 0, for -0, and
// possibly for nan.
func (l *Lib) SignBit(x any) Tensor {
	c := l.call("SignBit", x)
	at, t := c.unaryTypes(x)
	if at.Is(dtype.Complex) {
		c.fail("complex numbers have no sign", "take nv.Real first")
	}
	a := c.at(x, at)
	if at.Is(dtype.Floating) {
		var f floatLayout
		a, f = c.toFloatLayout(a)
		a = c.Bitcast(a, f.ints)
	}
	return c.result(c.Lt(a, 0), t.Ambiguous)
}

// Copysign returns the magnitude of x with the sign of y, elementwise. -0 counts as negative.
func (l *Lib) Copysign(x, y any) Tensor {
	c := l.call("Copysign", x, y)
	a, b, t := c.realPair(x, y)
	a, f := c.toFloatLayout(a)
	negative := c.Lt(c.Bitcast(b, f.ints), 0)
	a = c.Abs(a)
	return c.resultAs(c.Where(negative, c.Neg(a), a), t)
}

// Frexp returns fraction and exponent with x = fraction * 2^exponent, elementwise. The magnitude of fraction is at
// least 0.5 and less than 1, and exponent is i32. For 0, infinities, nan, and numbers that are subnormal in the dtype
// of the computation (f64 for f64, otherwise f32), fraction is x and exponent is 0.
func (l *Lib) Frexp(x any) (fraction, exponent Tensor) {
	c := l.call("Frexp", x)
	a, t := c.reals(x)
	a, f := c.toFloatLayout(a)
	bits := c.Bitcast(a, f.ints)
	number := func(v int64) expr.Value { return c.Like(bits, v) }
	mask := 2*f.bias + 1 // the exponent field with all bits set, which infinities and nan have
	field := c.And(c.ShiftRightLogical(bits, number(int64(f.mantissa))), number(int64(mask)))
	rest := c.And(bits, number(^(int64(mask) << f.mantissa))) // sign and mantissa
	scaled := c.Or(rest, number(int64(f.bias-1)<<f.mantissa))
	normal := c.And(c.Ne(field, 0), c.Ne(field, mask))
	n := c.Where(normal, c.Sub(field, number(int64(f.bias-1))), number(0))
	r := c.Where(normal, c.Bitcast(scaled, a.DType()), a)
	r = c.Derived(r, func(b expr.Builder, args []expr.Value, y expr.Value, tangents []expr.Value) expr.Value {
		x := args[0]
		same := b.Eq(x, y) // x is its own fraction
		return b.MulNoNaN(tangents[0], b.Where(same, 1, b.Div(y, b.Where(same, 1, x))))
	}, a)
	return c.resultAs(r, t), c.result(c.convert(n, dtype.I32), false)
}

// Ldexp returns x * 2^n for integers n, elementwise, at the float dtype of x.
func (l *Lib) Ldexp(x, n any) Tensor {
	c := l.call("Ldexp", x, n)
	if d := c.operand(n).DType; !d.Is(dtype.Integral) {
		c.fail("the exponent is "+d.String()+" and must be an integer",
			"convert it with AsType(nv.I32), or multiply by nv.Exp2 of it")
	}
	t := c.realOf(c.operand(x).Typed)
	a, f := c.toFloatLayout(c.at(x, t.DType))
	k := c.at(n, c.operand(n).DType)
	if k.DType().Bits() < 32 { // the bounds of Clamp do not fit all narrower dtypes
		k = c.convert(k, dtype.I32)
	}
	least := -3 * f.bias
	if k.DType().Is(dtype.Unsigned) {
		least = 0
	}
	k = c.Do(ir.Clamp, nil, c.Like(k, least), k, c.Like(k, 3*f.bias)) // so that the conversion does not wrap
	k = c.convert(k, f.ints)
	s := c.broadcast(a, k)
	a, k = c.to(a, s), c.to(k, s)
	number := func(v int) expr.Value { return c.Like(k, v) }
	for parts := 3; parts > 0; parts-- { // multiply by three powers, none of which overflows
		part := c.Div(k, number(parts))
		field := c.Do(ir.Clamp, nil, number(1), c.Add(part, number(f.bias)), number(2*f.bias))
		power := c.Bitcast(c.ShiftLeft(field, number(f.mantissa)), a.DType()) // 2^part
		a = c.Mul(a, power)
		k = c.Sub(k, part)
	}
	return c.resultAs(a, t)
}
