package emulate

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// extreme returns the rule of Maximum and Minimum that selects operand number tie where both operands are equal floats,
// such as 0 and -0. Where a complex operand is nan, the result is the first operand that is nan.
func extreme(tie int) Rule {
	return func(c Call) expr.Value {
		b, xs := c.Build(), c.Args()
		x, y := xs[0], xs[1]
		r := c.Own(x, y)
		if c.DType().Is(dtype.Complex) {
			return b.Where(b.IsNaN(x), x, b.Where(b.IsNaN(y), y, r))
		}
		return whereEqual(b, xs[tie], r, x, y)
	}
}

// skipNaN returns the rule of Fmax and Fmin, which ignore nan. The rule selects operand number tie where both
// operands are equal.
func skipNaN(tie int) Rule {
	return func(c Call) expr.Value {
		xs := c.Args()
		return whereEqual(c.Build(), xs[tie], c.Own(xs...), xs[0], xs[1])
	}
}

// whereEqual returns equal where x and y are equal, and r elsewhere. It returns r if r does not hold floats.
func whereEqual(b expr.Builder, equal, r, x, y expr.Value) expr.Value {
	if !r.DType().Is(dtype.Floating) {
		return r
	}
	return b.Where(b.Eq(x, y), equal, r)
}

// jaxExtreme is JAX's rule of Maximum and Minimum. It exchanges complex operands: the table selects the first
// of them where one is nan, JAX the second.
func jaxExtreme(c Call) expr.Value {
	if !c.DType().Is(dtype.Complex) {
		return c.Own()
	}
	xs := c.Args()
	return c.Own(xs[1], xs[0])
}

// ivyExtreme returns Ivy's rule of Maximum (for ir.GE) or Minimum (for ir.LE). It selects the first operand where
// the comparison with the second holds, and the second elsewhere, also where an operand is nan.
func ivyExtreme(direction ir.Direction) Rule {
	return func(c Call) expr.Value {
		b, xs := c.Build(), c.Args()
		x, y := xs[0], xs[1]
		if c.DType().Is(dtype.Complex) {
			return b.Where(b.IsNaN(x), y, b.Where(b.IsNaN(y), y, c.Own(x, y)))
		}
		return b.Where(b.Compare(direction, x, y), x, y)
	}
}

// zeroSign is the rule of Sign in which the sign of -0 is 0.
func zeroSign(c Call) expr.Value {
	if !c.Args()[0].DType().Is(dtype.Inexact) {
		return sign(c)
	}
	b := c.Build()
	return b.Where(b.Eq(c.Args()[0], 0), 0, sign(c))
}

// torchSign is the rule of Sign in which the sign of -0 and of nan is 0.
func torchSign(c Call) expr.Value {
	x := c.Args()[0]
	if !x.DType().Is(dtype.Inexact) {
		return sign(c)
	}
	b := c.Build()
	return b.Where(b.Or(b.Eq(x, 0), b.IsNaN(x)), 0, sign(c))
}

// clampedShift shifts integers by a number of bits clamped to the range from 0 to the width minus 1.
func clampedShift(c Call) expr.Value {
	b, xs := c.Build(), c.Args()
	return c.Own(xs[0], b.Do(ir.Clamp, nil, b.Like(xs[1], 0), xs[1], b.Like(xs[1], c.DType().Bits()-1)))
}

// position returns the rule of ArgMax, or with ir.ReduceMin of ArgMin. Complex numbers are compared by their real
// parts, and numbers with equal real parts by their imaginary parts. If an element is nan, the result is the position
// of the first nan.
func position(reduce ir.Code) Rule {
	return func(c Call) expr.Value {
		x := c.Args()[0]
		if !x.DType().Is(dtype.Complex) {
			return c.Own()
		}
		b, axis := c.Build(), c.Attrs().(ir.ArgAttrs).Axis
		re, im := b.Real(x), b.Imag(x)
		bestOf := func(candidates, part expr.Value) expr.Value { // the candidates with the greatest or least part
			part = b.Where(candidates, part, identity(reduce))
			s := x.Shape().Clone()
			s[axis] = 1
			best := b.Reshape(b.Reduce(reduce, part, axis), s...)
			return b.And(candidates, b.Eq(part, best))
		}
		nan := b.Or(b.IsNaN(re), b.IsNaN(im))
		best := bestOf(bestOf(b.Not(nan), re), im)
		// The score of an element is 2 if it is nan, 1 if it is an extreme, and otherwise 0.
		return b.Do(ir.ArgMax, c.Attrs(), b.Where(nan, 2, b.Convert(best, re.DType())))
	}
}

// positionSkippingNaN is like position, but ignores nan among floats.
func positionSkippingNaN(reduce ir.Code) Rule {
	return func(c Call) expr.Value {
		x := c.Args()[0]
		if !x.DType().Is(dtype.Floating) {
			return position(reduce)(c)
		}
		b := c.Build()
		return c.Own(b.Where(b.IsNaN(x), identity(reduce), x))
	}
}

// identity returns the identity element of a reduction to the maximum or the minimum.
func identity(reduce ir.Code) float64 {
	if reduce == ir.ReduceMin {
		return math.Inf(1)
	}
	return math.Inf(-1)
}
