package anvil

import (
	"time"

	"github.com/goanvil/notebook/anvil/engine"
)

// WhyNaN describes how a NaN got into x: the operation in which it arose first, the layer of package nn that
// the operation belongs to, the element, and the operands there, or that an operand already had it. If x was
// computed long ago (by none of the last 256 programs) or from more than 16 MiB, it names only the operation that
// made x. %%nan on the first line of a cell runs the cell operation by operation, including
// those of gradients, loops and branches, and stops where a NaN arises, unless it arises in a function of
// this package or in a derivative whose results have none. Both name the first infinity, too. Tensors of more
// than 128 MiB are not examined.
func WhyNaN(x Tensor) string {
	t := x.must("WhyNaN")
	if t.arr.Unknown() {
		return "x is being traced and has no value yet"
	}
	if err := t.ctx.session.FindNaN(t.arr); err != nil {
		return err.Error()
	}
	infinity := t.ctx.session.Infinity()
	if n := t.ctx.Sum(t.ctx.IsNaN(x)).Int(); n == 0 {
		if infinity != "" {
			return "no element is NaN; the first infinity came from " + infinity
		}
		return "no element is NaN"
	}
	made := "it was made from values"
	if t.explained() {
		made = t.why.op + " made it"
		if t.why.line != nil && *t.why.line != "" {
			made += " in " + *t.why.line
		}
	}
	return "it has been computed, and its operands are gone; " + made + ": run that cell again with %%nan on its first line"
}

// Observation describes what operations have lost: see Observe.
type Observation = engine.Observation

// Observe makes each operation compute its result at once, and observes the results for the given time or
// until end is called: overflows, NaNs, results that are rounded to 0, and sums that are equal to an operand.
// When the time is up, operations panic. Meanwhile Jit calls its function itself. Tensors of more than 65536
// elements are not examined.
func (c *Context) Observe(limit time.Duration) (end func() Observation) {
	return c.session.Observe(limit)
}

// WatchNaN makes each operation fail in which a NaN arises, until stop is called, which describes the first
// operation in which an infinity arose, or returns "". Meanwhile Jit calls its function itself.
func (c *Context) WatchNaN() (stop func() (infinity string)) {
	c.session.Watch(true)
	return func() string {
		infinity := c.session.Infinity()
		c.session.Watch(false)
		return infinity
	}
}
