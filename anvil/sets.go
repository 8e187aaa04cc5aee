package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// Union1D returns what is in x or in y, without repetitions and in ascending
// order: Unique of the elements of both at their common dtype. With Size there
// are so many, filled up with the least.
func (l *Lib) Union1D(x, y any, opts ...CountOption) Tensor {
	c, a, b, t := l.sets("Union1D", x, y)
	return c.result(c.unique(c.joinAlong(0, a, b), c.countOptions(opts, true, false, false)).values, t.Ambiguous)
}

// Intersect1D returns what is in x and in y too, without repetitions and in
// ascending order, at their common dtype. Nan is equal to none.
func (l *Lib) Intersect1D(x, y any) Tensor {
	c, a, b, t := l.sets("Intersect1D", x, y)
	return c.result(c.those(c.set(a), b, true), t.Ambiguous)
}

// SetDiff1D returns what is in x and not in y, without repetitions and in
// ascending order, at their common dtype.
func (l *Lib) SetDiff1D(x, y any) Tensor {
	c, a, b, t := l.sets("SetDiff1D", x, y)
	return c.result(c.those(c.set(a), b, false), t.Ambiguous)
}

// SetXor1D returns what is in one of x and y only, without repetitions and in
// ascending order, at their common dtype.
func (l *Lib) SetXor1D(x, y any) Tensor {
	c, a, b, t := l.sets("SetXor1D", x, y)
	a, b = c.set(a), c.set(b)
	either := c.joinAlong(0, c.those(a, b, false), c.those(b, a, false))
	return c.result(c.All(ir.Sort, sortFirst, nil, either)[0], t.Ambiguous)
}

// sets returns x and y as vectors of their common dtype, which has an order.
func (l *Lib) sets(op string, x, y any) (c *call, a, b expr.Value, t dtype.Typed) {
	c = l.call(op, x, y)
	t = c.common(x, y)
	c.real(t.DType)
	return c, c.flat(c.at(x, t.DType)), c.flat(c.at(y, t.DType)), t
}

// set returns the elements of a vector without repetitions.
func (c *call) set(a expr.Value) expr.Value {
	if arrayOf(a).Traced() {
		c.fail("x is traced, and how many elements remain is not known before it has a value", "nv.IsIn(x, y) tells which do")
	}
	return c.unique(a, counting{size: -1}).values
}

// those returns the elements of the vector a that are among those of b, or are not.
func (c *call) those(a, b expr.Value, among bool) expr.Value {
	if arrayOf(b).Traced() {
		c.fail("y is traced, and how many elements remain is not known before it has a value", "nv.IsIn(x, y) tells which do")
	}
	in := c.among(a, b)
	if !among {
		in = c.Not(in)
	}
	return c.slicesAt(a, c.nonzero(in, counting{size: -1}))
}
