package anvil

import (
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// Sort returns x with its elements in ascending order along an axis, the last one if none is given. Equal elements keep
// their order; nan comes last.
func (l *Lib) Sort(x any, axis ...Axis) Tensor {
	c, a, amb := l.layout("Sort", x)
	attrs := ir.SortAttrs{Axis: c.oneAxis(axis, a)}
	return c.result(c.All(ir.Sort, attrs, nil, a)[0], amb)
}

// ArgSort returns the positions in x of the elements of Sort(x), counted from 0.
func (l *Lib) ArgSort(x any, axis ...Axis) Tensor {
	c, a, _ := l.layout("ArgSort", x)
	attrs := ir.SortAttrs{Axis: c.oneAxis(axis, a)}
	at := c.Iota(c.positionDType(), attrs.Axis, a.Shape()...)
	return c.result(c.All(ir.Sort, attrs, nil, a, at)[1], false)
}

// oneAxis returns the position of the single axis of a that is given, or of the last axis if none is given.
func (c *call) oneAxis(axis []Axis, a expr.Value) int {
	if len(axis) > 1 {
		c.fail("more than one axis is given", "give one axis, or none for the last")
	}
	return c.axis(givenOr(axis, -1), len(a.Shape()))
}

// Partition returns x rearranged along an axis so that position k holds the element that sorting would put there, with
// no greater element before it and no lesser one after it. The axis is the last one if none is given; a negative k
// counts from its end. Partition sorts all elements, but code for other libraries should not rely on that.
func (l *Lib) Partition(x any, k int, axis ...Axis) Tensor {
	l.checkPosition("Partition", x, k, axis)
	return l.Sort(x, axis...)
}

// ArgPartition returns the positions in x of the elements of Partition(x, k), counted from 0.
func (l *Lib) ArgPartition(x any, k int, axis ...Axis) Tensor {
	l.checkPosition("ArgPartition", x, k, axis)
	return l.ArgSort(x, axis...)
}

// checkPosition fails if k is not a position along the axis of x.
func (l *Lib) checkPosition(op string, x any, k int, axis []Axis) {
	c, a, _ := l.layout(op, x)
	n := a.Shape()[c.oneAxis(axis, a)]
	if n == 0 {
		c.fail("the axis is empty", "give an x with elements along this axis")
	}
	if k < -n || k >= n {
		c.fail("k is "+itoa(k)+" on an axis of length "+itoa(n), "give "+itoa(-n)+" to "+itoa(n-1))
	}
}

// TopK returns the k greatest elements of x along an axis, in descending order, and their positions, counted from 0.
// The axis is the last one if none is given. Equal elements keep their order; nan counts as greater than any number.
func (l *Lib) TopK(x any, k int, axis ...Axis) (Tensor, Tensor) {
	c, a, amb := l.layout("TopK", x)
	attrs := ir.SortAttrs{Axis: c.oneAxis(axis, a), Descending: true}
	if n := a.Shape()[attrs.Axis]; k < 0 || k > n {
		c.fail("k is "+itoa(k)+" on axis "+itoa(attrs.Axis)+" of length "+itoa(n), "give 0 to "+itoa(n))
	}
	at := c.Iota(c.positionDType(), attrs.Axis, a.Shape()...)
	sorted := c.All(ir.Sort, attrs, nil, a, at)
	values := c.result(c.sliceAxis(sorted[0], attrs.Axis, 0, k, 1), amb)
	return values, c.result(c.sliceAxis(sorted[1], attrs.Axis, 0, k, 1), false)
}

// LexSort returns the positions, counted from 0, that sort keys, vectors of equal length, lexicographically. The last
// vector decides first; where its elements are equal, the vector before it decides, and so on.
func (l *Lib) LexSort(keys ...any) Tensor {
	keys = spreadSlices(keys)
	c := l.call("LexSort", keys...)
	if len(keys) == 0 {
		c.fail("no key is given", "give at least one vector")
	}
	var order expr.Value
	for _, k := range keys {
		a := c.at(k, c.operand(k).DType)
		c.requireVector("a key", a)
		if order == nil {
			order = c.Iota(c.positionDType(), 0, a.Shape()...)
		}
		s := order.Shape()
		if !a.Shape().Equal(s) {
			c.fail("keys have lengths "+itoa(s[0])+" and "+itoa(a.Shape()[0]), "give vectors of equal length")
		}
		if s[0] > 0 {
			a = c.gather(a, &points{axes: []int{0}, by: []expr.Value{order}, shape: s}, 0)
		}
		order = c.All(ir.Sort, ir.SortAttrs{Axis: 0}, nil, a, order)[1]
	}
	return c.result(order, false)
}

// SortBy sorts the elements of x along an axis by their keys, the elements of by. The default axis is the
// last. x and by have the same shape; elements of x with equal keys keep their order.
func (l *Lib) SortBy(x, by any, axis ...Axis) Tensor {
	c := l.call("SortBy", x, by)
	tx, ty := c.typed(x), c.typed(by)
	a, b := c.at(x, tx.DType), c.at(by, ty.DType)
	if !a.Shape().Equal(b.Shape()) {
		c.fail("the shapes differ", "make the shapes equal with nv.BroadcastTo")
	}
	attrs := ir.SortAttrs{Axis: c.oneAxis(axis, a)}
	return c.result(c.All(ir.Sort, attrs, nil, b, a)[1], tx.Ambiguous)
}
