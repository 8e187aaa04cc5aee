package anvil

import (
	"math"

	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// Gradient returns the slope of y at each of its elements along an axis, the last one if none is given. The slope at an
// element is the slope of the parabola through the element and its two neighbours. At the ends of the axis, it is the
// slope of the line through the element and its only neighbour. x is the distance between elements (a number), or the
// positions of the elements (a vector or a tensor of the shape of y). The gradient of integers is a float.
func (l *Lib) Gradient(y, x any, axis ...Axis) Tensor {
	c := l.call("Gradient", y, x)
	t := c.inexact(c.arithmetic(y, x))
	d := wide(t.DType)
	ys, xs := c.convert(c.at(y, t.DType), d), c.convert(c.at(x, t.DType), d)
	at := c.oneAxis(axis, ys)
	n := ys.Shape()[at]
	if n < 2 {
		c.fail("axis "+itoa(at)+" has length "+itoa(n)+", and a slope needs at least 2 elements",
			"give an axis of at least 2 elements")
	}
	low, high := c.neighbours(ys, at)
	rise := c.Sub(high, low)
	run := c.to(c.spacings(ys, xs, at), rise.Shape())
	slope := c.Div(rise, run)
	inner := c.innerSlopes(rise, slope, run, at)
	return c.resultAs(c.Concatenate(at, c.sliceAxis(slope, at, 0, 1, 1), inner, c.sliceAxis(slope, at, n-2, n-1, 1)), t)
}

// innerSlopes returns the slopes at all elements but the first and the last. A slope is the mean of the slopes of the
// lines to both neighbours, each weighted with the distance to the other neighbour. For equal distances this mean is
// the central difference, which is computed from rise to avoid the rounding errors of slope.
func (c *call) innerSlopes(rise, slope, run expr.Value, at int) expr.Value {
	before, after := c.neighbours(slope, at)
	left, right := c.neighbours(run, at)
	sum := c.Add(c.Mul(before, right), c.Mul(after, left))
	r := c.Div(sum, c.Add(left, right))
	first, second := c.neighbours(rise, at)
	central := c.Div(c.Add(first, second), c.Add(left, right))
	return c.Where(c.Eq(left, right), central, r)
}

// Unwrap returns the angles x, in radians, without jumps along an axis, the last one if none is given: multiples of
// 2*pi are added so that neighbours differ by at most pi.
func (l *Lib) Unwrap(x any, axis ...Axis) Tensor {
	c := l.call("Unwrap", x)
	a, t := c.reals(x)
	at := c.oneAxis(axis, a)
	n := a.Shape()[at]
	low, high := c.neighbours(a, at)
	step := c.Sub(high, low)
	turns := c.Floor(c.Mul(c.Add(step, math.Pi), 1/(2*math.Pi)))
	turns = c.Where(c.Le(c.Abs(step), math.Pi), 0, turns) // Floor gives 1 for a step of pi, which needs no turn
	correction := c.Mul(c.cumulate(ir.ReduceSum, turns, at, false), -2*math.Pi)
	return c.resultAs(c.Concatenate(at, c.sliceAxis(a, at, 0, min(1, n), 1), c.Add(high, correction)), t)
}
