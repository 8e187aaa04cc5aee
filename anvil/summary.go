package anvil

import (
	"context"
	"math"
	"sync"
	"weak"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// A Summary describes the distribution of a tensor's elements. The statistics are those of the finite
// elements, or of their magnitudes for complex dtypes. Without finite elements they are NaN.
type Summary = array.Summary

// A CastLoss counts what a cast to a narrower dtype changes among finite elements.
type CastLoss = array.CastLoss

// Summary returns the summary of x's elements. Tensors in host memory are read in place. On other devices small
// tensors are copied to the host, and the summary of large ones is computed on the device. Summaries of large
// tensors are kept for further calls.
func (x Tensor) Summary() (Summary, error) {
	t := x.must("Summary")
	if t.arr.Unknown() {
		return Summary{}, &Error{Op: "Summary", Operands: describe(x), Reason: "x is being traced and has no value yet",
			Hint: "return x and read it outside"}
	}
	s, found := t.ctx.summaries.find(t)
	if found {
		return s, nil
	}
	ctx := t.ctx.interrupt()
	summarize := func(data []byte) { // the error is ignored: it means that ctx has ended, which is checked below
		s, _ = array.Summarize(ctx, array.Array{Type: t.arr.Type(), Data: data})
	}
	done, err := t.ctx.session.View(t.arr, summarize)
	switch {
	case err != nil || done: // done: View has called summarize
	case t.arr.Type().Within(fewBytes):
		var data []byte
		if data, err = t.read(); err == nil {
			summarize(data)
		}
	default:
		s, err = x.summaryOnDevice()
	}
	if err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return Summary{}, t.failed("Summary", err)
	}
	t.ctx.summaries.add(t, s)
	return s, nil
}

// fewBytes is the size up to which a tensor is copied to the host, because that takes less time than compiling a
// program.
const fewBytes = 1 << 16

// summaries caches the summaries of tensors that may be shown again.
type summaries struct {
	mu sync.Mutex
	of map[weak.Pointer[tensor]]Summary
}

const (
	maxSummaries    = 32
	summaryElements = 1 << 14 // a summary of fewer elements takes less than 1 ms
)

// find returns the cached summary of t.
func (m *summaries) find(t *tensor) (Summary, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, found := m.of[weak.Make(t)]
	return s, found
}

// add caches s, the summary of t, unless t is small, so that summarizing it again is quick. A full cache is emptied
// first.
func (m *summaries) add(t *tensor, s Summary) {
	if s.Count < summaryElements {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of == nil || len(m.of) == maxSummaries {
		m.of = map[weak.Pointer[tensor]]Summary{}
	}
	m.of[weak.Make(t)] = s
}

// summaryOnDevice computes the summary on x's device, in one program.
func (x Tensor) summaryOnDevice() (Summary, error) {
	n, d := x.Shape().Size(), x.DType()
	c := x.t.ctx.Lib.call("Summary", x)
	elements := c.reshape(x.t, Shape{n})
	if d.Is(dtype.Complex) {
		elements = c.Abs(elements)
	}
	v := c.Convert(elements, dtype.F64)
	// All numbers of the summary are concatenated in one f64 vector, in the order of add, and read below in that order.
	var parts []expr.Value
	add := func(p expr.Value) { parts = append(parts, c.reshape(p, Shape{p.Shape().Size()})) }
	// count adds the number of true elements of mask, along its first axis.
	count := func(mask expr.Value) { add(c.Sum(c.Convert(mask, dtype.F64), 0)) }
	finite := c.IsFinite(v)
	low := c.Reduce(ir.ReduceMin, c.Where(finite, v, c.Like(v, math.Inf(1))), 0)
	high := c.Reduce(ir.ReduceMax, c.Where(finite, v, c.Like(v, math.Inf(-1))), 0)
	mean := c.Div(c.Sum(c.Where(finite, v, 0), 0), c.Sum(c.Convert(finite, dtype.F64), 0))
	distance := c.Where(finite, c.Sub(v, c.BroadcastTo(mean, v.Shape())), 0)
	add(low)
	add(high)
	add(mean)
	add(c.Sum(c.Square(distance), 0))
	count(c.IsNaN(v))
	count(finite)
	halfLow := c.Mul(low, 0.5) // all numbers are halved, since high - low may overflow
	span := c.Sub(c.Mul(high, 0.5), halfLow)
	scale := c.Where(c.Gt(span, 0), c.Div(array.SummaryBins, span), 0) // equal elements are in bin 0
	bin := c.Mul(c.Sub(c.Mul(v, 0.5), c.BroadcastTo(halfLow, v.Shape())), c.BroadcastTo(scale, v.Shape()))
	bin = c.Where(finite, c.Min(c.Floor(bin), array.SummaryBins-1), -1)
	bins := Shape{n, array.SummaryBins}
	count(c.Eq(c.BroadcastTo(c.Column(bin), bins), c.Iota(dtype.F64, 1, bins...)))
	narrower := array.Narrower(d)
	for _, to := range narrower {
		y := c.Convert(c.Convert(elements, to), dtype.F64)
		inRange := c.IsFinite(y)
		flushed := c.And(c.Eq(y, 0), c.Ne(v, 0))
		count(c.And(finite, c.Not(inRange)))
		count(flushed)
		count(c.And(c.And(inRange, c.Not(flushed)), c.Ne(y, v)))
	}
	data, err := c.Concatenate(0, parts...).(*tensor).read()
	if err != nil {
		return Summary{}, err
	}
	next := func() float64 {
		v := dtype.GetFloat(data, dtype.F64)
		data = data[dtype.F64.Size():]
		return v
	}
	s := Summary{Count: n, Min: next(), Max: next(), Mean: next(), Deviation: next(), NaN: int(next())}
	finiteCount := next()
	s.Infinite = n - s.NaN - int(finiteCount)
	s.Deviation = math.Sqrt(s.Deviation / finiteCount) // from the sum of squares, which was read above
	if finiteCount == 0 {                              // Mean and Deviation are NaN already
		s.Min, s.Max = s.Mean, s.Mean
	}
	for i := range s.Bins {
		s.Bins[i] = int(next())
	}
	for _, d := range narrower {
		loss := array.CastLoss{DType: d, Overflow: int(next()), Flush: int(next()), Round: int(next())}
		s.Casts = append(s.Casts, loss)
	}
	return s, nil
}
