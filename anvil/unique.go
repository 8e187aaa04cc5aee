package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// Nonzero returns the positions of the elements of x that are not 0 (true for bools; nan is not 0): one tensor of
// positions for each axis, in row-major order. With Size each tensor has that length, filled up with position 0.
func (l *Lib) Nonzero(x any, opts ...CountOption) []Tensor {
	c, a, _ := l.layout("Nonzero", x)
	s := a.Shape()
	if len(s) == 0 {
		c.fail("a scalar has no positions", "nv.Reshape makes it a vector of one element")
	}
	at := c.nonzero(a, c.countOptions(opts))
	out := make([]Tensor, len(s))
	for i, by := range c.unravel(at, s) {
		out[i] = c.result(by, false)
	}
	return out
}

// ArgWhere returns the positions of the elements of x that are not 0, as a matrix with one row for each element and one
// column for each axis, in row-major order. With Size the matrix has that many rows, filled up with 0.
func (l *Lib) ArgWhere(x any, opts ...CountOption) Tensor {
	c, a, _ := l.layout("ArgWhere", x)
	s := a.Shape()
	at := c.nonzero(a, c.countOptions(opts))
	n := at.Shape()[0]
	if len(s) == 0 { // no columns
		return c.result(c.sliceAxis(c.reshape(at, Shape{n, 1}), 1, 0, 0, 1), false)
	}
	columns := c.unravel(at, s)
	for i, by := range columns {
		columns[i] = c.reshape(by, Shape{n, 1})
	}
	if len(columns) == 1 {
		return c.result(columns[0], false)
	}
	return c.result(c.Concatenate(1, columns...), false)
}

// nonzero returns the positions in the flattened a of the elements that are not 0. With a size in o, the result has
// that length, filled up with 0. Without a size, nonzero waits for the elements of a.
func (c *call) nonzero(a expr.Value, o countingOptions) expr.Value {
	a = c.flat(c.truth(a))
	d, n := c.positionDType(), a.Shape()[0]
	if o.size < 0 {
		if a.(*tensor).arr.Unknown() {
			c.fail("an operand is traced, so the length of the result is not known", "give it with nv.Size(n)")
		}
		data, err := a.(*tensor).read()
		c.check(err)
		found := trueIndices(data)
		return c.convert(c.hostPositions(found, Shape{len(found)}, c.placedDevice(a)), d)
	}
	// A stable sort in descending order brings the positions of true elements to the front.
	at := c.Iota(d, 0, n)
	order := c.All(ir.Sort, ir.SortAttrs{Axis: 0, Descending: true}, nil, c.convert(a, dtype.U8), at)
	return c.fit(c.Where(c.truth(order[0]), order[1], 0), 0, o.size)
}

// CountNonzero returns the number of elements of x that are not 0, over axes.
func (l *Lib) CountNonzero(x any, opts ...ReduceOption) Tensor {
	c, a, _ := l.layout("CountNonzero", x)
	opts = accepted("CountNonzero", opts, x)
	return c.result(c.fold(ir.ReduceSum, c.convert(c.truth(a), c.positionDType()), opts), false)
}

// Uniques are the distinct elements of a tensor.
type Uniques struct {
	Values  Tensor // the distinct elements in ascending order
	Indices Tensor // the position in the flattened tensor of the first occurrence of each of Values
	Inverse Tensor // the position in Values of each element of the tensor, in the shape of the tensor
	Counts  Tensor // how often each of Values occurs
}

// Unique returns the distinct elements of x in ascending order. All nans count as one element, except under PyTorch,
// where no two nans are equal. With an Axis it returns the distinct slices of x along that axis in lexicographic order;
// nans in slices are never equal. With Size the result has that many elements, padded with the smallest.
func (l *Lib) Unique(x any, opts ...CountOption) Tensor {
	c, a, amb := l.layout("Unique", x)
	u, _ := c.uniqueBy(a, opts)
	return c.result(u.values, amb)
}

// UniqueAll returns the distinct elements of x (see Unique) with their positions and counts; padding
// has the count 0. With an Axis, Indices and Inverse are positions along that axis.
func (l *Lib) UniqueAll(x any, opts ...CountOption) Uniques {
	c, a, amb := l.layout("UniqueAll", x)
	u, along := c.uniqueBy(a, opts)
	inverse := u.inverse(c)
	if !along {
		inverse = c.reshape(inverse, a.Shape())
	}
	return Uniques{Values: c.result(u.values, amb), Indices: c.result(c.slicesAt(u.order, u.starts), false),
		Inverse: c.result(inverse, false), Counts: c.result(u.counts(c), false)}
}

// uniqueBy returns the distinct elements of a, or, with along true, the distinct slices along the Axis in opts.
func (c *call) uniqueBy(a expr.Value, opts []CountOption) (u uniques, along bool) {
	o := c.countOptions(opts)
	c.requireReal(a.DType())
	if o.axis == nil {
		return c.unique(a, o), false
	}
	return c.uniqueSlices(a, c.axis(*o.axis, len(a.Shape())), o), true
}

// uniques are the distinct elements of a vector, found by sorting it, so that equal elements form runs.
type uniques struct {
	order  expr.Value // the position in the original vector of each sorted element
	first  expr.Value // whether each sorted element begins a run
	starts expr.Value // the positions where runs begin in the sorted vector
	next   expr.Value // with Size, the position where the run after each begins; otherwise nil
	values expr.Value // the element of each run
	found  expr.Value // the number of runs; with Size, starts may be longer or shorter
}

// unique returns the distinct elements of a.
func (c *call) unique(a expr.Value, o countingOptions) uniques {
	a = c.flat(a)
	n := a.Shape()[0]
	sorted := c.All(ir.Sort, ir.SortAttrs{Axis: 0}, nil, a, c.positions(n))
	u := c.findRuns(sorted[1], n, o, func() expr.Value {
		return c.differ(c.sliceAxis(sorted[0], 0, 0, n-1, 1), c.sliceAxis(sorted[0], 0, 1, n, 1))
	})
	u.values = c.slicesAt(sorted[0], u.starts)
	return u
}

// uniqueSlices returns the distinct slices of a along an axis. To put the slices in lexicographic order, it sorts them
// stably by their last elements, then by those before, up to the first.
func (c *call) uniqueSlices(a expr.Value, axis int, o countingOptions) uniques {
	s := a.Shape()
	axisFirst := Shape{axis}
	for i := range s {
		if i != axis {
			axisFirst = append(axisFirst, i)
		}
	}
	n := s[axis]
	moved := c.Permute(a, axisFirst...)
	size := moved.Shape()[1:].Size()
	rows, order := c.reshape(moved, Shape{n, size}), c.positions(n)
	for j := size - 1; j >= 0; j-- {
		key := c.slicesAt(c.reshape(c.sliceAxis(rows, 1, j, j+1, 1), Shape{n}), order)
		order = c.All(ir.Sort, ir.SortAttrs{Axis: 0}, nil, key, order)[1]
	}
	sorted := c.slicesAt(rows, order)
	u := c.findRuns(order, n, o, func() expr.Value {
		differ := c.Ne(c.sliceAxis(sorted, 0, 0, n-1, 1), c.sliceAxis(sorted, 0, 1, n, 1))
		return c.Do(ir.ReduceOr, ir.AxesAttrs{Axes: Shape{1}.Dims()}, differ)
	})
	moveBack := make(Shape, len(axisFirst)) // the inverse permutation of axisFirst
	for i, at := range axisFirst {
		moveBack[at] = i
	}
	s = append(u.starts.Shape().Clone(), moved.Shape()[1:]...)
	u.values = c.Permute(c.reshape(c.slicesAt(sorted, u.starts), s), moveBack...)
	return u
}

// positions returns the vector 0, 1, ... n-1.
func (c *call) positions(n int) expr.Value {
	return c.Iota(c.positionDType(), 0, n)
}

// findRuns returns the runs of equal elements among n sorted elements, without their values. differ returns, for each
// element but the first, whether it differs from the one before.
func (c *call) findRuns(order expr.Value, n int, o countingOptions, differ func() expr.Value) uniques {
	u := uniques{order: order, first: c.to(c.literal(true, dtype.I1), Shape{min(n, 1)})}
	if n > 1 {
		u.first = c.Concatenate(0, u.first, differ())
	}
	if o.size < 0 {
		u.starts = c.nonzero(u.first, o)
	} else {
		o.size++ // next also has the start of the run after the last one in starts
		starts := c.nonzero(u.first, o)
		u.starts, u.next = c.sliceAxis(starts, 0, 0, o.size-1, 1), c.sliceAxis(starts, 0, 1, o.size, 1)
	}
	u.found = c.fold(ir.ReduceSum, c.convert(u.first, c.positionDType()), nil)
	return u
}

// slicesAt returns the slices of a at the positions at along its first axis, or zeros if a has no slices.
func (c *call) slicesAt(a, at expr.Value) expr.Value {
	n := at.Shape()
	s := append(n.Clone(), a.Shape()[1:]...)
	if s.Size() == 0 || a.Shape()[0] == 0 {
		return c.to(c.number(0, a.DType()), s)
	}
	return c.gather(a, &points{axes: []int{0}, by: []expr.Value{at}, shape: n}, 0)
}

// differ returns whether the elements of x differ from those of y, which follow them in ascending order. Two nans
// differ only under PyTorch.
func (c *call) differ(x, y expr.Value) expr.Value {
	return c.emulated("Unique", x.DType(), c.xs, func(...expr.Value) expr.Value {
		differ := c.Ne(x, y)
		if !x.DType().Is(dtype.Floating) {
			return differ
		}
		return c.And(differ, c.Eq(x, x)) // if x is nan, so is y
	}, x, y)
}

// inverse returns the position in values of each element of the original vector.
func (u uniques) inverse(c *call) expr.Value {
	s := u.order.Shape()
	run := c.cumulate(ir.ReduceSum, c.convert(u.first, u.order.DType()), 0, false)
	run = c.Sub(run, 1)
	if s[0] == 0 {
		return run
	}
	return c.All(ir.Sort, ir.SortAttrs{Axis: 0}, nil, u.order, run)[1] // in the original order
}

// counts returns the length of each run: the distance from its start to the next start, or to the end for the last
// run. Padding has the count 0.
func (u uniques) counts(c *call) expr.Value {
	n, m := u.order.Shape()[0], u.starts.Shape()[0]
	d := u.starts.DType()
	at := c.Iota(d, 0, m)
	found := c.to(u.found, Shape{m})
	next := u.next
	if next == nil {
		next = c.shiftDown(u.starts, n)
	}
	last := c.Eq(at, c.Sub(found, 1))
	counts := c.Sub(c.Where(last, n, next), u.starts)
	return c.Where(c.Lt(at, found), counts, 0)
}

// shiftDown returns the vector a without its first element and with fill at the end.
func (c *call) shiftDown(a expr.Value, fill int) expr.Value {
	m := a.Shape()[0]
	if m == 0 {
		return a
	}
	return c.Concatenate(0, c.sliceAxis(a, 0, 1, m, 1), c.to(c.number(fill, a.DType()), Shape{1}))
}

// Union1D returns the distinct elements that are in x or in y, in ascending order, at their common dtype. With Size the
// result has that many elements, padded with the smallest.
func (l *Lib) Union1D(x, y any, opts ...CountOption) Tensor {
	c, a, b, t := l.setOperands("Union1D", x, y)
	return c.result(c.unique(c.Concatenate(0, a, b), c.countOptions(opts)).values, t.Ambiguous)
}

// Intersect1D returns the distinct elements that are in both x and y, in ascending order, at their common dtype. nan is
// never in both.
func (l *Lib) Intersect1D(x, y any) Tensor {
	c, a, b, t := l.setOperands("Intersect1D", x, y)
	return c.result(c.filterIn(c.distinct(a), b, true), t.Ambiguous)
}

// SetDiff1D returns the distinct elements of x that are not in y, in ascending order, at their common dtype.
func (l *Lib) SetDiff1D(x, y any) Tensor {
	c, a, b, t := l.setOperands("SetDiff1D", x, y)
	return c.result(c.filterIn(c.distinct(a), b, false), t.Ambiguous)
}

// SetXor1D returns the distinct elements that are in exactly one of x and y, in ascending order, at their common dtype.
func (l *Lib) SetXor1D(x, y any) Tensor {
	c, a, b, t := l.setOperands("SetXor1D", x, y)
	a, b = c.distinct(a), c.distinct(b)
	either := c.Concatenate(0, c.filterIn(a, b, false), c.filterIn(b, a, false))
	return c.result(c.All(ir.Sort, ir.SortAttrs{Axis: 0}, nil, either)[0], t.Ambiguous)
}

// setOperands returns a call of op, and x and y as vectors at their common dtype t. It fails if t is complex.
func (l *Lib) setOperands(op string, x, y any) (c *call, a, b expr.Value, t dtype.Typed) {
	c = l.call(op, x, y)
	t = c.common(x, y)
	c.requireReal(t.DType)
	return c, c.flat(c.at(x, t.DType)), c.flat(c.at(y, t.DType)), t
}

// distinct returns the distinct elements of the vector a in ascending order.
func (c *call) distinct(a expr.Value) expr.Value {
	if a.(*tensor).arr.Unknown() {
		c.fail("an operand is traced, so the length of the result is not known",
			"nv.IsIn(x, y) returns a mask of one known shape")
	}
	return c.unique(a, countingOptions{size: -1}).values
}

// filterIn returns the elements of the vector a that are in b, or with isIn false those that are not.
func (c *call) filterIn(a, b expr.Value, isIn bool) expr.Value {
	if b.(*tensor).arr.Unknown() {
		c.fail("y is traced, so the length of the result is not known",
			"nv.IsIn(x, y) returns a mask of one known shape")
	}
	in := c.isIn(a, b)
	if !isIn {
		in = c.Not(in)
	}
	return c.slicesAt(a, c.nonzero(in, countingOptions{size: -1}))
}
