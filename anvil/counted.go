package anvil

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
)

// stepCount returns n, an integer or an integer scalar, as a number of steps in i32.
func (c *call) stepCount(n any) expr.Value {
	o := c.operand(n)
	if !o.DType.Is(dtype.Integral) || o.Rank != 0 {
		c.fail("the number of steps is "+describe(n)+" and must be an integer scalar", "convert it with AsType(nv.I32)")
	}
	t, ok := n.(Tensor)
	if !ok || t.t.lit != nil {
		return c.at(n, dtype.I32)
	}
	var a expr.Value = t.t
	if o.DType == dtype.I64 || o.DType == dtype.U32 || o.DType == dtype.U64 { // may overflow i32
		a = c.Min(a, c.literal(math.MaxInt32, o.DType))
	}
	return c.cast(a, dtype.I32)
}

// countedLoop returns a loop of n steps, an integer or an integer scalar. body is given
// the number of the step, counted from 0, and the carry. If n is a number inside a trace,
// the loop has a fixed length and can be differentiated in reverse; otherwise one program
// serves all n.
func (s *state) countedLoop(n any, body func(i Tensor, carry []Tensor) []Tensor) *loop {
	w, end := s.loop(), s.stepCount(n)
	w.carry = append([]*tensor{w.literal(0, dtype.I32)}, w.carry...)
	w.places = append([]string{""}, w.places...)
	w.body = func(carry, _ []Tensor) (next, _ []Tensor) {
		i := asTensor(w.Add(carry[0].t, w.literal(1, dtype.I32)))
		return append([]Tensor{i}, body(carry[0], carry[1:])...), nil
	}
	if steps := s.operand(n).Literal; steps != nil && s.ctx.session.Depth() > 0 {
		length, err := dtype.Cast(steps, dtype.I32)
		s.check(err)
		w.scan.Length = max(0, int(length.(int32)))
		return w
	}
	w.cond = func(carry []Tensor) Tensor { return asTensor(w.Lt(carry[0].t, end)) }
	return w
}
