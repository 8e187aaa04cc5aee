package ops

import (
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A Transposition returns the cotangents of the operands in which n is linear, given the cotangents ct of its results.
// It is the adjoint of this linear map with respect to the inner product Re(conj(a)*b). x[i] is nil for each operand in
// which n is linear; for any other operand x[i] is its value, and its cotangent may be nil. No element of ct is nil.
type Transposition func(b expr.Builder, n *ir.Node, x, ct []expr.Value) []expr.Value

// A Linearized returns the tangents of the results y of n at x, given the tangents t of its operands. A nil
// tangent stands for zero.
type Linearized func(b expr.Builder, n *ir.Node, x, y, t []expr.Value) []expr.Value

// transpositions has the rules of operations that are linear in all differentiable operands, or in each of
// two operands (see bilinear).
var transpositions = map[ir.Code]Transposition{
	ir.Neg: func(b expr.Builder, _ *ir.Node, _, ct []expr.Value) []expr.Value { return []expr.Value{b.Neg(ct[0])} },
	ir.Add: func(b expr.Builder, _ *ir.Node, _, ct []expr.Value) []expr.Value { return []expr.Value{ct[0], ct[0]} },
	ir.Sub: func(b expr.Builder, _ *ir.Node, _, ct []expr.Value) []expr.Value {
		return []expr.Value{ct[0], b.Neg(ct[0])}
	},
	ir.Mul: func(b expr.Builder, _ *ir.Node, x, ct []expr.Value) []expr.Value {
		return productCotangents(b, x, ct[0])
	},
	ir.MulNoNaN: func(b expr.Builder, _ *ir.Node, x, ct []expr.Value) []expr.Value {
		if x[0] == nil {
			return []expr.Value{b.MulNoNaN(ct[0], b.Conj(x[1])), nil}
		}
		return []expr.Value{nil, b.MulNoNaN(b.Conj(x[0]), ct[0])}
	},
	ir.Div: func(b expr.Builder, _ *ir.Node, x, ct []expr.Value) []expr.Value {
		return []expr.Value{b.Div(ct[0], b.Conj(x[1])), nil}
	},
	ir.Real: func(b expr.Builder, n *ir.Node, _, ct []expr.Value) []expr.Value {
		if !n.Args[0].Type.DType.Is(dtype.Complex) {
			return ct
		}
		return []expr.Value{b.Complex(ct[0], b.Like(ct[0], 0))}
	},
	ir.Imag: func(b expr.Builder, n *ir.Node, _, ct []expr.Value) []expr.Value {
		if !n.Args[0].Type.DType.Is(dtype.Complex) {
			return []expr.Value{nil}
		}
		return []expr.Value{b.Complex(b.Like(ct[0], 0), ct[0])}
	},
	ir.Complex: func(b expr.Builder, _ *ir.Node, _, ct []expr.Value) []expr.Value {
		return []expr.Value{b.Real(ct[0]), b.Imag(ct[0])}
	},
	ir.Convert: transposeConvert,
	ir.Select:  transposeSelect,

	ir.CumSum: func(b expr.Builder, n *ir.Node, _, ct []expr.Value) []expr.Value {
		a := n.Attrs.(ir.CumulativeAttrs)
		a.Reverse = !a.Reverse
		return []expr.Value{b.Do(ir.CumSum, a, ct[0])}
	},
	ir.Reshape: func(b expr.Builder, n *ir.Node, _, ct []expr.Value) []expr.Value {
		return []expr.Value{b.Reshape(ct[0], n.Args[0].Type.Shape...)}
	},
	ir.BroadcastInDim: transposeBroadcast,
	ir.Transpose: func(b expr.Builder, n *ir.Node, _, ct []expr.Value) []expr.Value {
		order := n.Attrs.(ir.AxesAttrs).Axes.Ints()
		back := make([]int, len(order))
		for i, axis := range order {
			back[axis] = i
		}
		return []expr.Value{b.Permute(ct[0], back...)}
	},
	ir.Reverse: func(b expr.Builder, n *ir.Node, _, ct []expr.Value) []expr.Value {
		return []expr.Value{b.Do(ir.Reverse, n.Attrs, ct[0])}
	},
	ir.Slice:              transposeSlice,
	ir.DynamicSlice:       transposeDynamicSlice,
	ir.DynamicUpdateSlice: transposeDynamicUpdate,
	ir.Gather:             transposeGather,
	ir.Scatter:            transposeScatter,
	ir.Concatenate:        transposeConcatenate,
	ir.Pad:                transposePad,
	ir.ReduceSum: func(b expr.Builder, n *ir.Node, _, ct []expr.Value) []expr.Value {
		return []expr.Value{alongAxes(b, ct[0], n.Args[0].Type.Shape, n.Attrs.(ir.AxesAttrs).Axes)}
	},
	ir.DotGeneral:      transposeDot,
	ir.TriangularSolve: transposeTriangular,
	ir.ReduceWindowSum: transposeWindowSum,
	ir.FFT:             transposeFFT,
	ir.IFFT:            transposeIFFT,
	ir.RFFT:            transposeRFFT,
	ir.IRFFT:           transposeIRFFT,
	ir.Convolution:     transposeConvolution,
	ir.OptimizationBarrier: func(_ expr.Builder, _ *ir.Node, _, ct []expr.Value) []expr.Value {
		return ct
	},
}

// productCotangents returns the cotangents of the factors of a product: that of the factor whose x is nil, and nil for
// the other factor.
func productCotangents(b expr.Builder, x []expr.Value, ct expr.Value) []expr.Value {
	if x[0] == nil {
		return []expr.Value{b.Mul(ct, b.Conj(x[1])), nil}
	}
	return []expr.Value{nil, b.Mul(ct, b.Conj(x[0]))}
}

func transposeConvert(b expr.Builder, n *ir.Node, _, ct []expr.Value) []expr.Value {
	from := n.Args[0].Type.DType
	if ct[0].DType().Is(dtype.Complex) && !from.Is(dtype.Complex) {
		ct[0] = b.Real(ct[0])
	}
	return []expr.Value{b.Convert(ct[0], from)}
}

func transposeSelect(b expr.Builder, n *ir.Node, x, ct []expr.Value) []expr.Value {
	zero := b.Like(ct[0], 0)
	return []expr.Value{nil, b.Do(ir.Select, nil, x[0], ct[0], zero), b.Do(ir.Select, nil, x[0], zero, ct[0])}
}

// transposeBroadcast sums over the axes along which the operand is repeated.
func transposeBroadcast(b expr.Builder, n *ir.Node, _, ct []expr.Value) []expr.Value {
	from, axes := n.Args[0].Type.Shape, n.Attrs.(ir.BroadcastAttrs).Axes.Ints()
	var summed []int
	for axis, length := range ct[0].Shape() {
		if at := slices.Index(axes, axis); at < 0 || from[at] != length {
			summed = append(summed, axis)
		}
	}
	v := b.Reduce(ir.ReduceSum, ct[0], summed...)
	kept := slices.DeleteFunc(slices.Clone(axes), func(axis int) bool { return slices.Contains(summed, axis) })
	if !slices.IsSorted(kept) { // the axes of the operand are in another order
		order := make([]int, len(kept))
		sorted := slices.Sorted(slices.Values(kept))
		for i, axis := range kept {
			order[i] = slices.Index(sorted, axis)
		}
		v = b.Permute(v, order...)
	}
	return []expr.Value{b.Reshape(v, from...)}
}

// transposeSlice pads the cotangent with zeros to the shape of the operand.
func transposeSlice(b expr.Builder, n *ir.Node, _, ct []expr.Value) []expr.Value {
	a, from := n.Attrs.(ir.SliceAttrs), n.Args[0].Type.Shape
	start, strides := a.Start.Ints(), a.Strides.Ints()
	high, interior := make([]int, len(from)), make([]int, len(from))
	for i, length := range ct[0].Shape() {
		interior[i] = strides[i] - 1
		covered := length
		if length > 0 {
			covered = (length-1)*strides[i] + 1
		}
		high[i] = from[i] - start[i] - covered
	}
	attrs := ir.PadAttrs{Low: a.Start, High: shape.DimsOf(high...), Interior: shape.DimsOf(interior...)}
	return []expr.Value{b.Do(ir.Pad, attrs, ct[0], b.Scalar(ct[0], 0))}
}

// transposeDynamicSlice writes the cotangent into zeros of the operand's shape.
func transposeDynamicSlice(b expr.Builder, n *ir.Node, x, ct []expr.Value) []expr.Value {
	zero := b.Number(0, ct[0].DType(), n.Args[0].Type.Shape...)
	return []expr.Value{b.Do(ir.DynamicUpdateSlice, nil, append([]expr.Value{zero, ct[0]}, x[1:]...)...)}
}

func transposeDynamicUpdate(b expr.Builder, n *ir.Node, x, ct []expr.Value) []expr.Value {
	size := n.Args[1].Type.Shape
	zero := b.Number(0, ct[0].DType(), size...)
	return []expr.Value{
		b.Do(ir.DynamicUpdateSlice, nil, append([]expr.Value{ct[0], zero}, x[2:]...)...),
		b.Do(ir.DynamicSlice, ir.DynamicSliceAttrs{Sizes: size.Dims()}, append([]expr.Value{ct[0]}, x[2:]...)...),
	}
}

func transposeConcatenate(b expr.Builder, n *ir.Node, _, ct []expr.Value) []expr.Value {
	axis, at := n.Attrs.(ir.AxisAttrs).Axis, 0
	cts := make([]expr.Value, len(n.Args))
	for i, a := range n.Args {
		next := at + a.Type.Shape[axis]
		cts[i], at = b.Slice(ct[0], axis, at, next), next
	}
	return cts
}

// transposePad extracts the elements of the operand by negative padding. The cotangent of the padding value is
// the sum of all other elements.
func transposePad(b expr.Builder, n *ir.Node, x, ct []expr.Value) []expr.Value {
	a := n.Attrs.(ir.PadAttrs)
	low, high, interior := a.Low.Ints(), a.High.Ints(), a.Interior.Ints()
	start, step := make([]int, len(low)), make([]int, len(low))
	for i := range low {
		low[i], high[i], step[i] = -low[i], -high[i], interior[i]+1
	}
	zeros := shape.DimsOf(start...)
	attrs := ir.PadAttrs{Low: shape.DimsOf(low...), High: shape.DimsOf(high...), Interior: zeros}
	cut := b.Do(ir.Pad, attrs, ct[0], b.Scalar(ct[0], 0))
	v := b.Do(ir.Slice, ir.SliceAttrs{Start: zeros, Limit: cut.Shape().Dims(), Strides: shape.DimsOf(step...)}, cut)
	if x[1] != nil {
		return []expr.Value{v, nil}
	}
	return []expr.Value{v, b.Sub(sumOfAll(b, ct[0]), sumOfAll(b, v))}
}

// sumOfAll returns the sum of all elements of x.
func sumOfAll(b expr.Builder, x expr.Value) expr.Value {
	axes := make([]int, len(x.Shape()))
	for i := range axes {
		axes[i] = i
	}
	return b.Reduce(ir.ReduceSum, x, axes...)
}

// alongAxes returns x, the result of a reduction of shape s over axes, repeated along these axes to shape s.
func alongAxes(b expr.Builder, x expr.Value, s shape.Shape, axes shape.Dims) expr.Value {
	return b.Do(ir.BroadcastInDim, ir.BroadcastAttrs{Shape: s.Dims(), Axes: otherAxes(len(s), axes)}, x)
}

// transposeDot returns the cotangent of the factor whose x is nil. It contracts the cotangent of the product with the
// known factor over that factor's free axes, and moves the axes of the result to their positions in the other factor.
func transposeDot(b expr.Builder, n *ir.Node, x, ct []expr.Value) []expr.Value {
	a := n.Attrs.(ir.DotAttrs)
	lhs := dotSide{a.LhsBatch.Ints(), a.LhsContract.Ints(), n.Args[0].Type}
	rhs := dotSide{a.RhsBatch.Ints(), a.RhsContract.Ints(), n.Args[1].Type}
	batch := len(lhs.batch)
	if x[0] == nil {
		at := batch + len(lhs.free())
		return []expr.Value{dotCotangent(b, ct[0], x[1], at, lhs, rhs, a), nil}
	}
	return []expr.Value{nil, dotCotangent(b, ct[0], x[0], batch, rhs, lhs, a)}
}

// A dotSide is one operand of a DotGeneral.
type dotSide struct {
	batch, contract []int
	typ             shape.Type
}

// free returns the axes that are neither batching nor contracting.
func (s dotSide) free() []int {
	return otherAxes(len(s.typ.Shape), shape.DimsOf(append(slices.Clone(s.batch), s.contract...)...)).Ints()
}

// dotCotangent returns the cotangent of the operand that side describes. other is the other operand, which otherSide
// describes. In ct, the free axes of other are consecutive and begin at axis number at.
func dotCotangent(b expr.Builder, ct, other expr.Value, at int, side, otherSide dotSide, a ir.DotAttrs) expr.Value {
	batch, free := make([]int, len(side.batch)), make([]int, len(otherSide.free()))
	for i := range batch {
		batch[i] = i
	}
	for i := range free {
		free[i] = at + i
	}
	other = b.Convert(b.Conj(other), ct.DType())
	attrs := ir.DotAttrs{LhsBatch: shape.DimsOf(batch...), RhsBatch: shape.DimsOf(otherSide.batch...),
		LhsContract: shape.DimsOf(free...), RhsContract: shape.DimsOf(otherSide.free()...), Precision: a.Precision}
	v := b.Do(ir.DotGeneral, attrs, ct, other)
	// The axes of v are the batching axes, the free axes of side, and the contracting axes
	// of otherSide in ascending order.
	axes := append(slices.Clone(side.batch), side.free()...)
	for _, axis := range slices.Sorted(slices.Values(otherSide.contract)) {
		axes = append(axes, side.contract[slices.Index(otherSide.contract, axis)])
	}
	order := make([]int, len(axes))
	for i, axis := range axes {
		order[axis] = i
	}
	return b.Convert(b.Permute(v, order...), side.typ.DType)
}
