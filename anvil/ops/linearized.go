package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// bilinear has the operations that are linear in each of their two operands and have no rule in partials or
// linearized.
var bilinear = map[ir.Code]bool{ir.DotGeneral: true, ir.Convolution: true}

// flat has the operations whose derivative is zero wherever it exists.
var flat = []ir.Code{
	ir.Constant, ir.Iota, ir.BitcastConvert, ir.Floor, ir.Ceil, ir.RoundEven, ir.RoundAway, ir.Not, ir.Popcount, ir.Clz, ir.IsFinite,
	ir.NextAfter, ir.And, ir.Or, ir.Xor, ir.ShiftLeft, ir.ShiftRightArithmetic, ir.ShiftRightLogical, ir.Threefry, ir.Compare,
	ir.ReduceAnd, ir.ReduceOr, ir.ReduceXor, ir.ArgMax, ir.ArgMin,
}

// linearized has the forward mode rules of operations that are not linear and have no rule in partials.
var linearized = map[ir.Code]Linearized{
	ir.Cholesky:        linearizedCholesky,
	ir.TriangularSolve: linearizedTriangular,
	ir.LU:              linearizedLU,
	ir.QR:              linearizedQR,
	ir.Eigh:            linearizedEigh,
	ir.SVD:             linearizedSVD,

	ir.MulNoNaN:         linearizedMulNoNaN,
	ir.Abs:              linearizedAbs,
	ir.Sign:             linearizedSign,
	ir.ReduceMax:        linearizedExtreme,
	ir.ReduceMin:        linearizedExtreme,
	ir.ReduceProd:       linearizedProduct,
	ir.Sort:             linearizedSort,
	ir.Scatter:          linearizedScatter,
	ir.ReduceWindowMax:  linearizedWindowExtreme,
	ir.ReduceWindowMin:  linearizedWindowExtreme,
	ir.ReduceWindowProd: linearizedWindowProduct,
	ir.CumProd:          linearizedCumProd,
	ir.CumMax:           linearizedCumExtreme,
	ir.CumMin:           linearizedCumExtreme,
}

// linearizedMulNoNaN: (x[0]*x[1])' = t[0]*x[1] + x[0]*t[1], where a product is 0 if its first factor is 0.
func linearizedMulNoNaN(b expr.Builder, _ *ir.Node, x, _, t []expr.Value) []expr.Value {
	switch {
	case t[1] == nil:
		return []expr.Value{b.MulNoNaN(t[0], x[1])}
	case t[0] == nil:
		return []expr.Value{b.MulNoNaN(x[0], t[1])}
	}
	return []expr.Value{b.Add(b.MulNoNaN(t[0], x[1]), b.MulNoNaN(x[0], t[1]))}
}

// linearizedAbs: |z|' = Re(conj(z/|z|) * z'), and 0 at 0.
func linearizedAbs(b expr.Builder, _ *ir.Node, x, _, t []expr.Value) []expr.Value {
	return []expr.Value{b.Real(b.Do(ir.MulNoNaN, nil, t[0], b.Conj(b.Sign(x[0]))))}
}

// linearizedSign: for complex z and s = z/|z|, s' = (z' - s*Re(conj(s)*z')) / |z|, and 0 at
// 0. For real numbers s' is 0.
func linearizedSign(b expr.Builder, _ *ir.Node, x, y, t []expr.Value) []expr.Value {
	if !x[0].DType().Is(dtype.Complex) {
		return []expr.Value{nil}
	}
	s := y[0]
	along := b.Real(b.Mul(b.Conj(s), t[0]))
	across := b.Sub(t[0], b.Mul(s, b.Convert(along, s.DType())))
	inverse := quotientOrZero(b, b.Like(along, 1), b.Abs(x[0]))
	return []expr.Value{b.Do(ir.MulNoNaN, nil, across, b.Convert(inverse, s.DType()))}
}

// linearizedExtreme returns the mean of the tangents of all elements that are equal to the maximum or minimum.
func linearizedExtreme(b expr.Builder, n *ir.Node, x, y, t []expr.Value) []expr.Value {
	axes, s := n.Attrs.(ir.AxesAttrs).Axes, x[0].Shape()
	isExtreme := b.Eq(x[0], alongAxes(b, y[0], s, axes))
	count := b.Reduce(ir.ReduceSum, b.Convert(isExtreme, x[0].DType()), axes.Ints()...)
	return []expr.Value{b.Div(b.Reduce(ir.ReduceSum, b.Where(isExtreme, t[0], 0), axes.Ints()...), count)}
}

// linearizedProduct multiplies pairs of elements, with their tangents, until one element is left. It uses the product
// rule, which is exact even if factors are 0.
func linearizedProduct(b expr.Builder, n *ir.Node, x, _, t []expr.Value) []expr.Value {
	axes := n.Attrs.(ir.AxesAttrs).Axes
	p, length := AxesLast(b, x[0], axes)
	dp, _ := AxesLast(b, t[0], axes)
	if length == 0 {
		return []expr.Value{nil}
	}
	for length > 1 {
		half := length / 2
		p1, p2 := b.Slice(p, -1, 0, half), b.Slice(p, -1, half, 2*half)
		t1, t2 := b.Slice(dp, -1, 0, half), b.Slice(dp, -1, half, 2*half)
		q, dq := b.Mul(p1, p2), b.Add(b.Do(ir.MulNoNaN, nil, t1, p2), b.Do(ir.MulNoNaN, nil, t2, p1))
		if length%2 == 1 {
			q = b.Concatenate(-1, q, b.Slice(p, -1, 2*half, length))
			dq = b.Concatenate(-1, dq, b.Slice(dp, -1, 2*half, length))
		}
		p, dp, length = q, dq, half+length%2
	}
	return []expr.Value{b.Reshape(dp, n.Results[0].Type.Shape...)}
}

// AxesLast returns x with the given axes joined into one last axis, and the length of that axis.
func AxesLast(b expr.Builder, x expr.Value, axes shape.Dims) (y expr.Value, length int) {
	s := x.Shape()
	kept := otherAxes(len(s), axes)
	length = lengths(s, axes).Size()
	y = b.Permute(x, append(kept.Ints(), axes.Ints()...)...)
	return b.Reshape(y, append(lengths(s, kept), length)...), length
}

// linearizedSort permutes the tangents in the same way as Sort permutes the values.
func linearizedSort(b expr.Builder, n *ir.Node, x, _, t []expr.Value) []expr.Value {
	axis, s := n.Attrs.(ir.SortAttrs).Axis, x[0].Shape()
	if s.Size() == 0 {
		return make([]expr.Value, len(x))
	}
	withPositions := append(append([]expr.Value(nil), x...), b.Iota(dtype.I32, axis, s...))
	order := b.All(ir.Sort, n.Attrs, nil, withPositions...)[len(x)]
	out := make([]expr.Value, len(x))
	for i, v := range t {
		if v != nil {
			out[i] = takeAlong(b, v, order, axis)
		}
	}
	return out
}

// takeAlong returns the elements of x at positions along an axis. positions has the shape of x.
func takeAlong(b expr.Builder, x, positions expr.Value, axis int) expr.Value {
	s := x.Shape()
	batch := otherAxes(len(s), shape.DimsOf(axis))
	sizes := make([]int, len(s))
	for i := range sizes {
		sizes[i] = 1
	}
	attrs := ir.GatherAttrs{CollapsedSliceDims: shape.DimsOf(axis), OperandBatchingDims: batch,
		IndicesBatchingDims: batch, StartIndexMap: shape.DimsOf(axis), IndexVectorDim: len(s), SliceSizes: shape.DimsOf(sizes...)}
	return b.Do(ir.Gather, attrs, x, positions)
}
