package anvil

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// IsFinite returns whether x is neither infinite nor nan, elementwise. A complex number is finite if both
// parts are.
func (l *Lib) IsFinite(x any) Tensor {
	isFinite := func(c *call, a expr.Value) expr.Value { return c.Do(ir.IsFinite, nil, a) }
	return l.classify("IsFinite", x, isFinite, ir.And)
}

// IsInf returns whether x is inf or -inf, elementwise. A complex number is infinite if either part is.
func (l *Lib) IsInf(x any) Tensor {
	return l.classify("IsInf", x, func(c *call, a expr.Value) expr.Value { return c.Eq(c.Abs(a), math.Inf(1)) }, ir.Or)
}

// isInf returns whether x is infinite with the given sign, 1 or -1, elementwise.
func (l *Lib) isInf(op string, x any, sign int) Tensor {
	return l.classify(op, x, func(c *call, a expr.Value) expr.Value { return c.Eq(a, math.Inf(sign)) }, ir.Invalid)
}

// classify returns whether isMember holds for x, elementwise. For complex x it combines the results for the real
// and the imaginary parts by the operation combine, or fails if combine is Invalid. Integers and bools are finite.
func (l *Lib) classify(op string, x any, isMember func(c *call, a expr.Value) expr.Value, combine ir.Code) Tensor {
	c := l.call(op, x)
	at, t := c.unaryTypes(x)
	a := c.at(x, at)
	switch {
	case at.Is(dtype.Complex) && combine == ir.Invalid:
		c.fail("complex numbers have no sign", "take nv.Real or nv.Imag first")
	case at.Is(dtype.Complex):
		re, im := c.Real(a), c.Imag(a)
		a = c.Do(combine, nil, isMember(c, re), isMember(c, im))
	case at.Is(dtype.Floating):
		a = isMember(c, a)
	case op == "IsFinite":
		a = c.Eq(a, a) // true
	default:
		a = c.Ne(a, a) // false
	}
	return c.result(a, t.Ambiguous)
}

// NanToNum returns x with nan replaced by 0, inf by the greatest and -inf by the least finite number of its
// dtype. Up to three numbers replace these defaults, in the order nan, inf, -inf: NanToNum(x, 0, 1e6, -1e6).
func (l *Lib) NanToNum(x any, numbers ...float64) Tensor {
	c, a, amb := l.layout("NanToNum", x)
	d := a.DType()
	switch {
	case len(numbers) > 3:
		c.fail("more than three numbers are given", "write NanToNum(x, nan, inf, -inf)")
	case d.Is(dtype.Complex):
		re, im := c.Real(a), c.Imag(a)
		return c.result(c.Complex(c.replaceNonFinite(re, numbers), c.replaceNonFinite(im, numbers)), amb)
	case d.Is(dtype.Floating):
		a = c.replaceNonFinite(a, numbers)
	}
	return c.result(a, amb)
}

// replaceNonFinite is NanToNum for a float a.
func (c *call) replaceNonFinite(a expr.Value, numbers []float64) expr.Value {
	largest := dtype.Largest(a.DType())
	replacements := []float64{0, largest, -largest} // for nan, inf and -inf
	copy(replacements, numbers)
	r := c.Where(c.Ne(a, a), replacements[0], a)
	r = c.Where(c.Eq(a, math.Inf(1)), replacements[1], r)
	return c.Where(c.Eq(a, math.Inf(-1)), replacements[2], r)
}

// NanCumsum returns the cumulative sums of x with nan counted as 0. See Cumsum.
func (l *Lib) NanCumsum(x any, opts ...CumsumOption) Tensor {
	return l.running("NanCumsum", ir.ReduceSum, l.replaceNaN("NanCumsum", x, 0), opts)
}

// NanCumprod returns the cumulative products of x with nan counted as 1. See Cumprod.
func (l *Lib) NanCumprod(x any, opts ...CumsumOption) Tensor {
	return l.running("NanCumprod", ir.ReduceProd, l.replaceNaN("NanCumprod", x, 1), opts)
}

// replaceNaN returns x with v in place of nan.
func (l *Lib) replaceNaN(op string, x any, v int) any {
	c, a, amb := l.layout(op, x)
	if !a.DType().Is(dtype.Inexact) {
		return x
	}
	return c.result(c.Where(c.Eq(a, a), a, v), amb)
}
