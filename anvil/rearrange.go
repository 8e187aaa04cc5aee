package anvil

import (
	"reflect"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
)

// MoveAxis returns x with axis from moved to position to; the other axes keep their order.
func (l *Lib) MoveAxis(x any, from, to Axis) Tensor {
	c, a, amb := l.layout("MoveAxis", x)
	rank := len(a.Shape())
	i, j := c.axis(from, rank), c.axis(to, rank)
	order := slices.Insert(slices.Delete(upTo(rank), i, i+1), j, i)
	return c.result(c.Permute(a, order...), amb)
}

// SwapAxes returns x with two axes exchanged.
func (l *Lib) SwapAxes(x any, first, second Axis) Tensor {
	c, a, amb := l.layout("SwapAxes", x)
	order := upTo(len(a.Shape()))
	i, j := c.axis(first, len(order)), c.axis(second, len(order))
	order[i], order[j] = j, i
	return c.result(c.Permute(a, order...), amb)
}

// Flatten returns the elements of x as a vector, in row-major order.
func (l *Lib) Flatten(x any) Tensor {
	c, a, amb := l.layout("Flatten", x)
	return c.result(c.flat(a), amb)
}

// flat returns the elements of a as a vector.
func (c *call) flat(a expr.Value) expr.Value { return c.reshape(a, Shape{a.Shape().Size()}) }

// Tile returns x repeated as a whole, times[i] times along axis i. If the number of axes of x and the length of times
// differ, axes of length 1 are added in front of x, or ones in front of times.
func (l *Lib) Tile(x any, times Shape) Tensor {
	c, a, amb := l.layout("Tile", x)
	c.checkLengths(times)
	s := a.Shape()
	rank := max(len(s), len(times))
	s, times = padded(s, rank), padded(times, rank)
	var split, repeated, merged Shape // axis n becomes (1, n), then (times, n), then times*n
	for i, n := range s {
		split, repeated, merged = append(split, 1, n), append(repeated, times[i], n), append(merged, times[i]*n)
	}
	c.checkLengths(merged)
	return c.result(c.reshape(c.to(c.reshape(a, split), repeated), merged), amb)
}

// padded returns s with ones in front, so that it has rank lengths.
func padded(s Shape, rank int) Shape {
	r := make(Shape, 0, rank)
	for range rank - len(s) {
		r = append(r, 1)
	}
	return append(r, s...)
}

// Repeat returns x with each element repeated along an axis; without an axis x is flattened first. times is an integer,
// or a slice or tensor of integers with one count for each position along the axis.
func (l *Lib) Repeat(x, times any, axis ...Axis) Tensor {
	c, a, amb := l.layout("Repeat", x)
	a, at := c.alongOrFlat(a, axis)
	positions, each := c.repeatCounts(times, a.Shape()[at])
	if positions != nil {
		return c.result(c.takeAt(a, c.hostPositions(positions, Shape{len(positions)}, ""), at), amb)
	}
	s := a.Shape()
	split := slices.Insert(s.Clone(), at+1, 1) // axis n becomes (n, 1), then (n, each), then n*each
	repeated, merged := slices.Insert(s.Clone(), at+1, each), s.Clone()
	merged[at] *= each
	c.checkLengths(merged)
	return c.result(c.reshape(c.to(c.reshape(a, split), repeated), merged), amb)
}

// repeatCounts interprets times, the argument of Repeat, for an axis of length n. If times is one integer, each is that
// integer, and positions is nil. If times has a count for each position, positions contains each position as often as
// its count says.
func (c *call) repeatCounts(times any, n int) (positions []int, each int) {
	const maxPositions = 1 << 26 // they take 512 MiB on the host
	counts := c.hostCounts(times)
	for _, k := range counts {
		if k < 0 {
			c.fail("the count "+itoa(k)+" is negative", "give counts of 0 or more")
		}
	}
	if len(counts) == 1 {
		return nil, counts[0]
	}
	if len(counts) != n {
		c.fail(plural(len(counts), "count", "counts")+" cannot repeat "+plural(n, "element", "elements")+
			" along the axis", "give one count for each element, or one integer for all")
	}
	total := 0
	for _, k := range counts {
		if total += min(k, maxPositions+1); total > maxPositions {
			c.fail("the result would have more than "+itoa(maxPositions)+" elements along the axis",
				"give smaller counts")
		}
	}
	positions = make([]int, 0, total)
	for i, k := range counts {
		for range k {
			positions = append(positions, i)
		}
	}
	return positions, 0
}

// hostCounts returns the integers of v, an int, a slice or a tensor. It waits for the elements of a tensor.
func (c *call) hostCounts(v any) []int {
	if k, ok := v.(int); ok {
		return []int{k}
	}
	t, ok := v.(Tensor)
	if !ok {
		if r := reflect.ValueOf(v); !r.IsValid() || r.Kind() != reflect.Slice && r.Kind() != reflect.Array {
			c.fail("the counts are "+describe(v), "give an int, or a slice or tensor of integers")
		}
		t = c.nested(reflect.ValueOf(v), dtype.Options{DType: dtype.I64})
	}
	ty := t.must(c.op).arr.Type()
	if !ty.DType.Is(dtype.Integral) || len(ty.Shape) > 1 {
		c.fail("the counts are "+ty.String(),
			"give an integer or a vector of integers: convert with AsType(nv.I32), or flatten with nv.Reshape")
	}
	if t.t.arr.Trace() != nil {
		c.fail("the counts are traced, so the length of the result is not known",
			"give an int or a []int, or call Repeat outside the traced function")
	}
	data, err := t.t.read()
	c.check(err)
	counts := make([]int, ty.Shape.Size())
	for i := range counts {
		counts[i] = int(dtype.GetInt(data[i*ty.DType.Size():], ty.DType))
	}
	return counts
}

// alongOrFlat returns a and the position of the given axis. If no axis is given, it returns the flattened a and 0.
func (c *call) alongOrFlat(a expr.Value, axis []Axis) (expr.Value, int) {
	if len(axis) == 0 {
		return c.flat(a), 0
	}
	return a, c.oneAxis(axis, a)
}

// Roll returns x with its elements shifted by n positions along an axis; elements shifted past the end reappear at the
// start: result[(i+n) mod length] = x[i]. Without an axis the elements shift in row-major order.
func (l *Lib) Roll(x any, n int, axis ...Axis) Tensor {
	c, a, amb := l.layout("Roll", x)
	s := a.Shape()
	a, at := c.alongOrFlat(a, axis)
	return c.result(c.reshape(c.roll(a, n, at), s), amb)
}

// roll returns a with its elements shifted cyclically by n positions along axis at.
func (c *call) roll(a expr.Value, n, at int) expr.Value {
	length := a.Shape()[at]
	if length == 0 || n%length == 0 {
		return a
	}
	n = ((n % length) + length) % length
	start, end := c.sliceAxis(a, at, 0, length-n, 1), c.sliceAxis(a, at, length-n, length, 1)
	return c.Concatenate(at, end, start)
}

// Split returns x divided into n tensors of equal length along an axis, the first one if none is given.
func (l *Lib) Split(x any, n int, axis ...Axis) []Tensor {
	c, a, amb := l.layout("Split", x)
	at := c.axisOrFirst(axis, a)
	length := a.Shape()[at]
	if n < 1 || length%n != 0 {
		c.fail("axis "+itoa(at)+" of length "+itoa(length)+" cannot be split into "+itoa(n)+" equal parts",
			"give a number that divides the length, or take unequal parts with At")
	}
	out := c.newTensors(n)
	for i := range out {
		out[i] = c.result(c.sliceAxis(a, at, i*length/n, (i+1)*length/n, 1), amb)
	}
	return out
}

// Unstack returns the slices of x along an axis, each without that axis. The default axis is the first.
func (l *Lib) Unstack(x any, axis ...Axis) []Tensor {
	c, a, amb := l.layout("Unstack", x)
	at := c.axisOrFirst(axis, a)
	out := c.newTensors(a.Shape()[at])
	for i := range out {
		out[i] = c.result(c.pick(a, at, i), amb)
	}
	return out
}

// axisOrFirst returns the position of the given axis of a, or 0 if no axis is given.
func (c *call) axisOrFirst(axis []Axis, a expr.Value) int {
	if len(axis) == 0 {
		axis = []Axis{0}
	}
	return c.oneAxis(axis, a)
}

// HStack returns xs joined side by side at their common dtype: along axis 1, or along axis 0 for vectors and scalars.
func (l *Lib) HStack(xs ...any) Tensor {
	xs = spreadSlices(xs)
	c := l.call("HStack", xs...)
	axis := Axis(0)
	if len(xs) > 0 && len(c.shapeOf(xs[0])) > 1 {
		axis = 1
	}
	return c.concatenate(axis, c.reshapeEach(xs, func(s Shape) Shape { return padded(s, 1) }), false)
}

// VStack returns xs joined along axis 0 at their common dtype; vectors and scalars become rows.
func (l *Lib) VStack(xs ...any) Tensor {
	xs = spreadSlices(xs)
	c := l.call("VStack", xs...)
	return c.concatenate(0, c.reshapeEach(xs, func(s Shape) Shape { return padded(s, 2) }), false)
}

// atLeast returns x with axes of length 1 added to reach the rank; see the function atLeast.
func (l *Lib) atLeast(op string, x any, rank int) Tensor {
	c, a, amb := l.layout(op, x)
	return c.result(c.reshape(a, atLeast(a.Shape(), rank)), amb)
}

// atLeast returns s with ones added in front to reach the rank. If s has fewer than 3 lengths and rank is 3, one of the
// ones is added at the end instead, as in NumPy.
func atLeast(s Shape, rank int) Shape {
	if rank == 3 && len(s) < 3 {
		return append(padded(s, 2), 1)
	}
	return padded(s, rank)
}

// ColumnStack returns xs joined along axis 1 at their common dtype; vectors become columns.
func (l *Lib) ColumnStack(xs ...any) Tensor {
	xs = spreadSlices(xs)
	c := l.call("ColumnStack", xs...)
	return c.concatenate(1, c.reshapeEach(xs, func(s Shape) Shape {
		if len(s) < 2 {
			return Shape{s.Size(), 1}
		}
		return s
	}), false)
}

// DStack returns xs joined along axis 2 at their common dtype, each extended to three axes as by AtLeast3D.
func (l *Lib) DStack(xs ...any) Tensor {
	xs = spreadSlices(xs)
	c := l.call("DStack", xs...)
	return c.concatenate(2, c.reshapeEach(xs, func(s Shape) Shape { return atLeast(s, 3) }), false)
}

// reshapeEach returns each of xs reshaped to the result of f for its shape.
func (c *call) reshapeEach(xs []any, f func(Shape) Shape) []any {
	out := make([]any, len(xs))
	for i, x := range xs {
		t := c.operand(x).Typed
		a := c.at(x, t.DType)
		a = c.reshape(a, f(a.Shape()))
		out[i] = Tensor{t: &tensor{ctx: c.ctx, arr: a.(*tensor).arr, amb: t.Ambiguous}}
	}
	return out
}

// Rot90 returns x rotated by k quarter turns from the first of two axes towards the second. The axes are 0 and 1 if
// none are given.
func (l *Lib) Rot90(x any, k int, axes ...Axis) Tensor {
	c, a, amb := l.layout("Rot90", x)
	if len(axes) == 0 {
		axes = []Axis{0, 1}
	}
	if len(axes) != 2 {
		c.fail("two axes are needed", "write Rot90(x, k) or Rot90(x, k, first, second)")
	}
	rank := len(a.Shape())
	i, j := c.axis(axes[0], rank), c.axis(axes[1], rank)
	if i == j {
		c.fail("the two axes are the same", "give two axes")
	}
	order := upTo(rank)
	order[i], order[j] = j, i
	switch (k%4 + 4) % 4 { // k modulo 4, also for a negative k
	case 1:
		a = c.Permute(c.Reverse(a, j), order...)
	case 2:
		a = c.Reverse(a, min(i, j), max(i, j))
	case 3:
		a = c.Reverse(c.Permute(a, order...), j)
	}
	return c.result(a, amb)
}
