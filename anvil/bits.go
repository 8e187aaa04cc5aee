package anvil

import (
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// BitcastConvert returns x with its bits read as dtype d. Where d is narrower,
// a last axis holds the parts, lowest bits first; where it is wider, the last
// axis is what one element is read from.
func (l *Lib) BitcastConvert(x any, d DType) Tensor {
	c, a, _ := l.layout("BitcastConvert", x)
	return c.result(c.Do(ir.BitcastConvert, ir.DTypeAttrs{DType: d}, a), false)
}

// Constant returns a known tensor of shape s and dtype d with every element v,
// which is written into the programs that use it: another v is another program.
// Full makes v an argument instead, and is right wherever v may change.
func (l *Lib) Constant(s Shape, v any, d DType) Tensor {
	c := l.call("Constant", v)
	c.lengths(s)
	w, err := c.sys.Convert(v, d)
	c.check(err)
	data, err := dtype.Append(nil, d, w)
	c.check(err)
	attrs := ir.ConstantAttrs{DType: d, Shape: s.Dims(), Data: string(data)}
	return c.result(c.emit(ir.Constant, attrs, shape.Type{DType: d, Shape: s.Clone()}), false)
}

// SortBy returns x in the order that sorts by along an axis, the last one where
// none is given. Both have one shape; where elements of by are equal, those of
// x keep their order.
func (l *Lib) SortBy(x, by any, axis ...Axis) Tensor {
	c := l.call("SortBy", x, by)
	tx, ty := c.own(x), c.own(by)
	a, b := c.at(x, tx.DType), c.at(by, ty.DType)
	if !a.Shape().Equal(b.Shape()) {
		c.fail("the shapes differ", "give one shape with nv.BroadcastTo")
	}
	attrs := ir.SortAttrs{Axis: c.oneAxis(axis, a)}
	return c.result(c.All(ir.Sort, attrs, nil, b, a)[1], tx.Ambiguous)
}

// Known returns the elements of x in host form where they came from the host
// and no device has to be asked. Ok is false otherwise, and always while a
// function is traced: what it is traced for may hold another value next time.
func (x Tensor) Known() (elements []byte, ok bool) {
	t := x.must("Known")
	if t.ctx.Tracing() {
		return nil, false
	}
	data, ok := t.arr.Known()
	return slices.Clone(data), ok
}

// Tracing reports whether a function of tensors of c is being recorded: by Jit,
// If or While.
func (c *Context) Tracing() bool { return c.tracing.Load() > 0 }

// recording counts a recording until the function that it returns is called.
func (c *Context) recording() func() {
	c.tracing.Add(1)
	return func() { c.tracing.Add(-1) }
}
