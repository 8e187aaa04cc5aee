package anvil

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/shape"
)

// A CumsumOption tells Cumsum the Axis, the dtype (Accumulate), and which
// elements a sum has (Exclusive, Reverse).
type CumsumOption interface{ cumsum(*running) }

// running is what the options of Cumsum say.
type running struct {
	axis  Axis
	flags CumsumFlag
	dtype dtype.DType // Invalid: by the system's rule
}

// A CumsumFlag is one of Cumsum's options.
type CumsumFlag uint8

// The flags.
const (
	Exclusive CumsumFlag = 1 << iota // without the element itself
	Reverse                          // from the element on to the end
)

func (a Axis) cumsum(r *running)       { r.axis = a }
func (f CumsumFlag) cumsum(r *running) { r.flags |= f }
func (a accumulate) cumsum(r *running) { r.dtype = dtype.DType(a) }

// Cumsum returns the sums of the elements of x up to each one, along an axis:
// result[i] = sum over j <= i of x[j]. Without an Axis it is the first.
func (l *Lib) Cumsum(x any, opts ...CumsumOption) Tensor {
	c := l.call("Cumsum", x)
	from := c.own(x)
	var o running
	for _, opt := range opts {
		opt.cumsum(&o)
	}
	t := c.sys.Reduction(promote.Sum, from)
	if o.dtype != dtype.Invalid {
		t, c.asked = dtype.Typed{DType: o.dtype}, true
	} else if r, ok := c.runningSum(x); ok {
		t = r
	} else if t = c.widened(promote.Sum, t); t.DType == dtype.I1 {
		t = dtype.Typed{DType: dtype.I32, Ambiguous: t.Ambiguous}
	}
	a := c.cast(c.at(x, from.DType), t.DType)
	at := c.axis(o.axis, len(a.arr.Type().Shape))
	if o.flags&Reverse != 0 {
		a = c.reverse(a, at)
	}
	if o.flags&Exclusive != 0 {
		a = c.shift(a, at, 1)
	}
	a = c.sums(a, at)
	if o.flags&Reverse != 0 {
		a = c.reverse(a, at)
	}
	return c.result(a, t.Ambiguous)
}

// runningSum returns the dtype of running sums of x, where the system answers
// for them by name.
func (c *call) runningSum(x any) (dtype.Typed, bool) {
	if !c.sys.Operates() {
		return dtype.Typed{}, false
	}
	return c.operation(x)
}

// sums returns the sums of the elements of a up to each one. Floats are summed
// in the order that the system has.
func (c *call) sums(a *tensor, axis int) *tensor {
	d, rule := a.arr.Type().DType, c.values().Fold
	switch {
	case !d.Is(dtype.Inexact) || rule == promote.FoldXLA && !c.sys.Operates():
	case rule == promote.FoldDouble && d.Is(dtype.Floating) && d != dtype.F64:
		return c.convert(c.sums(c.convert(a, dtype.F64), axis), d)
	case rule == promote.FoldWide:
		return c.pairSums(a, axis)
	default:
		return c.inOrder(a, axis)
	}
	for n := 1; n < a.arr.Type().Shape[axis]; n *= 2 { // each has the sum of the n before; add that of the n before those
		a = c.infer(ir.Add, nil, a, c.shift(a, axis, n))
	}
	return a
}

// inOrder returns the sums of the elements of a up to each one, each rounded
// before the next is added.
func (c *call) inOrder(a *tensor, axis int) *tensor {
	s, zero := a.arr.Type().Shape, 0.0
	if c.values().Fold == promote.FoldNumPy { // which starts with the first element: a sum of -0 is -0
		zero = math.Copysign(0, -1)
	}
	if s[axis] < 2 {
		return c.infer(ir.Add, nil, a, c.constant(zero, a))
	}
	slot := func(i Tensor) []any {
		index := make([]any, axis+1)
		for k := range index {
			index[k] = All
		}
		index[axis] = i
		return index
	}
	first := c.pick(a, axis, 0)
	type state struct{ Sum, All Tensor }
	start := state{Tensor{t: c.constant(zero, first)}, Tensor{t: a}}
	return c.ctx.ForIAny(s[axis], start, func(i Tensor, p state) state {
		sum := Tensor{t: c.infer(ir.Add, nil, p.Sum.t, p.All.At(slot(i)...).t)}
		return state{sum, p.All.Set(sum, slot(i)...)}
	}).(state).All.t
}

// pairSums returns the sums of the elements of a up to each one by the sums of
// pairs, as JAX's associative_scan adds them.
func (c *call) pairSums(a *tensor, axis int) *tensor {
	n := a.arr.Type().Shape[axis]
	if n < 2 {
		return a
	}
	odd := c.pairSums(c.infer(ir.Add, nil, c.every(a, axis, 0, n-1, 2), c.every(a, axis, 1, n, 2)), axis)
	even := c.every(a, axis, 0, 1, 1)
	if n > 2 {
		rest := c.infer(ir.Add, nil, c.every(odd, axis, 0, (n-1)/2, 1), c.every(a, axis, 2, n, 2))
		even = c.infer(ir.Concatenate, ops.AxisAttrs{Axis: axis}, even, rest)
	}
	return c.interleave(even, odd, axis)
}

// every returns elements low, low+step ... below high along an axis.
func (c *call) every(a *tensor, axis, low, high, step int) *tensor {
	s := a.arr.Type().Shape
	start, limit, strides := make(Shape, len(s)), s.Clone(), make(Shape, len(s))
	for i := range strides {
		strides[i] = 1
	}
	start[axis], limit[axis], strides[axis] = low, high, step
	return c.infer(ir.Slice, ops.SliceAttrs{Start: start.Dims(), Limit: limit.Dims(), Strides: strides.Dims()}, a)
}

// interleave returns the elements of two in turn along an axis; even may have
// one more.
func (c *call) interleave(even, odd *tensor, axis int) *tensor {
	spread := func(a *tensor, before, n int) *tensor {
		s := a.arr.Type().Shape
		low, high, inner := make(Shape, len(s)), make(Shape, len(s)), make(Shape, len(s))
		low[axis], inner[axis] = before, 1
		high[axis] = n - before - max(0, 2*s[axis]-1)
		return c.infer(ir.Pad, ops.PadAttrs{Low: low.Dims(), High: high.Dims(), Interior: inner.Dims()}, a, c.literal(0, a.arr.Type().DType))
	}
	n := even.arr.Type().Shape[axis] + odd.arr.Type().Shape[axis]
	return c.infer(ir.Add, nil, spread(even, 0, n), spread(odd, 1, n))
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
