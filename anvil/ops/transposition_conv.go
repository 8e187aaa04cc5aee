package ops

import (
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// transposeConvolution: the cotangent of each operand is a convolution of the result's
// cotangent with the other operand.
func transposeConvolution(b expr.Builder, n *ir.Node, x, ct []expr.Value) []expr.Value {
	c := convolution{b, n.Attrs.(ir.ConvAttrs), n.Args[0].Type, n.Args[1].Type, n.Results[0].Type}
	if c.out.Shape.Size() == 0 {
		return make([]expr.Value, 2)
	}
	if x[0] == nil {
		return []expr.Value{c.inputCotangent(b.Convert(b.Conj(x[1]), ct[0].DType()), ct[0]), nil}
	}
	return []expr.Value{nil, c.kernelCotangent(b.Convert(b.Conj(x[0]), ct[0].DType()), ct[0])}
}

// A convolution has the attributes of a node of code Convolution, and the types of its operands and result.
type convolution struct {
	expr.Builder
	ir.ConvAttrs
	lhs, rhs, out shape.Type
}

// spatialLengths returns the lengths of t along the spatial axes of its layout.
func spatialLengths(t shape.Type, layout shape.Dims) []int { return lengths(t.Shape, layout)[2:] }

// dilated returns the length of an axis of n elements after dilation, or 0 if n is 0.
func dilated(n, dilation int) int {
	if n == 0 {
		return 0
	}
	return (n-1)*dilation + 1
}

// swapped returns layout with its first two axes, those of the batch and the features, swapped.
func swapped(layout shape.Dims) shape.Dims {
	axes := layout.Ints()
	axes[0], axes[1] = axes[1], axes[0]
	return shape.DimsOf(axes...)
}

// inputCotangent returns the cotangent of lhs: the convolution of ct, dilated by the strides, with
// the reversed kernel. Groups of the batch become groups of features.
//
// The kernel is reversed by an operation of its own: XLA's compiler for CPUs has no fast
// code for convolutions with reversed windows.
func (c convolution) inputCotangent(kernel, ct expr.Value) expr.Value {
	groups := max(c.FeatureGroups, c.BatchGroups)
	in, out, window := spatialLengths(c.lhs, c.Lhs), spatialLengths(c.out, c.Out), spatialLengths(c.rhs, c.Rhs)
	identity := make([]int, len(in)+2)
	for i := range identity {
		identity[i] = i
	}
	k, layout := kernel, swapped(c.Rhs)
	if groups > 1 {
		k, layout = c.exchangeFeatures(kernel, groups), shape.DimsOf(identity...)
	}
	stride, low, base, dilation := c.Strides.Ints(), c.Low.Ints(), c.LhsDilation.Ints(), c.RhsDilation.Ints()
	before, after := make([]int, len(in)), make([]int, len(in)) // the padding of ct
	var reversed []int
	for i := range in {
		span := dilated(window[i], dilation[i])
		before[i] = span - 1 - low[i]
		after[i] = dilated(in[i], base[i]) + span - 1 - before[i] - dilated(out[i], stride[i])
		if !c.Reversal.Has(i) {
			reversed = append(reversed, layout.Ints()[2+i])
		}
	}
	if len(reversed) > 0 {
		k = c.Reverse(k, reversed...)
	}
	attrs := ir.ConvAttrs{Lhs: c.Out, Rhs: layout, Out: c.Lhs, Strides: c.LhsDilation,
		Low: shape.DimsOf(before...), High: shape.DimsOf(after...), LhsDilation: c.Strides, RhsDilation: c.RhsDilation,
		FeatureGroups: groups, BatchGroups: 1, Precision: c.Precision}
	if c.BatchGroups == 1 {
		return c.Convert(c.Do(ir.Convolution, attrs, ct, k), c.lhs.DType)
	}
	attrs.Out = shape.DimsOf(identity...)
	v := c.Do(ir.Convolution, attrs, ct, k) // the groups of features of v must become parts of the batch
	batch, inputs := v.Shape()[0], v.Shape()[1]/groups
	v = c.Reshape(v, append([]int{batch, groups, inputs}, in...)...)
	order := []int{1, 0, 2}
	for i := range in {
		order = append(order, 3+i)
	}
	v = c.Reshape(c.Permute(v, order...), append([]int{groups * batch, inputs}, in...)...)
	back := make([]int, len(identity))
	for i, axis := range c.Lhs.Ints() {
		back[axis] = i
	}
	return c.Convert(c.Permute(v, back...), c.lhs.DType)
}

// exchangeFeatures returns kernel with input and output features exchanged within each group,
// and with axes (output features, input features, window...).
func (c convolution) exchangeFeatures(kernel expr.Value, groups int) expr.Value {
	k := c.Permute(kernel, c.Rhs.Ints()...)
	s := k.Shape()
	outputs, inputs, window := s[0]/groups, s[1], s[2:]
	k = c.Reshape(k, append([]int{groups, outputs, inputs}, window...)...)
	order := []int{0, 2, 1}
	for i := range window {
		order = append(order, 3+i)
	}
	return c.Reshape(c.Permute(k, order...), append([]int{groups * inputs, outputs}, window...)...)
}

// kernelCotangent returns the cotangent of rhs: the convolution of lhs with ct, in which the batch
// takes the place of the features, so that the convolution sums over the batch.
func (c convolution) kernelCotangent(input, ct expr.Value) expr.Value {
	in, out, window := spatialLengths(c.lhs, c.Lhs), spatialLengths(c.out, c.Out), spatialLengths(c.rhs, c.Rhs)
	stride, low, base, dilation := c.Strides.Ints(), c.Low.Ints(), c.LhsDilation.Ints(), c.RhsDilation.Ints()
	after := make([]int, len(in)) // the padding after the elements of input
	for i := range in {
		after[i] = (window[i]-1)*dilation[i] + dilated(out[i], stride[i]) - low[i] - dilated(in[i], base[i])
	}
	attrs := ir.ConvAttrs{Lhs: swapped(c.Lhs), Rhs: swapped(c.Out), Out: swapped(c.Rhs), Strides: c.RhsDilation,
		Low: c.Low, High: shape.DimsOf(after...), LhsDilation: c.LhsDilation, RhsDilation: c.Strides,
		FeatureGroups: c.BatchGroups, BatchGroups: c.FeatureGroups, Precision: c.Precision}
	v := c.Do(ir.Convolution, attrs, input, ct)
	var reversed []int
	for _, i := range c.Reversal.Ints() {
		reversed = append(reversed, c.Rhs.Ints()[2+i])
	}
	if len(reversed) > 0 {
		v = c.Reverse(v, reversed...)
	}
	return c.Convert(v, c.rhs.DType)
}
