package ops

import (
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// transposeGather adds each cotangent at the position from which Gather took the element. Gather clamps positions,
// but Scatter drops updates that are out of range, so the positions are clamped first.
func transposeGather(b expr.Builder, n *ir.Node, x, ct []expr.Value) []expr.Value {
	a, operand := n.Attrs.(ir.GatherAttrs), n.Args[0].Type
	zero := b.Number(0, operand.DType, operand.Shape...)
	at := clampStarts(b, x[1], a, operand.Shape)
	return []expr.Value{b.Do(ir.Scatter, scatterOf(a), zero, at, ct[0]), nil}
}

// scatterOf returns the attributes of the scatter that adds to the positions from which the gather a takes elements.
func scatterOf(a ir.GatherAttrs) ir.ScatterAttrs {
	return ir.ScatterAttrs{UpdateWindowDims: a.OffsetDims, InsertedWindowDims: a.CollapsedSliceDims,
		OperandBatchingDims: a.OperandBatchingDims, IndicesBatchingDims: a.IndicesBatchingDims,
		ScatterDimsToOperandDims: a.StartIndexMap, IndexVectorDim: a.IndexVectorDim,
		IndicesAreSorted: a.IndicesAreSorted, Combine: ir.Add}
}

// clampStarts returns at, the start indices of a gather from shape s, clamped as the gather clamps them, so that each
// slice lies in range.
func clampStarts(b expr.Builder, at expr.Value, a ir.GatherAttrs, s shape.Shape) expr.Value {
	sizes, axes := a.SliceSizes.Ints(), a.StartIndexMap.Ints()
	if len(axes) == 0 || at.Shape().Size() == 0 {
		return at
	}
	is := at.Shape()
	if a.IndexVectorDim == len(is) {
		return clampTo(b, at, s[axes[0]]-sizes[axes[0]])
	}
	parts := make([]expr.Value, len(axes))
	for i, axis := range axes {
		parts[i] = clampTo(b, b.Slice(at, a.IndexVectorDim, i, i+1), s[axis]-sizes[axis])
	}
	return b.Concatenate(a.IndexVectorDim, parts...)
}

// clampTo returns the integers x clamped to the range from 0 to most. If no integer of their dtype exceeds most, it
// clamps only negative integers.
func clampTo(b expr.Builder, x expr.Value, most int) expr.Value {
	bits := x.DType().Bits() // the number of bits without the sign
	if x.DType().Is(dtype.Signed) {
		bits--
	}
	if bits < 63 && most >= 1<<bits-1 {
		if x.DType().Is(dtype.Unsigned) {
			return x
		}
		return b.Max(x, 0)
	}
	return b.Min(b.Max(x, 0), most)
}

// gatherOf returns the attributes of the gather that takes elements from the positions to which a scatter with the
// attributes a writes. s is the shape of the scatter's operand, and updates is the shape of its updates.
func gatherOf(a ir.ScatterAttrs, s shape.Shape, updates shape.Shape) ir.GatherAttrs {
	sizes := make([]int, len(s))
	window := a.UpdateWindowDims.Ints()
	for axis := range s {
		if a.InsertedWindowDims.Has(axis) || a.OperandBatchingDims.Has(axis) {
			sizes[axis] = 1
		} else {
			sizes[axis], window = updates[window[0]], window[1:]
		}
	}
	return ir.GatherAttrs{OffsetDims: a.UpdateWindowDims, CollapsedSliceDims: a.InsertedWindowDims,
		OperandBatchingDims: a.OperandBatchingDims, IndicesBatchingDims: a.IndicesBatchingDims,
		StartIndexMap: a.ScatterDimsToOperandDims, IndexVectorDim: a.IndexVectorDim, SliceSizes: shape.DimsOf(sizes...),
		IndicesAreSorted: a.IndicesAreSorted}
}

// transposeScatter is the Transposition of a scatter that multiplies, adds, or replaces elements. If several
// updates replace one element, only the update that is in the result has a cotangent other than 0.
func transposeScatter(b expr.Builder, n *ir.Node, x, ct []expr.Value) []expr.Value {
	a, s, updates := n.Attrs.(ir.ScatterAttrs), n.Args[0].Type.Shape, n.Args[2].Type.Shape
	if a.Combine == ir.Mul { // linear in the operand
		return []expr.Value{b.Do(ir.Scatter, a, ct[0], x[1], b.Conj(x[2])), nil, nil}
	}
	take := gatherOf(a, s, updates)
	taken := b.Do(ir.Gather, take, ct[0], x[1])
	if a.Combine == ir.Add {
		return []expr.Value{ct[0], nil, b.Where(inRange(b, take, s, x[1], updates), taken, 0)}
	}
	// Each element of the updates writes its number, from 1. The elements whose numbers are in the result are used.
	number := b.Add(b.Iota(dtype.I32, 0, updates.Size()), 1)
	number = b.Reshape(number, updates...)
	written := b.Do(ir.Scatter, a, b.Number(0, dtype.I32, s...), x[1], number)
	stays := b.Eq(b.Do(ir.Gather, take, written, x[1]), number)
	return []expr.Value{b.Where(b.Eq(written, 0), ct[0], 0), nil, b.Where(stays, taken, 0)}
}

// inRange returns for each element of the updates, of shape u, whether Scatter uses it. Scatter drops windows that are
// not completely in range.
func inRange(b expr.Builder, take ir.GatherAttrs, s shape.Shape, at expr.Value, u shape.Shape) expr.Value {
	clamped := clampStarts(b, at, take, s)
	same := b.Eq(at, clamped)
	if take.IndexVectorDim < len(at.Shape()) {
		same = b.Reduce(ir.ReduceAnd, same, take.IndexVectorDim)
	}
	return alongWindow(b, same, take, u)
}

// alongWindow broadcasts x, which has an element for each window, along the window axes to the shape u of the updates.
func alongWindow(b expr.Builder, x expr.Value, take ir.GatherAttrs, u shape.Shape) expr.Value {
	var axes []int
	window := take.OffsetDims.Ints()
	for axis := range u {
		if !slices.Contains(window, axis) {
			axes = append(axes, axis)
		}
	}
	return b.Do(ir.BroadcastInDim, ir.BroadcastAttrs{Shape: u.Dims(), Axes: shape.DimsOf(axes...)}, x)
}

// linearizedScatter returns the tangent of a scatter. With Mul it follows the product rule; with Max and Min it is the
// mean of the tangents of all elements that are equal to the result.
func linearizedScatter(b expr.Builder, n *ir.Node, x, y, t []expr.Value) []expr.Value {
	a := n.Attrs.(ir.ScatterAttrs)
	orZeros := func(v expr.Value, like expr.Value) expr.Value {
		if v == nil {
			return b.Like(like, 0)
		}
		return v
	}
	dx, du := orZeros(t[0], x[0]), orZeros(t[2], x[2])
	switch {
	case len(n.Regions) > 0:
		panic(fault("a Scatter that combines elements by a Go function has no derivative",
			"use AddAt, MulAt, MaxAt or MinAt"))
	case a.Combine == ir.Invalid || a.Combine == ir.Add:
		return []expr.Value{b.Do(ir.Scatter, a, dx, x[1], du)}
	}
	take := gatherOf(a, x[0].Shape(), x[2].Shape())
	add := a
	add.Combine = ir.Add
	switch a.Combine {
	case ir.Mul:
		scaled := b.Do(ir.Scatter, a, dx, x[1], x[2])
		return []expr.Value{b.Do(ir.Scatter, add, scaled, x[1], b.MulNoNaN(du, otherFactors(b, a, take, x)))}
	case ir.Max, ir.Min:
		result := b.Do(ir.Gather, take, y[0], x[1])
		wins := b.Convert(b.Eq(x[2], result), x[2].DType())
		stays := b.Convert(b.Eq(x[0], y[0]), x[0].DType())
		count := b.Do(ir.Scatter, add, stays, x[1], wins)
		sum := b.Do(ir.Scatter, add, b.Mul(dx, stays), x[1], b.Mul(du, wins))
		return []expr.Value{b.Div(sum, count)}
	}
	panic(fault("a Scatter that combines by "+a.Combine.String()+" has no derivative", ""))
}

// otherFactors returns, for each update of a scatter that multiplies, the product of the operand's element and
// the other updates at the same position. Updates of 0 are counted and left out of the product, so that the
// product can be divided by the update itself. An element of 0 of the operand stays in it.
func otherFactors(b expr.Builder, a ir.ScatterAttrs, take ir.GatherAttrs, x []expr.Value) expr.Value {
	zero := b.Eq(x[2], 0)
	product := b.Do(ir.Scatter, a, x[0], x[1], b.Where(zero, ones(b, x[2]), x[2]))
	a.Combine = ir.Add
	zeros := b.Do(ir.Scatter, a, b.Like(x[0], 0), x[1], b.Convert(zero, x[2].DType()))
	product, zeros = b.Do(ir.Gather, take, product, x[1]), b.Do(ir.Gather, take, zeros, x[1])
	others := b.Sub(zeros, b.Convert(zero, x[2].DType()))
	rest := quotientOrSame(b, product, x[2])
	// A single zero among the others is kept as a factor, for the second derivative.
	own := b.Where(zero, x[2], 0)
	single := b.Sub(b.Do(ir.Gather, take, b.Do(ir.Scatter, a, b.Like(x[0], 0), x[1], own), x[1]), own)
	return b.Where(b.Eq(others, 0), rest, b.Where(b.Eq(others, 1), b.Mul(single, rest), 0)) // 0 with two or more zeros
}

// quotientOrSame returns x / y, or x where y is 0.
func quotientOrSame(b expr.Builder, x, y expr.Value) expr.Value {
	return b.Div(x, b.Where(b.Eq(y, 0), ones(b, y), y))
}
