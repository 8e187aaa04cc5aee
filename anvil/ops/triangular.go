package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// triangularBlock is the number of rows of a block. One matrix product computes the terms of all rows before
// a block, which are subtracted from the right-hand side; the block itself is solved by substitution.
const triangularBlock = 32

// writeTriangularSolve solves triangular systems by substitution, in blocks of rows. The compilers' own operation
// multiplies by inverses of blocks, which gives NaN instead of infinities for a singular matrix, and takes longer to
// compile.
func writeTriangularSolve(b expr.Builder, n *ir.Node, args []expr.Value) []expr.Value {
	attrs, a, rhs := n.Attrs.(ir.TriangularAttrs), args[0], args[1]
	if rhs.Shape().Size() == 0 {
		return []expr.Value{rhs}
	}
	batch, rows, cols, _ := matrix(n.Args[1].Type)
	size := a.Shape()[len(a.Shape())-1]
	a, rhs = b.Reshape(a, batch.Size(), size, size), b.Reshape(rhs, batch.Size(), rows, cols)
	// x*op(a) = rhs is solved as transpose(op(a))*transpose(x) = transpose(rhs).
	transposed := (attrs.Op == ir.AsIs) == attrs.Right
	if transposed {
		a = b.Transpose(a)
	}
	if attrs.Op == ir.Adjoint {
		a = b.Conj(a)
	}
	if attrs.Right {
		rhs = b.Transpose(rhs)
	}
	var x expr.Value
	if attrs.Upper != transposed { // reversing rows and columns makes an upper triangle a lower one
		x = b.Reverse(substitute(b, b.Reverse(a, 1, 2), b.Reverse(rhs, 1), attrs.Unit), 1)
	} else {
		x = substitute(b, a, rhs, attrs.Unit)
	}
	if attrs.Right {
		x = b.Transpose(x)
	}
	return []expr.Value{b.Reshape(x, n.Results[0].Type.Shape...)}
}

// substitute returns the x with a*x = rhs, where a is lower triangular, with ones on the diagonal if unit is true.
func substitute(b expr.Builder, a, rhs expr.Value, unit bool) expr.Value {
	batch, n, cols := rhs.Shape()[0], rhs.Shape()[1], rhs.Shape()[2]
	width := min(n, triangularBlock)
	padded := (n + width - 1) / width * width
	row, col := b.Iota(dtype.I32, 0, n, 1), b.Iota(dtype.I32, 1, 1, n)
	diagonal := b.Number(1, a.DType(), batch, n, 1)
	if !unit {
		diagonal = b.Column(b.Sum(b.Where(b.Eq(row, col), a, 0), 2))
	}
	strictLower := padMatrix(b, b.Where(b.Gt(row, col), a, 0), padded, padded)
	shared := []expr.Value{strictLower, padMatrix(b, diagonal, padded, 1), padMatrix(b, rhs, padded, cols)}
	if padded == width {
		return substituteRows(b, shared[0], shared[1], shared[2])
	}
	start := []expr.Value{b.Number(0, rhs.DType(), batch, padded, cols)}
	x := b.For(0, padded/width, start, shared, func(
		b expr.Builder, i expr.Value, carried, shared []expr.Value,
	) []expr.Value {
		at := b.Mul(i, width)
		across := b.DynamicSlice(shared[0], 1, at, width)
		rest := b.Sub(b.DynamicSlice(shared[2], 1, at, width), b.MatMul(across, carried[0]))
		solved := substituteRows(b, b.DynamicSlice(across, 2, at, width), b.DynamicSlice(shared[1], 1, at, width), rest)
		return []expr.Value{b.DynamicUpdateSlice(carried[0], solved, 1, at)}
	})[0]
	return b.Slice(x, 1, 0, n)
}

// substituteRows returns the x with a*x = rhs, where a has the given diagonal, and under it the elements of
// strictLower. It substitutes row by row.
func substituteRows(b expr.Builder, strictLower, diagonal, rhs expr.Value) expr.Value {
	start := []expr.Value{b.Like(rhs, 0)}
	shared := []expr.Value{strictLower, diagonal, rhs}
	return b.For(0, rhs.Shape()[1], start, shared, func(
		b expr.Builder, i expr.Value, carried, shared []expr.Value,
	) []expr.Value {
		rest := b.Sub(b.DynamicSlice(shared[2], 1, i, 1), b.MatMul(b.DynamicSlice(shared[0], 1, i, 1), carried[0]))
		return []expr.Value{b.DynamicUpdateSlice(carried[0], b.Div(rest, b.DynamicSlice(shared[1], 1, i, 1)), 1, i)}
	})[0]
}
