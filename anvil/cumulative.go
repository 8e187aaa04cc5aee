package anvil

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/promote"
)

// A CumsumOption is an option of cumulative operations: Axis; Exclusive and Reverse, which choose the elements that
// each result includes; and for sums and products Accumulate, the dtype.
type CumsumOption interface{ cumsum(*cumulativeOptions) }

// cumulativeOptions holds the options of cumulative operations.
type cumulativeOptions struct {
	axis  Axis
	flags CumsumFlag
	dtype dtype.DType // Invalid: determined by the system
}

// A CumsumFlag is Exclusive, Reverse, or both: Exclusive | Reverse.
type CumsumFlag uint8

// The flags of cumulative operations.
const (
	Exclusive CumsumFlag = 1 << iota // result i does not include element i
	Reverse                          // result i includes elements i to the end
)

func (a Axis) cumsum(r *cumulativeOptions)       { r.axis = a }
func (f CumsumFlag) cumsum(r *cumulativeOptions) { r.flags |= f }
func (a accumulate) cumsum(r *cumulativeOptions) { r.dtype = dtype.DType(a) }

// running computes Cumsum (reduction ir.ReduceSum) or Cumprod (ir.ReduceProd) at the dtype that the system gives sums.
// op is the name of the function.
func (l *Lib) running(op string, reduction ir.Code, x any, opts []CumsumOption) Tensor {
	c := l.call(op, x)
	from := c.typed(x)
	o := c.cumulativeOptions(opts)
	t := c.sys.Reduction(promote.Sum, from)
	if o.dtype != dtype.Invalid {
		t = dtype.Typed{DType: o.dtype}
	} else if r, ok := c.operationType(x); ok {
		t = r
	} else if t = c.widenSum(promote.Sum, t); t.DType == dtype.I1 {
		t = dtype.Typed{DType: dtype.I32, Ambiguous: t.Ambiguous}
	}
	a := c.cast(c.at(x, from.DType), t.DType)
	at := c.axis(o.axis, len(a.Shape()))
	reverse := o.flags&Reverse != 0
	if o.flags&Exclusive != 0 {
		shift := 1
		if reverse {
			shift = -1
		}
		a = c.PadAxis(a, at, shift, -shift, c.identity(reduction, t.DType))
	}
	return c.result(c.cumulate(reduction, a, at, reverse), t.Ambiguous)
}

// reversing returns f(a). If reverse is true, f gets a reversed along axis, and the result of f is reversed back.
func (c *call) reversing(reverse bool, a expr.Value, axis int, f func(expr.Value) expr.Value) expr.Value {
	if !reverse {
		return f(a)
	}
	return c.Reverse(f(c.Reverse(a, axis)), axis)
}

// cumulate returns cumulative sums or products of a. Floats are added in the order that the system uses.
func (c *call) cumulate(reduction ir.Code, a expr.Value, axis int, reverse bool) expr.Value {
	if r := c.frameworkRunning(reduction, a, axis, reverse); r != nil {
		return r
	}
	code := ir.CumSum
	if reduction == ir.ReduceProd {
		code = ir.CumProd
	}
	return c.Do(code, ir.CumulativeAttrs{Axis: axis, Reverse: reverse}, a)
}

// cumulateByPairs returns cumulative results of a, combined pairwise by the operation code.
func (c *call) cumulateByPairs(code ir.Code, a expr.Value, axis int) expr.Value {
	combine := func(a, b []expr.Value) []expr.Value { return []expr.Value{c.Do(code, nil, a[0], b[0])} }
	return c.scanByPairs([]expr.Value{a}, []int{axis}, combine, c.interleave)[0]
}

// sliceAxis returns elements low, low+step ... below high along an axis.
func (c *call) sliceAxis(a expr.Value, axis, low, high, step int) expr.Value {
	s := a.Shape()
	start, limit, strides := make(Shape, len(s)), s.Clone(), constantShape(len(s), 1)
	start[axis], limit[axis], strides[axis] = low, high, step
	return c.Do(ir.Slice, ir.SliceAttrs{Start: start.Dims(), Limit: limit.Dims(), Strides: strides.Dims()}, a)
}

// interleave alternates the elements of even and odd along an axis. even may have one more element. Both must be
// numbers, because interleave inserts zeros between the elements of each and adds the two.
func (c *call) interleave(even, odd expr.Value, axis int) expr.Value {
	spread := func(a expr.Value, before, n int) expr.Value {
		s := a.Shape()
		low, high, inner := make(Shape, len(s)), make(Shape, len(s)), make(Shape, len(s))
		low[axis], inner[axis] = before, 1
		high[axis] = n - before - max(0, 2*s[axis]-1)
		attrs := ir.PadAttrs{Low: low.Dims(), High: high.Dims(), Interior: inner.Dims()}
		return c.Do(ir.Pad, attrs, a, c.literal(0, a.DType()))
	}
	n := even.Shape()[axis] + odd.Shape()[axis]
	return c.Add(spread(even, 0, n), spread(odd, 1, n))
}

// number returns v as a scalar of dtype d, converted as XLA converts numbers. (literal converts by the system's rule.)
func (c *call) number(v any, d dtype.DType) expr.Value {
	w, err := dtype.Cast(v, d)
	c.check(err)
	data, err := dtype.Append(nil, d, w)
	c.check(err)
	return &tensor{ctx: c.ctx, arr: c.ctx.session.Scalar(d, data)}
}

// extremes returns cumulative maxima (ir.CumMax) or minima (ir.CumMin), and their positions.
func (l *Lib) extremes(op string, code ir.Code, x any, opts []CumsumOption) (Tensor, Tensor) {
	c, a, amb := l.layout(op, x)
	o := c.cumulativeOptions(opts)
	c.requireReal(a.DType())
	axis := c.axis(o.axis, len(a.Shape()))
	both := c.All(code, ir.CumulativeAttrs{Axis: axis, Reverse: o.flags&Reverse != 0, DType: c.positionDType()}, nil, a)
	return c.result(both[0], amb), c.result(both[1], false)
}

// cumulativeOptions returns opts as one value.
func (c *call) cumulativeOptions(opts []CumsumOption) (o cumulativeOptions) {
	for _, opt := range accepted(c.op, opts, c.xs...) {
		opt.cumsum(&o)
	}
	return o
}

// LogCumsumExp returns, without overflow, the logarithms of the cumulative sums of exponentials of x along an
// axis: result[i] = log(sum over j <= i of exp(x[j])). The default axis is the first.
func (l *Lib) LogCumsumExp(x any, opts ...CumsumOption) Tensor {
	c := l.call("LogCumsumExp", x)
	o := c.cumulativeOptions(opts)
	a, t := c.reals(x)
	axis := c.axis(o.axis, len(a.Shape()))
	logAdd := ops.Running{Combine: func(b expr.Builder, before, next []expr.Value) []expr.Value {
		return []expr.Value{b.LogAddExp(next[0], before[0])}
	}, Unit: []expr.Value{c.number(math.Inf(-1), a.DType())}, Rows: c.ctx.session.Platform() == "CPU"}
	return c.resultAs(c.reversing(o.flags&Reverse != 0, a, axis, func(a expr.Value) expr.Value {
		return logAdd.Along(c.Builder, []expr.Value{a}, axis)[0]
	}), t)
}

// Diff returns the differences between neighbouring elements of x along an axis, repeated n times: result[i]
// = x[i+1] - x[i]. The default axis is the last. For bools, it returns whether neighbours differ.
func (l *Lib) Diff(x any, n int, axis ...Axis) Tensor {
	c, a, amb := l.layout("Diff", x)
	at := c.oneAxis(axis, a)
	if n < 0 {
		c.fail("n is "+itoa(n), "give 0 or more")
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
		a = c.Do(code, nil, c.sliceAxis(a, at, 1, m, 1), c.sliceAxis(a, at, 0, m-1, 1))
	}
	return c.result(a, amb)
}
