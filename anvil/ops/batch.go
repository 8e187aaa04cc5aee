package ops

import (
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A Batching is the rule by which Vmap computes operation n once for size lanes, that is, for size independent sets of
// operands. If batched[i] is true, operand x[i] has a leading axis of length size, with one element for each lane;
// otherwise x[i] is the same in every lane and has the type of n.Args[i]. At least one operand is batched. All
// results have the leading axis.
type Batching func(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value

// batchingOf returns the batching rule of code c. The rule is nil for control flow, whose rules are in package
// autodiff, and for operations without operands.
func batchingOf(c ir.Code) Batching {
	if c >= ir.Neg && c <= ir.Clamp { // the elementwise operations
		return batchElementwise
	}
	return batchings[c]
}

// batchings holds the rules of the operations that are not elementwise.
var batchings = map[ir.Code]Batching{
	ir.Convert:        batchLeading,
	ir.BitcastConvert: batchLeading,
	ir.Reshape: withAttrs(func(a ir.ReshapeAttrs, size int) any {
		return ir.ReshapeAttrs{Shape: prepend(size, a.Shape)}
	}),
	ir.BroadcastInDim: withAttrs(func(a ir.BroadcastAttrs, size int) any {
		return ir.BroadcastAttrs{Shape: prepend(size, a.Shape), Axes: prepend(0, shiftAxes(a.Axes))}
	}),
	ir.Transpose: withAttrs(func(a ir.AxesAttrs, _ int) any {
		return ir.AxesAttrs{Axes: prepend(0, shiftAxes(a.Axes))}
	}),
	ir.Slice: withAttrs(func(a ir.SliceAttrs, size int) any {
		return ir.SliceAttrs{Start: prepend(0, a.Start), Limit: prepend(size, a.Limit), Strides: prepend(1, a.Strides)}
	}),
	ir.DynamicSlice:       batchDynamicSlice,
	ir.DynamicUpdateSlice: batchDynamicUpdate,
	ir.Gather:             batchGather,
	ir.Scatter:            batchScatter,
	ir.Concatenate:        withAttrs(func(a ir.AxisAttrs, _ int) any { return ir.AxisAttrs{Axis: a.Axis + 1} }),
	ir.Pad:                batchPad,
	ir.Reverse:            withAttrs(withShiftedAxes),

	ir.ReduceSum:  withAttrs(withShiftedAxes),
	ir.ReduceProd: withAttrs(withShiftedAxes),
	ir.ReduceMax:  withAttrs(withShiftedAxes),
	ir.ReduceMin:  withAttrs(withShiftedAxes),
	ir.ReduceAnd:  withAttrs(withShiftedAxes),
	ir.ReduceOr:   withAttrs(withShiftedAxes),
	ir.ReduceXor:  withAttrs(withShiftedAxes),
	ir.Reduce:     batchReduce,
	ir.ArgMax:     withAttrs(withShiftedAxis),
	ir.ArgMin:     withAttrs(withShiftedAxis),
	ir.DotGeneral: batchDot,
	ir.Sort:       withAttrs(func(a ir.SortAttrs, _ int) any { a.Axis++; return a }),
	ir.CumSum:     withAttrs(withShiftedCumulativeAxis),
	ir.CumProd:    withAttrs(withShiftedCumulativeAxis),
	ir.CumMax:     withAttrs(withShiftedCumulativeAxis),
	ir.CumMin:     withAttrs(withShiftedCumulativeAxis),

	ir.Convolution:      batchConvolution,
	ir.ReduceWindowSum:  withAttrs(withLaneWindow),
	ir.ReduceWindowProd: withAttrs(withLaneWindow),
	ir.ReduceWindowMax:  withAttrs(withLaneWindow),
	ir.ReduceWindowMin:  withAttrs(withLaneWindow),
	ir.FFT:              batchLeading,
	ir.IFFT:             batchLeading,
	ir.RFFT:             batchLeading,
	ir.IRFFT:            batchLeading,

	ir.Cholesky:        batchLeading,
	ir.TriangularSolve: batchTriangular,
	ir.LU:              batchLeading,
	ir.QR:              batchLeading,
	ir.Eigh:            batchLeading,
	ir.SVD:             batchLeading,
}

// WithLanes returns x repeated along a new leading axis of length size.
func WithLanes(b expr.Builder, x expr.Value, size int) expr.Value {
	s := x.Shape().Dims()
	return b.Do(ir.BroadcastInDim, ir.BroadcastAttrs{Shape: prepend(size, s), Axes: axesFrom(1, s.Len())}, x)
}

// allWithLanes returns the operands x, with those that are not batched repeated along a leading axis.
func allWithLanes(b expr.Builder, size int, x []expr.Value, batched []bool) []expr.Value {
	all := slices.Clone(x)
	for i, v := range x {
		if !batched[i] {
			all[i] = WithLanes(b, v, size)
		}
	}
	return all
}

// batchLeading is the rule of operations that accept any number of leading axes.
func batchLeading(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	return b.All(n.Code, n.Attrs, n.Regions, allWithLanes(b, size, x, batched)...)
}

// batchElementwise is the rule of elementwise operations. An operand of rank 0, such as a
// bound of Clamp, is broadcast to the shape of the others.
func batchElementwise(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	s := append(shape.Shape{size}, n.Results[0].Type.Shape...)
	all := slices.Clone(x)
	for i, v := range x {
		rank := len(n.Args[i].Type.Shape)
		axes := axesFrom(len(s)-rank, rank)
		if batched[i] {
			axes = prepend(0, axes)
		}
		if !v.Shape().Equal(s) {
			all[i] = b.Do(ir.BroadcastInDim, ir.BroadcastAttrs{Shape: s.Dims(), Axes: axes}, v)
		}
	}
	return b.All(n.Code, n.Attrs, nil, all...)
}

// withAttrs returns the rule of an operation that accepts a leading axis after change has adapted its attributes.
func withAttrs[A any](change func(a A, size int) any) Batching {
	return func(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
		return b.All(n.Code, change(n.Attrs.(A), size), n.Regions, allWithLanes(b, size, x, batched)...)
	}
}

func withShiftedAxes(a ir.AxesAttrs, _ int) any { return ir.AxesAttrs{Axes: shiftAxes(a.Axes)} }

func withShiftedAxis(a ir.ArgAttrs, _ int) any { return ir.ArgAttrs{Axis: a.Axis + 1, DType: a.DType} }

func withShiftedCumulativeAxis(a ir.CumulativeAttrs, _ int) any {
	a.Axis++
	return a
}

// withLaneWindow gives the windows length 1 along the leading axis, so that no window spans two lanes.
func withLaneWindow(a ir.WindowAttrs, _ int) any {
	return ir.WindowAttrs{Size: prepend(1, a.Size), Strides: prepend(1, a.Strides),
		Low: prepend(0, a.Low), High: prepend(0, a.High),
		BaseDilation: prepend(1, a.BaseDilation), Dilation: prepend(1, a.Dilation)}
}

// prepend returns x followed by d.
func prepend(x int, d shape.Dims) shape.Dims { return shape.DimsOf(x) + d }

// shiftAxes returns the numbers of axes after a leading axis is inserted before them.
func shiftAxes(axes shape.Dims) shape.Dims {
	shifted := axes.Ints()
	for i := range shifted {
		shifted[i]++
	}
	return shape.DimsOf(shifted...)
}

// axesFrom returns n consecutive axes beginning with first.
func axesFrom(first, n int) shape.Dims {
	xs := make([]int, n)
	for i := range xs {
		xs[i] = first + i
	}
	return shape.DimsOf(xs...)
}

// moveAxis returns x with axis source moved to position target.
func moveAxis(b expr.Builder, x expr.Value, source, target int) expr.Value {
	if source == target {
		return x
	}
	order := make([]int, 0, len(x.Shape()))
	for i := range x.Shape() {
		if i != source {
			order = append(order, i)
		}
	}
	order = append(order[:target], append([]int{source}, order[target:]...)...)
	return b.Permute(x, order...)
}

// batchPad pads each lane. If the lanes have different padding values, it pads with 1, which every dtype can represent
// (f8e8m0fnu has no 0), and then replaces the padding by each lane's own value.
func batchPad(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	a := n.Attrs.(ir.PadAttrs)
	attrs := ir.PadAttrs{Low: prepend(0, a.Low), High: prepend(0, a.High), Interior: prepend(0, a.Interior)}
	if !batched[1] {
		return b.All(ir.Pad, attrs, nil, x...)
	}
	s := n.Args[0].Type.Shape
	isPadding := b.Do(ir.Pad, a, b.Number(false, dtype.I1, s...), b.Number(true, dtype.I1))
	all := append(shape.Shape{size}, isPadding.Shape()...)
	values := b.Do(ir.BroadcastInDim, ir.BroadcastAttrs{Shape: all.Dims(), Axes: shape.DimsOf(0)}, x[1])
	if !batched[0] {
		x[0] = WithLanes(b, x[0], size)
	}
	padded := b.Do(ir.Pad, attrs, x[0], b.Scalar(x[0], 1))
	return []expr.Value{b.Do(ir.Select, nil, b.BroadcastTo(isPadding, all), values, padded)}
}

// batchReduce reduces all lanes at once. If the initial value differs between lanes, it
// reduces one lane after the other, since Reduce takes a scalar as its initial value.
func batchReduce(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	if !batched[1] {
		return b.All(ir.Reduce, withShiftedAxes(n.Attrs.(ir.AxesAttrs), size), n.Regions, x...)
	}
	return laneByLane(b, n, size, x, batched)
}

// laneByLane computes n in a loop over the lanes.
func laneByLane(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	results := make([]expr.Value, len(n.Results))
	for i, r := range n.Results {
		s := append(shape.Shape{size}, r.Type.Shape...)
		results[i] = b.Number(1, r.Type.DType, s...) // overwritten; every dtype can represent 1
	}
	return b.For(0, size, results, x, func(b expr.Builder, at expr.Value, results, x []expr.Value) []expr.Value {
		args := slices.Clone(x)
		for i, v := range x {
			if batched[i] {
				args[i] = b.Reshape(b.DynamicSlice(v, 0, at, 1), n.Args[i].Type.Shape...)
			}
		}
		next := make([]expr.Value, len(results))
		for i, y := range b.All(n.Code, n.Attrs, n.Regions, args...) {
			next[i] = b.DynamicUpdateSlice(results[i], b.Reshape(y, append(shape.Shape{1}, y.Shape()...)...), 0, at)
		}
		return next
	})
}

// batchDot makes the lanes a batching axis if both operands are batched. If only one operand is, the lanes are a free
// axis of that operand, neither batching nor contracting. batchDot moves this axis of the product to the front.
func batchDot(b expr.Builder, n *ir.Node, _ int, x []expr.Value, batched []bool) []expr.Value {
	a := n.Attrs.(ir.DotAttrs)
	batch := a.LhsBatch.Len()
	lhsFree := len(n.Args[0].Type.Shape) - batch - a.LhsContract.Len()
	if batched[0] {
		a.LhsBatch, a.LhsContract = shiftAxes(a.LhsBatch), shiftAxes(a.LhsContract)
	}
	if batched[1] {
		a.RhsBatch, a.RhsContract = shiftAxes(a.RhsBatch), shiftAxes(a.RhsContract)
	}
	laneAxis := 0 // in the result
	switch {
	case batched[0] && batched[1]:
		a.LhsBatch, a.RhsBatch = prepend(0, a.LhsBatch), prepend(0, a.RhsBatch)
	case batched[0]:
		laneAxis = batch
	default:
		laneAxis = batch + lhsFree
	}
	return []expr.Value{moveAxis(b, b.Do(ir.DotGeneral, a, x...), laneAxis, 0)}
}

// batchDynamicSlice slices all lanes at the same position, or gathers a slice from each lane.
func batchDynamicSlice(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	sizes := n.Attrs.(ir.DynamicSliceAttrs).Sizes
	rank := sizes.Len()
	if !slices.Contains(batched[1:], true) {
		args := append([]expr.Value{x[0], zeroStart(b, x[1:])}, x[1:]...)
		return b.All(ir.DynamicSlice, ir.DynamicSliceAttrs{Sizes: prepend(size, sizes)}, nil, args...)
	}
	a := ir.GatherAttrs{OffsetDims: axesFrom(1, rank), StartIndexMap: axesFrom(0, rank), IndexVectorDim: 1,
		SliceSizes: sizes}
	if batched[0] {
		a.OperandBatchingDims, a.IndicesBatchingDims = shape.DimsOf(0), shape.DimsOf(0)
		a.StartIndexMap, a.SliceSizes = axesFrom(1, rank), prepend(1, sizes)
	}
	return b.All(ir.Gather, a, nil, x[0], startVectors(b, size, x[1:], batched[1:], nil))
}

// batchDynamicUpdate updates all lanes at the same position, or scatters an update to each lane.
func batchDynamicUpdate(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	args := allWithLanes(b, size, x[:2], batched) // the operand and the update
	if !slices.Contains(batched[2:], true) {
		return b.All(ir.DynamicUpdateSlice, nil, nil, append(append(args, zeroStart(b, x[2:])), x[2:]...)...)
	}
	s, update := n.Args[0].Type.Shape, n.Args[1].Type.Shape
	last := make([]int, len(s)) // the greatest valid start along each axis
	for i := range s {
		last[i] = s[i] - update[i]
	}
	a := ir.ScatterAttrs{UpdateWindowDims: axesFrom(1, len(s)),
		OperandBatchingDims: shape.DimsOf(0), IndicesBatchingDims: shape.DimsOf(0),
		ScatterDimsToOperandDims: axesFrom(1, len(s)), IndexVectorDim: 1, UniqueIndices: true}
	return b.All(ir.Scatter, a, nil, args[0], startVectors(b, size, x[2:], batched[2:], last), args[1])
}

// zeroStart returns the start 0 for an additional axis, with the dtype of starts.
func zeroStart(b expr.Builder, starts []expr.Value) expr.Value {
	if len(starts) == 0 {
		return b.Number(0, dtype.I32)
	}
	return b.Scalar(starts[0], 0)
}

// startVectors returns a matrix whose row i has the starts of lane i along all axes. Its dtype is that of the starts,
// but at least i32. If last is not nil, the starts along axis k are clamped to between 0 and last[k].
func startVectors(b expr.Builder, size int, starts []expr.Value, batched []bool, last []int) expr.Value {
	columns := make([]expr.Value, len(starts))
	for i, v := range allWithLanes(b, size, starts, batched) {
		v = wideIndices(b, v)
		if last != nil {
			v = b.Do(ir.Clamp, nil, b.Scalar(v, 0), v, b.Scalar(v, last[i]))
		}
		columns[i] = b.Reshape(v, size, 1)
	}
	return b.Concatenate(1, columns...)
}

// wideIndices converts indices narrower than 32 bits to i32. A compiler may append the number of the lane to each
// index vector, in the dtype of the indices, and 200 lanes cannot be numbered with i8.
func wideIndices(b expr.Builder, x expr.Value) expr.Value {
	if x.DType().Bits() < 32 {
		return b.Convert(x, dtype.I32)
	}
	return x
}

// batchGather makes the lanes an axis of each slice if only the operand is batched, an axis of
// the indices if only the indices are, and a batching axis if both are.
func batchGather(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	a, indices := n.Attrs.(ir.GatherAttrs), x[1]
	a.OffsetDims = shiftAxes(a.OffsetDims)
	if batched[0] {
		a.CollapsedSliceDims, a.OperandBatchingDims = shiftAxes(a.CollapsedSliceDims), shiftAxes(a.OperandBatchingDims)
		a.StartIndexMap = shiftAxes(a.StartIndexMap)
	}
	if batched[1] {
		a.IndicesBatchingDims = shiftAxes(a.IndicesBatchingDims)
		a.IndexVectorDim++
		a.IndicesAreSorted = false
	}
	switch {
	case !batched[1]:
		a.OffsetDims, a.SliceSizes = prepend(0, a.OffsetDims), prepend(size, a.SliceSizes)
	case batched[0]:
		a.OperandBatchingDims = prepend(0, a.OperandBatchingDims)
		a.IndicesBatchingDims = prepend(0, a.IndicesBatchingDims)
		a.SliceSizes = prepend(1, a.SliceSizes)
		indices = wideIndices(b, indices)
	}
	return b.All(ir.Gather, a, nil, x[0], indices)
}

// batchScatter makes the lanes an axis of each window if all lanes have the same indices, and otherwise a
// batching axis.
func batchScatter(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	a, indices := n.Attrs.(ir.ScatterAttrs), x[1]
	all := allWithLanes(b, size, x, []bool{batched[0], true, batched[2]})
	a.UpdateWindowDims, a.InsertedWindowDims = shiftAxes(a.UpdateWindowDims), shiftAxes(a.InsertedWindowDims)
	a.OperandBatchingDims = shiftAxes(a.OperandBatchingDims)
	a.ScatterDimsToOperandDims = shiftAxes(a.ScatterDimsToOperandDims)
	if batched[1] {
		a.OperandBatchingDims = prepend(0, a.OperandBatchingDims)
		a.IndicesBatchingDims = prepend(0, shiftAxes(a.IndicesBatchingDims))
		a.IndexVectorDim++
		a.IndicesAreSorted = false
		indices = wideIndices(b, indices)
	} else {
		a.UpdateWindowDims = prepend(0, a.UpdateWindowDims)
	}
	return b.All(ir.Scatter, a, n.Regions, all[0], indices, all[2])
}

// batchTriangular solves for the right-hand sides of all lanes as one matrix, if the
// triangular matrix is the same in all lanes.
func batchTriangular(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	if batched[0] {
		return batchLeading(b, n, size, x, batched)
	}
	axis := len(n.Args[1].Type.Shape) - 1 // right-hand sides are columns, or rows if Right is set
	if n.Attrs.(ir.TriangularAttrs).Right {
		axis--
	}
	y := b.Do(ir.TriangularSolve, n.Attrs, x[0], joinLanes(b, x[1], axis, 1))
	return []expr.Value{splitLanes(b, y, axis, 1, size)}
}

// batchConvolution makes the lanes a part of the batch if only lhs is batched, a part of
// the output features if only rhs is, and groups if both are.
func batchConvolution(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	a := n.Attrs.(ir.ConvAttrs)
	groups := a.FeatureGroups * a.BatchGroups
	batchAxis, featureAxis := a.Lhs.Ints()[0], a.Lhs.Ints()[1]
	outputAxis := a.Rhs.Ints()[0]
	outBatch, outFeature := a.Out.Ints()[0], a.Out.Ints()[1]
	switch {
	case !batched[1]:
		y := b.Do(ir.Convolution, a, joinLanes(b, x[0], batchAxis, a.BatchGroups), x[1])
		return []expr.Value{splitLanes(b, y, outBatch, 1, size)}
	case !batched[0]:
		y := b.Do(ir.Convolution, a, x[0], joinLanes(b, x[1], outputAxis, groups))
		return []expr.Value{splitLanes(b, y, outFeature, groups, size)}
	}
	lhsAxis := featureAxis
	if a.BatchGroups > 1 {
		lhsAxis = batchAxis
		a.BatchGroups *= size
	} else {
		a.FeatureGroups *= size
	}
	y := b.Do(ir.Convolution, a, joinLanes(b, x[0], lhsAxis, 1), joinLanes(b, x[1], outputAxis, 1))
	return []expr.Value{splitLanes(b, y, outFeature, 1, size)}
}

// joinLanes merges the leading axis of x, the lanes, into another axis, whose number within a lane is axis. The shape
// {n, ..., groups*k, ...} becomes {..., groups*n*k, ...}, ordered by group, then by lane, then by the k elements.
func joinLanes(b expr.Builder, x expr.Value, axis, groups int) expr.Value {
	s := x.Shape()
	lane := s[1:]
	split := append(append(shape.Shape{s[0]}, lane[:axis]...), groups, lane[axis]/groups)
	v := moveAxis(b, b.Reshape(x, append(split, lane[axis+1:]...)...), 0, axis+1)
	joined := lane.Clone()
	joined[axis] *= s[0]
	return b.Reshape(v, joined...)
}

// splitLanes is the inverse of joinLanes for size lanes.
func splitLanes(b expr.Builder, x expr.Value, axis, groups, size int) expr.Value {
	s := x.Shape()
	length := s[axis] / size
	split := append(s[:axis:axis].Clone(), groups, size, length/groups)
	v := moveAxis(b, b.Reshape(x, append(split, s[axis+1:]...)...), axis+1, 0)
	result := append(shape.Shape{size}, s...)
	result[axis+1] = length
	return b.Reshape(v, result...)
}
