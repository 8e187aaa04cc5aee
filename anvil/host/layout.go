package host

import (
	"context"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// This file has the kernels of constants and of operations that move elements.

// copyKernel returns the kernel of an operation whose result has the bytes of its operand.
func copyKernel(*ir.Node) kernel {
	return infallible(func(out []byte, in [][]byte) { copy(out, in[0]) })
}

// bitcast returns the kernel of BitcastConvert, or nil for dtypes of less than 8 bits, whose elements take a
// whole byte in host form.
func bitcast(n *ir.Node) kernel {
	if n.Args[0].Type.DType.Bits() < 8 || n.Results[0].Type.DType.Bits() < 8 {
		return nil
	}
	return copyKernel(n)
}

// constant returns the kernel of Constant. The data are all elements, or one that fills the result.
func constant(n *ir.Node) kernel {
	data := n.Attrs.(ir.ConstantAttrs).Data
	return infallible(func(out []byte, _ [][]byte) { repeat(out, data) })
}

// repeat fills out with copies of element.
func repeat[E []byte | string](out []byte, element E) {
	for n := copy(out, element); 0 < n && n < len(out); n *= 2 {
		copy(out[n:], out[:n])
	}
}

// iota returns the kernel of Iota. It computes the elements now; the kernel copies them.
func iota(n *ir.Node) kernel {
	data := make([]byte, n.Results[0].Type.Bytes())
	if err := evalKernel(n)(context.Background(), data, nil); err != nil {
		return nil
	}
	return infallible(func(out []byte, _ [][]byte) { copy(out, data) })
}

// broadcast returns the kernel of BroadcastInDim.
func broadcast(n *ir.Node) kernel {
	x, s := n.Args[0].Type.Shape, n.Results[0].Type.Shape
	if x.Size() == 1 {
		return infallible(func(out []byte, in [][]byte) { repeat(out, in[0]) })
	}
	from, steps := array.Strides(x), make([]int, len(s))
	for i, axis := range n.Attrs.(ir.BroadcastAttrs).Axes.All() {
		if x[i] != 1 {
			steps[axis] = from[i]
		}
	}
	return stridedKernel(n, 0, steps)
}

// transpose returns the kernel of Transpose.
func transpose(n *ir.Node) kernel {
	from, steps := array.Strides(n.Args[0].Type.Shape), make([]int, len(n.Results[0].Type.Shape))
	for i, axis := range n.Attrs.(ir.AxesAttrs).Axes.All() {
		steps[i] = from[axis]
	}
	return stridedKernel(n, 0, steps)
}

// slice returns the kernel of Slice.
func slice(n *ir.Node) kernel {
	a := n.Attrs.(ir.SliceAttrs)
	steps, offset := array.Strides(n.Args[0].Type.Shape), 0
	for i, start := range a.Start.All() {
		offset += start * steps[i]
	}
	for i, stride := range a.Strides.All() {
		steps[i] *= stride
	}
	return stridedKernel(n, offset, steps)
}

// reverse returns the kernel of Reverse.
func reverse(n *ir.Node) kernel {
	s := n.Args[0].Type.Shape
	steps, offset := array.Strides(s), 0
	for _, axis := range n.Attrs.(ir.AxesAttrs).Axes.All() {
		offset += (s[axis] - 1) * steps[axis]
		steps[axis] = -steps[axis]
	}
	return stridedKernel(n, offset, steps)
}

// dynamicSlice returns the kernel of DynamicSlice. Starts are clamped so that the
// result lies inside the operand.
func dynamicSlice(n *ir.Node) kernel {
	x, s := n.Args[0].Type.Shape, n.Results[0].Type.Shape
	steps := array.Strides(x)
	read := readLoop(n.Results[0].Type)
	if read == nil {
		return nil
	}
	return infallible(func(out []byte, in [][]byte) {
		offset := 0
		for i, at := range in[1:] {
			d := n.Args[1+i].Type.DType
			start := dtype.GetInt(at, d)
			if d == dtype.U64 && start < 0 {
				start = int64(x[i]) // 1<<63 or more
			}
			offset += int(min(max(start, 0), int64(x[i]-s[i]))) * steps[i]
		}
		read(out, in[0], s, offset, steps)
	})
}

// concatenate returns the kernel of Concatenate.
func concatenate(n *ir.Node) kernel {
	axis := n.Attrs.(ir.AxisAttrs).Axis
	t := n.Results[0].Type
	inner := t.Shape[axis+1:].Size() * t.DType.Size()
	parts := make([]int, len(n.Args)) // the number of bytes of each operand that are contiguous in the result
	for i, a := range n.Args {
		parts[i] = a.Type.Shape[axis] * inner
	}
	return infallible(func(out []byte, in [][]byte) {
		for outer := 0; len(out) > 0; outer++ {
			for i, size := range parts {
				out = out[copy(out, in[i][outer*size:(outer+1)*size]):]
			}
		}
	})
}

// stridedKernel returns the kernel of an operation whose result at each index is the
// operand's element at offset + sum over k of index[k]*steps[k].
func stridedKernel(n *ir.Node, offset int, steps []int) kernel {
	read := readLoop(n.Results[0].Type)
	if read == nil {
		return nil
	}
	var long shape.Shape // the axes whose length is not 1
	var longSteps []int
	for i, length := range n.Results[0].Type.Shape {
		if length != 1 {
			long, longSteps = append(long, length), append(longSteps, steps[i])
		}
	}
	return infallible(func(out []byte, in [][]byte) { read(out, in[0], long, offset, longSteps) })
}

// readLoop returns read for elements of t's size, or nil if there is no loop for that size.
func readLoop(t shape.Type) func(out, in []byte, s shape.Shape, offset int, steps []int) {
	switch t.DType.Size() {
	case 1:
		return read[uint8]
	case 2:
		return read[uint16]
	case 4:
		return read[uint32]
	case 8:
		return read[uint64]
	}
	return nil
}

// read sets out to the elements of in at offset + sum over k of index[k]*steps[k], for each
// index of s in row-major order.
func read[T array.Number](out, in []byte, s shape.Shape, offset int, steps []int) {
	if len(out) > 0 {
		readAxes(array.View[T](out), array.View[T](in), s, offset, steps)
	}
}

// readAxes fills the beginning of out as read does with the offset at, and returns the rest of out.
func readAxes[T array.Number](out, in []T, s shape.Shape, at int, steps []int) []T {
	switch {
	case len(s) == 0:
		out[0] = in[at]
		return out[1:]
	case len(s) == 1 && steps[0] == 1:
		return out[copy(out[:s[0]], in[at:]):]
	case len(s) == 1 && steps[0] == 0:
		v := in[at]
		for i := range out[:s[0]] {
			out[i] = v
		}
		return out[s[0]:]
	case len(s) == 1:
		for i := range out[:s[0]] {
			out[i] = in[at]
			at += steps[0]
		}
		return out[s[0]:]
	}
	for range s[0] {
		out = readAxes(out, in, s[1:], at, steps[1:])
		at += steps[0]
	}
	return out
}
