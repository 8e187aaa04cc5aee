package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A Batching returns the results of n for size lanes at once, on a leading axis. The
// operands x so marked have a leading axis, with the operand of each lane; the others,
// which are the same in every lane, have the types of n's. At least one is marked.
type Batching func(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value

// batchingOf returns the rule of the row of c, nil where package autodiff has it. A row
// without operands needs none.
func batchingOf(c ir.Code) Batching {
	if c >= ir.Neg && c <= ir.Clamp {
		return batchElementwise
	}
	return batchings[c]
}

// batchings are the rules of the rows that are not elementwise.
var batchings = map[ir.Code]Batching{
	ir.Convert:        batchLeading,
	ir.BitcastConvert: batchLeading,
	ir.Reshape: withAttrs(func(a ir.ReshapeAttrs, size int) any {
		return ir.ReshapeAttrs{Shape: before(size, a.Shape)}
	}),
	ir.BroadcastInDim: withAttrs(func(a ir.BroadcastAttrs, size int) any {
		return ir.BroadcastAttrs{Shape: before(size, a.Shape), Axes: before(0, behindFirst(a.Axes))}
	}),
	ir.Transpose: withAttrs(func(a ir.AxesAttrs, _ int) any { return ir.AxesAttrs{Axes: before(0, behindFirst(a.Axes))} }),
	ir.Slice: withAttrs(func(a ir.SliceAttrs, size int) any {
		return ir.SliceAttrs{Start: before(0, a.Start), Limit: before(size, a.Limit), Strides: before(1, a.Strides)}
	}),
	ir.DynamicSlice:       batchDynamicSlice,
	ir.DynamicUpdateSlice: batchDynamicUpdate,
	ir.Gather:             batchGather,
	ir.Scatter:            batchScatter,
	ir.Concatenate:        withAttrs(func(a ir.AxisAttrs, _ int) any { return ir.AxisAttrs{Axis: a.Axis + 1} }),
	ir.Pad:                batchPad,
	ir.Reverse:            withAttrs(laterAxes),

	ir.ReduceSum:  withAttrs(laterAxes),
	ir.ReduceProd: withAttrs(laterAxes),
	ir.ReduceMax:  withAttrs(laterAxes),
	ir.ReduceMin:  withAttrs(laterAxes),
	ir.ReduceAnd:  withAttrs(laterAxes),
	ir.ReduceOr:   withAttrs(laterAxes),
	ir.ReduceXor:  withAttrs(laterAxes),
	ir.Reduce:     batchReduce,
	ir.ArgMax:     withAttrs(laterArgAxis),
	ir.ArgMin:     withAttrs(laterArgAxis),
	ir.DotGeneral: batchDot,
	ir.Sort:       withAttrs(func(a ir.SortAttrs, _ int) any { a.Axis++; return a }),
	ir.CumSum:     withAttrs(laterCumulative),
	ir.CumProd:    withAttrs(laterCumulative),
	ir.CumMax:     withAttrs(laterCumulative),
	ir.CumMin:     withAttrs(laterCumulative),

	ir.Convolution:      batchConvolution,
	ir.ReduceWindowSum:  withAttrs(laterWindow),
	ir.ReduceWindowProd: withAttrs(laterWindow),
	ir.ReduceWindowMax:  withAttrs(laterWindow),
	ir.ReduceWindowMin:  withAttrs(laterWindow),
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

// WithLanes returns x on a new leading axis of the given length, along which it is
// repeated.
func WithLanes(b expr.Builder, x expr.Value, size int) expr.Value {
	s := x.Shape().Dims()
	return b.Do(ir.BroadcastInDim, ir.BroadcastAttrs{Shape: before(size, s), Axes: axesFrom(1, s.Len())}, x)
}

// lanes returns all operands with a leading axis.
func lanes(b expr.Builder, size int, x []expr.Value, batched []bool) []expr.Value {
	all := make([]expr.Value, len(x))
	for i, v := range x {
		if all[i] = v; !batched[i] {
			all[i] = WithLanes(b, v, size)
		}
	}
	return all
}

// batchLeading is the rule of operations that take any leading axes.
func batchLeading(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	return b.All(n.Code, n.Attrs, n.Regions, lanes(b, size, x, batched)...)
}

// batchElementwise is the rule of elementwise operations. An operand of rank 0 beside
// those of another shape, such as a bound of Clamp, gets their shape.
func batchElementwise(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	s := append(shape.Shape{size}, n.Results[0].Type.Shape...)
	all := make([]expr.Value, len(x))
	for i, v := range x {
		of := n.Args[i].Type.Shape.Dims()
		axes := axesFrom(1+len(s)-1-of.Len(), of.Len())
		if batched[i] {
			axes = before(0, axes)
		}
		if all[i] = v; !v.Shape().Equal(s) {
			all[i] = b.Do(ir.BroadcastInDim, ir.BroadcastAttrs{Shape: s.Dims(), Axes: axes}, v)
		}
	}
	return b.All(n.Code, n.Attrs, nil, all...)
}

// withAttrs returns the rule of an operation that takes a leading axis with the
// attributes that change returns.
func withAttrs[A any](change func(a A, size int) any) Batching {
	return func(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
		return b.All(n.Code, change(n.Attrs.(A), size), n.Regions, lanes(b, size, x, batched)...)
	}
}

func laterAxes(a ir.AxesAttrs, _ int) any { return ir.AxesAttrs{Axes: behindFirst(a.Axes)} }

func laterArgAxis(a ir.ArgAttrs, _ int) any { return ir.ArgAttrs{Axis: a.Axis + 1, DType: a.DType} }

func laterCumulative(a ir.CumulativeAttrs, _ int) any {
	a.Axis++
	return a
}

func laterWindow(a ir.WindowAttrs, _ int) any {
	return ir.WindowAttrs{Size: before(1, a.Size), Strides: before(1, a.Strides), Low: before(0, a.Low), High: before(0, a.High),
		BaseDilation: before(1, a.BaseDilation), Dilation: before(1, a.Dilation)}
}

// before returns x followed by d.
func before(x int, d shape.Dims) shape.Dims { return shape.DimsOf(x) + d }

// behindFirst returns axes as those of a tensor with one more leading axis.
func behindFirst(axes shape.Dims) shape.Dims {
	later := axes.Ints()
	for i := range later {
		later[i]++
	}
	return shape.DimsOf(later...)
}

// axesFrom returns n axes, the first and those after it.
func axesFrom(first, n int) shape.Dims {
	xs := make([]int, n)
	for i := range xs {
		xs[i] = first + i
	}
	return shape.DimsOf(xs...)
}

// moveAxis returns x with one of its axes at another place among the others.
func moveAxis(b expr.Builder, x expr.Value, from, to int) expr.Value {
	if from == to {
		return x
	}
	order := make([]int, 0, len(x.Shape()))
	for i := range x.Shape() {
		if i != from {
			order = append(order, i)
		}
	}
	order = append(order[:to], append([]int{from}, order[to:]...)...)
	return b.Permute(x, order...)
}

// batchPad pads each lane; where lanes have padding values of their own, these are
// chosen at the places of padding.
func batchPad(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	a := n.Attrs.(ir.PadAttrs)
	later := ir.PadAttrs{Low: before(0, a.Low), High: before(0, a.High), Interior: before(0, a.Interior)}
	if !batched[1] {
		return b.All(ir.Pad, later, nil, x...)
	}
	s := n.Args[0].Type.Shape
	padding := b.Do(ir.Pad, a, b.Number(false, dtype.I1, s...), b.Number(true, dtype.I1))
	all := append(shape.Shape{size}, padding.Shape()...)
	own := b.Do(ir.BroadcastInDim, ir.BroadcastAttrs{Shape: all.Dims(), Axes: shape.DimsOf(0)}, x[1])
	if !batched[0] {
		x[0] = WithLanes(b, x[0], size)
	}
	padded := b.Do(ir.Pad, later, x[0], b.Scalar(x[0], 1))
	return []expr.Value{b.Do(ir.Select, nil, b.BroadcastTo(padding, all), own, padded)}
}

// batchReduce reduces all lanes at once where they have one initial value, which is a
// scalar operand, else one after the other.
func batchReduce(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	if !batched[1] {
		return b.All(ir.Reduce, laterAxes(n.Attrs.(ir.AxesAttrs), size), n.Regions, x...)
	}
	return laneByLane(b, n, size, x, batched)
}

// laneByLane writes a loop over the lanes.
func laneByLane(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	results := make([]expr.Value, len(n.Results))
	for i, r := range n.Results {
		results[i] = b.Number(1, r.Type.DType, append(shape.Shape{size}, r.Type.Shape...)...)
	}
	return b.For(0, size, results, x, func(b expr.Builder, at expr.Value, results, x []expr.Value) []expr.Value {
		args := make([]expr.Value, len(x))
		for i, v := range x {
			if args[i] = v; batched[i] {
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

// batchDot has the lanes as a batching axis where both operands have them, else as the
// first free axis of one operand, which is moved to the front of the result.
func batchDot(b expr.Builder, n *ir.Node, _ int, x []expr.Value, batched []bool) []expr.Value {
	a := n.Attrs.(ir.DotAttrs)
	batch := a.LhsBatch.Len()
	lhsFree := len(n.Args[0].Type.Shape) - batch - a.LhsContract.Len()
	if batched[0] {
		a.LhsBatch, a.LhsContract = behindFirst(a.LhsBatch), behindFirst(a.LhsContract)
	}
	if batched[1] {
		a.RhsBatch, a.RhsContract = behindFirst(a.RhsBatch), behindFirst(a.RhsContract)
	}
	at := 0
	switch {
	case batched[0] && batched[1]:
		a.LhsBatch, a.RhsBatch = before(0, a.LhsBatch), before(0, a.RhsBatch)
	case batched[0]:
		at = batch
	default:
		at = batch + lhsFree
	}
	return []expr.Value{moveAxis(b, b.Do(ir.DotGeneral, a, x...), at, 0)}
}

// batchDynamicSlice slices all lanes at one place, or gathers a slice from each.
func batchDynamicSlice(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	sizes := n.Attrs.(ir.DynamicSliceAttrs).Sizes
	rank := sizes.Len()
	if !anyOf(batched[1:]) {
		args := append([]expr.Value{x[0], zeroStart(b, x[1:])}, x[1:]...)
		return b.All(ir.DynamicSlice, ir.DynamicSliceAttrs{Sizes: before(size, sizes)}, nil, args...)
	}
	a := ir.GatherAttrs{OffsetDims: axesFrom(1, rank), StartIndexMap: axesFrom(0, rank), IndexVectorDim: 1, SliceSizes: sizes}
	if batched[0] {
		a.OperandBatchingDims, a.IndicesBatchingDims = shape.DimsOf(0), shape.DimsOf(0)
		a.StartIndexMap, a.SliceSizes = axesFrom(1, rank), before(1, sizes)
	}
	return b.All(ir.Gather, a, nil, x[0], startVectors(b, size, x[1:], batched[1:], nil))
}

// batchDynamicUpdate updates all lanes at one place, or scatters an update to each.
func batchDynamicUpdate(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	to := lanes(b, size, x[:2], batched)
	if !anyOf(batched[2:]) {
		return b.All(ir.DynamicUpdateSlice, nil, nil, append(append(to, zeroStart(b, x[2:])), x[2:]...)...)
	}
	s, update := n.Args[0].Type.Shape, n.Args[1].Type.Shape
	last := make([]int, len(s))
	for i := range s {
		last[i] = s[i] - update[i]
	}
	a := ir.ScatterAttrs{UpdateWindowDims: axesFrom(1, len(s)), OperandBatchingDims: shape.DimsOf(0), IndicesBatchingDims: shape.DimsOf(0),
		ScatterDimsToOperandDims: axesFrom(1, len(s)), IndexVectorDim: 1, UniqueIndices: true}
	return b.All(ir.Scatter, a, nil, to[0], startVectors(b, size, x[2:], batched[2:], last), to[1])
}

func anyOf(marks []bool) bool {
	for _, m := range marks {
		if m {
			return true
		}
	}
	return false
}

// zeroStart returns the start 0 for another axis beside starts.
func zeroStart(b expr.Builder, starts []expr.Value) expr.Value {
	if len(starts) == 0 {
		return b.Number(0, dtype.I32)
	}
	return b.Scalar(starts[0], 0)
}

// startVectors returns starts, one for each axis, as an index vector for each lane,
// moved to between 0 and last, where that is given.
func startVectors(b expr.Builder, size int, starts []expr.Value, batched []bool, last []int) expr.Value {
	columns := make([]expr.Value, len(starts))
	for i, v := range lanes(b, size, starts, batched) {
		v = wideIndices(b, v)
		if last != nil {
			v = b.Do(ir.Clamp, nil, b.Scalar(v, 0), v, b.Scalar(v, last[i]))
		}
		columns[i] = b.Reshape(v, size, 1)
	}
	return b.Concatenate(1, columns...)
}

// wideIndices returns indices as integers that can count lanes as well: a compiler makes
// the position along a batching axis a part of the index.
func wideIndices(b expr.Builder, x expr.Value) expr.Value {
	if x.DType().Bits() < 32 {
		return b.Convert(x, dtype.I32)
	}
	return x
}

// batchGather has the lanes as a part of each slice where only the operand has them, as
// a part of the indices where only these have them, else as a batching axis.
func batchGather(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	a, indices := n.Attrs.(ir.GatherAttrs), x[1]
	a.OffsetDims = behindFirst(a.OffsetDims)
	if batched[0] {
		a.CollapsedSliceDims, a.OperandBatchingDims = behindFirst(a.CollapsedSliceDims), behindFirst(a.OperandBatchingDims)
		a.StartIndexMap = behindFirst(a.StartIndexMap)
	}
	if batched[1] {
		a.IndicesBatchingDims = behindFirst(a.IndicesBatchingDims)
		a.IndexVectorDim++
		a.IndicesAreSorted = false
	}
	switch {
	case !batched[1]:
		a.OffsetDims, a.SliceSizes = before(0, a.OffsetDims), before(size, a.SliceSizes)
	case batched[0]:
		a.OperandBatchingDims, a.IndicesBatchingDims = before(0, a.OperandBatchingDims), before(0, a.IndicesBatchingDims)
		a.SliceSizes = before(1, a.SliceSizes)
		indices = wideIndices(b, indices)
	}
	return b.All(ir.Gather, a, nil, x[0], indices)
}

// batchScatter has the lanes as a part of each window where all have the same indices,
// else as a batching axis.
func batchScatter(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	a, indices := n.Attrs.(ir.ScatterAttrs), x[1]
	all := lanes(b, size, x, []bool{batched[0], true, batched[2]})
	a.UpdateWindowDims, a.InsertedWindowDims = behindFirst(a.UpdateWindowDims), behindFirst(a.InsertedWindowDims)
	a.OperandBatchingDims = behindFirst(a.OperandBatchingDims)
	a.ScatterDimsToOperandDims = behindFirst(a.ScatterDimsToOperandDims)
	if batched[1] {
		a.OperandBatchingDims = before(0, a.OperandBatchingDims)
		a.IndicesBatchingDims = before(0, behindFirst(a.IndicesBatchingDims))
		a.IndexVectorDim++
		a.IndicesAreSorted = false
		indices = wideIndices(b, indices)
	} else {
		a.UpdateWindowDims = before(0, a.UpdateWindowDims)
	}
	return b.All(ir.Scatter, a, n.Regions, all[0], indices, all[2])
}

// batchTriangular solves with one matrix for the sides of all lanes at once.
func batchTriangular(b expr.Builder, n *ir.Node, size int, x []expr.Value, batched []bool) []expr.Value {
	if batched[0] {
		return batchLeading(b, n, size, x, batched)
	}
	axis := len(n.Args[1].Type.Shape) - 1 // of the columns, or with Right the rows
	if n.Attrs.(ir.TriangularAttrs).Right {
		axis--
	}
	y := b.Do(ir.TriangularSolve, n.Attrs, x[0], joinLanes(b, x[1], axis, 1))
	return []expr.Value{splitLanes(b, y, axis, 1, size)}
}

// batchConvolution has lanes of images alone as a part of the batch, lanes of windows
// alone as a part of the output features, and lanes of both as groups.
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

// joinLanes returns x, which has lanes on its first axis, with these as a part of
// another axis, which is counted without them: that has the given number of groups,
// of each of which all lanes come one after the other.
func joinLanes(b expr.Builder, x expr.Value, axis, groups int) expr.Value {
	s := x.Shape()
	own := s[1:]
	split := append(append(shape.Shape{s[0]}, own[:axis]...), groups, own[axis]/groups)
	v := moveAxis(b, b.Reshape(x, append(split, own[axis+1:]...)...), 0, axis+1)
	joined := own.Clone()
	joined[axis] *= s[0]
	return b.Reshape(v, joined...)
}

// splitLanes is the inverse of joinLanes.
func splitLanes(b expr.Builder, x expr.Value, axis, groups, size int) expr.Value {
	s := x.Shape()
	length := s[axis] / size
	split := append(s[:axis:axis].Clone(), groups, size, length/groups)
	v := moveAxis(b, b.Reshape(x, append(split, s[axis+1:]...)...), axis+1, 0)
	own := append(shape.Shape{size}, s...)
	own[axis+1] = length
	return b.Reshape(v, own...)
}
