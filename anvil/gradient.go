package anvil

import (
	"math"

	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// Gradient returns how steep y is at each of its elements along an axis, the last
// one where none is given: inside, the slope of the parabola through an element and its
// neighbours, at both ends that of the line to the next. x is how far the elements are
// apart, a number; or where they are, a vector, or a tensor of the shape of y. Of integers it is a float.
func (l *Lib) Gradient(y, x any, axis ...Axis) Tensor {
	c := l.call("Gradient", y, x)
	t := c.inexact(c.arithmetic(y, x))
	d := wide(t.DType)
	a, b := c.convert(c.at(y, t.DType), d), c.convert(c.at(x, t.DType), d)
	at := c.oneAxis(axis, a)
	n := a.Shape()[at]
	if n < 2 {
		c.fail("axis "+itoa(at)+" has length "+itoa(n)+", and a slope takes two elements", "name another axis: nv.Axis(0)")
	}
	low, high := c.neighbours(a, at)
	rise := c.Sub(high, low)
	run := c.to(c.distances(a, b, at), rise.Shape())
	slope := c.Div(rise, run)
	return c.done(c.joinAlong(at, c.every(slope, at, 0, 1, 1), c.inner(rise, slope, run, at), c.every(slope, at, n-2, n-1, 1)), t)
}

// inner returns the slopes at elements between two others: those to both sides,
// the one over the shorter way counting for more. Of equal ways it is exact where
// neighbours cancel.
func (c *call) inner(rise, slope, run expr.Value, at int) expr.Value {
	before, after := c.neighbours(slope, at)
	way, next := c.neighbours(run, at)
	sum := c.Add(c.Mul(before, next), c.Mul(after, way))
	r := c.Div(sum, c.Add(way, next))
	first, second := c.neighbours(rise, at)
	even := c.Div(c.Add(first, second), c.Add(way, next))
	return c.Where(c.Eq(way, next), even, r)
}

// Unwrap returns angles x in radians without jumps along an axis, the last one
// where none is given: whole turns are added so that neighbours differ by at most half of one.
func (l *Lib) Unwrap(x any, axis ...Axis) Tensor {
	c := l.call("Unwrap", x)
	a, t := c.reals(x)
	at := c.oneAxis(axis, a)
	n := a.Shape()[at]
	low, high := c.neighbours(a, at)
	step := c.Sub(high, low)
	turns := c.Floor(c.Mul(c.Add(step, math.Pi), 1/(2*math.Pi)))
	turns = c.Where(c.Le(c.Abs(step), math.Pi), 0, turns)
	more := c.Mul(c.runs(ir.ReduceSum, turns, at), -2*math.Pi)
	return c.done(c.joinAlong(at, c.every(a, at, 0, min(1, n), 1), c.Add(high, more)), t)
}
