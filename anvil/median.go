package anvil

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/emulate"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
)

// Median returns the element in the middle of x in order, along an axis or of
// all; of an even number, the mean of both in the middle, or under systems that
// have it so the lesser. It is nan where an element is.
func (l *Lib) Median(x any, axis ...Axis) Tensor {
	c := l.call("Median", x)
	if r := c.unpromoted(); r != nil {
		return c.result(r, c.own(x).Ambiguous)
	}
	t := c.reduction(promote.Mean, x)
	a := c.cast(c.at(x, c.operand(x).DType), t.DType)
	if len(axis) == 0 {
		a = c.reshape(a, Shape{a.Shape().Size()})
	}
	at := c.oneAxis(axis, a)
	n := a.Shape()[at]
	if n == 0 {
		c.fault(emulate.NoMedian)
		return c.result(c.noMedian(a, at), t.Ambiguous)
	}
	sorted := c.All(ir.Sort, ir.SortAttrs{Axis: at}, nil, a)[0]
	middle := c.middle(c.pick(sorted, at, (n-1)/2), c.pick(sorted, at, n/2), n)
	if t.DType.Is(dtype.Floating) { // nan is last in order
		last := c.pick(sorted, at, n-1)
		middle = c.Where(c.Ne(last, last), last, middle)
	}
	return c.result(middle, t.Ambiguous)
}

// noMedian returns the median of no elements.
func (c *call) noMedian(a expr.Value, axis int) expr.Value {
	s := a.Shape().Clone()
	kept := append(s[:axis], s[axis+1:]...)
	d := a.DType()
	var v any = math.NaN()
	switch {
	case d == dtype.I1:
		v = true
	case d.Is(dtype.Integral):
		v = math.Inf(-1)
	}
	w, err := dtype.Cast(v, d)
	c.check(err)
	return c.to(c.literal(w, d), kept)
}

// pick returns element i along an axis, which goes.
func (c *call) pick(a expr.Value, axis, i int) expr.Value {
	s := a.Shape()
	start, limit, strides := make(Shape, len(s)), s.Clone(), make(Shape, len(s))
	for k := range strides {
		strides[k] = 1
	}
	start[axis], limit[axis] = i, i+1
	a = c.Do(ir.Slice, ir.SliceAttrs{Start: start.Dims(), Limit: limit.Dims(), Strides: strides.Dims()}, a)
	return c.reshape(a, append(s[:axis:axis].Clone(), s[axis+1:]...))
}

// middle returns what the system has between the two elements in the middle of n.
func (c *call) middle(low, high expr.Value, n int) expr.Value {
	if n%2 == 1 {
		return low
	}
	return c.framework.Median(c.Builder, low, high)
}
