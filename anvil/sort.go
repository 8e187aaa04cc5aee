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
	at := c.Do(ir.Iota, ir.IotaAttrs{DType: c.positionDType(), Shape: a.Shape().Dims(), Axis: attrs.Axis})
	return c.result(c.All(ir.Sort, attrs, nil, a, at)[1], false)
}

// oneAxis returns the single axis of a given, or the last one if none is given.
func (c *call) oneAxis(axis []Axis, a expr.Value) int {
	if len(axis) > 1 {
		c.fail("more than one axis is given", "give one axis, or none for the last")
	}
	return c.axis(append(axis, -1)[0], len(a.Shape()))
}
