package anvil

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// LogSumExp returns log(sum(exp(x))) over axes, computed without overflow. The result for no elements is -inf.
func (l *Lib) LogSumExp(x any, opts ...ReduceOption) Tensor {
	c := l.call("LogSumExp", x)
	opts = accepted("LogSumExp", opts, x)
	a, t := c.reals(x)
	kept := append(append([]ReduceOption(nil), opts...), KeepDims)
	top := c.StopGradient(c.fold(ir.ReduceMax, a, kept)) // the result does not depend on the shift by top
	top = c.Where(c.Do(ir.IsFinite, nil, top), top, 0)   // inf - inf would be nan
	e := c.Exp(c.Sub(a, c.to(top, a.Shape())))
	sum := c.fold(ir.ReduceSum, e, opts)
	r := c.Add(c.Log(sum), c.reshape(top, sum.Shape()))
	return c.resultAs(c.logSumExpDerived(a, e, r, opts), t)
}

// logSumExpDerived returns r, the LogSumExp of a, with a rule for its derivative: e divided by the sum of e, where
// e is exp(a) times a constant. If elements are +inf, the derivative is the same for all of these and 0 for the
// others. If all elements are -inf, the derivative is 0.
func (c *call) logSumExpDerived(a, e, r expr.Value, opts []ReduceOption) expr.Value {
	o, axes, kept := c.reducedAxes(a, opts)
	derivative := func(b expr.Builder, args []expr.Value, y expr.Value, t []expr.Value) expr.Value {
		expand := func(x expr.Value) expr.Value { return b.BroadcastTo(b.Reshape(x, kept...), a.Shape()) }
		isInf := b.Convert(b.Eq(args[0], math.Inf(1)), a.DType())
		weight := b.Where(b.Eq(expand(y), math.Inf(1)), isInf, args[1])
		sum := expand(b.Reduce(ir.ReduceSum, weight, axes...))
		slope := b.Div(weight, b.Where(b.Eq(sum, 0), 1, sum))
		return b.Reshape(b.Reduce(ir.ReduceSum, b.MulNoNaN(t[0], slope), axes...), y.Shape()...)
	}
	return c.Derived(r, derivative, a, c.fillExcluded(ir.ReduceSum, e, o.only))
}

// Softmax returns exp(x) divided by its sum along an axis, the last one if none is given: positive numbers
// with sum 1 along the axis.
func (l *Lib) Softmax(x any, axis ...Axis) Tensor {
	c := l.call("Softmax", x)
	a, t := c.reals(x)
	along := []ReduceOption{Axis(c.oneAxis(axis, a)), KeepDims}
	e := c.Exp(c.subtractMax(a, along))
	sum := c.fold(ir.ReduceSum, e, along)
	return c.resultAs(c.Div(e, c.to(sum, e.Shape())), t)
}

// LogSoftmax returns the logarithm of Softmax(x), x - log(sum(exp(x))) along an axis, the last one if none is
// given.
func (l *Lib) LogSoftmax(x any, axis ...Axis) Tensor {
	c := l.call("LogSoftmax", x)
	a, t := c.reals(x)
	along := []ReduceOption{Axis(c.oneAxis(axis, a)), KeepDims}
	a = c.subtractMax(a, along)
	sum := c.Log(c.fold(ir.ReduceSum, c.Exp(a), along))
	return c.resultAs(c.Sub(a, c.to(sum, a.Shape())), t)
}

// subtractMax returns a minus its greatest elements over the axes in along, so that no exponential overflows. along
// has KeepDims.
func (c *call) subtractMax(a expr.Value, along []ReduceOption) expr.Value {
	top := c.StopGradient(c.fold(ir.ReduceMax, a, along)) // the results of callers do not depend on the shift by top
	return c.Sub(a, c.to(top, a.Shape()))
}

// reals returns the operand x of a real function in the dtype of the computation, and the type t of the result:
// that of x, or the system's default float for integers and bools. Functions of floats narrower than f32 are
// computed in f32 and rounded once.
func (c *call) reals(x any) (a expr.Value, t dtype.Typed) {
	_, t = c.unaryTypes(x)
	t = c.realOf(t)
	return c.convert(c.at(x, t.DType), wide(t.DType)), t
}

// realPair is reals for two operands, which it broadcasts to one shape.
func (c *call) realPair(x, y any) (a, b expr.Value, t dtype.Typed) {
	t = c.realOf(c.arithmetic(x, y))
	a, b = c.match(t.DType, x, y)
	d := wide(t.DType)
	return c.convert(a, d), c.convert(b, d), t
}

// realOf returns t, or the system's default float if t is an integer or a bool. It fails if t is complex.
func (c *call) realOf(t dtype.Typed) dtype.Typed {
	t = c.inexact(t)
	c.requireReal(t.DType)
	return t
}

// wide returns the dtype in which a function of elements of dtype d is computed: f32 for narrower floats, else d.
func wide(d dtype.DType) dtype.DType {
	if d.Is(dtype.Floating) && d != dtype.F64 {
		return dtype.F32
	}
	return d
}
