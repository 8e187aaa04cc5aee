package anvil

import (
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// Sort returns x with its elements in ascending order along an axis, the last
// one where none is given. Equal elements keep their order; nan comes last.
func (l *Lib) Sort(x any, axis ...Axis) Tensor {
	c, a, amb := l.layout("Sort", x)
	attrs := ir.SortAttrs{Axis: c.oneAxis(axis, a)}
	return c.result(c.many(ir.Sort, attrs, a)[0], amb)
}

// ArgSort returns the positions, counted from 0, that the elements of Sort(x)
// have in x.
func (l *Lib) ArgSort(x any, axis ...Axis) Tensor {
	c, a, _ := l.layout("ArgSort", x)
	attrs := ir.SortAttrs{Axis: c.oneAxis(axis, a)}
	at := c.infer(ir.Iota, ir.IotaAttrs{DType: c.positionDType(), Shape: a.arr.Type().Shape.Dims(), Axis: attrs.Axis})
	return c.result(c.many(ir.Sort, attrs, a, at)[1], false)
}

func (c *call) oneAxis(axis []Axis, a *tensor) int {
	if len(axis) > 1 {
		c.fail("more than one axis", "give one axis, or none for the last")
	}
	return c.axis(append(axis, -1)[0], len(a.arr.Type().Shape))
}

// many returns the results of an operation that has several.
func (c *call) many(code ir.Code, attrs any, args ...*tensor) []*tensor {
	types, arrs := make([]shape.Type, len(args)), make([]engine.Array, len(args))
	for i, a := range args {
		types[i], arrs[i] = a.arr.Type(), a.arr
	}
	results, err := ops.Infer(code, attrs, nil, types...)
	c.check(err)
	for _, t := range results {
		c.sized(t)
	}
	out, err := c.ctx.session().ApplyMany(results, code, attrs, nil, arrs...)
	c.check(err)
	ts := make([]*tensor, len(out))
	for i, o := range out {
		o.Mark(c.amb)
		ts[i] = &tensor{ctx: c.ctx, arr: o}
	}
	return ts
}
