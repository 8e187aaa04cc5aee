package anvil

import (
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/emulate"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
)

// Median returns the middle element of x in ascending order, along an axis or of all elements. For an even
// number of elements it is the mean of the two middle ones, or the lesser of them under systems that define
// it so. It is nan if an element is nan.
func (l *Lib) Median(x any, axis ...Axis) Tensor {
	c := l.call("Median", x)
	if r := c.unpromoted(); r != nil {
		return c.result(r, c.own(x).Ambiguous)
	}
	t := c.reduction(promote.Mean, x)
	a := c.cast(c.at(x, c.operand(x).DType), t.DType)
	if len(axis) == 0 {
		a = c.reshape(a, Shape{a.Shape().Size()})
	}
	at := c.oneAxis(axis, a)
	n := a.Shape()[at]
	if n == 0 {
		c.fault(emulate.NoMedian)
		return c.result(c.noMedian(a, at), t.Ambiguous)
	}
	sorted := c.All(ir.Sort, ir.SortAttrs{Axis: at}, nil, a)[0]
	middle := c.middle(c.pick(sorted, at, (n-1)/2), c.pick(sorted, at, n/2), n)
	if t.DType.Is(dtype.Floating) { // nan is last in ascending order
		last := c.pick(sorted, at, n-1)
		middle = c.Where(c.Ne(last, last), last, middle)
	}
	return c.result(middle, t.Ambiguous)
}

// noMedian returns the median of an empty axis.
func (c *call) noMedian(a expr.Value, axis int) expr.Value {
	s := a.Shape().Clone()
	kept := append(s[:axis], s[axis+1:]...)
	d := a.DType()
	var v any = math.NaN()
	switch {
	case d == dtype.I1:
		v = true
	case d.Is(dtype.Integral):
		v = math.Inf(-1)
	}
	w, err := dtype.Cast(v, d)
	c.check(err)
	return c.to(c.literal(w, d), kept)
}

// pick returns element i along an axis, without that axis.
func (c *call) pick(a expr.Value, axis, i int) expr.Value {
	s := a.Shape()
	return c.reshape(c.sliceAxis(a, axis, i, i+1, 1), append(s[:axis:axis].Clone(), s[axis+1:]...))
}

// middle returns the median of n elements given the two middle ones, by the system's rule.
func (c *call) middle(low, high expr.Value, n int) expr.Value {
	if n%2 == 1 {
		return low
	}
	return c.framework.Median(c.Builder, low, high)
}

// A QuantileOption is an option of Quantile and Percentile: the axes (default all), KeepDims, or the
// Interpolation.
type QuantileOption interface{ quantile(*quantiles) }

type quantiles struct {
	reduce []ReduceOption
	method string
}

// Interpolation is the QuantileOption that determines values between two elements: "linear" (the default),
// "lower", "higher", "nearest" or "midpoint".
type Interpolation string

func (m Interpolation) quantile(q *quantiles) { q.method = string(m) }
func (a Axis) quantile(q *quantiles)          { q.reduce = append(q.reduce, a) }
func (k keepDims) quantile(q *quantiles)      { q.reduce = append(q.reduce, k) }

// NanMedian returns the median of the elements of x that are not nan, over axes; for an even number, the mean
// of the two middle ones. It is nan if all are nan.
func (l *Lib) NanMedian(x any, opts ...QuantileOption) Tensor {
	return l.quantile("NanMedian", x, 0.5, 1, true, opts)
}

// quantile returns the quantiles q / whole of x, or with numbers of its elements that are not nan.
func (l *Lib) quantile(op string, x, q any, whole int, numbers bool, opts []QuantileOption) Tensor {
	c := l.call(op, x)
	o := quantiles{method: "linear"}
	if op == "NanMedian" {
		o.method = l.framework.NaNMedian
	}
	for _, opt := range accepted(op, opts, x) {
		opt.quantile(&o)
	}
	t := c.reduction(promote.Mean, x)
	c.real(t.DType)
	if !t.DType.Is(dtype.Floating) { // under PyTorch medians of integers are integers, and integers have no quantiles
		c.fail("floats are required under "+c.sys.Name()+", not "+t.DType.String(), "convert x with AsType(nv.F32)")
	}
	a := c.convert(c.cast(c.at(x, c.operand(x).DType), t.DType), wide(t.DType))
	by := c.fractions(q, a, whole)
	r, axes, kept := c.reduced(a, o.reduce)
	lanes := c.lanesOf(a, axes)
	res := c.quantiles(lanes, c.flat(by), o.method, numbers)
	s := lanes.Shape()
	s = s[: len(s)-1 : len(s)-1]
	if r.keep {
		s = kept
	}
	res = c.reshape(res, slices.Concat(by.Shape(), s))
	return c.result(c.convert(res, t.DType), t.Ambiguous)
}

// fractions returns q / whole at the dtype of a, from 0 to 1.
func (c *call) fractions(q any, a expr.Value, whole int) expr.Value {
	d := a.DType()
	x, ok := q.(Tensor)
	if v := reflect.ValueOf(q); !ok && (v.Kind() == reflect.Slice || v.Kind() == reflect.Array) {
		x = c.nested(v, dtype.Options{DType: d})
	} else if !ok {
		x = asTensor(c.literal(q, d))
	}
	if x.t == nil || x.DType().Is(dtype.Complex) {
		c.fail("the quantiles are "+describe(q), "give real numbers")
	}
	by := c.cast(x.t, d)
	if elements, ok := by.(*tensor).arr.Known(); ok {
		for i := 0; i < len(elements); i += d.Size() {
			if p := dtype.GetFloat(elements[i:], d); !(p >= 0 && p <= float64(whole)) {
				c.fail("the quantile "+strconv.FormatFloat(p, 'g', -1, 64)+" is out of range", "give 0 to "+itoa(whole))
			}
		}
	}
	if whole == 1 {
		return by
	}
	return c.Div(by, whole)
}

// lanesOf returns a with the given axes joined into one, the last, and its elements in ascending order along
// it.
func (c *call) lanesOf(a expr.Value, axes []int) expr.Value {
	s := a.Shape()
	var order []int
	kept, n := Shape{}, 1
	for i, m := range s {
		if slices.Contains(axes, i) {
			n *= m
		} else {
			order, kept = append(order, i), append(kept, m)
		}
	}
	a = c.reshape(c.permute(a, append(order, axes...)), append(kept, n))
	return c.All(ir.Sort, ir.SortAttrs{Axis: len(kept)}, nil, a)[0]
}

// quantiles returns the quantiles of lanes, which are in ascending order, for the vector of fractions by:
// result[q, ...].
func (c *call) quantiles(lanes, by expr.Value, method string, numbers bool) expr.Value {
	s, rank := lanes.Shape(), len(lanes.Shape())-1
	n, many := s[rank], by.Shape()[0]
	to := append(s[:rank:rank].Clone(), many) // as lanes, with the parts along the last axis
	front := append([]int{rank}, upTo(rank)...)
	if n == 0 || to.Size() == 0 {
		return c.permute(c.Like(c.to(c.number(0, lanes.DType()), to), math.NaN()), front)
	}
	held := c.Eq(lanes, lanes)
	count := c.fold(ir.ReduceSum, c.convert(held, lanes.DType()), []ReduceOption{Axis(rank), KeepDims})
	top := c.Sub(count, 1)
	if !numbers {
		top = c.Like(top, n-1)
	}
	top = c.to(top, to)
	at := c.Mul(c.to(by, to), top)
	low, high, part := c.around(at, method)
	zero := c.Like(at, 0)
	x, y := c.laneAt(lanes, c.Do(ir.Clamp, nil, zero, low, top)), c.laneAt(lanes, c.Do(ir.Clamp, nil, zero, high, top))
	r := c.between(x, y, part)
	bad := c.Lt(top, zero)
	if !numbers {
		bad = c.to(c.Lt(count, n), to)
	}
	return c.permute(c.Where(bad, math.NaN(), r), front)
}

// around returns the indices of the elements around the positions at, and the weight of the second.
func (c *call) around(at expr.Value, method string) (low, high, part expr.Value) {
	floor, ceil := c.Floor(at), c.Ceil(at)
	zero := c.Like(at, 0)
	switch method {
	case "linear":
		return floor, ceil, c.Sub(at, floor)
	case "midpoint":
		return floor, ceil, c.Like(at, 0.5)
	case "lower":
		return floor, floor, zero
	case "higher":
		return ceil, ceil, zero
	case "nearest":
		near := c.RoundEven(at)
		return near, near, zero
	}
	c.fail("unknown interpolation "+strconv.Quote(method), `give "linear", "lower", "higher", "nearest" or "midpoint"`)
	return nil, nil, nil
}

// laneAt returns the elements of lanes at integer positions.
func (c *call) laneAt(lanes, at expr.Value) expr.Value {
	return c.takeAlong(lanes, c.convert(at, dtype.I32), len(at.Shape())-1)
}

// between interpolates between x and y, starting from the nearer of the two.
func (c *call) between(x, y, part expr.Value) expr.Value {
	way := c.Sub(y, x)
	up := c.Add(x, c.Mul(way, part))
	down := c.Sub(y, c.Mul(way, c.Sub(1, part)))
	second := c.And(c.Ge(part, 0.5), c.Do(ir.IsFinite, nil, way))
	r := c.Where(second, down, up)
	return c.Where(c.Eq(x, y), x, r)
}
