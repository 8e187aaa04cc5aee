package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// luBlock is how many columns LU eliminates between two products of matrices.
const luBlock = 32

// lowerLU is elimination with partial pivoting, a panel of columns at a time:
// what a panel does to the rest is one product of matrices. All shapes are
// whole, so that the program has one size for all matrices; what is finished is
// masked.
func lowerLU(n *ir.Node) program {
	return func(p composer, args []*ir.Value) []*ir.Value {
		x, results := args[0], n.Results
		batch, m, cols, _ := matrix(x.Type)
		if x.Type.Shape.Size() == 0 {
			return []*ir.Value{x, p.zeros(dtype.I32, results[1].Type.Shape...), p.to(p.count(m), results[2].Type.Shape)}
		}
		f := factorization{steps: min(m, cols), rows: m, cols: cols, batch: batch.Size()}
		x = p.reshape(x, f.batch, m, cols)
		out := f.panel(p, x, p.number(dtype.I32, 0))
		if f.steps > luBlock {
			out = f.blocks(p, x)
		}
		return []*ir.Value{p.reshape(p.cut(p.cut(out[0], 1, 0, m), 2, 0, cols), results[0].Type.Shape...),
			p.reshape(p.cut(out[1], 1, 0, f.steps), results[1].Type.Shape...),
			p.reshape(p.cut(out[2], 1, 0, m), results[2].Type.Shape...)}
	}
}

// A factorization is the size of a batch of matrices and of their factors.
type factorization struct{ steps, rows, cols, batch int }

// blocks factorizes x, padded to whole panels: results are as panel's.
func (f factorization) blocks(p composer, x *ir.Value) []*ir.Value {
	panels := (f.steps + luBlock - 1) / luBlock
	whole := panels * luBlock
	f.rows, f.cols = max(f.rows, whole), max(f.cols, whole)
	start := []*ir.Value{p.pad(x, f.rows, f.cols), p.zeros(dtype.I32, f.batch, whole), p.to(p.count(f.rows), []int{f.batch, f.rows})}
	return p.loop(p.number(dtype.I32, 0), p.number(dtype.I32, float64(panels)), start, nil, func(p composer, i *ir.Value, carried, _ []*ir.Value) []*ir.Value {
		at := p.mul(i, p.like(i, luBlock))
		end := p.add(at, p.like(at, luBlock))
		done := f.panel(p, p.window(carried[0], 2, at, luBlock), at)
		panel, order := done[0], done[2]
		x, order2 := p.take(carried[0], order), p.take(p.column(carried[2]), order)

		across := p.window(x, 1, at, luBlock)
		solved := p.do(ir.TriangularSolve, ir.TriangularAttrs{Unit: true}, p.window(panel, 1, at, luBlock), across)
		rest := p.compare(ir.GE, p.count(f.cols), end)
		below := p.where(p.column(p.compare(ir.GE, p.count(f.rows), end)), panel, p.like(panel, 0))
		x = p.where(rest, p.sub(x, p.dot(below, solved)), x)
		x = p.update(x, p.where(rest, solved, across), 1, at)
		return []*ir.Value{p.update(x, panel, 2, at), p.update(carried[1], done[1], 1, at), p.reshape(order2, f.batch, f.rows)}
	})
}

// take returns the rows of the matrices of x in the given order.
func (p composer) take(x, order *ir.Value) *ir.Value {
	return p.do(ir.Gather, ir.GatherAttrs{OffsetDims: dims(2), CollapsedSliceDims: dims(1), OperandBatchingDims: dims(0),
		IndicesBatchingDims: dims(0), StartIndexMap: dims(1), IndexVectorDim: 2, SliceSizes: dims(1, 1, x.Type.Shape[2])}, x, order)
}

// panel eliminates the columns of x, whose first pivot is in row at. It returns
// the factors, the row that each step exchanged its own with, and the order in
// which the rows then are.
func (f factorization) panel(p composer, x, at *ir.Value) []*ir.Value {
	width := min(x.Type.Shape[2], f.steps)
	limit := p.min(p.like(at, float64(width)), p.sub(p.like(at, float64(f.steps)), at))
	start := []*ir.Value{x, p.zeros(dtype.I32, f.batch, width), p.to(p.count(f.rows), []int{f.batch, f.rows})}
	return p.loop(p.like(at, 0), limit, start, []*ir.Value{at}, func(p composer, i *ir.Value, carried, shared []*ir.Value) []*ir.Value {
		x, pivots, order := carried[0], carried[1], carried[2]
		k := p.add(shared[0], i)
		row, col := p.column(p.count(f.rows)), p.count(x.Type.Shape[2])
		own, below := p.compare(ir.EQ, row, k), p.compare(ir.GT, row, k)

		size := p.where(p.compare(ir.GE, row, k), p.size(p.window(x, 2, i, 1)), p.number(x.Type.DType.Elem(), -1))
		best := p.column(p.column(p.do(ir.ArgMax, ir.ArgAttrs{Axis: 1, DType: dtype.I32}, p.reshape(size, f.batch, f.rows))))
		other := p.compare(ir.EQ, row, best)
		exchange := func(x *ir.Value) (all, pivot *ir.Value) {
			pivot = p.row(p.sum(p.where(other, x, p.like(x, 0)), 1))
			return p.where(own, pivot, p.where(other, p.window(x, 1, k, 1), x)), pivot
		}
		x, pivot := exchange(x)
		order, _ = exchange(p.column(order))

		head, column := p.window(pivot, 2, i, 1), p.window(x, 2, i, 1)
		factor := p.where(p.compare(ir.EQ, head, p.like(head, 0)), column, p.div(column, head))
		rest := p.and(below, p.compare(ir.GT, col, i))
		x = p.where(rest, p.sub(x, p.mul(factor, pivot)), x)
		x = p.where(p.and(below, p.compare(ir.EQ, col, i)), factor, x)
		return []*ir.Value{x, p.update(pivots, p.reshape(best, f.batch, 1), 1, i), p.reshape(order, f.batch, f.rows)}
	})
}

// size returns by what pivots are chosen: the magnitude, of a complex number
// the sum of its parts' as LAPACK has it.
func (p composer) size(x *ir.Value) *ir.Value {
	if !x.Type.DType.Is(dtype.Complex) {
		return p.abs(x)
	}
	return p.add(p.abs(p.do(ir.Real, nil, x)), p.abs(p.do(ir.Imag, nil, x)))
}
