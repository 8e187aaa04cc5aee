package expr

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Convert returns x converted to dtype d as XLA converts.
func (b Builder) Convert(x Value, d dtype.DType) Value {
	if x.DType() == d {
		return x
	}
	return b.Do(ir.Convert, ir.DTypeAttrs{DType: d}, x)
}

// Bitcast returns the bits of x as elements of dtype d, which must have the same width.
func (b Builder) Bitcast(x Value, d dtype.DType) Value {
	return b.Do(ir.BitcastConvert, ir.DTypeAttrs{DType: d}, x)
}

// BroadcastTo returns x repeated to shape s. The last axis of x becomes the last axis of s.
func (b Builder) BroadcastTo(x Value, s shape.Shape) Value {
	from := x.Shape()
	if from.Equal(s) {
		return x
	}
	// The lengths of the axes along which x is not repeated, and their positions in s.
	kept, axes := shape.Shape{}, []int{}
	for i, n := range from {
		if at := len(s) - len(from) + i; n == s[at] {
			kept, axes = append(kept, n), append(axes, at)
		}
	}
	attrs := ir.BroadcastAttrs{Shape: s.Dims(), Axes: shape.DimsOf(axes...)}
	return b.Do(ir.BroadcastInDim, attrs, b.Reshape(x, kept...))
}

// Reshape returns the elements of x, in row-major order, in shape s.
func (b Builder) Reshape(x Value, s ...int) Value {
	if x.Shape().Equal(s) {
		return x
	}
	return b.Do(ir.Reshape, ir.ReshapeAttrs{Shape: shape.DimsOf(s...)}, x)
}

// Permute returns x with its axes in another order: axis i of the result is axis order[i] of x.
func (b Builder) Permute(x Value, order ...int) Value {
	return b.Do(ir.Transpose, ir.AxesAttrs{Axes: shape.DimsOf(order...)}, x)
}

// Transpose returns the transposes of the matrices in the last two axes of x.
func (b Builder) Transpose(x Value) Value {
	order := make([]int, len(x.Shape()))
	for i := range order {
		order[i] = i
	}
	n := len(order)
	order[n-2], order[n-1] = n-1, n-2
	return b.Permute(x, order...)
}

// Adjoint returns the conjugate transposes of the matrices in the last two axes of x.
func (b Builder) Adjoint(x Value) Value { return b.Conj(b.Transpose(x)) }

// Iota returns a tensor of dtype d and shape s in which each element is its index along the axis.
func (b Builder) Iota(d dtype.DType, axis int, s ...int) Value {
	return b.Do(ir.Iota, ir.IotaAttrs{DType: d, Shape: shape.DimsOf(s...), Axis: axis})
}

// Eye returns the n x m matrix of dtype d with ones on the diagonal.
func (b Builder) Eye(d dtype.DType, n, m int) Value {
	return b.Convert(b.Eq(b.Iota(dtype.I32, 0, n, 1), b.Iota(dtype.I32, 1, 1, m)), d)
}

// Column returns the vectors along the last axis of x as matrices of one column.
func (b Builder) Column(x Value) Value { return b.Reshape(x, append(x.Shape().Clone(), 1)...) }

// Row returns the vectors along the last axis of x as matrices of one row.
func (b Builder) Row(x Value) Value {
	s := x.Shape()
	n := len(s) - 1
	return b.Reshape(x, append(s[:n:n].Clone(), 1, s[n])...)
}

// position returns an axis of x as a nonnegative number. A negative axis counts from the last.
func position(x Value, axis int) int {
	if axis < 0 {
		axis += len(x.Shape())
	}
	return axis
}

// positions returns axes of x as nonnegative numbers.
func positions(x Value, axes []int) shape.Dims {
	ps := make([]int, len(axes))
	for i, axis := range axes {
		ps[i] = position(x, axis)
	}
	return shape.DimsOf(ps...)
}

// Reverse returns x with the order of its elements reversed along axes. Negative axes count from the last.
func (b Builder) Reverse(x Value, axes ...int) Value {
	return b.Do(ir.Reverse, ir.AxesAttrs{Axes: positions(x, axes)}, x)
}

// Slice returns the elements low to high-1 of x along an axis. A negative axis counts from the last.
func (b Builder) Slice(x Value, axis, low, high int) Value {
	s := x.Shape()
	axis = position(x, axis)
	if low == 0 && high == s[axis] {
		return x
	}
	start, limit, step := make([]int, len(s)), s.Clone(), make([]int, len(s))
	for i := range step {
		step[i] = 1
	}
	start[axis], limit[axis] = low, high
	attrs := ir.SliceAttrs{Start: shape.DimsOf(start...), Limit: limit.Dims(), Strides: shape.DimsOf(step...)}
	return b.Do(ir.Slice, attrs, x)
}

// DynamicSlice returns n elements of x along an axis, beginning at index at. at must be a scalar.
func (b Builder) DynamicSlice(x Value, axis int, at Value, n int) Value {
	s := x.Shape().Clone()
	s[position(x, axis)] = n
	return b.Do(ir.DynamicSlice, ir.DynamicSliceAttrs{Sizes: s.Dims()}, append([]Value{x}, b.starts(x, axis, at)...)...)
}

// PadAxis returns x with low elements added before the first of an axis and high after the last, all equal to
// the scalar fill. Negative low and high remove elements. The axis must not be negative.
func (b Builder) PadAxis(x Value, axis, low, high int, fill Value) Value {
	none := make(shape.Shape, len(x.Shape()))
	lows, highs := none.Clone(), none.Clone()
	lows[axis], highs[axis] = low, high
	return b.Do(ir.Pad, ir.PadAttrs{Low: lows.Dims(), High: highs.Dims(), Interior: none.Dims()}, x, fill)
}

// DynamicUpdateSlice returns x with some elements along an axis, beginning at index at, replaced by y. at
// must be a scalar.
func (b Builder) DynamicUpdateSlice(x, y Value, axis int, at Value) Value {
	return b.Do(ir.DynamicUpdateSlice, nil, append([]Value{x, y}, b.starts(x, axis, at)...)...)
}

// starts returns the start indices of a dynamic slice of x: at for one axis, and 0 for the others.
func (b Builder) starts(x Value, axis int, at Value) []Value {
	args := make([]Value, len(x.Shape()))
	for i := range args {
		if i == position(x, axis) {
			args[i] = at
		} else {
			args[i] = b.Scalar(at, 0)
		}
	}
	return args
}

// Concatenate returns xs joined along an axis. A negative axis counts from the last.
func (b Builder) Concatenate(axis int, xs ...Value) Value {
	return b.Do(ir.Concatenate, ir.AxisAttrs{Axis: position(xs[0], axis)}, xs...)
}
