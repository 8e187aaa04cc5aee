package emulate

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// power returns the rule of Pow that computes a power with a literal exponent from 1 to maxProduct as a product
// of the base with itself, and other powers of integers by the rule ofIntegers.
func power(maxProduct int, ofIntegers Rule) Rule {
	return func(c Call) expr.Value {
		if n, ok := c.Literal(1).(int); ok && n >= 1 && n <= maxProduct {
			return c.Build().Power(c.At(0, c.DType()), n)
		}
		if c.DType().Is(dtype.Integral) {
			return ofIntegers(c)
		}
		return pow(c)
	}
}

// pow is the rule of Pow that never computes a power as a product.
func pow(c Call) expr.Value {
	xs := c.Args()
	return c.Build().Pow(xs[0], xs[1])
}

// powViaCommonInteger is like pow, but if the exponent is a number, viaCommonInteger converts it.
func powViaCommonInteger(c Call) expr.Value {
	xs := c.Broadcast(c.At(0, c.DType()), viaCommonInteger(c, 1))
	return c.Build().Pow(xs[0], xs[1])
}

// jaxExponent is JAX's Framework.Exponent. An integer with a known value counts as a number, and a bool as 0 or
// 1. JAX computes a power with a constant exponent as products, so the exponent needs no dtype and may lie outside
// the range of i32. Promotion would reject such an exponent, so forPromotion is the nearest limit of the range.
func jaxExponent(c Call) (forPromotion, forComputation any) {
	y := c.Value(1)
	switch v := y.(type) {
	case bool:
		if v {
			return 1, 1
		}
		return 0, 0
	case int:
		return max(math.MinInt32, min(math.MaxInt32, v)), v
	}
	return y, y
}

// jaxIntegerPower computes powers of integers by repeated squaring, with the six lowest bits of the exponent. For
// the base 0 the result is 0, or 1 if the exponent is 0 too.
func jaxIntegerPower(c Call) expr.Value {
	b, xs := c.Build(), c.Args()
	x, y := xs[0], xs[1]
	r, one := b.Where(b.And(b.Eq(x, 0), b.Ne(y, 0)), 0, b.Like(x, 1)), b.Like(y, 1)
	for i := range 6 {
		odd := b.Ne(b.And(y, one), 0)
		r = b.Where(odd, b.Mul(r, x), r)
		if i < 5 {
			x, y = b.Mul(x, x), b.ShiftRightLogical(y, one)
		}
	}
	return r
}

// ivyIntegerPower computes powers of integers. If any exponent is negative, it computes all powers in f64 and
// converts them as NumPy does; powers that overflow get the results of that conversion.
func ivyIntegerPower(c Call) expr.Value {
	b, xs, d := c.Build(), c.Args(), c.DType()
	x, y := xs[0], xs[1]
	r := b.Pow(x, y)
	if !d.Is(dtype.Signed) {
		return r
	}
	negative := b.Lt(y, 0)
	if rank := len(negative.Shape()); rank > 0 {
		negative = b.BroadcastTo(b.Reduce(ir.ReduceOr, negative, axes(rank)...), y.Shape())
	}
	f := b.RoundEven(b.Pow(c.Convert(x, dtype.F64), c.Convert(y, dtype.F64))) // rounds fractions to 0: none is greater than 1/2
	return b.Where(negative, numpyConvert(c, f, d), r)
}

// axes returns 0 to n-1.
func axes(n int) []int {
	axes := make([]int, n)
	for i := range axes {
		axes[i] = i
	}
	return axes
}

// ivyPower is Ivy's rule of Pow. For a complex base and a single float exponent, the result is 0 for the exponent
// +Inf, and nan for -Inf. If there are several float exponents and one is infinite, a complex base fails with
// InfinitePower.
func ivyPower(c Call) expr.Value {
	d := c.Operand(1).DType
	if !c.DType().Is(dtype.Complex) || !d.Is(dtype.Floating) || !c.Operand(0).DType.Is(dtype.Complex) {
		return power(2, ivyIntegerPower)(c)
	}
	b, r, y := c.Build(), pow(c), c.At(1, d)
	posInf, negInf := b.Eq(y, math.Inf(1)), b.Eq(y, math.Inf(-1))
	if y.Shape().Size() > 1 {
		c.FailWhere(InfinitePower, b.Or(posInf, negInf))
		return r
	}
	return b.Where(negInf, complex(math.NaN(), math.NaN()), b.Where(posInf, 0, r))
}
