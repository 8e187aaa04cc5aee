package anvil

import (
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/emulate"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// fault fails with the system's error for f, if the system has an error for f.
func (c *call) fault(f emulate.Fault) {
	if err := c.framework.Fault(f); err != nil {
		panic(c.errorOf(f, err))
	}
}

// refuse fails with the system's error for f if y, converted to dtype d, has an element equal to 0 (for direction EQ)
// or less than 0 (LT). It checks nothing if the system has no error for f or d is not an integer dtype. refuse waits
// for the values of y, as the framework of the system does. If an operand is traced and y is not a literal, the
// program checks y when it runs.
func (c *call) refuse(f emulate.Fault, direction ir.Direction, y any, d dtype.DType) {
	err := c.framework.Fault(f)
	if err == nil || !d.Is(dtype.Integral) {
		return
	}
	b := c.at(y, d)
	trace := c.operandTrace()
	// While another operand is traced, y is checked at once only if y is a literal: the next call of the program may
	// have another tensor in its place.
	if elements, ok := b.(*tensor).arr.Known(); ok && (trace == nil || literalOf(y) != nil) {
		if anyMatches(direction, elements, d) {
			panic(c.errorOf(f, err))
		}
		return
	}
	c.refuseAny(f, err, c.Compare(direction, b, 0))
}

// refuseAny fails with err, the system's error for f, if any element of bad is true. If an operand is traced, the
// program checks bad when it runs.
func (c *call) refuseAny(f emulate.Fault, err error, bad expr.Value) {
	trace := c.operandTrace()
	if len(bad.Shape()) > 0 {
		bad = c.fold(ir.ReduceOr, bad, nil)
	}
	if trace != nil {
		trace.AddFault(engine.Fault{When: bad.(*tensor).arr, Err: c.errorOf(f, err)})
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

// refuseEmpty fails if a reduction of a with opts is over an axis of length 0, and the system defines no maximum of
// zero elements (for code ir.ReduceMax) or no minimum (for ir.ReduceMin).
func (c *call) refuseEmpty(code ir.Code, a expr.Value, opts []ReduceOption) {
	_, axes, _ := c.reducedAxes(a, opts)
	switch {
	case !slices.ContainsFunc(axes, func(i int) bool { return a.Shape()[i] == 0 }):
	case code == ir.ReduceMax:
		c.fault(emulate.NoMaximum)
	default:
		c.fault(emulate.NoMinimum)
	}
}

// operandTrace returns the innermost trace on which an operand of the call depends, or nil if no operand is traced.
func (c *call) operandTrace() (t *engine.Trace) {
	for _, x := range c.xs {
		if y, ok := x.(Tensor); ok && y.t.arr.Traced() && (t == nil || y.t.arr.Trace().Within(t)) {
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
