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
// number of elements it returns the mean of the two middle ones, or the lesser of them under systems that define
// the median so. The result is nan if an element is nan.
func (l *Lib) Median(x any, axis ...Axis) Tensor {
	c := l.call("Median", x)
	if r := c.unpromoted(axis...); r != nil {
		return c.result(r, c.typed(x).Ambiguous)
	}
	t := c.reductionType(promote.Mean, x)
	a := c.cast(c.at(x, c.operand(x).DType), t.DType)
	a, at := c.alongOrFlat(a, axis)
	n := a.Shape()[at]
	if n == 0 {
		c.fault(emulate.NoMedian)
		return c.result(c.emptyMedian(a, at), t.Ambiguous)
	}
	sorted := c.All(ir.Sort, ir.SortAttrs{Axis: at}, nil, a)[0]
	median := c.medianOf(c.pick(sorted, at, (n-1)/2), c.pick(sorted, at, n/2), n)
	if t.DType.Is(dtype.Floating) { // nan is last in ascending order
		last := c.pick(sorted, at, n-1)
		median = c.Where(c.Ne(last, last), last, median)
	}
	return c.result(median, t.Ambiguous)
}

// emptyMedian returns the median of a over an empty axis: nan for floats, the least integer, or true for bools.
func (c *call) emptyMedian(a expr.Value, axis int) expr.Value {
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

// medianOf returns the median of n elements whose two middle ones are low and high, by the system's rule.
func (c *call) medianOf(low, high expr.Value, n int) expr.Value {
	if n%2 == 1 {
		return low
	}
	return c.framework.Median(c.Builder, low, high)
}

// A QuantileOption is an option of Quantile and Percentile: the axes (default all), KeepDims, or the
// Interpolation.
type QuantileOption interface{ quantile(*quantileOptions) }

type quantileOptions struct {
	reduce []ReduceOption // the axes and KeepDims
	method string         // the Interpolation
}

// Interpolation is the QuantileOption that determines a quantile that lies between two elements: "linear" (the
// default), "lower", "higher", "nearest" or "midpoint".
type Interpolation string

func (m Interpolation) quantile(q *quantileOptions) { q.method = string(m) }
func (a Axis) quantile(q *quantileOptions)          { q.reduce = append(q.reduce, a) }
func (k keepDims) quantile(q *quantileOptions)      { q.reduce = append(q.reduce, k) }

// NanMedian returns the median of the elements of x that are not nan, over axes. For an even number of them it
// returns the mean of the two middle ones, or the lesser of these under systems that define the median so. The
// result is nan if all elements are nan.
func (l *Lib) NanMedian(x any, opts ...QuantileOption) Tensor {
	return l.quantile("NanMedian", x, 0.5, 1, true, opts)
}

// quantile returns the quantiles of x for the fractions q / whole, where whole is 1, or 100 for percentages. Without
// ignoreNaN, the quantiles are nan if an element is nan.
func (l *Lib) quantile(op string, x, q any, whole int, ignoreNaN bool, opts []QuantileOption) Tensor {
	c := l.call(op, x)
	o := quantileOptions{method: "linear"}
	if op == "NanMedian" {
		o.method = l.framework.NaNMedian
	}
	for _, opt := range accepted(op, opts, x) {
		opt.quantile(&o)
	}
	t := c.reductionType(promote.Mean, x)
	c.requireReal(t.DType)
	if !t.DType.Is(dtype.Floating) { // integers under PyTorch, which has no quantiles of integers
		c.fail("floats are required under "+c.sys.Name()+", not "+t.DType.String(), "convert x with AsType(nv.F32)")
	}
	a := c.convert(c.cast(c.at(x, c.operand(x).DType), t.DType), wide(t.DType))
	fractions := c.fractions(q, a, whole)
	r, axes, kept := c.reducedAxes(a, o.reduce)
	sorted := c.sortedOver(a, axes)
	res := c.quantiles(sorted, c.flat(fractions), o.method, ignoreNaN)
	s := sorted.Shape()
	s = s[: len(s)-1 : len(s)-1]
	if r.keep {
		s = kept
	}
	res = c.reshape(res, slices.Concat(fractions.Shape(), s))
	return c.result(c.convert(res, t.DType), t.Ambiguous)
}

// fractions returns q / whole, numbers from 0 to 1, at the dtype of a. It fails if q is not from 0 to whole.
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
	cast := c.cast(x.t, d)
	if elements, ok := cast.(*tensor).arr.Known(); ok {
		for i := 0; i < len(elements); i += d.Size() {
			if p := dtype.GetFloat(elements[i:], d); !(p >= 0 && p <= float64(whole)) {
				c.fail("the quantile "+strconv.FormatFloat(p, 'g', -1, 64)+" is out of range", "give 0 to "+itoa(whole))
			}
		}
	}
	if whole == 1 {
		return cast
	}
	return c.Div(cast, whole)
}

// sortedOver returns a with the given axes merged into the last axis, and sorted in ascending order along that axis.
func (c *call) sortedOver(a expr.Value, axes []int) expr.Value {
	s := a.Shape()
	var order []int
	kept, n := Shape{}, 1 // n is the length of the last axis
	for i, m := range s {
		if slices.Contains(axes, i) {
			n *= m
		} else {
			order, kept = append(order, i), append(kept, m)
		}
	}
	a = c.reshape(c.Permute(a, append(order, axes...)...), append(kept, n))
	return c.All(ir.Sort, ir.SortAttrs{Axis: len(kept)}, nil, a)[0]
}

// quantiles returns the quantiles of a along its last axis for a vector of fractions: result[q, ...]. The elements of a
// are in ascending order along that axis.
func (c *call) quantiles(a, fractions expr.Value, method string, ignoreNaN bool) expr.Value {
	s, last := a.Shape(), len(a.Shape())-1
	n := s[last]
	target := append(s[:last:last].Clone(), fractions.Shape()[0]) // the quantiles replace the last axis
	lastFirst := append([]int{last}, upTo(last)...)
	if n == 0 || target.Size() == 0 {
		return c.Permute(c.Like(c.to(c.number(0, a.DType()), target), math.NaN()), lastFirst...)
	}
	isNumber := c.Eq(a, a)
	count := c.fold(ir.ReduceSum, c.convert(isNumber, a.DType()), []ReduceOption{Axis(last), KeepDims})
	top := c.Sub(count, 1) // the position of the greatest number; nans are after it
	if !ignoreNaN {
		top = c.Like(top, n-1)
	}
	top = c.to(top, target)
	at := c.Mul(c.to(fractions, target), top)
	low, high, weight := c.neighbourPositions(at, method)
	zero := c.Like(at, 0)
	element := func(at expr.Value) expr.Value {
		return c.takeAlong(a, c.convert(c.Do(ir.Clamp, nil, zero, at, top), dtype.I32), last)
	}
	r := c.interpolate(element(low), element(high), weight)
	isNaN := c.Lt(top, zero) // all elements are nan
	if !ignoreNaN {
		isNaN = c.to(c.Lt(count, n), target)
	}
	return c.Permute(c.Where(isNaN, math.NaN(), r), lastFirst...)
}

// neighbourPositions returns the integer positions of the two elements from which the quantiles at the positions at are
// interpolated, and the weight of the element at high. The method is an Interpolation.
func (c *call) neighbourPositions(at expr.Value, method string) (low, high, weight expr.Value) {
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

// interpolate returns x + weight*(y-x), computed from the nearer of x and y, so that weight 1 gives exactly y.
func (c *call) interpolate(x, y, weight expr.Value) expr.Value {
	step := c.Sub(y, x)
	up := c.Add(x, c.Mul(step, weight))
	down := c.Sub(y, c.Mul(step, c.Sub(1, weight)))
	nearY := c.And(c.Ge(weight, 0.5), c.Do(ir.IsFinite, nil, step))
	r := c.Where(nearY, down, up)
	return c.Where(c.Eq(x, y), x, r) // the difference of equal infinities is nan
}
