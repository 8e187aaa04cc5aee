package anvil

import (
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/emulate"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// ofReals returns the result of an operation that XLA defines only for floats, such as Imag or IsFinite, on
// other elements. It returns nil if XLA supports the operation.
func (c *call) ofReals(code ir.Code, a expr.Value) expr.Value {
	ty := typeOf(a)
	switch real := !ty.DType.Is(dtype.Inexact); {
	case code == ir.Real && real:
		return a
	case code == ir.Imag && real:
		return c.Like(a, 0)
	case code == ir.IsFinite && real:
		return c.to(c.literal(true, dtype.I1), ty.Shape)
	case code == ir.IsFinite && ty.DType.Is(dtype.Complex):
		return c.And(c.Do(code, nil, c.Real(a)), c.Do(code, nil, c.Imag(a)))
	}
	return nil
}

// convert returns a converted to dtype d with XLA's meaning of the conversion.
func (c *call) convert(a expr.Value, d dtype.DType) expr.Value {
	ty := typeOf(a)
	switch {
	case ty.DType == d:
		return a
	case ty.DType.Is(dtype.Complex) && d == dtype.I1: // XLA looks only at the real part
		return c.truth(a)
	case ty.DType == dtype.BF16 && d == dtype.I1: // subnormal numbers are true, but XLA treats them as 0
		bits := c.Do(ir.BitcastConvert, ir.DTypeAttrs{DType: dtype.U16}, a)
		return c.Ne(c.And(bits, 0x7fff), 0)
	}
	return c.emit(ir.Convert, ir.DTypeAttrs{DType: d}, shape.Type{DType: d, Shape: ty.Shape}, a)
}

// fault fails with the system's error for f, if it has one.
func (c *call) fault(f emulate.Fault) {
	if err := c.framework.Fault(f); err != nil {
		panic(c.errorOf(f, err))
	}
}

// refuse fails with the system's error for f if the comparison of an element of y, computed in d, with 0 in
// the given direction is true. It reads the values, as the system itself does; for a traced operand the
// program checks when it runs.
func (c *call) refuse(f emulate.Fault, direction ir.Direction, y any, d dtype.DType) {
	err := c.framework.Fault(f)
	if err == nil || !d.Is(dtype.Integral) {
		return
	}
	b := c.at(y, d)
	trace := c.trace()
	if elements, ok := b.(*tensor).arr.Known(); ok && (trace == nil || literalOf(y) != nil) {
		if anyMatches(direction, elements, d) {
			panic(c.errorOf(f, err))
		}
		return
	}
	c.refuseAny(f, err, c.Compare(direction, b, 0))
}

// refuseAny fails with err, the system's error for f, if any element of bad is true.
func (c *call) refuseAny(f emulate.Fault, err error, bad expr.Value) {
	trace := c.trace()
	if len(bad.Shape()) > 0 {
		bad = c.fold(ir.ReduceOr, bad, nil)
	}
	if trace != nil {
		trace.Watch(engine.Fault{When: bad.(*tensor).arr, Err: c.errorOf(f, err)})
		return
	}
	data, failed := bad.(*tensor).read()
	c.check(failed)
	if dtype.GetBool(data, dtype.I1) {
		panic(c.errorOf(f, err))
	}
}

// anyMatches reports whether any of elements, integers of dtype d in host form, is 0 or is less than 0, as
// the direction says.
func anyMatches(direction ir.Direction, elements []byte, d dtype.DType) bool {
	for at := 0; at < len(elements); at += d.Size() {
		n := dtype.GetInt(elements[at:], d)
		if n == 0 && direction == ir.EQ || n < 0 && direction == ir.LT {
			return true
		}
	}
	return false
}

// oneByOne reduces a over axes in order, rounding after each element.
func (c *call) oneByOne(step ir.Code, a expr.Value, axes []int) expr.Value {
	s := a.Shape()
	order, kept, n := slices.Clone(axes), Shape{}, 1
	for i := range s {
		if slices.Contains(axes, i) {
			n *= s[i]
		} else {
			order, kept = append(order, i), append(kept, s[i])
		}
	}
	rows := c.reshape(c.Do(ir.Transpose, ir.AxesAttrs{Axes: shape.DimsOf(order...)}, a), append(Shape{n}, kept...))
	start := c.Like(c.to(c.literal(0, dtype.BF16), kept), 0)
	if step == ir.Mul {
		start = c.Like(start, 1)
	}
	if n == 0 {
		return start
	}
	return c.ctx.ForIAny(n, asTensor(start), func(i, sum Tensor) Tensor {
		return asTensor(c.Do(step, nil, sum.t, asTensor(rows).At(i).t))
	}).(Tensor).t
}

// refuseEmpty fails if a is empty and the framework has no maximum or minimum of zero elements.
func (c *call) refuseEmpty(code ir.Code, a expr.Value) {
	switch {
	case a.Shape().Size() > 0:
	case code == ir.ReduceMax:
		c.fault(emulate.NoMaximum)
	default:
		c.fault(emulate.NoMinimum)
	}
}

// trace returns the innermost trace that an operand depends on, or nil. Inside a branch of If or the body of
// a While, faults are not reported: the result is XLA's value.
func (c *call) trace() (t *engine.Trace) {
	for _, x := range c.xs {
		if y, ok := x.(Tensor); ok && y.t.arr.Traced() {
			t = y.t.arr.Trace()
		}
	}
	return t
}

// errorOf returns err, the system's error for f, as an error of the call.
func (c *call) errorOf(f emulate.Fault, err error) *Error {
	e := c.asError(err)
	e.Reason, e.Hint = strings.TrimSuffix(e.Reason, "."), "under "+c.sys.Name()+", "+f.Hint()
	return e
}
