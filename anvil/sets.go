package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// Union1D returns the distinct elements that are in x or in y, in ascending order, at their common dtype. With Size the
// result has that many elements, filled up with the least.
func (l *Lib) Union1D(x, y any, opts ...CountOption) Tensor {
	c, a, b, t := l.sets("Union1D", x, y)
	return c.result(c.unique(c.joinAlong(0, a, b), c.countOptions(opts, true, false, false)).values, t.Ambiguous)
}

// Intersect1D returns the distinct elements that are in both x and y, in ascending order, at their common dtype. nan is
// never in both.
func (l *Lib) Intersect1D(x, y any) Tensor {
	c, a, b, t := l.sets("Intersect1D", x, y)
	return c.result(c.filterIn(c.distinct(a), b, true), t.Ambiguous)
}

// SetDiff1D returns the distinct elements of x that are not in y, in ascending order, at their common dtype.
func (l *Lib) SetDiff1D(x, y any) Tensor {
	c, a, b, t := l.sets("SetDiff1D", x, y)
	return c.result(c.filterIn(c.distinct(a), b, false), t.Ambiguous)
}

// SetXor1D returns the distinct elements that are in exactly one of x and y, in ascending order, at their common dtype.
func (l *Lib) SetXor1D(x, y any) Tensor {
	c, a, b, t := l.sets("SetXor1D", x, y)
	a, b = c.distinct(a), c.distinct(b)
	either := c.joinAlong(0, c.filterIn(a, b, false), c.filterIn(b, a, false))
	return c.result(c.All(ir.Sort, sortFirst, nil, either)[0], t.Ambiguous)
}

// sets returns x and y as vectors at their common dtype t. It fails if that is complex.
func (l *Lib) sets(op string, x, y any) (c *call, a, b expr.Value, t dtype.Typed) {
	c = l.call(op, x, y)
	t = c.common(x, y)
	c.real(t.DType)
	return c, c.flat(c.at(x, t.DType)), c.flat(c.at(y, t.DType)), t
}

// distinct returns the distinct elements of the vector a in ascending order.
func (c *call) distinct(a expr.Value) expr.Value {
	if a.(*tensor).arr.Unknown() {
		c.fail("x is traced, so the length of the result is not known", "nv.IsIn(x, y) returns a mask of one known shape")
	}
	return c.unique(a, counting{size: -1}).values
}

// filterIn returns the elements of the vector a that are in b, or with isIn false those that are not.
func (c *call) filterIn(a, b expr.Value, isIn bool) expr.Value {
	if b.(*tensor).arr.Unknown() {
		c.fail("y is traced, so the length of the result is not known", "nv.IsIn(x, y) returns a mask of one known shape")
	}
	in := c.isIn(a, b)
	if !isIn {
		in = c.Not(in)
	}
	return c.slicesAt(a, c.nonzero(in, counting{size: -1}))
}
