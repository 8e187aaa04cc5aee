package ops

import (
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// linearizedCholesky: L' = L*phi(inv(L)*A'*inv(adjoint(L))), where phi returns the lower triangle with half of
// the diagonal. The tangent of a large matrix is computed in blocks, which is faster than this formula.
func linearizedCholesky(b expr.Builder, _ *ir.Node, _, y, t []expr.Value) []expr.Value {
	l, da := y[0], fromLower(b, t[0])
	s := l.Shape()
	rank := len(s) - 2
	n := s[rank]
	if n <= blockedRows {
		da = b.Do(ir.TriangularSolve, ir.TriangularAttrs{}, l, da)
		da = b.Do(ir.TriangularSolve, ir.TriangularAttrs{Right: true, Op: ir.Adjoint}, l, da)
		return []expr.Value{b.MatMul(l, halfOfHermitian(b, da))}
	}
	blocks, padded := cutIntoBlocks(b, n)
	l = padWithIdentity(b, l, padded)
	diagonal := make([]expr.Value, padded/blocks.size)
	oneBlock := append(append(s[:rank:rank], 1), blocks.size, blocks.size)
	for i := range diagonal {
		from, to := i*blocks.size, (i+1)*blocks.size
		diagonal[i] = b.Reshape(b.Slice(b.Slice(l, -2, from, to), -1, from, to), oneBlock...)
	}
	all := b.Concatenate(rank, diagonal...)
	eye := b.BroadcastTo(b.Eye(l.DType(), blocks.size, blocks.size), all.Shape())
	inverses := b.Do(ir.TriangularSolve, ir.TriangularAttrs{Right: true, Op: ir.Adjoint}, all, eye)
	for i := range diagonal {
		inverse := b.Reshape(b.Slice(inverses, rank, i, i+1), append(s[:rank:rank], blocks.size, blocks.size)...)
		blocks.inverses = append(blocks.inverses, inverse)
	}
	dl := blocks.tangent(l, padMatrix(b, da, padded, padded), 0)
	return []expr.Value{b.Slice(b.Slice(dl, -2, 0, n), -1, 0, n)}
}

// halfOfHermitian returns the lower triangles of x with half of their diagonals.
func halfOfHermitian(b expr.Builder, x expr.Value) expr.Value {
	return lowerTriangle(b, b.Where(diagonalMask(b, x), b.Mul(x, 0.5), x), ir.GE)
}
