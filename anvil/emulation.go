package anvil

import (
	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/emulate"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/promote"
)

// An emulation is a call as the rules of a framework see it. It implements emulate.Call.
type emulation struct {
	c     *call
	xs    []any                               // the operands as given, but for Pow with the exponent that call.exponent returns
	dtype dtype.DType                         // the dtype in which the operation is computed
	attrs any                                 // the attributes of the operation
	args  []expr.Value                        // the operands at dtype; nil: not yet converted
	own   func(args ...expr.Value) expr.Value // computes the operation without the framework
}

// emulated returns the result of op on xs, computed at dtype d by the framework's rule for
// op, or by own if there is no rule. args are xs converted to dtype d; without args, own and
// the rule convert xs themselves.
func (c *call) emulated(op string, d dtype.DType, xs []any,
	own func(args ...expr.Value) expr.Value, args ...expr.Value) expr.Value {
	if rule := c.framework.Ops[op]; rule != nil {
		return c.withOwnDerivative(rule(&emulation{c: c, xs: xs, dtype: d, args: args, own: own}), own, args...)
	}
	return own(args...)
}

// withOwnDerivative returns r, a framework's result. While a function is traced, the result has
// the derivative of own's result, because gradients do not depend on the promotion system.
// r keeps its derivative if an operand has another dtype than r, because own may refuse such operands.
func (c *call) withOwnDerivative(r expr.Value, own func(args ...expr.Value) expr.Value, args ...expr.Value) expr.Value {
	if t, ok := r.(*tensor); !ok || !t.arr.Traced() || !autodiff.Differentiable(r.DType()) {
		return r
	}
	for _, x := range c.xs {
		if x, ok := x.(Tensor); ok && x.DType() != r.DType() {
			return r
		}
	}
	o := own(args...)
	if o.DType() != r.DType() || !o.Shape().Equal(r.Shape()) {
		return r
	}
	// A function of r and o that returns r. Its tangent rule gets r, o, the result, the tangent of r and the tangent of
	// o, and returns the tangent of o.
	return c.Rule(func(_ expr.Builder, v []expr.Value) []expr.Value { return v[:1] },
		func(_ expr.Builder, v []expr.Value) []expr.Value { return v[4:] }, r, o)[0]
}

// emulatedWith is emulated for an operation with attributes.
func (c *call) emulatedWith(attrs any, op string, d dtype.DType,
	own func(args ...expr.Value) expr.Value, args ...expr.Value) expr.Value {
	if rule := c.framework.Ops[op]; rule != nil {
		r := rule(&emulation{c: c, xs: c.xs, dtype: d, attrs: attrs, args: args, own: own})
		return c.withOwnDerivative(r, own, args...)
	}
	return own(args...)
}

// unpromoted returns the result of the framework's rule that takes the call's operands before promotion, or nil if
// there is no such rule or the rule does not apply. The attributes of the rule are the given axes as a []int, counted
// from the first axis.
func (c *call) unpromoted(axes ...Axis) expr.Value {
	rule := c.framework.Unpromoted[c.op]
	if rule == nil {
		return nil
	}
	e := c.emulation()
	e.attrs = c.distinctAxes(axes, c.operand(c.xs[0]).Rank)
	return rule(e)
}

// emulation returns the call as the argument of the framework's rules that take no attributes.
func (c *call) emulation() *emulation { return &emulation{c: c, xs: c.xs} }

// exponent returns two forms of the exponent y of Pow: the operand to promote, and the operand to compute with.
func (c *call) exponent(y any) (promoted, computed any) {
	if c.framework.Exponent == nil {
		return y, y
	}
	return c.framework.Exponent(c.emulation())
}

// bounds returns the bounds of Clamp in the form in which the framework promotes them.
func (c *call) bounds(low, high any) (l, h any) {
	if c.framework.Bounds == nil {
		return low, high
	}
	return c.framework.Bounds(c.emulation())
}

// frameworkConvert converts a to dtype d by the framework's rules.
func (c *call) frameworkConvert(a expr.Value, d dtype.DType) expr.Value {
	if c.framework.Convert == nil {
		return c.convert(a, d)
	}
	return c.framework.Convert(c.emulation(), a, d)
}

// frameworkReduce reduces a over axes, in the framework's order of addition.
func (c *call) frameworkReduce(code ir.Code, a expr.Value, axes []int) expr.Value {
	a = c.convert(a, c.sumDType(code, a.DType()))
	if c.framework.Reduce == nil {
		return c.Reduce(code, a, axes...)
	}
	return c.framework.Reduce(c.emulation(), code, a, axes)
}

// frameworkRunning returns cumulative sums or products in the framework's order of addition. It returns nil if the
// framework has no order of its own or the numbers are exact.
func (c *call) frameworkRunning(reduction ir.Code, a expr.Value, axis int, reverse bool) expr.Value {
	if c.framework.Running == nil || !a.DType().Is(dtype.Inexact) {
		return nil
	}
	return c.reversing(reverse, a, axis, func(a expr.Value) expr.Value {
		return c.framework.Running(c.emulation(), reduction, a, axis)
	})
}

// requireSupport fails, with hint, if the framework has no operations of the given family for dtype d.
func (c *call) requireSupport(family string, d dtype.DType, hint string) {
	if lacks := c.framework.Lacks[family]; lacks != nil {
		if reason := lacks(c.sys.Name(), c.op, d); reason != "" {
			c.fail(reason, hint)
		}
	}
}

// The following methods implement emulate.Call, which documents them.

func (e *emulation) Build() expr.Builder                      { return e.c.Builder }
func (e *emulation) DType() dtype.DType                       { return e.dtype }
func (e *emulation) Attrs() any                               { return e.attrs }
func (e *emulation) System() *promote.System                  { return e.c.sys }
func (e *emulation) Check(err error)                          { e.c.check(err) }
func (e *emulation) Operand(i int) promote.Operand            { return e.c.operand(e.xs[i]) }
func (e *emulation) Given(i int) any                          { return e.xs[i] }
func (e *emulation) At(i int, d dtype.DType) expr.Value       { return e.c.at(e.xs[i], d) }
func (e *emulation) Convert(x expr.Value, d DType) expr.Value { return e.c.convert(x, d) }
func (e *emulation) Cast(x expr.Value, d DType) expr.Value    { return e.c.cast(x, d) }

func (e *emulation) Args() []expr.Value {
	if e.args == nil {
		for i := range e.xs {
			e.args = append(e.args, e.At(i, e.dtype))
		}
		e.args = e.Broadcast(e.args...)
	}
	return e.args
}

func (e *emulation) Own(args ...expr.Value) expr.Value {
	if len(args) == 0 {
		args = e.args
	}
	return e.own(args...)
}

func (e *emulation) Literal(i int) any { return literalOf(e.xs[i]) }

func (e *emulation) Value(i int) any {
	t, ok := e.xs[i].(Tensor)
	switch {
	case !ok:
		return e.xs[i]
	case t.t.lit != nil:
		return t.t.lit
	case t.Rank() > 0 || !t.DType().Is(dtype.Integral) || t.t.arr.Unknown():
		return t
	}
	data, err := t.t.read()
	e.c.check(err)
	return int(dtype.GetInt(data, t.DType()))
}

func (e *emulation) Wrapped(i int, d dtype.DType) expr.Value {
	v, ok := e.Literal(i).(int)
	if _, err := dtype.Fit(v, d); !ok || !d.Is(dtype.Integral) || err == nil {
		return e.At(i, d)
	}
	w, err := dtype.Cast(v, d)
	e.c.check(err)
	return e.c.literal(w, d)
}

func (e *emulation) Broadcast(xs ...expr.Value) []expr.Value {
	s := e.c.broadcast(xs...)
	all := make([]expr.Value, len(xs))
	for i, x := range xs {
		all[i] = e.c.to(x, s)
	}
	return all
}

func (e *emulation) Fail(f emulate.Fault) { e.c.fault(f) }

func (e *emulation) FailWhere(f emulate.Fault, when expr.Value) {
	e.c.refuseAny(f, e.c.framework.Fault(f), when)
}

func (e *emulation) InOrder(step ir.Code, x expr.Value, axes []int) expr.Value {
	return e.c.reduceInOrder(step, x, axes)
}

func (e *emulation) RunInOrder(reduction ir.Code, x, start expr.Value, axis int) expr.Value {
	if start == nil {
		start = e.c.identity(reduction, x.DType())
	}
	return ops.RunningOf(binaryOf[reduction], start).InOrder(e.c.Builder, []expr.Value{x}, axis)[0]
}

func (e *emulation) RunByPairs(reduction ir.Code, x expr.Value, axis int) expr.Value {
	return e.c.cumulateByPairs(binaryOf[reduction], x, axis)
}
