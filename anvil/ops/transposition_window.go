package ops

import (
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// transposeWindowSum adds the cotangent of each sum to all elements of its window. It computes this as a sum over
// windows of the cotangents, dilated by the strides.
func transposeWindowSum(b expr.Builder, n *ir.Node, _, ct []expr.Value) []expr.Value {
	a, s := n.Attrs.(ir.WindowAttrs), n.Args[0].Type.Shape
	size, stride, low := a.Size.Ints(), a.Strides.Ints(), a.Low.Ints()
	base, dilation := a.BaseDilation.Ints(), a.Dilation.Ints()
	rank := len(s)
	before, after := make([]int, rank), make([]int, rank) // the padding of the cotangents
	for i, length := range s {
		window := (size[i]-1)*dilation[i] + 1
		before[i] = window - 1 - low[i]
		after[i] = dilated(length, base[i]) + window - 1 - before[i] - dilated(ct[0].Shape()[i], stride[i])
	}
	attrs := ir.WindowAttrs{Size: a.Size, Strides: shape.DimsOf(base...), Low: shape.DimsOf(before...),
		High: shape.DimsOf(after...), BaseDilation: a.Strides, Dilation: a.Dilation}
	return []expr.Value{b.Do(ir.ReduceWindowSum, attrs, ct[0])}
}

// windowParts returns, for each position within the window of a reduction, the elements at that position in all
// windows of x, and whether they are elements of x rather than padding.
func windowParts(b expr.Builder, n *ir.Node, x expr.Value) (parts, inside []expr.Value) {
	a, s := n.Attrs.(ir.WindowAttrs), n.Results[0].Type.Shape
	size, stride, dilation, base := a.Size.Ints(), a.Strides.Ints(), a.Dilation.Ints(), a.BaseDilation.Ints()
	interior := make([]int, len(base))
	for i := range base {
		interior[i] = base[i] - 1
	}
	pad := ir.PadAttrs{Low: a.Low, High: a.High, Interior: shape.DimsOf(interior...)}
	padded := b.Do(ir.Pad, pad, x, b.Scalar(x, 0))
	isElement := b.Do(ir.Pad, pad, b.Like(x, 1), b.Scalar(x, 0))
	at := make([]int, len(size))
	for {
		start, limit := make([]int, len(size)), make([]int, len(size))
		for i := range size {
			start[i] = at[i] * dilation[i]
			limit[i] = start[i] + max(0, (s[i]-1)*stride[i]+1)
		}
		slice := ir.SliceAttrs{Start: shape.DimsOf(start...), Limit: shape.DimsOf(limit...), Strides: a.Strides}
		parts = append(parts, b.Do(ir.Slice, slice, padded))
		inside = append(inside, b.Ne(b.Do(ir.Slice, slice, isElement), 0))
		axis := len(size) - 1 // advance at to the next position of the window
		for ; axis >= 0; axis-- {
			if at[axis]++; at[axis] < size[axis] {
				break
			}
			at[axis] = 0
		}
		if axis < 0 {
			return parts, inside
		}
	}
}

// linearizedWindowExtreme returns the mean of the tangents of all elements of the window that are equal to
// its maximum or minimum.
func linearizedWindowExtreme(b expr.Builder, n *ir.Node, x, y, t []expr.Value) []expr.Value {
	if n.Results[0].Type.Shape.Size() == 0 {
		return []expr.Value{nil}
	}
	xs, inside := windowParts(b, n, x[0])
	ts, _ := windowParts(b, n, t[0])
	var sum, count expr.Value
	for i := range xs {
		isExtreme := b.And(inside[i], b.Eq(xs[i], y[0]))
		dx, one := b.Where(isExtreme, ts[i], 0), b.Convert(isExtreme, y[0].DType())
		if i == 0 {
			sum, count = dx, one
			continue
		}
		sum, count = b.Add(sum, dx), b.Add(count, one)
	}
	return []expr.Value{b.Where(b.Eq(count, 0), 0, b.Div(sum, b.Where(b.Eq(count, 0), 1, count)))}
}

// linearizedWindowProduct multiplies pairs of elements of the window, with their tangents by the product rule, until
// one element is left.
func linearizedWindowProduct(b expr.Builder, n *ir.Node, x, _, t []expr.Value) []expr.Value {
	if n.Results[0].Type.Shape.Size() == 0 {
		return []expr.Value{nil}
	}
	xs, inside := windowParts(b, n, x[0])
	ts, _ := windowParts(b, n, t[0])
	for i := range xs {
		xs[i] = b.Where(inside[i], xs[i], 1)
	}
	for len(xs) > 1 {
		half := len(xs) / 2
		for i := range half {
			p, q, dp, dq := xs[i], xs[i+half], ts[i], ts[i+half]
			xs[i], ts[i] = b.Mul(p, q), b.Add(b.MulNoNaN(dp, q), b.MulNoNaN(dq, p))
		}
		if len(xs)%2 == 1 {
			xs[half], ts[half] = xs[len(xs)-1], ts[len(ts)-1]
			half++
		}
		xs, ts = xs[:half], ts[:half]
	}
	return []expr.Value{ts[0]}
}
