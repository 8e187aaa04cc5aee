package anvil

import (
	"github.com/goanvil/notebook/anvil/ir"
)

// TopK returns the k greatest elements of x along an axis, in descending order, and their positions, counted from 0. The
// axis is the last one if none is given. Equal elements keep their order; nan counts as greater than any number.
func (l *Lib) TopK(x any, k int, axis ...Axis) (Tensor, Tensor) {
	c, a, amb := l.layout("TopK", x)
	attrs := ir.SortAttrs{Axis: c.oneAxis(axis, a), Descending: true}
	if n := a.Shape()[attrs.Axis]; k < 0 || k > n {
		c.fail("k is "+itoa(k)+" on axis "+itoa(attrs.Axis)+" of length "+itoa(n), "give 0 to "+itoa(n))
	}
	at := c.Do(ir.Iota, ir.IotaAttrs{DType: c.positionDType(), Shape: a.Shape().Dims(), Axis: attrs.Axis})
	sorted := c.All(ir.Sort, attrs, nil, a, at)
	values := c.result(c.every(sorted[0], attrs.Axis, 0, k, 1), amb)
	return values, c.result(c.every(sorted[1], attrs.Axis, 0, k, 1), false)
}
