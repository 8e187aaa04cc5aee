package ops

import (
	"strconv"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// An indexing holds the dimension numbers that Gather and Scatter have in common. Index
// vectors lie along axis vectorDim of the indices; element i of a vector is a position
// along axis indexMap[i] of the operand. A window is a slice of the operand; it does not have the axes
// listed in removed and operandBatching.
type indexing struct {
	window          shape.Dims // axes of windows in the result of Gather, or in the updates of Scatter
	removed         shape.Dims
	operandBatching shape.Dims
	indicesBatching shape.Dims
	indexMap        shape.Dims
	vectorDim       int
	axisNames       string // the names of window and removed in errors
	indexName       string // the name of indexMap in errors
}

func indexingOfGather(a ir.GatherAttrs) indexing {
	return indexing{a.OffsetDims, a.CollapsedSliceDims, a.OperandBatchingDims, a.IndicesBatchingDims,
		a.StartIndexMap, a.IndexVectorDim, "offset, collapsed", "start_index_map"}
}

func indexingOfScatter(a ir.ScatterAttrs) indexing {
	return indexing{a.UpdateWindowDims, a.InsertedWindowDims, a.OperandBatchingDims, a.IndicesBatchingDims,
		a.ScatterDimsToOperandDims, a.IndexVectorDim, "window, inserted", "scatter_dims_to_operand_dims"}
}

// check checks the constraints that gather and scatter share. Comments give the numbers of the constraints in the
// StableHLO specification, for gather and then for scatter.
func (d indexing) check(x, indices shape.Shape) error {
	removed := d.removed + d.operandBatching
	if len(x) != d.window.Len()+removed.Len() { // (C1), (C2)
		return fault(d.axisNames+" and batching axes must be "+strconv.Itoa(len(x))+" in all, one for each axis of the operand", "")
	}
	if d.vectorDim < 0 || d.vectorDim > len(indices) { // (C2), (C22)
		return fault("index_vector_dim is out of range", "")
	}
	length := 1
	if d.vectorDim < len(indices) {
		length = indices[d.vectorDim]
	}
	if d.indexMap.Len() != length { // (C3), (C19)
		return fault(d.indexName+" names "+strconv.Itoa(d.indexMap.Len())+" axes, but an index vector has length "+strconv.Itoa(length), "")
	}
	// (C4), (C7), (C10) and (C7), (C10), (C12)
	if !isAscending(d.window) || !isAscending(d.removed) || !isAscending(d.operandBatching) {
		return fault("axes are not in ascending order", "")
	}
	if err := checkAxes(removed, len(x)); err != nil { // (C6), (C8), (C11) and (C9), (C11), (C13)
		return err
	}
	if err := checkAxes(d.indicesBatching, len(indices)); err != nil { // (C13), (C14) and (C14), (C15)
		return err
	}
	if d.indicesBatching.Has(d.vectorDim) { // (C15), (C16)
		return fault("index_vector_dim is a batching axis", "")
	}
	// (C16), (C17) and (C17), (C18)
	if err := checkPairs("batching", x, indices, d.operandBatching, d.indicesBatching); err != nil {
		return err
	}
	return checkAxes(d.indexMap+d.operandBatching, len(x)) // (C18), (C19) and (C20), (C21)
}

// isAscending reports whether axes are in strictly ascending order.
func isAscending(axes shape.Dims) bool {
	last := -1
	for _, x := range axes.All() {
		if x <= last {
			return false
		}
		last = x
	}
	return true
}

// batchAxes returns the axes of the indices, of the given rank, other than vectorDim.
func (d indexing) batchAxes(rank int) shape.Dims { return otherAxes(rank, shape.DimsOf(d.vectorDim)) }

// windowAxes returns the axes of the operand, of the given rank, that windows have.
func (d indexing) windowAxes(rank int) shape.Dims {
	return otherAxes(rank, d.removed+d.operandBatching)
}

// start returns the offset, in an operand of shape x, of the window that begins at the position of an index vector, and
// whether the window lies inside the operand. If clamp is true, it first moves the window inside. at is the offset in
// indices of the vector's first element, and batch is the vector's index along the batch axes. sizes are the lengths of
// the window along all axes of x.
func (d indexing) start(
	x, sizes shape.Shape, indices array.Array, at int, batch []int, clamp bool,
) (offset int, inside bool) {
	steps, step := array.Strides(x), 0
	if s := indices.Type.Shape; d.vectorDim < len(s) {
		step = array.Strides(s)[d.vectorDim]
	}
	inside = true
	for i, axis := range d.indexMap.All() {
		p, last := position(indices, at+i*step), x[axis]-sizes[axis]
		if clamp {
			p = clampIndex(p, last)
		}
		inside = inside && p >= 0 && p <= last
		offset += p * steps[axis]
	}
	axes := d.indicesBatching.Ints()
	for i, axis := range d.operandBatching.All() {
		k := axes[i]
		if k > d.vectorDim { // the batch axes do not include vectorDim
			k--
		}
		offset += batch[k] * steps[axis]
	}
	return offset, inside
}

// offsets returns the offsets of the elements of an array of shape s with the given
// strides, in row-major order.
func offsets(e Evaluator, s shape.Shape, strides []int) ([]int, error) {
	list := make([]int, 0, s.Size())
	err := array.Walk(e.Context(), s, 0, strides, func(_, at int) { list = append(list, at) })
	return list, err
}

// batchIndex returns the index, along each axis of batch, of element i in row-major order.
func batchIndex(batch shape.Shape, i int) []int {
	index := make([]int, len(batch))
	for k := len(batch) - 1; k >= 0; k-- {
		index[k], i = i%batch[k], i/batch[k]
	}
	return index
}
