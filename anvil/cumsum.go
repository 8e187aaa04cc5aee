package anvil

import (
	"fmt"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/shape"
)

// A CumsumFlag tells Cumsum which elements a sum has.
type CumsumFlag uint8

// The flags.
const (
	Exclusive CumsumFlag = 1 << iota // without the element itself
	Reverse                          // from the element on to the end
)

// Cumsum returns the sums of the elements of x up to each one, along an axis:
// result[i] = sum over j <= i of x[j]. Options are the Axis (the first one
// where none is given), a DType in which to sum, Exclusive and Reverse.
func (l *Lib) Cumsum(x any, opts ...any) Tensor {
	c := l.call("Cumsum", x)
	from := c.own(x)
	axis, flags, d := c.cumsumOptions(opts)
	t := c.sys.Reduction(promote.Sum, from)
	if d != dtype.Invalid {
		t = dtype.Typed{DType: d}
	} else if t = c.widened(promote.Sum, t); t.DType == dtype.I1 {
		t = dtype.Typed{DType: dtype.I32, Ambiguous: t.Ambiguous}
	}
	a := c.cast(c.at(x, from.DType), t.DType)
	at := c.axis(axis, len(a.arr.Type().Shape))
	if flags&Reverse != 0 {
		a = c.reverse(a, at)
	}
	if flags&Exclusive != 0 {
		a = c.shift(a, at, 1)
	}
	for n := 1; n < a.arr.Type().Shape[at]; n *= 2 { // each has the sum of the n before; add that of the n before those
		a = c.infer(ir.Add, nil, a, c.shift(a, at, n))
	}
	if flags&Reverse != 0 {
		a = c.reverse(a, at)
	}
	return c.result(a, t.Ambiguous)
}

func (c *call) cumsumOptions(opts []any) (axis Axis, flags CumsumFlag, d dtype.DType) {
	for _, o := range opts {
		switch o := o.(type) {
		case Axis:
			axis = o
		case CumsumFlag:
			flags |= o
		case DType:
			d = o
		default:
			c.fail(fmt.Sprintf("%v is no option", o), "options are an nv.Axis, a dtype, nv.Exclusive, nv.Reverse")
		}
	}
	return axis, flags, d
}

func (c *call) reverse(a *tensor, axis int) *tensor {
	return c.infer(ir.Reverse, ops.AxesAttrs{Axes: shape.DimsOf(axis)}, a)
}

// shift returns a moved up by n along an axis, with zeros below.
func (c *call) shift(a *tensor, axis, n int) *tensor {
	s := a.arr.Type().Shape
	low, high := make(Shape, len(s)), make(Shape, len(s))
	low[axis], high[axis] = n, -n
	attrs := ops.PadAttrs{Low: low.Dims(), High: high.Dims(), Interior: make(Shape, len(s)).Dims()}
	return c.infer(ir.Pad, attrs, a, c.literal(0, a.arr.Type().DType))
}

// Trace returns the sum of the diagonal of the matrices that the last two axes
// of x are, at the dtype that the system gives sums.
func (l *Lib) Trace(x any) Tensor {
	c := l.call("Trace", x)
	from := c.own(x)
	t := c.widened(promote.Sum, c.sys.Reduction(promote.Sum, from))
	a := c.cast(c.at(x, from.DType), t.DType)
	s := a.arr.Type().Shape
	if len(s) < 2 {
		c.fail("a matrix has two axes", "nv.Reshape inserts them")
	}
	row := c.infer(ir.Iota, ops.IotaAttrs{DType: dtype.I32, Shape: s.Dims(), Axis: len(s) - 2})
	col := c.infer(ir.Iota, ops.IotaAttrs{DType: dtype.I32, Shape: s.Dims(), Axis: len(s) - 1})
	zero := c.to(c.literal(0, t.DType), s)
	diagonal := c.infer(ir.Select, nil, c.compare(ops.EQ, row, col), a, zero)
	return c.result(c.fold(ir.ReduceSum, diagonal, []ReduceOption{Axis(-2), Axis(-1)}), t.Ambiguous)
}
