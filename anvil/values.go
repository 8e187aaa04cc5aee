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

// ofReals returns a part of a, or whether it is finite, where its elements are no
// floats: XLA asks for these. It returns nil for what XLA has.
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

// convert returns a at dtype d with XLA's meaning of it.
func (c *call) convert(a expr.Value, d dtype.DType) expr.Value {
	ty := typeOf(a)
	switch {
	case ty.DType == d:
		return a
	case ty.DType.Is(dtype.Complex) && d == dtype.I1: // of which XLA looks at the real part alone
		return c.truth(a)
	case ty.DType == dtype.BF16 && d == dtype.I1: // which is true of subnormal numbers: XLA takes them for 0
		bits := c.Do(ir.BitcastConvert, ir.DTypeAttrs{DType: dtype.U16}, a)
		return c.Ne(c.And(bits, 0x7fff), 0)
	}
	return c.emit(ir.Convert, ir.DTypeAttrs{DType: d}, shape.Type{DType: d, Shape: ty.Shape}, a)
}

// fault fails with the system's error for f, where it has one.
func (c *call) fault(f emulate.Fault) {
	if err := c.framework.Fault(f); err != nil {
		panic(c.errorOf(f, err))
	}
}

// refuse fails with the system's error for f where an element of y, which is
// computed in d, compares so with 0. It looks at the values, as the system
// itself does; of a traced operand the program looks when it runs.
func (c *call) refuse(f emulate.Fault, direction ir.Direction, y any, d dtype.DType) {
	err := c.framework.Fault(f)
	if err == nil || !d.Is(dtype.Integral) {
		return
	}
	b := c.at(y, d)
	trace := c.trace()
	if elements, ok := b.(*tensor).arr.Known(); ok && (trace == nil || literalOf(y) != nil) {
		if someSo(direction, elements, d) {
			panic(c.errorOf(f, err))
		}
		return
	}
	c.refuseAny(f, err, c.Compare(direction, b, 0))
}

// refuseAny fails with err, the system's for f, where one of bad holds.
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

// someSo reports whether one of elements in host form, integers of dtype d,
// compares so with 0: is 0, or is less.
func someSo(direction ir.Direction, elements []byte, d dtype.DType) bool {
	for at := 0; at < len(elements); at += d.Size() {
		n := dtype.GetInt(elements[at:], d)
		if n == 0 && direction == ir.EQ || n < 0 && direction == ir.LT {
			return true
		}
	}
	return false
}

// oneByOne folds a over axes with a rounded result at each element, in order.
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

// someElement fails where the framework has no greatest or least of no elements.
func (c *call) someElement(code ir.Code, a expr.Value) {
	switch {
	case a.Shape().Size() > 0:
	case code == ir.ReduceMax:
		c.fault(emulate.NoMaximum)
	default:
		c.fault(emulate.NoMinimum)
	}
}

// trace returns the innermost trace that an operand depends on, or nil. What is
// a fault in a branch of If or the body of a While stays there: it is XLA's value.
func (c *call) trace() (t *engine.Trace) {
	for _, x := range c.xs {
		if y, ok := x.(Tensor); ok && y.t.arr.Traced() {
			t = y.t.arr.Trace()
		}
	}
	return t
}

// errorOf returns err, the system's for f, as an error of the call.
func (c *call) errorOf(f emulate.Fault, err error) *Error {
	e := c.asError(err)
	e.Reason, e.Hint = strings.TrimSuffix(e.Reason, "."), "under "+c.sys.Name()+", "+f.Hint()
	return e
}
