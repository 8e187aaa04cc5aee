package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
)

// Nonzero returns the positions of the elements of x that are not 0 (or hold,
// or are nan): one tensor of positions for each axis, in row-major order. With
// Size there are so many, filled up with position 0.
func (l *Lib) Nonzero(x any, opts ...CountOption) []Tensor {
	c, a, _ := l.layout("Nonzero", x)
	s := a.arr.Type().Shape
	if len(s) == 0 {
		c.fail("a scalar has no positions", "nv.Reshape makes it a vector of one element")
	}
	at := c.nonzero(a, c.countOptions(opts, true, false, false))
	out := make([]Tensor, len(s))
	for i := len(s) - 1; i >= 0; i-- {
		n := c.constant(max(1, s[i]), at)
		out[i], at = c.result(c.infer(ir.Rem, nil, at, n), false), c.infer(ir.Div, nil, at, n)
	}
	return out
}

// ArgWhere returns the positions of the elements of x that are not 0, one row
// of positions along the axes for each, in row-major order. With Size there are
// so many rows, filled up with 0.
func (l *Lib) ArgWhere(x any, opts ...CountOption) Tensor {
	c, a, _ := l.layout("ArgWhere", x)
	s := a.arr.Type().Shape
	at := c.nonzero(a, c.countOptions(opts, true, false, false))
	n := at.arr.Type().Shape[0]
	if len(s) == 0 {
		return c.result(c.reshape(at, Shape{n, 1}).none(c), false)
	}
	columns := make([]*tensor, len(s))
	for i := len(s) - 1; i >= 0; i-- {
		by := c.constant(max(1, s[i]), at)
		columns[i], at = c.reshape(c.infer(ir.Rem, nil, at, by), Shape{n, 1}), c.infer(ir.Div, nil, at, by)
	}
	if len(columns) == 1 {
		return c.result(columns[0], false)
	}
	return c.result(c.infer(ir.Concatenate, ops.AxisAttrs{Axis: 1}, columns...), false)
}

// none returns a without its last axis' elements.
func (a *tensor) none(c *call) *tensor { return c.every(a, 1, 0, 0, 1) }

// nonzero returns the positions of what is not 0 in the flattened a.
func (c *call) nonzero(a *tensor, o counting) *tensor {
	a = c.flat(c.truth(a))
	d, n := c.positionDType(), a.arr.Type().Shape[0]
	if o.size < 0 {
		if a.arr.Traced() {
			c.fail("x is traced, and how many elements are not 0 is not known before it has a value", "nv.Size(n) fixes it")
		}
		data, err := a.read()
		c.check(err)
		is := heldAt(data)
		return c.convert(c.hostPositions(is, Shape{len(is)}), d)
	}
	at := c.infer(ir.Iota, ops.IotaAttrs{DType: d, Shape: Shape{n}.Dims(), Axis: 0})
	order := c.many(ir.Sort, ops.SortAttrs{Axis: 0, Descending: true}, c.convert(a, dtype.U8), at)
	held := c.choose(c.truth(order[0]), order[1], c.constant(0, order[1]))
	return c.resize(held, o.size)
}

// resize returns the first n elements of a vector, or all and then zeros.
func (c *call) resize(a *tensor, n int) *tensor {
	m := a.arr.Type().Shape[0]
	if n <= m {
		return c.every(a, 0, 0, n, 1)
	}
	return c.infer(ir.Concatenate, ops.AxisAttrs{Axis: 0}, a, c.to(c.number(0, a.arr.Type().DType), Shape{n - m}))
}

// CountNonzero returns how many elements of x are not 0, over axes.
func (l *Lib) CountNonzero(x any, opts ...ReduceOption) Tensor {
	c, a, _ := l.layout("CountNonzero", x)
	return c.result(c.fold(ir.ReduceSum, c.convert(c.truth(a), c.positionDType()), opts), false)
}

// A Uniques are the elements of a tensor without repetitions.
type Uniques struct {
	Values  Tensor // in ascending order
	Indices Tensor // where each stands first in the flattened tensor
	Inverse Tensor // which of Values each element is, in the shape of the tensor
	Counts  Tensor // how often each stands there
}

// Unique returns the elements of x without repetitions, in ascending order. Nan
// counts as one element, and under PyTorch each nan as one. With Size there are
// so many, filled up with the least.
func (l *Lib) Unique(x any, opts ...CountOption) Tensor {
	c, a, amb := l.layout("Unique", x)
	return c.result(c.unique(a, c.countOptions(opts, true, false, false)).values, amb)
}

// UniqueAll returns the elements of x without repetitions (see Unique), with
// where they stand and how often; what fills up has the count 0.
func (l *Lib) UniqueAll(x any, opts ...CountOption) Uniques {
	c, a, amb := l.layout("UniqueAll", x)
	u := c.unique(a, c.countOptions(opts, true, false, false))
	return Uniques{Values: c.result(u.values, amb), Indices: c.result(u.indices(c), false),
		Inverse: c.result(c.reshape(u.inverse(c), a.arr.Type().Shape), false), Counts: c.result(u.counts(c), false)}
}

// uniques are the elements of a vector in order.
type uniques struct {
	order  *tensor // where they stand in the vector
	first  *tensor // which of them begin something new
	starts *tensor // where these stand in the order
	values *tensor
	found  *tensor // how many there are, in case that starts is filled up
}

func (c *call) unique(a *tensor, o counting) uniques {
	a = c.flat(a)
	c.real(a.arr.Type().DType)
	d, n := c.positionDType(), a.arr.Type().Shape[0]
	at := c.infer(ir.Iota, ops.IotaAttrs{DType: d, Shape: Shape{n}.Dims(), Axis: 0})
	sorted := c.many(ir.Sort, ops.SortAttrs{Axis: 0}, a, at)
	u := uniques{order: sorted[1], first: c.to(c.literal(true, dtype.I1), Shape{min(n, 1)})}
	if n > 1 {
		x, y := c.every(sorted[0], 0, 0, n-1, 1), c.every(sorted[0], 0, 1, n, 1)
		u.first = c.infer(ir.Concatenate, ops.AxisAttrs{Axis: 0}, u.first, c.differ(x, y))
	}
	u.starts = c.nonzero(u.first, o)
	u.found = c.fold(ir.ReduceSum, c.convert(u.first, d), nil)
	if n == 0 {
		u.values = c.to(c.number(0, a.arr.Type().DType), u.starts.arr.Type().Shape)
		return u
	}
	u.values = c.elementsAt(sorted[0], u.starts)
	return u
}

// differ returns whether neighbours in order differ.
func (c *call) differ(x, y *tensor) *tensor {
	other := c.compare(ops.NE, x, y)
	if _, torch := c.sys.Torch(); torch || !x.arr.Type().DType.Is(dtype.Floating) {
		return other
	}
	return c.infer(ir.And, nil, other, c.compare(ops.EQ, x, x)) // what comes after nan is nan
}

// elementsAt returns the elements of a vector at positions.
func (c *call) elementsAt(a, at *tensor) *tensor {
	s := at.arr.Type().Shape
	if s.Size() == 0 {
		return c.to(c.number(0, a.arr.Type().DType), s)
	}
	return c.gather(a, &points{axes: []int{0}, by: []*tensor{at}, shape: s}, 0)
}

func (u uniques) indices(c *call) *tensor {
	if u.order.arr.Type().Shape[0] == 0 {
		return c.to(c.number(0, u.order.arr.Type().DType), u.starts.arr.Type().Shape)
	}
	return c.elementsAt(u.order, u.starts)
}

// inverse returns which of the values each element is.
func (u uniques) inverse(c *call) *tensor {
	s := u.order.arr.Type().Shape
	rank := c.runs(ir.Add, c.convert(u.first, u.order.arr.Type().DType), 0)
	rank = c.infer(ir.Sub, nil, rank, c.constant(1, rank))
	if s[0] == 0 {
		return rank
	}
	back := c.many(ir.Sort, ops.SortAttrs{Axis: 0}, u.order, rank)
	return back[1]
}

// counts returns how far it is from each start to the next, or to the end.
func (u uniques) counts(c *call) *tensor {
	n, m := u.order.arr.Type().Shape[0], u.starts.arr.Type().Shape[0]
	d := u.starts.arr.Type().DType
	at := c.infer(ir.Iota, ops.IotaAttrs{DType: d, Shape: Shape{m}.Dims(), Axis: 0})
	found := c.to(u.found, Shape{m})
	next := c.shiftDown(u.starts, n)
	last := c.compare(ops.EQ, at, c.infer(ir.Sub, nil, found, c.constant(1, found)))
	counts := c.infer(ir.Sub, nil, c.choose(last, c.constant(n, next), next), u.starts)
	return c.choose(c.compare(ops.LT, at, found), counts, c.constant(0, counts))
}

// shiftDown returns a vector moved down by one, with fill behind it.
func (c *call) shiftDown(a *tensor, fill int) *tensor {
	m := a.arr.Type().Shape[0]
	if m == 0 {
		return a
	}
	return c.infer(ir.Concatenate, ops.AxisAttrs{Axis: 0}, c.every(a, 0, 1, m, 1), c.to(c.number(fill, a.arr.Type().DType), Shape{1}))
}
