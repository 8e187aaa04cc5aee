package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// lowerCholesky writes the compiler's factorization. If a diagonal element of the factor is not positive, the
// compiler's result is arbitrary, and is replaced by NaN.
func lowerCholesky(w *stablehlo.Writer, n *ir.Node) {
	t := n.Results[0].Type
	l := &ir.Value{Type: t}
	name := w.Temp()
	w.Str("stablehlo.cholesky ").Value(n.Args[0]).Str(", lower = true : ").Type(t).Str("\n")
	w.Rename(l, name)
	write(w, n, []*ir.Value{l}, func(b expr.Builder, args []expr.Value) []expr.Value {
		if t.Shape.Size() == 0 {
			return args
		}
		return []expr.Value{checkedFactor(b, args[0])}
	})
}

// lowerCholeskyInBlocks computes the factor in blocks. Compilers for CPUs compute the elements one by one,
// which takes several times as long.
func lowerCholeskyInBlocks(b expr.Builder, n *ir.Node, args []expr.Value) []expr.Value {
	x, t := args[0], n.Results[0].Type
	if t.Shape.Size() == 0 {
		return args
	}
	batch, size, _, _ := matrix(t)
	a := fromLower(b, b.Reshape(x, batch.Size(), size, size))
	if size <= blockedRows {
		a = factorPanels(b, a)
	} else {
		blocks, padded := cutIntoBlocks(b, size)
		a = blocks.factor(padWithIdentity(b, a, padded), 0)
	}
	l := b.Slice(b.Slice(a, 1, 0, size), 2, 0, size) // without the padding of the last block or panel
	return []expr.Value{checkedFactor(b, b.Reshape(l, t.Shape...))}
}

// panelColumns is the number of columns that factorPanels computes between two products of matrices.
const panelColumns = 32

// factorAndInverse returns the factors l of the square matrices a, with unspecified elements above the diagonal, and
// inv(adjoint(l)). It computes both with factorPanels, of a with the identity matrix below it.
func factorAndInverse(b expr.Builder, a expr.Value) (l, inverse expr.Value) {
	n := a.Shape()[1]
	both := factorPanels(b, b.Concatenate(1, a, b.BroadcastTo(b.Eye(a.DType(), n, n), a.Shape())))
	return b.Slice(both, 1, 0, n), b.Slice(both, 1, n, 2*n)
}

// factorPanels returns the factors l of the square matrices at the top of a, and below them x*inv(adjoint(l)),
// where x are the rows of a below the square. It computes panels of columns from left to right: one product of
// matrices subtracts the contribution of the previous columns, another divides by the factor of the block on the
// diagonal. Elements above the diagonal are unspecified.
func factorPanels(b expr.Builder, a expr.Value) expr.Value {
	batch, rows, size := a.Shape()[0], a.Shape()[1], a.Shape()[2]
	width := min(size, panelColumns)
	if rows == width {
		return choleskyColumns(b, a)
	}
	padded := (size + width - 1) / width * width
	rows = max(rows, padded)
	a = padMatrix(b, a, rows, padded)
	start := []expr.Value{b.Number(0, a.DType(), batch, rows, padded)}
	shared := []expr.Value{a, b.BroadcastTo(b.Eye(a.DType(), width, width), []int{batch, width, width})}
	l := b.For(0, padded/width, start, shared, func(
		b expr.Builder, i expr.Value, carried, shared []expr.Value,
	) []expr.Value {
		at, l := b.Mul(i, width), carried[0]
		previous := b.MatMul(l, b.Adjoint(b.DynamicSlice(l, 1, at, width))) // columns not yet computed are 0
		panel := b.Sub(b.DynamicSlice(shared[0], 2, at, width), previous)
		both := choleskyColumns(b, b.Concatenate(1, b.DynamicSlice(panel, 1, at, width), shared[1]))
		block, inverse := b.Slice(both, 1, 0, width), b.Slice(both, 1, width, 2*width)
		panel = b.DynamicUpdateSlice(b.MatMul(panel, inverse), block, 1, at)
		return []expr.Value{b.DynamicUpdateSlice(l, panel, 2, at)}
	})[0]
	return b.Slice(l, 2, 0, size)
}

// choleskyColumns computes the result of factorPanels column by column.
func choleskyColumns(b expr.Builder, a expr.Value) expr.Value {
	start := []expr.Value{b.Like(a, 0)}
	return b.For(0, a.Shape()[2], start, []expr.Value{a}, func(
		b expr.Builder, j expr.Value, carried, shared []expr.Value,
	) []expr.Value {
		l := carried[0]
		previous := b.MatMul(l, b.Adjoint(b.DynamicSlice(l, 1, j, 1))) // columns not yet computed are 0
		v := b.Sub(b.DynamicSlice(shared[0], 2, j, 1), previous)
		root := b.Sqrt(b.Real(b.DynamicSlice(v, 1, j, 1)))
		return []expr.Value{b.DynamicUpdateSlice(l, b.Div(v, b.Convert(root, v.DType())), 2, j)}
	})[0]
}

// checkedFactor returns the lower triangle of l with a real diagonal, or with NaN if an
// element of the diagonal is not positive.
func checkedFactor(b expr.Builder, l expr.Value) expr.Value {
	n := l.Shape()[len(l.Shape())-1]
	eye := b.Eye(dtype.I1, n, n)
	lower := b.Ge(b.Iota(dtype.I32, 0, n, 1), b.Iota(dtype.I32, 1, 1, n))
	diagonal := b.Real(b.Sum(b.Where(eye, l, 0), -1))
	good := b.Reduce(ir.ReduceAnd, b.Gt(diagonal, 0), -1)
	l = b.Where(eye, b.Convert(b.Real(l), l.DType()), l)
	zero := b.Scalar(l, 0)
	l = b.Where(b.Column(b.Column(good)), l, b.Div(zero, zero)) // NaN in both parts of complex numbers
	return b.Where(lower, l, 0)
}
