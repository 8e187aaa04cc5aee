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

// unaryWithoutXLA returns the result of Real, Imag or IsFinite of a for dtypes for which XLA does not define these
// operations. It returns nil if XLA supports the operation code of a.
func (c *call) unaryWithoutXLA(code ir.Code, a expr.Value) expr.Value {
	ty := typeOf(a)
	switch exact := !ty.DType.Is(dtype.Inexact); {
	case code == ir.Real && exact:
		return a
	case code == ir.Imag && exact:
		return c.Like(a, 0)
	case code == ir.IsFinite && exact:
		return c.to(c.literal(true, dtype.I1), ty.Shape)
	case code == ir.IsFinite && ty.DType.Is(dtype.Complex):
		return c.And(c.Do(code, nil, c.Real(a)), c.Do(code, nil, c.Imag(a)))
	}
	return nil
}

// convert returns a converted to dtype d as XLA converts, but with every number other than 0 converted to true.
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

// refuse fails with the system's error for f, if it has one, if an element of y at dtype d, an integer, is equal to
// 0 (for direction EQ) or less than 0 (LT). It waits for the values of y, as the system itself does. For a traced
// operand the program checks when it runs.
func (c *call) refuse(f emulate.Fault, direction ir.Direction, y any, d dtype.DType) {
	err := c.framework.Fault(f)
	if err == nil || !d.Is(dtype.Integral) {
		return
	}
	b := c.at(y, d)
	trace := c.operandTrace()
	if elements, ok := b.(*tensor).arr.Known(); ok && (trace == nil || literalOf(y) != nil) {
		if anyMatches(direction, elements, d) {
			panic(c.errorOf(f, err))
		}
		return
	}
	c.refuseAny(f, err, c.Compare(direction, b, 0))
}

// refuseAny fails with err, the system's error for f, if any element of bad is true. For a traced operand the
// program checks when it runs.
func (c *call) refuseAny(f emulate.Fault, err error, bad expr.Value) {
	trace := c.operandTrace()
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

// anyMatches reports whether any of elements, integers of dtype d in host form, is equal to 0 (for direction EQ) or
// less than 0 (LT).
func anyMatches(direction ir.Direction, elements []byte, d dtype.DType) bool {
	for at := 0; at < len(elements); at += d.Size() {
		n := dtype.GetInt(elements[at:], d)
		if n == 0 && direction == ir.EQ || n < 0 && direction == ir.LT {
			return true
		}
	}
	return false
}

// reduceInOrder returns a reduced over axes by the operation step, one element after the other, rounded after each.
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

// operandTrace returns the innermost trace on which the last traced operand of the call depends, or nil if there is
// none.
func (c *call) operandTrace() (t *engine.Trace) {
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
