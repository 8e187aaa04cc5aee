package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// luBlock is the number of columns of a panel. LU eliminates a panel column by column, and then
// updates the columns right of it with one product of matrices.
const luBlock = 32

// lowerLU does Gaussian elimination with partial pivoting, a panel of columns at a time. One
// product of matrices updates the columns right of a panel. The steps of a panel compute on
// all its rows, and the update on the whole matrix. Both mask the rows and columns that are
// finished, so that the size of the program does not depend on the size of the matrix.
func lowerLU(b expr.Builder, n *ir.Node, args []expr.Value) []expr.Value {
	x, results := args[0], n.Results
	batch, m, cols, _ := matrix(n.Args[0].Type)
	if x.Shape().Size() == 0 {
		order := b.BroadcastTo(b.Iota(dtype.I32, 0, m), results[2].Type.Shape)
		return []expr.Value{x, b.Number(0, dtype.I32, results[1].Type.Shape...), order}
	}
	f := factorization{steps: min(m, cols), rows: m, cols: cols, batch: batch.Size()}
	x = b.Reshape(x, f.batch, m, cols)
	var out []expr.Value
	if f.steps > luBlock {
		out = f.panels(b, x)
	} else {
		out = f.panel(b, x, b.Number(0, dtype.I32))
	}
	return []expr.Value{b.Reshape(b.Slice(b.Slice(out[0], 1, 0, m), 2, 0, cols), results[0].Type.Shape...),
		b.Reshape(b.Slice(out[1], 1, 0, f.steps), results[1].Type.Shape...),
		b.Reshape(b.Slice(out[2], 1, 0, m), results[2].Type.Shape...)}
}

// A factorization holds the sizes of a batch of matrices and of their factors.
type factorization struct{ steps, rows, cols, batch int }

// panels pads x to whole panels and factorizes it. It returns the factors, the pivots and the order of rows.
func (f factorization) panels(b expr.Builder, x expr.Value) []expr.Value {
	panels := (f.steps + luBlock - 1) / luBlock
	padded := panels * luBlock
	f.rows, f.cols = max(f.rows, padded), max(f.cols, padded)
	start := []expr.Value{padMatrix(b, x, f.rows, f.cols), b.Number(0, dtype.I32, f.batch, padded),
		b.Iota(dtype.I32, 1, f.batch, f.rows)}
	return b.For(0, panels, start, nil, func(b expr.Builder, i expr.Value, carried, _ []expr.Value) []expr.Value {
		at := b.Mul(i, luBlock)
		end := b.Add(at, luBlock)
		done := f.panel(b, b.DynamicSlice(carried[0], 2, at, luBlock), at)
		panel, order := done[0], done[2]
		x, newOrder := takeRows(b, carried[0], order), takeRows(b, b.Column(carried[2]), order)

		across := b.DynamicSlice(x, 1, at, luBlock)
		solved := b.Do(ir.TriangularSolve, ir.TriangularAttrs{Unit: true}, b.DynamicSlice(panel, 1, at, luBlock), across)
		rest := b.Ge(b.Iota(dtype.I32, 0, f.cols), end)
		below := b.Where(b.Ge(b.Iota(dtype.I32, 0, f.rows, 1), end), panel, 0)
		x = b.Where(rest, b.Sub(x, b.MatMul(below, solved)), x)
		x = b.DynamicUpdateSlice(x, b.Where(rest, solved, across), 1, at)
		return []expr.Value{b.DynamicUpdateSlice(x, panel, 2, at), b.DynamicUpdateSlice(carried[1], done[1], 1, at),
			b.Reshape(newOrder, f.batch, f.rows)}
	})
}

// panel eliminates the columns of x, whose first column has its diagonal element in the row given by at. It returns
// the factors, the pivots (the row that each step exchanges with the row of the diagonal
// element), and the resulting order of the rows.
func (f factorization) panel(b expr.Builder, x, at expr.Value) []expr.Value {
	width := min(x.Shape()[2], f.steps)
	limit := b.Min(width, b.Sub(f.steps, at))
	start := []expr.Value{x, b.Number(0, dtype.I32, f.batch, width), b.Iota(dtype.I32, 1, f.batch, f.rows)}
	return b.For(0, limit, start, []expr.Value{at}, func(
		b expr.Builder, i expr.Value, carried, shared []expr.Value,
	) []expr.Value {
		x, pivots, order := carried[0], carried[1], carried[2]
		k := b.Add(shared[0], i)
		row, col := b.Iota(dtype.I32, 0, f.rows, 1), b.Iota(dtype.I32, 0, x.Shape()[2])
		diagonalRow, below := b.Eq(row, k), b.Gt(row, k)

		size := b.Where(b.Ge(row, k), pivotSizes(b, b.DynamicSlice(x, 2, i, 1)), -1)
		best := b.Do(ir.ArgMax, ir.ArgAttrs{Axis: 1, DType: dtype.I32}, b.Reshape(size, f.batch, f.rows))
		pivotRow := b.Eq(row, b.Column(b.Column(best)))
		exchange := func(x expr.Value) (all, pivot expr.Value) {
			pivot = b.Row(b.Sum(b.Where(pivotRow, x, 0), 1))
			return b.Where(diagonalRow, pivot, b.Where(pivotRow, b.DynamicSlice(x, 1, k, 1), x)), pivot
		}
		x, pivot := exchange(x)
		order, _ = exchange(b.Column(order))

		head, column := b.DynamicSlice(pivot, 2, i, 1), b.DynamicSlice(x, 2, i, 1)
		factor := b.Where(b.Eq(head, 0), column, b.Div(column, head))
		rest := b.And(below, b.Gt(col, i))
		x = b.Where(rest, b.Sub(x, b.Mul(factor, pivot)), x)
		x = b.Where(b.And(below, b.Eq(col, i)), factor, x)
		return []expr.Value{x, b.DynamicUpdateSlice(pivots, b.Reshape(best, f.batch, 1), 1, i), b.Reshape(order, f.batch, f.rows)}
	})
}

// pivotSizes returns the sizes by which pivots are chosen: magnitudes, or for complex numbers
// the sums of the magnitudes of their parts, as in LAPACK.
func pivotSizes(b expr.Builder, x expr.Value) expr.Value {
	if !x.DType().Is(dtype.Complex) {
		return b.Abs(x)
	}
	return b.Add(b.Abs(b.Real(x)), b.Abs(b.Imag(x)))
}
