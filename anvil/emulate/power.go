package emulate

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// power returns the rule of powers that are products of the base up to an
// integer exponent of most, and of which integers have their own rule.
func power(most int, integers Rule) Rule {
	return func(c Call) expr.Value {
		if n, ok := c.Literal(1).(int); ok && n >= 1 && n <= most {
			return c.Build().Power(c.At(0, c.DType()), n)
		}
		if c.DType().Is(dtype.Integral) {
			return integers(c)
		}
		return pow(c)
	}
}

// pow computes every power by Pow, also those that anvil computes as products of the base.
func pow(c Call) expr.Value {
	xs := c.Args()
	return c.Build().Pow(xs[0], xs[1])
}

// exponentFirst is pow; a number beside integers is one of their common dtype
// before it is converted.
func exponentFirst(c Call) expr.Value {
	xs := c.Broadcast(c.At(0, c.DType()), numberFirst(c, 1))
	return c.Build().Pow(xs[0], xs[1])
}

// jaxExponent returns the exponent as promotion sees it and as the power takes
// it: an integer that has a value is a number, and a bool is 0 or 1. JAX counts the
// products of a power and asks no dtype for it, so a number beyond i32 is seen as
// the nearest one.
func jaxExponent(c Call) (seen, used any) {
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

// jaxIntegerPower is a product for a positive number, and otherwise by the six
// lowest bits of the exponent.
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

// ivyIntegerPower is computed in f64 where one of the exponents is negative: all
// of them, so that what does not fit is the framework's conversion.
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
	f := b.RoundEven(b.Pow(c.Convert(x, dtype.F64), c.Convert(y, dtype.F64))) // a fraction is less than 1
	return b.Where(negative, numpyConvert(c, f, d), r)
}

// axes returns 0 to n-1.
func axes(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// ivyPower gives complex numbers 0 where the exponent is infinite, and nan where
// that is negative: of one exponent.
func ivyPower(c Call) expr.Value {
	d := c.Operand(1).DType
	if !c.DType().Is(dtype.Complex) || !d.Is(dtype.Floating) || !c.Operand(0).DType.Is(dtype.Complex) {
		return power(2, ivyIntegerPower)(c)
	}
	if n, ok := c.Literal(1).(int); ok && n >= 1 && n <= 2 {
		return power(2, ivyIntegerPower)(c)
	}
	b, r, y := c.Build(), pow(c), c.At(1, d)
	up, down := b.Eq(y, math.Inf(1)), b.Eq(y, math.Inf(-1))
	if y.Shape().Size() > 1 {
		c.FailWhere(InfinitePower, b.Or(up, down))
		return r
	}
	return b.Where(down, complex(math.NaN(), math.NaN()), b.Where(up, 0, r))
}
