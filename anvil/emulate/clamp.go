package emulate

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
)

// integerBounds is the Framework.Bounds of NumPy and PyTorch. If the tensor has an integer dtype, a number at
// or beyond the limits of the dtype is replaced by the limit, so that promotion keeps the dtype.
func integerBounds(c Call) (low, high any) {
	d := c.Operand(0).DType
	low, high = c.Given(1), c.Given(2)
	if !d.Is(dtype.Integral) {
		return low, high
	}
	least, greatest := 0, int(uint64(1)<<d.Bits()-1)
	if d.Is(dtype.Signed) {
		least, greatest = -1<<(d.Bits()-1), 1<<(d.Bits()-1)-1
	}
	if n, ok := c.Literal(1).(int); ok && n <= least {
		low = limitOrInfinity(least, -1, c.Literal(2))
	}
	if n, ok := c.Literal(2).(int); ok && d != dtype.U64 && n >= greatest {
		high = limitOrInfinity(greatest, 1, c.Literal(1))
	}
	return low, high
}

// limitOrInfinity returns limit, or an infinity with the given sign if the other bound is a float.
func limitOrInfinity(limit, sign int, other any) any {
	if _, ok := other.(float64); ok {
		return math.Inf(sign)
	}
	return limit
}

// clamp clamps at the promoted dtype.
func clamp(c Call) expr.Value { return c.Own(c.Args()...) }

// clampEqual is like clamp, but an element equal to a bound stays as it is: -0 clamped to 0 is -0.
func clampEqual(c Call) expr.Value {
	b, xs := c.Build(), c.Args()
	x, low, high := xs[0], xs[1], xs[2]
	x = whereEqual(b, x, b.Max(x, low), x, low)
	return whereEqual(b, x, b.Min(x, high), x, high)
}

// clampExactly compares integers and bounds as exact numbers. An element beyond a bound becomes the low bits
// of the bound.
func clampExactly(c Call) expr.Value {
	if !c.DType().Is(dtype.Integral) {
		return clamp(c)
	}
	return clampStored(c, ir.GT, clampStored(c, ir.LT, c.At(0, c.DType()), 1), 2)
}

// clampStored replaces elements of the integer tensor x by the low bits of bound i (operand i) where the
// comparison of x with the bound holds.
func clampStored(c Call, direction ir.Direction, x expr.Value, i int) expr.Value {
	d, y := x.DType(), c.Operand(i)
	xs := c.Broadcast(x, c.Wrapped(i, d))
	x, bound := xs[0], xs[1]
	b := c.Build()
	v := c.Literal(i)
	var beyond expr.Value // x is beyond the bound
	switch {
	case outOfRange(v, d):
		holds := v.(int) > 0
		if direction == ir.GT {
			holds = v.(int) < 0
		}
		beyond = b.Number(holds, dtype.I1, x.Shape()...)
	case v == nil && d.Is(dtype.Signed) && y.DType == dtype.U64:
		beyond = compareSignedUnsigned(c, direction, x, c.At(i, dtype.U64))
	case v == nil && y.DType.Is(dtype.Signed) && d == dtype.U64:
		beyond = compareSignedUnsigned(c, reversed[direction], c.At(i, dtype.I64), x)
	default:
		at := dtype.I64
		if d.Is(dtype.Unsigned) && (v != nil || y.DType.Is(dtype.Unsigned)) {
			at = dtype.U64
		}
		beyond = b.Compare(direction, c.Convert(x, at), c.At(i, at))
	}
	return b.Where(beyond, bound, x)
}

// jaxClamp computes a maximum with the lower bound and then a minimum with the upper bound, and promotes for
// each of them.
func jaxClamp(c Call) expr.Value {
	x, operand := extremeWith(c, ir.Max, c.At(0, c.Operand(0).DType), c.Operand(0), 1)
	x, _ = extremeWith(c, ir.Min, x, operand, 2)
	return x
}

// extremeWith returns the maximum or minimum of x and operand i at their common dtype. operand describes x
// to promotion; the second result describes the first to promotion.
func extremeWith(c Call, code ir.Code, x expr.Value, operand promote.Operand, i int) (expr.Value, promote.Operand) {
	t, err := c.System().Join(c.Operand(i), operand)
	c.Check(err)
	xs := c.Broadcast(c.At(i, t.DType), c.Convert(x, t.DType))
	r := c.Build().Binary(code, xs[0], xs[1])
	return r, promote.Operand{Typed: t, Rank: len(r.Shape())}
}
