package anvil

import (
	"reflect"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A CountOption is an option of Histogram, BinCount, Nonzero, Unique and related functions: Size, Weights, Within
// or an Axis.
type CountOption interface{ count(*countingOptions) }

// countingOptions holds the options of Histogram, BinCount, Nonzero and Unique.
type countingOptions struct {
	size      int   // the length of the result; -1: depends on the values
	weights   any   // nil: all 1
	low, high any   // the range of the bins; nil: that of the elements
	axis      *Axis // nil: not given
}

// Size is the CountOption that fixes the length of a result that would otherwise depend on the values of x. A longer
// result is cut to this length, and a shorter result is filled up. With Size the shape is known while a function is
// traced.
type Size int

func (n Size) count(o *countingOptions) { o.size = int(n) }

func (a Axis) count(o *countingOptions) { o.axis = &a }

// Weights returns the CountOption that counts each element with its weight.
func Weights(weights any) CountOption { return weighted{weights} }

type weighted struct{ weights any }

func (w weighted) count(o *countingOptions) { o.weights = w.weights }

// Within returns the CountOption that makes the bins of Histogram range from low to high, instead of from the least
// element to the greatest.
func Within(low, high any) CountOption { return bounds{low, high} }

type bounds struct{ low, high any }

func (b bounds) count(o *countingOptions) { o.low, o.high = b.low, b.high }

// countOptions returns opts as one value.
func (c *call) countOptions(opts []CountOption) countingOptions {
	o := countingOptions{size: -1}
	for _, opt := range accepted(c.op, opts, c.xs...) {
		opt.count(&o)
		if n, ok := opt.(Size); ok && n < 0 {
			c.fail("nv.Size("+itoa(int(n))+") is negative", "give 0 or more")
		}
	}
	return o
}

// Histogram returns the number of elements of x in each bin, and the edges of the bins. bins is the number of bins of
// equal width from the least element to the greatest (see Within), or a vector of edges in ascending order. A bin
// includes its lower edge but not its upper one; the last bin includes both.
func (l *Lib) Histogram(x, bins any, opts ...CountOption) (Tensor, Tensor) {
	c := l.call("Histogram", x, bins)
	o := c.countOptions(opts)
	a, t := c.reals(x)
	a = c.flat(c.convert(a, t.DType))
	edges := c.binEdges(a, bins, o)
	n := edges.Shape()[0] - 1
	if n < 1 {
		c.fail("no bins are given", "give their number, or at least two edges")
	}
	count := c.searchSorted(edges, a, true) // for each element, the number of edges that are not greater
	atLastEdge := c.Eq(a, c.to(c.pick(edges, 0, n), a.Shape()))
	count = c.Where(atLastEdge, n, count)
	bin := c.Sub(count, 1) // elements outside all bins get -1 or n, which tally ignores
	return c.tally(bin, n, o), c.result(edges, t.Ambiguous)
}

// binEdges returns the edges of bins, the argument of Histogram, at the dtype of a.
func (c *call) binEdges(a expr.Value, bins any, o countingOptions) expr.Value {
	d := a.DType()
	if n, ok := bins.(int); ok {
		if n < 1 {
			c.fail("the number of bins is "+itoa(n), "give at least 1")
		}
		return c.evenEdges(a, n, o)
	}
	if o.low != nil {
		c.fail("both nv.Within and edges are given", "leave one out")
	}
	x, ok := bins.(Tensor)
	if v := reflect.ValueOf(bins); !ok && v.Kind() == reflect.Slice {
		x = c.nested(v, dtype.Options{DType: d})
	}
	if x.t == nil {
		c.fail("bins are "+describe(bins), "give their number as an int, or their edges")
	}
	c.requireVector("bins", x.t)
	c.requireReal(x.DType())
	return c.cast(x.t, d)
}

// evenEdges returns the n+1 edges of n bins of equal width over the range of Within, or else from the least element of
// a to the greatest, or from 0 to 1 if a is empty. If both ends of the range are equal, the edges range from 0.5 below
// to 0.5 above.
func (c *call) evenEdges(a expr.Value, n int, o countingOptions) expr.Value {
	d := a.DType()
	low, high := c.number(0, d), c.number(1, d)
	switch {
	case o.low != nil:
		low, high = c.at(o.low, d), c.at(o.high, d)
	case a.Shape().Size() > 0:
		low, high = c.fold(ir.ReduceMin, a, nil), c.fold(ir.ReduceMax, a, nil)
	}
	isPoint := c.Eq(low, high)
	half := c.Like(low, 0.5)
	low, high = c.Where(isPoint, c.Sub(low, half), low), c.Where(isPoint, c.Add(high, half), high)
	s := Shape{n + 1}
	i := c.Iota(wide(d), 0, s...)
	low, high = c.convert(low, wide(d)), c.convert(high, wide(d))
	width := c.Div(c.Sub(high, low), n)
	edges := c.Add(c.Mul(i, c.to(width, s)), c.to(low, s))
	return c.convert(c.Where(c.Eq(i, n), c.to(high, s), edges), d) // the last edge is high without rounding errors
}

// tally returns how often each of the numbers 0, 1, ..., n-1 occurs in the vector at. With Weights it returns, for each
// of the numbers, the sum of the weights of its occurrences. Other elements of at are ignored.
func (c *call) tally(at expr.Value, n int, o countingOptions) Tensor {
	d := c.positionDType()
	weights := c.to(c.number(1, d), at.Shape())
	if o.weights != nil {
		operands := c.xs
		c.xs = append(slices.Clip(operands), o.weights) // an error about the weights names them
		w := c.operand(o.weights)
		c.xs = operands
		weights = c.at(o.weights, w.DType)
		if weights = c.flat(weights); !weights.Shape().Equal(at.Shape()) {
			c.fail(plural(weights.Shape().Size(), "weight is", "weights are")+" given for "+
				plural(at.Shape().Size(), "element", "elements"),
				"give one for each")
		}
	}
	zeros := c.to(c.number(0, weights.DType()), Shape{n})
	if at.Shape().Size() == 0 || n == 0 {
		return c.result(zeros, false)
	}
	axis0 := shape.DimsOf(0)
	attrs := ir.ScatterAttrs{InsertedWindowDims: axis0, ScatterDimsToOperandDims: axis0, IndexVectorDim: 1,
		Combine: ir.Add}
	return c.result(c.Do(ir.Scatter, attrs, zeros, at, weights), false)
}

// BinCount returns how often each of the integers 0, 1, 2, ... occurs in x, up to the greatest element of x. With
// Size(n) it counts the integers from 0 to n-1.
func (l *Lib) BinCount(x any, opts ...CountOption) Tensor {
	c, a, _ := l.layout("BinCount", x)
	if a.DType() == dtype.I1 {
		a = c.convert(a, dtype.U8)
	}
	if d := a.DType(); !d.Is(dtype.Integral) {
		c.fail("the elements must be integers, not "+d.String(), "convert them with AsType(nv.I32)")
	}
	o := c.countOptions(opts)
	a = c.flat(a)
	if !a.(*tensor).arr.Unknown() && a.Shape().Size() > 0 {
		y := asTensor(c.fold(ir.ReduceMin, a, nil))
		if least := y.Int(); least < 0 {
			c.fail("x contains "+itoa(least)+", which is negative", "BinCount counts integers of 0 or more")
		}
	}
	if o.size < 0 {
		o.size = c.greatest(a) + 1
	}
	if a.DType().Bits() < 32 {
		a = c.convert(a, dtype.I32)
	}
	return c.tally(a, o.size, o)
}

// greatest returns the greatest of the integers a, or -1 if a is empty. It waits for a.
func (c *call) greatest(a expr.Value) int {
	if a.(*tensor).arr.Unknown() {
		c.fail("x is traced, so the length of the result is not known", "give it with nv.Size(n)")
	}
	if a.Shape().Size() == 0 {
		return -1
	}
	return asTensor(c.fold(ir.ReduceMax, a, nil)).Int()
}
