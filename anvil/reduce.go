package anvil

import (
	"slices"
	"strconv"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/emulate"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
)

// An Axis is the position of an axis; negative positions count from the end. As a ReduceOption, it selects an
// axis to reduce.
type Axis int

// A ReduceOption is an option of a reduction: the axes to reduce (default all), KeepDims, the elements that
// take part (Only), and for sums, products and means the dtype (Accumulate).
type ReduceOption interface{ reduce(*reduceOptions) }

// reduceOptions are the options of a reduction as one value.
type reduceOptions struct {
	axes  []Axis      // empty: all
	keep  bool        // KeepDims
	dtype dtype.DType // given by Accumulate; Invalid: chosen by the promotion system

	correction *correction // nil: chosen by the framework
	only       []any       // masks of the elements that take part
}

// reduceOptionsOf returns opts as one value, without checking them.
func reduceOptionsOf(opts []ReduceOption) (r reduceOptions) {
	for _, o := range nonNil(opts) {
		o.reduce(&r)
	}
	return r
}

func (a Axis) reduce(r *reduceOptions) { r.axes = append(r.axes, a) }

// KeepDims is the ReduceOption that keeps reduced axes, with length 1.
const KeepDims keepDims = true

type keepDims bool

func (k keepDims) reduce(r *reduceOptions) { r.keep = bool(k) }

// meanAs returns the mean of x as the result of the function op.
func (l *Lib) meanAs(op string, x any, opts []ReduceOption) Tensor {
	c := l.call(op, x)
	opts = accepted(op, opts, x)
	t := c.accumulationType(promote.Mean, x, opts)
	a := c.at(x, t.DType)
	if t.DType == dtype.I1 { // as in Ivy: true if any element is true, or if there are no elements
		anyTrue := c.fold(ir.ReduceOr, a, opts)
		return c.result(c.Or(anyTrue, a.Shape().Size() == 0), t.Ambiguous)
	}
	r := c.mean(c.convert(a, c.framework.MeanDType(t.DType)), opts)
	if t.DType.Is(dtype.Integral) && r.DType() == dtype.F64 { // cast has the framework's rule for floats to integers
		return c.result(c.cast(r, t.DType), t.Ambiguous)
	}
	return c.result(c.convert(r, t.DType), t.Ambiguous)
}

// mean returns the sum of a over the axes of opts, divided by the number of elements, at the dtype of a.
func (c *call) mean(a expr.Value, opts []ReduceOption) expr.Value { return c.correctedMean(a, opts, 0) }

// correctedMean is mean with the sum divided by the number of elements minus correction.
func (c *call) correctedMean(a expr.Value, opts []ReduceOption, correction int) expr.Value {
	sum := c.framework.MeanSum(c.Builder, c.fold(ir.ReduceSum, a, opts))
	if reduceOptionsOf(opts).only != nil {
		return c.Div(sum, c.convert(c.includedCount(a, opts, correction), sum.DType()))
	}
	n := a.Shape().Size()
	if sums := sum.Shape().Size(); sums > 0 {
		n /= sums
	}
	d := sum.DType()
	least := leastDivisor(d)
	if !d.Is(dtype.Integral) {
		least = c.framework.LeastCount(d)
	}
	return c.Div(sum, max(least, n-correction))
}

// leastDivisor returns the least number by which a sum of dtype d is divided: 1 for integers, which cannot be divided
// by 0, and otherwise 0.
func leastDivisor(d dtype.DType) int {
	if d.Is(dtype.Integral) {
		return 1
	}
	return 0
}

// varAs returns the variance of x as the result of the function op.
func (l *Lib) varAs(op string, x any, opts []ReduceOption) Tensor {
	c := l.call(op, x)
	opts = accepted(op, opts, x)
	t := c.accumulationType(promote.Mean, x, opts)
	return c.result(c.convert(c.variance(t.DType, x, opts), t.DType), t.Ambiguous)
}

// stdAs returns the standard deviation of x as the result of the function op.
func (l *Lib) stdAs(op string, x any, opts []ReduceOption) Tensor {
	c := l.call(op, x)
	opts = accepted(op, opts, x)
	t := c.accumulationType(promote.Mean, x, opts)
	v := c.variance(t.DType, x, opts)
	root := func(args ...expr.Value) expr.Value { return c.Norm(args[0]) }
	std := c.emulated(op, t.DType, c.xs, root, v)
	return c.result(c.convert(std, t.DType), t.Ambiguous)
}

// variance returns the variance of x for a result of dtype d, at the dtype in which the framework computes it.
func (c *call) variance(d dtype.DType, x any, opts []ReduceOption) expr.Value {
	if own := c.operand(x).DType; own.Is(dtype.Complex) {
		d = own
	}
	a := c.convert(c.at(x, d), c.framework.VarianceDType(d))
	kept := append(append([]ReduceOption(nil), opts...), KeepDims)
	distance := c.Sub(a, c.to(c.roundedMean(a, kept, 0), a.Shape()))
	if d.Is(dtype.Complex) {
		distance = c.Abs(distance)
	}
	return c.roundedMean(c.Mul(distance, distance), opts, c.correctionOf(opts))
}

// roundedMean is correctedMean for the means in a variance: it computes at the framework's dtype for these means and
// rounds to the dtype of a.
func (c *call) roundedMean(a expr.Value, opts []ReduceOption, correction int) expr.Value {
	d := a.DType()
	return c.convert(c.correctedMean(c.convert(a, c.framework.MomentDType(d)), opts, correction), d)
}

// arg returns the positions of the greatest (code ArgMax) or least (ArgMin) elements along an axis of x, or in the
// flattened x if opts have no axis.
func (l *Lib) arg(op string, code ir.Code, x any, opts []ReduceOption) Tensor {
	c := l.call(op, x)
	opts = accepted(op, opts, x)
	d := c.operand(x).DType
	a := c.at(x, d)
	c.unpromoted(reduceOptionsOf(opts).axes...) // fails if the framework refuses x
	t := c.reductionType(promote.Index, x)
	s := a.Shape()
	r := reduceOptionsOf(opts)
	kept := s // the shape with KeepDims
	switch len(r.axes) {
	case 0:
		kept = constantShape(len(s), 1)
		a, r.axes = c.reshape(a, Shape{s.Size()}), []Axis{0}
	case 1:
		kept = s.Clone()
		kept[c.axis(r.axes[0], len(s))] = 1
	}
	axis := c.axis(r.axes[0], len(a.Shape()))
	if a.Shape()[axis] == 0 {
		if code == ir.ArgMin {
			c.fault(emulate.NoLeastPosition)
		}
		c.fault(emulate.NoPosition)
	}
	if d.Is(dtype.Complex) {
		c.fault(emulate.NoOrder)
	}
	attrs := ir.ArgAttrs{Axis: axis, DType: t.DType}
	own := func(args ...expr.Value) expr.Value { return c.Do(code, attrs, args[0]) }
	res := c.emulatedWith(attrs, op, d, own, a)
	if r.keep {
		res = c.reshape(res, kept)
	}
	return c.result(res, t.Ambiguous)
}

// reduce returns the reduction of x by the operation code, whose result has the dtype of the given promotion rule.
func (l *Lib) reduce(op string, code ir.Code, rule promote.Reduction, x any, opts []ReduceOption) Tensor {
	c := l.call(op, x)
	opts = accepted(op, opts, x)
	from := c.operand(x).Typed
	a := c.at(x, from.DType)
	c.unpromoted(reduceOptionsOf(opts).axes...) // fails if the framework refuses x
	t := c.accumulationType(rule, x, opts)
	if rule == promote.Extreme {
		c.refuseEmpty(code, a, opts)
	}
	if rule == promote.Logical {
		return c.resultAs(c.emulated(op, from.DType, c.xs, func(args ...expr.Value) expr.Value {
			if d := args[0].DType(); d != dtype.I1 {
				c.fail("elements are "+d.String()+", not i1", "compare them first: x.Ne(0)")
			}
			return c.fold(code, args[0], opts)
		}, a), t)
	}
	if from.DType != t.DType {
		a = c.cast(a, t.DType)
	}
	if from.DType == dtype.I1 && t.DType == dtype.I1 {
		// Or computes the sum and the maximum of bools, And the product and the minimum.
		switch code {
		case ir.ReduceSum, ir.ReduceMax:
			code = ir.ReduceOr
		case ir.ReduceProd, ir.ReduceMin:
			code = ir.ReduceAnd
		}
	}
	return c.result(c.fold(code, a, opts), t.Ambiguous)
}

// reductionType returns the type of a reduction of x by the promotion rule r.
func (c *call) reductionType(r promote.Reduction, x any) dtype.Typed {
	if t, ok := c.operationType(x); ok {
		return c.widenSum(r, t)
	}
	return c.widenSum(r, c.sys.Reduction(r, c.operand(x).Typed))
}

// accumulationType returns the dtype that opts request with Accumulate, or else the type of the reduction of x. In the
// first case it sets c.asked.
func (c *call) accumulationType(rule promote.Reduction, x any, opts []ReduceOption) dtype.Typed {
	r := reduceOptionsOf(opts)
	switch {
	case r.dtype == dtype.Invalid:
		if len(r.axes) == 0 {
			if t, ok := c.operationTypeOf(overAll[c.op], x); ok {
				return c.widenSum(rule, t)
			}
		}
		return c.reductionType(rule, x)
	case rule == promote.Mean && !r.dtype.Is(dtype.Inexact):
		c.fail("the result cannot be "+r.dtype.String(), "accumulate in a float, or convert the result with AsType")
	}
	c.asked = true
	return promote.Known(r.dtype)
}

// sumDType returns the dtype in which the reduction code of elements of dtype d is computed. It may differ from d for
// sums and products.
func (c *call) sumDType(code ir.Code, d dtype.DType) dtype.DType {
	if code != ir.ReduceSum && code != ir.ReduceProd {
		return d
	}
	return c.framework.SumDType(d)
}

// fold returns the reduction of a by code over the axes of opts, at the dtype of a.
func (c *call) fold(code ir.Code, a expr.Value, opts []ReduceOption) expr.Value {
	r, axes, kept := c.reducedAxes(a, opts)
	a = c.fillExcluded(code, a, r.only)
	if len(axes) > 0 {
		d := a.DType()
		a = c.convert(c.frameworkReduce(code, a, axes), d)
	}
	if r.keep {
		a = c.reshape(a, kept)
	}
	return a
}

// reducedAxes returns the options as one value, the reduced axes of a in order, and its shape with length 1 for these
// axes.
func (c *call) reducedAxes(a expr.Value, opts []ReduceOption) (r reduceOptions, axes []int, kept Shape) {
	r = reduceOptionsOf(opts)
	s := a.Shape()
	axes, kept = upTo(len(s)), s.Clone()
	if len(r.axes) > 0 {
		axes = c.distinctAxes(r.axes, len(s))
		slices.Sort(axes)
	}
	for _, i := range axes {
		kept[i] = 1
	}
	return r, axes, kept
}

// distinctAxes returns the positions of the given axes in a tensor of the given rank. It fails if an axis occurs
// twice.
func (c *call) distinctAxes(given []Axis, rank int) []int {
	at := make([]int, len(given))
	for k, axis := range given {
		at[k] = c.axis(axis, rank)
		if slices.Contains(at[:k], at[k]) {
			c.fail("axis "+strconv.Itoa(int(axis))+" is given twice", "give each axis once")
		}
	}
	return at
}

// axis returns the position of a among rank axes.
func (c *call) axis(a Axis, rank int) int {
	i := int(a)
	if i < 0 {
		i += rank
	}
	if i < 0 || i >= rank {
		reason := "axis " + strconv.Itoa(int(a)) + " does not exist: "
		if rank == 0 {
			c.fail(reason+"a scalar has no axes", "x.ExpandDims(0) has one")
		}
		c.fail(reason+"the rank is "+strconv.Itoa(rank),
			"axes are 0 to "+strconv.Itoa(rank-1)+", or -"+strconv.Itoa(rank)+" to -1")
	}
	return i
}

// reduceInOrder returns the reduction of a over axes by step, Add or Mul. It takes one element after the other and
// rounds after each.
func (c *call) reduceInOrder(step ir.Code, a expr.Value, axes []int) expr.Value {
	s := a.Shape()
	order, kept, n := slices.Clone(axes), Shape{}, 1 // n is the number of elements in each reduction
	for i := range s {
		if slices.Contains(axes, i) {
			n *= s[i]
		} else {
			order, kept = append(order, i), append(kept, s[i])
		}
	}
	rows := c.reshape(c.Permute(a, order...), append(Shape{n}, kept...))
	initial := 0
	if step == ir.Mul {
		initial = 1
	}
	start := c.Number(initial, a.DType(), kept...)
	if n == 0 {
		return start
	}
	return c.ctx.ForIAny(n, asTensor(start), func(i, sum Tensor) Tensor {
		return asTensor(c.Do(step, nil, sum.t, asTensor(rows).At(i).t))
	}).(Tensor).t
}
