package anvil

import (
	"math/bits"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// A Side says on which side of equal elements a value is inserted.
type Side bool

// The sides.
const (
	Left  Side = false // before equal elements
	Right Side = true  // after equal elements
)

// SearchSorted returns the position at which each of values can be inserted into sorted, a vector in ascending order,
// so that the vector stays in order. The position is the number of elements of sorted that are less than the value, or
// with Right less than or equal to the value. nan counts as greater than any number.
func (l *Lib) SearchSorted(sorted, values any, side ...Side) Tensor {
	c := l.call("SearchSorted", sorted, values)
	t := c.common(sorted, values)
	a, v := c.at(sorted, t.DType), c.at(values, t.DType)
	c.requireReal(t.DType)
	c.requireVector("sorted", a)
	if len(side) > 1 {
		c.fail("more than one side is given", "give nv.Left or nv.Right")
	}
	return c.result(c.searchSorted(a, v, len(side) == 1 && side[0] == Right), false)
}

// requireReal fails if d, the dtype of an operand, is complex.
func (c *call) requireReal(d dtype.DType) {
	if d.Is(dtype.Complex) {
		c.fail("the operand must be real, not "+d.String(), "take nv.Real, nv.Imag or nv.Abs first")
	}
}

// requireVector fails if a, called name in the error, is not a vector.
func (c *call) requireVector(name string, a expr.Value) {
	if s := a.Shape(); len(s) != 1 {
		c.fail(name+" has shape "+s.String()+" and is not a vector", "nv.Flatten makes one")
	}
}

// searchSorted returns, for each element e of v, the number of elements of the ascending vector a that are less than
// e, or with right at most e. It is a binary search that determines the number bit by bit, from the highest bit.
func (c *call) searchSorted(a, v expr.Value, right bool) expr.Value {
	n, s, d := a.Shape()[0], v.Shape(), c.positionDType()
	count := c.to(c.number(0, d), s)
	if n == 0 || s.Size() == 0 {
		return count
	}
	for step := 1 << (bits.Len(uint(n)) - 1); step > 0; step /= 2 {
		next := c.Add(count, step)
		// The elements of a at positions count, ..., next-1 come before the value if the last of them does. gather
		// clamps positions past the end.
		last := c.gather(a, &points{axes: []int{0}, by: []expr.Value{c.Sub(next, 1)}, shape: s}, 0)
		count = c.Where(c.And(c.Le(next, n), c.comesBefore(last, v, right)), next, count)
	}
	return count
}

// comesBefore returns whether a < b, or with orEqual a <= b, elementwise. nan counts as equal to nan and greater than
// any number.
func (c *call) comesBefore(a, b expr.Value, orEqual bool) expr.Value {
	direction := ir.LT
	if orEqual {
		direction = ir.LE
	}
	before := c.Compare(direction, a, b)
	if !a.DType().Is(dtype.Floating) {
		return before
	}
	nan := c.Ne(b, b)
	if !orEqual {
		nan = c.And(nan, c.Eq(a, a))
	}
	return c.Or(before, nan)
}

// Digitize returns the index of the bin that each element of x falls into: i where edges[i-1] <= x < edges[i], 0 below
// the first edge, and the number of edges above the last. edges is a vector in ascending order. With Right a bin
// includes its upper edge instead of its lower one.
func (l *Lib) Digitize(x, edges any, closed ...Side) Tensor {
	c := l.call("Digitize", x, edges)
	t := c.common(x, edges)
	v, a := c.at(x, t.DType), c.at(edges, t.DType)
	c.requireReal(t.DType)
	c.requireVector("edges", a)
	if len(closed) > 1 {
		c.fail("more than one side is given", "give nv.Left or nv.Right")
	}
	// A value equal to an edge lies above it if bins include their lower edges.
	return c.result(c.searchSorted(a, v, len(closed) == 0 || closed[0] == Left), false)
}

// IsIn returns whether each element of x is equal to one of elements. nan is equal to no element.
func (l *Lib) IsIn(x, elements any) Tensor {
	c := l.call("IsIn", x, elements)
	t := c.common(x, elements)
	v, a := c.at(x, t.DType), c.flat(c.at(elements, t.DType))
	c.requireReal(t.DType)
	return c.result(c.isIn(v, a), false)
}

// isIn returns whether each element of v is equal to an element of the vector a.
func (c *call) isIn(v, a expr.Value) expr.Value {
	if a.Shape().Size() == 0 {
		return c.to(c.literal(false, dtype.I1), v.Shape())
	}
	a = c.All(ir.Sort, ir.SortAttrs{Axis: 0}, nil, a)[0]
	at := c.searchSorted(a, v, false)
	e := c.gather(a, &points{axes: []int{0}, by: []expr.Value{at}, shape: v.Shape()}, 0)
	return c.Eq(e, v)
}
