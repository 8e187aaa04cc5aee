package anvil

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// LogSumExp returns log(sum(exp(x))) over axes, computed without overflow; -inf for no elements.
func (l *Lib) LogSumExp(x any, opts ...ReduceOption) Tensor {
	c := l.call("LogSumExp", x)
	opts = accepted("LogSumExp", opts, x)
	a, t := c.reals(x)
	kept := append(append([]ReduceOption(nil), opts...), KeepDims)
	top := c.StopGradient(c.fold(ir.ReduceMax, a, kept)) // shifting by a constant does not change the result
	top = c.Where(c.Do(ir.IsFinite, nil, top), top, 0)
	away := c.Sub(a, c.to(top, a.Shape()))
	e := c.Exp(away)
	sum := c.fold(ir.ReduceSum, e, opts)
	r := c.Add(c.Log(sum), c.reshape(top, sum.Shape()))
	return c.done(c.logSumExpDerived(a, e, r, opts), t)
}

// logSumExpDerived returns r, the LogSumExp of a, with a rule for its derivative: the ratio of e to its sum,
// where e is exp(a) up to a constant factor. Elements that are +inf have equal ratios, and the others 0; if
// all elements are -inf, the derivative is 0.
func (c *call) logSumExpDerived(a, e, r expr.Value, opts []ReduceOption) expr.Value {
	o, axes, kept := c.reduced(a, opts)
	return c.Derived(r, func(b expr.Builder, args []expr.Value, y expr.Value, t []expr.Value) expr.Value {
		along := func(x expr.Value) expr.Value { return b.BroadcastTo(b.Reshape(x, kept...), a.Shape()) }
		infinite := b.Convert(b.Eq(args[0], math.Inf(1)), a.DType())
		weight := b.Where(b.Eq(along(y), math.Inf(1)), infinite, args[1])
		sum := along(b.Reduce(ir.ReduceSum, weight, axes...))
		share := b.Div(weight, b.Where(b.Eq(sum, 0), 1, sum))
		return b.Reshape(b.Reduce(ir.ReduceSum, b.MulNoNaN(t[0], share), axes...), y.Shape()...)
	}, a, c.only(ir.ReduceSum, e, o.only))
}

// Softmax returns exp(x) divided by its sum along an axis, the last one if none is given: positive numbers
// with sum 1 along the axis.
func (l *Lib) Softmax(x any, axis ...Axis) Tensor {
	c := l.call("Softmax", x)
	a, t := c.reals(x)
	along := []ReduceOption{Axis(c.oneAxis(axis, a)), KeepDims}
	e := c.Exp(c.belowTop(a, along))
	sum := c.fold(ir.ReduceSum, e, along)
	return c.done(c.Div(e, c.to(sum, e.Shape())), t)
}

// LogSoftmax returns the logarithm of Softmax(x), x - log(sum(exp(x))) along an axis, the last one if none is
// given.
func (l *Lib) LogSoftmax(x any, axis ...Axis) Tensor {
	c := l.call("LogSoftmax", x)
	a, t := c.reals(x)
	along := []ReduceOption{Axis(c.oneAxis(axis, a)), KeepDims}
	a = c.belowTop(a, along)
	sum := c.Log(c.fold(ir.ReduceSum, c.Exp(a), along))
	return c.done(c.Sub(a, c.to(sum, a.Shape())), t)
}

// belowTop returns a minus its greatest element over axes, so that no exponential overflows.
func (c *call) belowTop(a expr.Value, along []ReduceOption) expr.Value {
	top := c.StopGradient(c.fold(ir.ReduceMax, a, along)) // shifting by a constant does not change the result
	return c.Sub(a, c.to(top, a.Shape()))
}

// reals returns x in the dtype in which a real function is computed, and the type t of the function's result:
// that of x, or the system's default float for integers and bools. Floats narrower than f32 are computed in
// f32 and rounded once.
func (c *call) reals(x any) (a expr.Value, t dtype.Typed) {
	_, t = c.alone(x)
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

func (c *call) realOf(t dtype.Typed) dtype.Typed {
	t = c.inexact(t)
	c.real(t.DType)
	return t
}

// wide returns the float dtype in which a function of d is computed.
func wide(d dtype.DType) dtype.DType {
	if d.Is(dtype.Floating) && d != dtype.F64 {
		return dtype.F32
	}
	return d
}
