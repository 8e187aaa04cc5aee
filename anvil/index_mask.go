package anvil

import (
	"reflect"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/shape"
)

// This file implements indexing by masks: tensors and slices of bools.

// positions is an index that selects the positions t along an axis. They are known to be in range.
type positions struct{ t expr.Value }

// maskRank returns the number of axes that ix masks, or 0 if ix is not a mask.
func maskRank(ix any) int {
	switch ix := ix.(type) {
	case nil, Span, int, newAxis, ellipsis, positions:
		return 0
	case Tensor:
		if ix.t == nil || ix.t.DType() != dtype.I1 {
			return 0
		}
		return len(ix.t.Shape())
	}
	elem, rank := elemTypeDepth(reflect.TypeOf(ix))
	if elem.Kind() != reflect.Bool {
		return 0
	}
	return rank
}

// hasMask reports whether index contains a mask.
func hasMask(index []any) bool {
	for _, ix := range index {
		if maskRank(ix) > 0 {
			return true
		}
	}
	return false
}

// unmask returns t with the axes of each mask joined into one, and index with each mask replaced by the positions where
// the mask is true.
func (c *call) unmask(t expr.Value, index []any) (expr.Value, []any) {
	s := t.Shape()
	used := c.axesOf(index, len(s))
	merged, out, axis := Shape{}, make([]any, 0, len(index)), 0
	for _, ix := range index {
		if rank := maskRank(ix); rank > 0 {
			part := s[axis : axis+rank]
			merged, out = append(merged, part.Size()), append(out, positions{c.trueAt(c.mask(ix, part, axis))})
			axis += rank
			continue
		}
		n := 1 // the number of axes that ix refers to
		if isA[newAxis](ix) {
			n = 0
		} else if isA[ellipsis](ix) {
			n = len(s) - used
		}
		merged, out = append(merged, s[axis:axis+n]...), append(out, ix)
		axis += n
	}
	return c.reshape(t, append(merged, s[axis:]...)), out
}

// mask returns ix as a mask of shape s. It fails if ix has another shape. axis, for errors, is the first axis that the
// mask refers to.
func (c *call) mask(ix any, s Shape, axis int) Tensor {
	m, ok := ix.(Tensor)
	if !ok {
		m = c.nested(reflect.ValueOf(ix), dtype.Options{DType: dtype.I1})
	}
	if got := m.t.Shape(); !got.Equal(s) {
		what := "axis " + itoa(axis)
		if len(s) > 1 {
			what = "axes " + itoa(axis) + " to " + itoa(axis+len(s)-1)
		}
		c.fail("a mask of shape "+got.String()+" does not match "+what+" of shape "+s.String(),
			"give a mask with the shape of the axes that it selects from")
	}
	return m
}

// hostMaskBytes is the greatest size of a tensor from which a mask selects elements on the host. The device would need
// a separate program for each number of selected elements.
const hostMaskBytes = 1 << 20

// hostMasked returns the elements of x at index, taken on the host, if index is a single mask. It returns nil if index
// is anything else, x is traced or large, or the mask has no value yet.
func (c *call) hostMasked(x Tensor, index []any) expr.Value {
	if len(index) != 1 || maskRank(index[0]) == 0 || x.t.arr.Traced() || typeOf(x.t).Bytes() > hostMaskBytes {
		return nil
	}
	ty := typeOf(x.t)
	rank := maskRank(index[0])
	c.axesOf(index, len(ty.Shape)) // fails if the mask has more axes than x
	mask := c.mask(index[0], ty.Shape[:rank], 0)
	if mask.t.arr.Unknown() {
		return nil
	}
	selected, data := trueIndices(mask.host(c.op)), x.host(c.op)
	row := shape.Type{DType: ty.DType, Shape: ty.Shape[rank:]}.Bytes()
	out := make([]byte, 0, len(selected)*row)
	for _, i := range selected {
		out = append(out, data[i*row:(i+1)*row]...)
	}
	result := shape.Type{DType: ty.DType, Shape: append(Shape{len(selected)}, ty.Shape[rank:]...)}
	return c.host(result, out, c.placedDevice(x.t))
}

// placedDevice returns the name of the device on which x was placed, or "" if x was not placed on a device. Results
// that the host computes from x are placed on the same device.
func (c *call) placedDevice(x expr.Value) string {
	if !x.(*tensor).arr.Placed() {
		return ""
	}
	s := c.ctx.session
	return s.DeviceName(s.DeviceOf(x.(*tensor).arr))
}

// trueAt returns the positions where mask is true, in row-major order.
func (c *call) trueAt(mask Tensor) expr.Value {
	if mask.t.arr.Unknown() {
		hint := "nv.Where(mask, x, 0) keeps the shape, and x.At(nv.Nonzero(mask, nv.Size(n))[0]) takes n elements"
		if c.op != "At" {
			hint = "nv.Where(mask, y, x) takes the elements of y, a tensor of the shape of x, where mask is true"
		}
		c.fail("index "+describe(mask)+" is a traced mask, and the number of elements that it takes is not known "+
			"until it has a value", hint)
	}
	at := trueIndices(mask.host(c.op))
	return c.hostPositions(at, Shape{len(at)}, "")
}

// trueIndices returns the indices of the nonzero bytes of data, bools in host form.
func trueIndices(data []byte) []int {
	is := make([]int, 0, len(data)/2)
	for i, b := range data {
		if b != 0 {
			is = append(is, i)
		}
	}
	return is
}
