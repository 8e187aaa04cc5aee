package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// A carrier is a float dtype whose numbers are taken apart by their bits, with
// the integers as wide; narrower floats are held in f32, exactly.
type carrier struct {
	ints           dtype.DType
	bits, mantissa int
	bias           int
}

var (
	carrier32 = carrier{dtype.I32, 32, 23, 127}
	carrier64 = carrier{dtype.I64, 64, 52, 1023}
)

// carried returns a in a dtype that has a carrier.
func (c *call) carried(a *tensor) (*tensor, carrier) {
	a = c.convert(a, wide(a.arr.Type().DType))
	if a.arr.Type().DType == dtype.F64 {
		return a, carrier64
	}
	return a, carrier32
}

func (c *call) bitsOf(a *tensor, d dtype.DType) *tensor {
	return c.infer(ir.BitcastConvert, ir.DTypeAttrs{DType: d}, a)
}

// SignBit returns whether the sign of x is set, elementwise: x < 0, or x is -0.
func (l *Lib) SignBit(x any) Tensor {
	c := l.call("SignBit", x)
	at, t := c.alone(x)
	if at.Is(dtype.Complex) {
		c.fail("complex numbers have no sign", "take nv.Real of them")
	}
	a := c.at(x, at)
	if at.Is(dtype.Floating) {
		var f carrier
		a, f = c.carried(a)
		a = c.bitsOf(a, f.ints)
	}
	return c.result(c.compareTo(ir.LT, a, 0), t.Ambiguous)
}

// Copysign returns the magnitude of x with the sign of y, elementwise; that of
// -0 counts.
func (l *Lib) Copysign(x, y any) Tensor {
	c := l.call("Copysign", x, y)
	a, b, t := c.realPair(x, y)
	a, f := c.carried(a)
	negative := c.compareTo(ir.LT, c.bitsOf(b, f.ints), 0)
	a = c.infer(ir.Abs, nil, a)
	return c.done(c.choose(negative, c.infer(ir.Neg, nil, a), a), t)
}

// NextAfter returns the number next to x in the direction of y, elementwise, at
// their common dtype.
func (l *Lib) NextAfter(x, y any) Tensor { return l.realBinary("NextAfter", ir.NextAfter, x, y) }

// Frexp returns the fraction, from 0.5 to below 1 in magnitude, and the exponent,
// i32, of x = fraction * 2^exponent, elementwise. Of 0, infinities and nan the
// fraction is x, and the exponent 0.
func (l *Lib) Frexp(x any) (fraction, exponent Tensor) {
	c := l.call("Frexp", x)
	a, t := c.reals(x)
	a, f := c.carried(a)
	bits := c.bitsOf(a, f.ints)
	number := func(v int64) *tensor { return c.constant(v, bits) }
	field := c.infer(ir.And, nil, c.infer(ir.ShiftRightLogical, nil, bits, number(int64(f.mantissa))), number(int64(2*f.bias+1)))
	kept := c.infer(ir.And, nil, bits, number(^(int64(2*f.bias+1) << f.mantissa)))
	half := c.infer(ir.Or, nil, kept, number(int64(f.bias-1)<<f.mantissa))
	regular := c.infer(ir.And, nil, c.compareTo(ir.NE, field, 0), c.compareTo(ir.NE, field, 2*f.bias+1))
	n := c.choose(regular, c.infer(ir.Sub, nil, field, number(int64(f.bias-1))), number(0))
	r := c.choose(regular, c.bitsOf(half, a.arr.Type().DType), a)
	return c.done(r, t), c.result(c.convert(n, dtype.I32), false)
}

// Ldexp returns x * 2^n for integers n, elementwise, at the float dtype of x.
func (l *Lib) Ldexp(x, n any) Tensor {
	c := l.call("Ldexp", x, n)
	if d := c.operand(n).DType; !d.Is(dtype.Integral) {
		c.fail("the exponent is "+d.String()+", no integer", "convert it with AsType(nv.I32), or multiply by nv.Exp2 of it")
	}
	t := c.realOf(c.operand(x).Typed)
	a, f := c.carried(c.at(x, t.DType))
	k := c.convert(c.at(n, c.operand(n).DType), f.ints)
	s := c.broadcast(a, k)
	a, k = c.to(a, s), c.to(k, s)
	number := func(v int) *tensor { return c.constant(v, k) }
	k = c.infer(ir.Clamp, nil, number(-3*f.bias), k, number(3*f.bias))
	for parts := 3; parts > 0; parts-- { // so much at a time that no power overflows
		part := c.infer(ir.Div, nil, k, number(parts))
		power := c.infer(ir.ShiftLeft, nil, c.infer(ir.Clamp, nil, number(1), c.infer(ir.Add, nil, part, number(f.bias)), number(2*f.bias)), number(f.mantissa))
		a = c.infer(ir.Mul, nil, a, c.bitsOf(power, a.arr.Type().DType))
		k = c.infer(ir.Sub, nil, k, part)
	}
	return c.done(a, t)
}
