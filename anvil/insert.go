package anvil

import (
	"math"
	"reflect"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
)

// Append returns x followed by values along an axis, at their common dtype. Without an axis both are flattened.
func (l *Lib) Append(x, values any, axis ...Axis) Tensor {
	c := l.call("Append", x, values)
	if len(axis) > 1 {
		c.fail("more than one axis is given", "give one axis, or none to flatten both")
	}
	if len(axis) > 0 {
		return c.concatenate(axis[0], []any{x, values}, false)
	}
	t := c.arithmetic(x, values)
	return c.result(c.Concatenate(0, c.flat(c.at(x, t.DType)), c.flat(c.at(values, t.DType))), t.Ambiguous)
}

// Insert returns x with values inserted before position i of an axis; i may be the length of the axis. Without an axis
// x is flattened. Values take the dtype of x. Values with the rank of x may have any length along the axis; other
// values have length 1 along the axis. Along the other axes, values are broadcast to the shape of x.
func (l *Lib) Insert(x any, i int, values any, axis ...Axis) Tensor {
	c := l.call("Insert", x, values)
	t := c.typed(x)
	a := c.at(x, t.DType)
	a, at := c.alongOrFlat(a, axis)
	s := a.Shape()
	n := s[at]
	given := i
	if i < 0 {
		i += n
	}
	if i < 0 || i > n {
		c.fail("position "+itoa(given)+" is out of range: axis "+itoa(at)+" has length "+itoa(n), "")
	}
	v := c.element(values, a)
	part := s.Clone() // the shape of the inserted part
	part[at] = 1
	if vs := v.Shape(); len(vs) == len(s) {
		part[at] = vs[at]
	}
	if r, ok := broadcastShapes(v.Shape(), part); !ok || !r.Equal(part) {
		c.fail("values of shape "+v.Shape().String()+" do not broadcast to "+part.String(), "")
	}
	before, after := c.sliceAxis(a, at, 0, i, 1), c.sliceAxis(a, at, i, n, 1)
	return c.result(c.Concatenate(at, before, c.to(v, part), after), t.Ambiguous)
}

// Delete returns x without the elements at positions, an int or a slice of ints, along an axis. Without an axis x is
// flattened.
func (l *Lib) Delete(x any, positions any, axis ...Axis) Tensor {
	c, a, amb := l.layout("Delete", x)
	a, at := c.alongOrFlat(a, axis)
	n := a.Shape()[at]
	var deleted []int
	for _, i := range c.ints(positions) {
		deleted = append(deleted, c.position(i, n, at))
	}
	slices.Sort(deleted)
	var parts []expr.Value
	low := 0 // the start of the elements not yet copied or deleted
	for _, i := range append(deleted, n) {
		if i > low {
			parts = append(parts, c.sliceAxis(a, at, low, i, 1))
		}
		low = i + 1
	}
	if len(parts) == 0 {
		return c.result(c.sliceAxis(a, at, 0, 0, 1), amb)
	}
	return c.result(c.Concatenate(at, parts...), amb)
}

// ints returns v, an integer or a slice of integers, as a slice. It fails if an element is not an integer, or is
// greater than any int64.
func (c *call) ints(v any) []int {
	list := reflect.ValueOf(v)
	if list.Kind() != reflect.Slice && list.Kind() != reflect.Array {
		list = reflect.ValueOf([]any{v})
	}
	all := make([]int, 0, list.Len())
	for i := range list.Len() {
		e := list.Index(i).Interface()
		w, err := dtype.Cast(e, dtype.I64)
		if d, ok := dtype.Of(e); err != nil || !ok || !d.Is(dtype.Integral) {
			c.fail("position "+describe(e)+" is not an integer",
				"give ints, or select elements by a mask: x.At(mask)")
		}
		if u := reflect.ValueOf(e); u.CanUint() && u.Uint() > math.MaxInt64 {
			c.fail("position "+describe(e)+" is out of range", "")
		}
		all = append(all, int(w.(int64)))
	}
	return all
}
