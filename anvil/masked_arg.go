package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// NanArgMax returns the position of the greatest element of x that is not nan,
// along an axis, the first of equals, counted from 0; without an axis that in the
// flattened tensor. It is -1 where all elements are nan.
func (l *Lib) NanArgMax(x any, opts ...ReduceOption) Tensor {
	return l.nanArg("NanArgMax", ir.ArgMax, ir.ReduceMax, x, opts)
}

// NanArgMin returns the position of the least element of x that is not nan. See
// NanArgMax.
func (l *Lib) NanArgMin(x any, opts ...ReduceOption) Tensor {
	return l.nanArg("NanArgMin", ir.ArgMin, ir.ReduceMin, x, opts)
}

func (l *Lib) nanArg(op string, code, extreme ir.Code, x any, opts []ReduceOption) Tensor {
	c := l.call(op, x)
	d := c.operand(x).DType
	if !d.Is(dtype.Floating) {
		return l.arg(op, code, x, opts)
	}
	a := c.at(x, d)
	nan := c.Ne(a, a)
	filled := c.Where(nan, c.to(c.identity(extreme, a.DType()), a.Shape()), a)
	r := l.arg(op, code, asTensor(filled), opts)
	none := c.fold(ir.ReduceAnd, nan, opts)
	return c.result(c.Where(none, -1, r.t), r.t.amb)
}
