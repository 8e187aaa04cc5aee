package anvil

import (
	"slices"
	"strconv"

	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/shape"
)

// ReduceWindow returns the reduction of the elements under a window, for each of its positions. how is "sum", "mean",
// "max", "min" or "prod". window has one length for every axis of x; it moves by single steps unless Stride is given.
func (l *Lib) ReduceWindow(x any, window Shape, how string, opts ...PoolOption) Tensor {
	c, m := l.pooling("ReduceWindow", x, opts)
	if rank := len(c.shapeOf(x)); len(window) != rank {
		c.fail("the window "+window.String()+" has "+itoa(len(window))+" lengths, and x has "+itoa(rank)+" axes", "give one length per axis, 1 for no pooling")
	}
	return c.reduceWindow(x, how, m, func(s Shape) ir.WindowAttrs { return c.attrs(m, s, window, constantShape(len(s), 1)) })
}

func (l *Lib) pool(op, how string, x any, window Shape, opts []PoolOption) Tensor {
	c, m := l.pooling(op, x, opts)
	rank, n := len(c.shapeOf(x)), len(window)
	if n == 0 || rank < n+1 {
		c.fail("a window of "+itoa(n)+" axes does not fit x of rank "+itoa(rank), "x has axes (batch, spatial..., channels), with the option ChannelsFirst (batch, channels, spatial...)")
	}
	at := rank - n - 1 // where the spatial axes begin
	if m.channelsFirst {
		at++
	}
	return c.reduceWindow(x, how, m, func(s Shape) ir.WindowAttrs {
		a := c.attrs(m, s[at:at+n], window, window)
		before, behind := constantShape(at, 1), constantShape(rank-at-n, 1)
		pad := func(d shape.Dims) shape.Dims { return before.Dims() + d + behind.Dims() }
		none := func(d shape.Dims) shape.Dims { return make(Shape, at).Dims() + d + make(Shape, rank-at-n).Dims() }
		return ir.WindowAttrs{Size: pad(a.Size), Strides: pad(a.Strides), Low: none(a.Low), High: none(a.High), BaseDilation: pad(a.BaseDilation), Dilation: pad(a.Dilation)}
	})
}

func (l *Lib) pooling(op string, x any, opts []PoolOption) (*call, windowOptions) {
	c := l.call(op, x)
	var m windowOptions
	for _, o := range accepted(op, opts, x) {
		o.pool(&m)
	}
	if m.ceil && m.countPadding {
		c.fail("CountPadding and CeilMode exclude each other", "leave one out, and pad with nv.Pad")
	}
	return c, m
}

// windowReductions maps a name to the operation on windows, the corresponding reduction over axes, and its promotion.
var windowReductions = map[string]struct {
	code, like ir.Code
	rule       promote.Reduction
}{
	"sum": {ir.ReduceWindowSum, ir.ReduceSum, promote.Sum}, "prod": {ir.ReduceWindowProd, ir.ReduceProd, promote.Sum},
	"mean": {ir.ReduceWindowSum, ir.ReduceSum, promote.Mean},
	"max":  {ir.ReduceWindowMax, ir.ReduceMax, promote.Extreme}, "min": {ir.ReduceWindowMin, ir.ReduceMin, promote.Extreme},
}

func (c *call) reduceWindow(x any, how string, m windowOptions, attrs func(s Shape) ir.WindowAttrs) Tensor {
	r, ok := windowReductions[how]
	if !ok {
		c.fail("unknown reduction "+strconv.Quote(how), "give sum, mean, max, min or prod")
	}
	from := c.own(x)
	t := from
	if r.rule != promote.Extreme {
		t = c.widened(r.rule, c.sys.Reduction(r.rule, from))
	}
	a := c.cast(c.at(x, from.DType), t.DType)
	w := attrs(a.Shape())
	a = c.convert(a, c.sumIn(r.like, t.DType))
	sum := c.Do(r.code, w, a)
	if how == "mean" {
		sum = c.Div(sum, c.underWindow(w, a, sum, m.countPadding))
	}
	return c.result(c.convert(sum, t.DType), t.Ambiguous)
}

// underWindow returns the number of elements of a under a window at each of its positions, in the shape of result.
func (c *call) underWindow(w ir.WindowAttrs, a, result expr.Value, counted bool) expr.Value {
	padded := slices.ContainsFunc(slices.Concat(w.Low.Ints(), w.High.Ints()), func(n int) bool { return n > 0 })
	if counted || !padded {
		return c.Like(result, w.Size.Shape().Size())
	}
	s, places := a.Shape().Clone(), result.Shape()
	for i, size := range w.Size.All() {
		if size == 1 && s[i] == places[i] { // nothing moves along this axis
			s[i] = min(s[i], 1)
		}
	}
	return c.to(c.Do(ir.ReduceWindowSum, w, c.to(c.literal(1, a.DType()), s)), places)
}
