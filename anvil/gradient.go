package anvil

import (
	"math"

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
	n := a.arr.Type().Shape[at]
	if n < 2 {
		c.fail("axis "+itoa(at)+" has length "+itoa(n)+", and a slope takes two elements", "name another axis: nv.Axis(0)")
	}
	low, high := c.neighbours(a, at)
	rise := c.infer(ir.Sub, nil, high, low)
	run := c.to(c.distances(a, b, at), rise.arr.Type().Shape)
	slope := c.infer(ir.Div, nil, rise, run)
	return c.done(c.joinAlong(at, c.every(slope, at, 0, 1, 1), c.inner(rise, slope, run, at), c.every(slope, at, n-2, n-1, 1)), t)
}

// inner returns the slopes at elements between two others: those to both sides,
// the one over the shorter way counting for more. Of equal ways it is exact where
// neighbours cancel.
func (c *call) inner(rise, slope, run *tensor, at int) *tensor {
	before, after := c.neighbours(slope, at)
	way, next := c.neighbours(run, at)
	sum := c.infer(ir.Add, nil, c.infer(ir.Mul, nil, before, next), c.infer(ir.Mul, nil, after, way))
	r := c.infer(ir.Div, nil, sum, c.infer(ir.Add, nil, way, next))
	first, second := c.neighbours(rise, at)
	even := c.infer(ir.Div, nil, c.infer(ir.Add, nil, first, second), c.infer(ir.Add, nil, way, next))
	return c.choose(c.compare(ir.EQ, way, next), even, r)
}

// Unwrap returns angles x in radians without jumps along an axis, the last one
// where none is given: whole turns are added so that neighbours differ by at most half of one.
func (l *Lib) Unwrap(x any, axis ...Axis) Tensor {
	c := l.call("Unwrap", x)
	a, t := c.reals(x)
	at := c.oneAxis(axis, a)
	n := a.arr.Type().Shape[at]
	low, high := c.neighbours(a, at)
	step := c.infer(ir.Sub, nil, high, low)
	turns := c.infer(ir.Floor, nil, c.times(c.infer(ir.Add, nil, step, c.constant(math.Pi, step)), 1/(2*math.Pi)))
	turns = c.choose(c.compareTo(ir.LE, c.infer(ir.Abs, nil, step), math.Pi), c.constant(0, turns), turns)
	more := c.times(c.runs(ir.ReduceSum, turns, at), -2*math.Pi)
	return c.done(c.joinAlong(at, c.every(a, at, 0, min(1, n), 1), c.infer(ir.Add, nil, high, more)), t)
}
