package anvil

import (
	"errors"
	"time"

	"github.com/goanvil/notebook/anvil/engine"
)

// WhyNaN describes how a NaN got into x. It names the operation in which the NaN first arose, the layer of package nn
// that the operation belongs to, the element, and the operands there; or it says that the NaN was in an operand that no
// operation made. If x is already computed, WhyNaN examines the last 256 programs, as long as their inputs take at
// most 16 MiB together and none of them was donated. If these do not show the origin of the NaN, WhyNaN names only the
// operation that made x.
//
// %%nan on the first line of a cell runs the cell operation by operation, including those of gradients, loops and
// branches, and stops where a NaN arises. It does not stop at a NaN inside a function of this package or
// inside a derivative if the results of that function or derivative have none. Both WhyNaN and %%nan also
// name the operation in which an infinity first arose. Tensors of more than 128 MiB are not examined.
func WhyNaN(x Tensor) string {
	t := x.must("WhyNaN")
	if t.arr.Unknown() {
		return "x is being traced and has no value yet"
	}
	found := t.ctx.session.FindNaN(t.arr) // this NaN may be in another result of the program that made x
	var nan *engine.NaNError
	if found != nil && !errors.As(found, &nan) {
		return found.Error() // x cannot be computed
	}
	infinity := t.ctx.session.Infinity()
	if n := t.ctx.Sum(t.ctx.IsNaN(x)).Int(); n == 0 {
		if infinity != "" {
			return "no element is NaN; the first infinity came from " + infinity
		}
		return "no element is NaN"
	}
	if found != nil {
		return found.Error()
	}
	made := ""
	if t.explained() {
		made = "; " + t.why.op + " made it"
		if t.why.line != nil && *t.why.line != "" {
			made += " in " + *t.why.line
		}
	}
	return "x has been computed, and its operands are gone" + made +
		": run the cell that made it again with %%nan on its first line"
}

// An Observation describes the precision and range that operations have lost: see Observe.
type Observation = engine.Observation

// Observe makes each operation compute its result at once, and records overflows, NaNs, results that are rounded to
// 0, and sums that are equal to an operand, until end is called or the time limit has passed. After the limit,
// operations panic. Meanwhile a function made by Jit is not compiled: it calls the original function. Tensors of more
// than 65536 elements are not examined.
func (c *Context) Observe(limit time.Duration) (end func() Observation) {
	return c.session.Observe(limit)
}

// WatchNaN makes each operation in which a NaN arises fail, until stop is called. stop returns a description of the
// first operation in which an infinity arose, or "". Meanwhile a function made by Jit is not compiled: it calls the
// original function.
func (c *Context) WatchNaN() (stop func() (infinity string)) {
	c.session.Watch(true)
	return func() string {
		infinity := c.session.Infinity()
		c.session.Watch(false)
		return infinity
	}
}
