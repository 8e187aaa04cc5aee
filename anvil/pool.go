package anvil

import (
	"slices"
	"strconv"

	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/shape"
)

// ReduceWindow returns the reduction of the elements under a window at each of its positions. how is "sum", "mean",
// "max", "min" or "prod". window has one length for every axis of x. The window moves by 1 unless Stride is given.
func (l *Lib) ReduceWindow(x any, window Shape, how string, opts ...PoolOption) Tensor {
	c, m := l.poolCall("ReduceWindow", x, opts)
	if rank := len(c.shapeOf(x)); len(window) != rank {
		c.fail("the window "+window.String()+" has "+plural(len(window), "length", "lengths")+", and x has "+
			plural(rank, "axis", "axes"),
			"give one length per axis, 1 for no pooling")
	}
	return c.reduceWindow(x, how, m, func(s Shape) ir.WindowAttrs {
		return c.windowAttrs(m, s, window, constantShape(len(s), 1))
	})
}

// pool is ReduceWindow for a window over the spatial axes of x. The window moves by its own size unless Stride is
// given.
func (l *Lib) pool(op, how string, x any, window Shape, opts []PoolOption) Tensor {
	c, m := l.poolCall(op, x, opts)
	rank, n := len(c.shapeOf(x)), len(window)
	if n == 0 {
		c.fail("the window has no axes", "give one length per spatial axis: nv.Shape{2, 2}")
	}
	if rank < n+1 {
		c.fail("a window of "+plural(n, "axis", "axes")+" needs x of rank "+itoa(n+1)+" or more, not "+itoa(rank),
			"give x axes (batch..., spatial..., channels); with the option ChannelsFirst "+
				"(batch..., channels, spatial...)")
	}
	first := rank - n - 1 // the first spatial axis; the channels are last
	if m.channelsFirst {
		first++
	}
	after := rank - first - n // the number of axes after the spatial ones
	return c.reduceWindow(x, how, m, func(s Shape) ir.WindowAttrs {
		a := c.windowAttrs(m, s[first:first+n], window, window)
		// The attributes of the other axes are 1, and their padding is 0.
		surround := func(d shape.Dims, v int) shape.Dims {
			return constantShape(first, v).Dims() + d + constantShape(after, v).Dims()
		}
		return ir.WindowAttrs{Size: surround(a.Size, 1), Strides: surround(a.Strides, 1),
			Low: surround(a.Low, 0), High: surround(a.High, 0),
			BaseDilation: surround(a.BaseDilation, 1), Dilation: surround(a.Dilation, 1)}
	})
}

// poolCall returns a call of op on x and its options.
func (l *Lib) poolCall(op string, x any, opts []PoolOption) (*call, windowOptions) {
	c := l.call(op, x)
	var m windowOptions
	for _, o := range accepted(op, opts, x) {
		o.pool(&m)
	}
	if m.ceil && m.countPadding {
		c.fail("CountPadding and CeilMode exclude each other",
			"give only CeilMode; to count padding, pad x with nv.Pad first")
	}
	return c, m
}

// windowReductions maps the name of a reduction to its operation on windows, the same reduction over axes, and its
// promotion rule.
var windowReductions = map[string]struct {
	code, overAxes ir.Code
	rule           promote.Reduction
}{
	"sum":  {ir.ReduceWindowSum, ir.ReduceSum, promote.Sum},
	"prod": {ir.ReduceWindowProd, ir.ReduceProd, promote.Sum},
	"mean": {ir.ReduceWindowSum, ir.ReduceSum, promote.Mean},
	"max":  {ir.ReduceWindowMax, ir.ReduceMax, promote.Extreme},
	"min":  {ir.ReduceWindowMin, ir.ReduceMin, promote.Extreme},
}

// reduceWindow returns the reduction of x under a window. attrs returns the attributes of the window for the shape of
// x.
func (c *call) reduceWindow(x any, how string, m windowOptions, attrs func(s Shape) ir.WindowAttrs) Tensor {
	r, ok := windowReductions[how]
	if !ok {
		c.fail("unknown reduction "+strconv.Quote(how), "give sum, mean, max, min or prod")
	}
	from := c.typed(x)
	t := from
	if r.rule != promote.Extreme {
		t = c.widenSum(r.rule, c.sys.Reduction(r.rule, from))
	}
	a := c.cast(c.at(x, from.DType), t.DType)
	w := attrs(a.Shape())
	a = c.convert(a, c.sumDType(r.overAxes, t.DType))
	result := c.Do(r.code, w, a)
	if how == "mean" {
		result = c.Div(result, c.windowCounts(w, a, result, m.countPadding))
	}
	return c.result(c.convert(result, t.DType), t.Ambiguous)
}

// windowCounts returns the number of elements of a under a window at each of its positions, in the shape of result.
// With countPadding, the padding counts as elements.
func (c *call) windowCounts(w ir.WindowAttrs, a, result expr.Value, countPadding bool) expr.Value {
	padded := slices.ContainsFunc(slices.Concat(w.Low.Ints(), w.High.Ints()), func(n int) bool { return n > 0 })
	if countPadding || !padded {
		return c.Like(result, w.Size.Shape().Size())
	}
	s, positions := a.Shape().Clone(), result.Shape()
	for i, size := range w.Size.All() {
		// The counts are equal along an axis with a window of length 1 and no padding: compute them once.
		if size == 1 && s[i] == positions[i] && w.Low.Ints()[i] == 0 && w.High.Ints()[i] == 0 {
			s[i] = min(s[i], 1)
		}
	}
	return c.to(c.Do(ir.ReduceWindowSum, w, c.to(c.literal(1, a.DType()), s)), positions)
}
