package emulate

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// zeroForZeroDivisor is the rule that returns 0 where the divisor is 0, and the table's result elsewhere.
func zeroForZeroDivisor(c Call) expr.Value {
	b, y := c.Build(), c.Args()[1]
	return b.Where(b.Eq(y, 0), 0, c.Own())
}

// numpyFmod is NumPy's rule of Fmod. It returns 0 where an integer divisor is 0.
func numpyFmod(c Call) expr.Value {
	if !c.DType().Is(dtype.Integral) {
		return c.Own()
	}
	return zeroForZeroDivisor(c)
}

// numpyFloorDiv is NumPy's rule of FloorDiv. It returns 0 where the divisor is 0, except for floats.
func numpyFloorDiv(c Call) expr.Value {
	if c.DType().Is(dtype.Floating) {
		return c.Own()
	}
	return zeroForZeroDivisor(c)
}

// tensorflowFloorDiv is TensorFlow's rule of FloorDiv. For floats it rounds the quotient down.
func tensorflowFloorDiv(c Call) expr.Value {
	if c.DType().Is(dtype.Floating) {
		return floorOfQuotient(c)
	}
	return c.Own()
}

// floorOfQuotient returns the float quotient of the operands, rounded down.
func floorOfQuotient(c Call) expr.Value {
	b, xs := c.Build(), c.Args()
	return b.Floor(b.Div(xs[0], xs[1]))
}

// jaxFloorDiv is JAX's rule of FloorDiv for x and y. For floats it divides x minus the remainder by y and rounds to
// the nearest integer, with ties away from 0. For signed integers it subtracts 1 from the truncated quotient where
// there is a remainder and Sign(x) differs from Sign(y).
func jaxFloorDiv(c Call) expr.Value {
	b, xs := c.Build(), c.Args()
	x, y := xs[0], xs[1]
	switch d := x.DType(); {
	case d.Is(dtype.Floating):
		rem := b.Rem(x, y)
		below := b.And(b.Ne(rem, 0), b.Ne(b.Lt(rem, 0), b.Lt(y, 0)))
		q := b.Div(b.Sub(x, rem), y)
		q = b.Unary(ir.RoundAway, b.Where(below, b.Sub(q, 1), q))
		return b.Where(b.Eq(y, 0), b.Div(x, y), q)
	case d.Is(dtype.Signed):
		below := b.And(b.Ne(b.Rem(x, y), 0), b.Ne(b.Sign(x), b.Sign(y)))
		return b.Sub(b.Div(x, y), b.Convert(below, d))
	}
	return c.Own()
}

// ivyFloorDiv is Ivy's rule of FloorDiv. It rounds the quotient down; integers are divided in f64.
func ivyFloorDiv(c Call) expr.Value {
	d := c.DType()
	if d.Is(dtype.Floating) {
		return floorOfQuotient(c)
	}
	b, xs := c.Build(), c.Args()
	q := b.Div(c.Convert(xs[0], dtype.F64), c.Convert(xs[1], dtype.F64))
	return numpyConvert(c, b.Floor(q), d)
}

// mod is the rule of Rem in which a remainder has the sign of the divisor, and a remainder of 0 the sign of the
// dividend.
func mod(c Call) expr.Value {
	xs := c.Args()
	return c.Build().Mod(xs[0], xs[1])
}

// jaxMod is like mod, but returns 0 where an integer divisor is 0.
func jaxMod(c Call) expr.Value {
	b, y := c.Build(), c.Args()[1]
	if c.DType().Is(dtype.Integral) {
		return b.Where(b.Eq(y, 0), 0, mod(c))
	}
	return mod(c)
}

// numpyMod is NumPy's rule of Rem. A remainder has the sign of the divisor, also if it is 0. The remainder of an
// integer divided by 0 is 0.
func numpyMod(c Call) expr.Value {
	b, xs := c.Build(), c.Args()
	r := b.FloorMod(xs[0], xs[1])
	if c.DType().Is(dtype.Integral) {
		return b.Where(b.Eq(xs[1], 0), 0, r)
	}
	return r
}

// jaxFmod is JAX's rule of Fmod. For integers it returns 0 where the divisor, before promotion, is 0. For two bools
// it returns the table's result.
func jaxFmod(c Call) expr.Value {
	x, y := c.Operand(0).DType, c.Operand(1).DType
	if !c.DType().Is(dtype.Integral) || x == dtype.I1 && y == dtype.I1 {
		return c.Own()
	}
	b := c.Build()
	return b.Where(b.Eq(c.At(1, y), 0), 0, c.Own())
}

// torchDiv is PyTorch's rule of Div. It computes a number divided by a tensor as the number times the tensor's
// reciprocal. Source: torch/_tensor.py __rtruediv__.
func torchDiv(c Call) expr.Value {
	if c.Literal(0) == nil {
		return halfMath(c)
	}
	e := c.System().ExplainOperation("reciprocal", c.Operand(1))
	c.Check(e.Err)
	b, at := c.Build(), e.Result.DType
	r := b.Div(1, c.At(1, at))
	d, wide := c.DType(), halvesInF32(c.DType())
	return c.Convert(b.Mul(c.At(0, wide), c.Convert(r, wide)), d)
}

// torchGCD computes with the operands exchanged and at their common dtype, in which the absolute value of the least
// integer overflows. The result may therefore be negative, as in PyTorch.
func torchGCD(c Call) expr.Value {
	xs := c.Args()
	return c.Own(c.Convert(xs[1], c.DType()), c.Convert(xs[0], c.DType()))
}

// torchLCM returns the absolute value of results that overflowed to negative numbers. Integers narrower than 32
// bits, which C computes as int, keep their sign.
func torchLCM(c Call) expr.Value {
	r := c.Own()
	if c.DType().Bits() < 32 || !c.DType().Is(dtype.Signed) {
		return r
	}
	return c.Build().Abs(r)
}
