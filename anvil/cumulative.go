package anvil

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
)

// Cummax returns the greatest of the elements of x up to each one, along an
// axis, and its position, counted from 0: the last of equals. From a nan on it
// is nan. Without an Axis it is the first axis; with Reverse the elements are
// those from each one on.
func (l *Lib) Cummax(x any, opts ...CumsumOption) (Tensor, Tensor) {
	return l.extremes("Cummax", ir.CumMax, x, opts)
}

// Cummin returns the least of the elements of x up to each one, along an axis,
// and its position, as Cummax does.
func (l *Lib) Cummin(x any, opts ...CumsumOption) (Tensor, Tensor) {
	return l.extremes("Cummin", ir.CumMin, x, opts)
}

// extremes returns running extremes and their positions.
func (l *Lib) extremes(op string, code ir.Code, x any, opts []CumsumOption) (Tensor, Tensor) {
	c, a, amb := l.layout(op, x)
	o := c.runningOptions(opts)
	if d := a.DType(); d.Is(dtype.Complex) {
		c.fail("the operand must be real, not "+d.String(), "take nv.Real, nv.Imag or nv.Abs first")
	}
	axis := c.axis(o.axis, len(a.Shape()))
	both := c.All(code, ir.CumulativeAttrs{Axis: axis, Reverse: o.flags&Reverse != 0, DType: c.positionDType()}, nil, a)
	return c.result(both[0], amb), c.result(both[1], false)
}

// runningOptions returns the options of a function that adds nothing up.
func (c *call) runningOptions(opts []CumsumOption) (o running) {
	for _, opt := range nonNil(opts) {
		opt.cumsum(&o)
	}
	if o.dtype != dtype.Invalid {
		c.fail("the option dtype is not supported", "convert x or the result with AsType")
	}
	if o.flags&Exclusive != 0 {
		c.fail("nv.Exclusive is not supported", "leave it out")
	}
	return o
}

// LogCumsumExp returns the logarithm of the sums of the exponentials of the
// elements of x up to each one, along an axis, without overflow: result[i] =
// log(sum over j <= i of exp(x[j])). Without an Axis it is the first.
func (l *Lib) LogCumsumExp(x any, opts ...CumsumOption) Tensor {
	c := l.call("LogCumsumExp", x)
	o := c.runningOptions(opts)
	a, t := c.reals(x)
	axis := c.axis(o.axis, len(a.Shape()))
	r := ops.Running{Combine: func(b expr.Builder, before, next []expr.Value) []expr.Value {
		return []expr.Value{b.LogAddExp(next[0], before[0])}
	}, Unit: []expr.Value{c.number(math.Inf(-1), a.DType())}, Rows: c.ctx.session.Platform() == "CPU"}
	return c.done(c.directed(o.flags&Reverse != 0, a, axis, func(a expr.Value) expr.Value {
		return r.Along(c.Builder, []expr.Value{a}, axis)[0]
	}), t)
}

// Diff returns the differences of neighbours in x along an axis, the last one
// where none is given: result[i] = x[i+1] - x[i], n times over; of bools, whether
// they differ.
func (l *Lib) Diff(x any, n int, axis ...Axis) Tensor {
	c, a, amb := l.layout("Diff", x)
	at := c.oneAxis(axis, a)
	if n < 0 {
		c.fail("a negative number of times", "")
	}
	code := ir.Sub
	if a.DType() == dtype.I1 {
		code = ir.Xor
	}
	for range n {
		m := a.Shape()[at]
		if m == 0 {
			break
		}
		a = c.Do(code, nil, c.every(a, at, 1, m, 1), c.every(a, at, 0, m-1, 1))
	}
	return c.result(a, amb)
}
