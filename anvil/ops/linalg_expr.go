package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Operations on matrices that several factorizations share.

// padMatrix returns x with zeros added at the ends of its last two axes, which then have the
// lengths rows and cols.
func padMatrix(b expr.Builder, x expr.Value, rows, cols int) expr.Value {
	s := x.Shape()
	n := len(s)
	if s[n-2] == rows && s[n-1] == cols {
		return x
	}
	low, high := make([]int, n), make([]int, n)
	high[n-2], high[n-1] = rows-s[n-2], cols-s[n-1]
	zero := shape.DimsOf(low...)
	return b.Do(ir.Pad, ir.PadAttrs{Low: zero, High: shape.DimsOf(high...), Interior: zero}, x, b.Scalar(x, 0))
}

// takeRows returns the matrices of x, of shape {batch, rows, columns}, with their rows in the given order, of
// shape {batch, rows}.
func takeRows(b expr.Builder, x, order expr.Value) expr.Value {
	attrs := ir.GatherAttrs{OffsetDims: shape.DimsOf(2), CollapsedSliceDims: shape.DimsOf(1),
		OperandBatchingDims: shape.DimsOf(0), IndicesBatchingDims: shape.DimsOf(0),
		StartIndexMap: shape.DimsOf(1), IndexVectorDim: 2, SliceSizes: shape.DimsOf(1, 1, x.Shape()[2])}
	return b.Do(ir.Gather, attrs, x, order)
}

// eyeOf returns a batch of identity matrices of shape s.
func eyeOf(b expr.Builder, d dtype.DType, s shape.Shape) expr.Value {
	n := len(s)
	return b.BroadcastTo(b.Eye(d, s[n-2], s[n-1]), s)
}

// diagonalOf returns the diagonals of the square matrices of x.
func diagonalOf(b expr.Builder, x expr.Value) expr.Value {
	n := x.Shape()[len(x.Shape())-1]
	return b.Sum(b.Where(b.Eye(dtype.I1, n, n), x, 0), -1)
}

// fromLower returns the Hermitian matrices whose lower triangles are those of x.
func fromLower(b expr.Builder, x expr.Value) expr.Value {
	row, col := rowsAndColumns(b, x)
	diagonal := b.Convert(b.Real(x), x.DType())
	x = b.Where(b.Gt(row, col), x, b.Adjoint(x))
	return b.Where(b.Eq(row, col), diagonal, x)
}

// normalize returns the matrices of x, each divided by its greatest magnitude, and the divisors. If the greatest
// magnitude is 0 or not finite, the divisor is 1. Squares of the elements of y do not overflow.
func normalize(b expr.Builder, x expr.Value) (y, scale expr.Value) {
	most := b.Reduce(ir.ReduceMax, b.Reduce(ir.ReduceMax, b.Abs(x), -1), -1)
	good := b.And(b.Gt(most, 0), b.IsFinite(most))
	scale = b.Where(good, most, 1)
	return b.Div(x, b.Convert(b.Column(b.Column(scale)), x.DType())), b.Column(scale)
}

// normalizePhase returns others with their columns multiplied by the phases that make the
// leading components of v's columns real and positive (see leadingComponent).
func normalizePhase(b expr.Builder, v expr.Value, others ...expr.Value) []expr.Value {
	lead := b.Row(b.Sum(b.Where(leadingComponent(b, v), v, 0), -2))
	length := b.Convert(b.Abs(lead), v.DType())
	phase := b.Where(b.Eq(length, 0), 1, b.Div(b.Conj(lead), length))
	out := make([]expr.Value, len(others))
	for i, x := range others {
		out[i] = b.Mul(x, phase)
	}
	return out
}

// sortEigenvalues returns w in ascending order, and the columns of v in the same order.
func sortEigenvalues(b expr.Builder, w, v expr.Value) (expr.Value, expr.Value) {
	at := b.Iota(dtype.I32, 1, w.Shape()...)
	sorted := b.All(ir.Sort, ir.SortAttrs{Axis: 1}, nil, w, at)
	return sorted[0], b.Transpose(takeRows(b, b.Transpose(v), sorted[1]))
}
