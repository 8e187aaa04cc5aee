package ops

import (
	"slices"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// lanes is how many partial results a reduction of a row on a CPU keeps, leastRow
// the length of rows from where on it does, and longRow that from where on it is
// done in as many parts; stagedRow is the length of rows of what is summed as a
// whole by kernels of the plugin.
const (
	lanes     = 64
	leastRow  = 512
	longRow   = 1 << 16
	stagedRow = 4096
)

// LowerForCPU writes n as compilers for CPUs like it, where that is different from
// how its row does: reductions, and Cholesky's factors. It returns false for anything else.
func LowerForCPU(w *stablehlo.Writer, n *ir.Node, k Kernels) bool {
	if slices.Contains(k.Shifts, n) {
		x, scalar, r := n.Args[0].Type, shape.Type{DType: n.Args[0].Type.DType}, foldOf(n.Code)
		init := w.Constant(scalar, r.identity(scalar.DType))
		w.Rename(n.Results[0], r.reduced(w, w.NameOf(n.Args[0]), init, x, n.Results[0].Type, n.Attrs.(AxesAttrs).Axes))
		return true
	}
	if n.Code == ir.Cholesky {
		composed(lowerCholeskyInBlocks)(w, n)
		return true
	}
	return lowerInLanes(w, n, k.Sums)
}

// lowerInLanes writes a sum or product of floats over the last axis for a CPU:
// first to 64 partial results of each row, which vectors hold, then to one.
// Compilers for CPUs keep to the order of the elements of a row, one after the
// other, and take ten times as long. Where the plugin has kernels of its own for
// sums, which are faster still but take no operation along,
// the parameters of the program are left to them. It returns false where n is
// something else.
func lowerInLanes(w *stablehlo.Writer, n *ir.Node, kernels bool) bool {
	if n.Code != ir.ReduceSum && n.Code != ir.ReduceProd || n.Args[0].Type.DType != dtype.F32 && n.Args[0].Type.DType != dtype.F64 {
		return false
	}
	x, axes := n.Args[0].Type, n.Attrs.(AxesAttrs).Axes
	if kernels && summedByKernel(n) {
		return lowerInStages(w, n)
	}
	last := len(x.Shape) - 1
	if !axes.Has(last) || x.Shape[last] < leastRow || x.Shape[last]%lanes != 0 {
		return false
	}
	parts := 1
	if x.Shape[last] >= longRow && x.Shape[last]%(lanes*lanes) == 0 {
		parts = lanes
	}
	split := shape.Type{DType: x.DType, Shape: append(x.Shape[:last:last], parts, x.Shape[last]/lanes/parts, lanes)}
	lowerTwice(w, n, split, shape.DimsOf(last+1), axes+shape.DimsOf(last+1))
	return true
}

// lowerInStages writes a sum over all axes as one of rows, which several
// processors share, and one of what is left; it returns false for any other.
func lowerInStages(w *stablehlo.Writer, n *ir.Node) bool {
	x := n.Args[0].Type
	if len(n.Results[0].Type.Shape) > 0 || x.Shape.Size()%stagedRow != 0 {
		return false
	}
	rows := shape.Of(x.DType, x.Shape.Size()/stagedRow, stagedRow)
	lowerTwice(w, n, rows, shape.DimsOf(1), shape.DimsOf(0))
	return true
}

// lowerTwice writes n as a reduction of its operand, in the shape split, along
// first, and of what that leaves along then.
func lowerTwice(w *stablehlo.Writer, n *ir.Node, split shape.Type, first, then Dims) {
	x, scalar, r := n.Args[0].Type, shape.Type{DType: split.DType}, foldOf(n.Code)
	kept, _ := array.Without(split.Shape, first)
	partial := shape.Type{DType: split.DType, Shape: kept}
	init := w.Constant(scalar, r.identity(split.DType))
	p := r.reduced(w, w.Convert("reshape", w.NameOf(n.Args[0]), x, split), init, split, partial, first)
	p = w.Apply("optimization_barrier", partial, p) // or the two would be made one again
	w.Rename(n.Results[0], r.reduced(w, p, init, partial, n.Results[0].Type, then))
}

// reduced writes the reduction of x along axes.
func (r fold) reduced(w *stablehlo.Writer, x, init stablehlo.Name, from, to shape.Type, axes Dims) stablehlo.Name {
	name := w.Temp()
	w.Str("stablehlo.reduce(").Name(x).Str(" init: ").Name(init).Str(") applies stablehlo.").Str(r.body).
		Str(" across dimensions = ").Dims(axes).Str(" : (").Type(from).Str(", ").Type(shape.Type{DType: from.DType}).
		Str(") -> ").Type(to).Str("\n")
	return name
}

// foldOf returns the row of a reduction.
func foldOf(c ir.Code) (r fold) {
	for _, f := range folds {
		if f.code == c {
			r = f
		}
	}
	return r
}
