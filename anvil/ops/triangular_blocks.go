package ops

import "github.com/goanvil/notebook/anvil/expr"

// A matrix of more than blockedRows rows is cut into blocks. Each side has at most maxBlocks blocks, because
// the program contains the operations of each block on the diagonal.
const (
	blockedRows = 128
	maxBlocks   = 4
)

// triangularBlocks computes with a batch of lower triangular matrices L that are cut into blocks of size x
// size elements. With the inverses of the blocks on the diagonal, all large operations are products of
// matrices, which take a fraction of the time of substitution.
type triangularBlocks struct {
	b        expr.Builder
	size     int
	inverses []expr.Value // inv(adjoint(B)) of each block B on the diagonal of L
}

// cutIntoBlocks chooses the size of the blocks for matrices of n rows. padded, a multiple of that size, is the
// number of rows that the matrices must be padded to.
func cutIntoBlocks(b expr.Builder, n int) (t *triangularBlocks, padded int) {
	count := min((n+blockedRows-1)/blockedRows, maxBlocks)
	size := (n + count - 1) / count
	return &triangularBlocks{b: b, size: size}, count * size
}

// quarters cuts x into quarters. It returns the quarters except the upper right one, and the number of blocks along a
// side of x11.
func (t *triangularBlocks) quarters(x expr.Value) (x11, x21, x22 expr.Value, blocks int) {
	s := x.Shape()
	n := s[len(s)-1]
	blocks = (n/t.size + 1) / 2
	half := blocks * t.size
	left, right := t.b.Slice(x, -1, 0, half), t.b.Slice(x, -1, half, n)
	return t.b.Slice(left, -2, 0, half), t.b.Slice(left, -2, half, n), t.b.Slice(right, -2, half, n), blocks
}

// join is the inverse of quarters. The upper right quarter is zero.
func (t *triangularBlocks) join(x11, x21, x22 expr.Value) expr.Value {
	b := t.b
	zero := b.Number(0, x21.DType(), b.Transpose(x21).Shape()...)
	return b.Concatenate(-2, b.Concatenate(-1, x11, zero), b.Concatenate(-1, x21, x22))
}

// isBlock reports whether x has the size of one block.
func (t *triangularBlocks) isBlock(x expr.Value) bool {
	s := x.Shape()
	return s[len(s)-1] == t.size
}

// factor returns the Cholesky factor of a, whose first block is block number first of the whole matrix, and
// appends the inverses of the factor's diagonal blocks to t.inverses.
func (t *triangularBlocks) factor(a expr.Value, first int) expr.Value {
	b := t.b
	if t.isBlock(a) {
		l, inverse := factorAndInverse(b, a)
		t.inverses = append(t.inverses, inverse)
		return l
	}
	a11, a21, a22, n := t.quarters(a)
	l11 := t.factor(a11, first)
	l21 := t.solve(l11, first, a21)
	l22 := t.factor(b.Sub(a22, b.MatMul(l21, b.Adjoint(l21))), first+n)
	return t.join(l11, l21, l22)
}

// tangent returns the tangent of l, the Cholesky factor of a matrix A with the tangent da:
//
//	L11' is the tangent of the factor of A11,
//	L21' = (A21' - L21*adjoint(L11'))*inv(adjoint(L11)),
//	L22' is the tangent of the factor of A22 - L21*adjoint(L21).
func (t *triangularBlocks) tangent(l, da expr.Value, first int) expr.Value {
	b := t.b
	if t.isBlock(l) {
		inverse := t.inverses[first]
		return b.MatMul(l, halfOfHermitian(b, b.MatMul(b.MatMul(b.Adjoint(inverse), da), inverse)))
	}
	l11, l21, l22, n := t.quarters(l)
	a11, a21, a22, _ := t.quarters(da)
	d11 := t.tangent(l11, a11, first)
	d21 := t.solve(l11, first, b.Sub(a21, b.MatMul(l21, b.Adjoint(d11))))
	product := b.MatMul(l21, b.Adjoint(d21))
	d22 := t.tangent(l22, b.Sub(a22, b.Add(product, b.Adjoint(product))), first+n)
	return t.join(d11, d21, d22)
}

// solve returns x*inv(adjoint(l)), where the first block of l is block number first of the whole matrix.
func (t *triangularBlocks) solve(l expr.Value, first int, x expr.Value) expr.Value {
	b := t.b
	if t.isBlock(l) {
		return b.MatMul(x, t.inverses[first])
	}
	l11, l21, l22, n := t.quarters(l)
	half := n * t.size
	left := t.solve(l11, first, b.Slice(x, -1, 0, half))
	right := b.Sub(b.Slice(x, -1, half, x.Shape()[len(x.Shape())-1]), b.MatMul(left, b.Adjoint(l21)))
	return b.Concatenate(-1, left, t.solve(l22, first+n, right))
}

// padWithIdentity returns square matrices of the given number of rows with x in their upper left corner, ones
// on the rest of the diagonal, and zeros elsewhere.
func padWithIdentity(b expr.Builder, x expr.Value, rows int) expr.Value {
	s := x.Shape()
	n := s[len(s)-1]
	if n == rows {
		return x
	}
	x = padMatrix(b, x, rows, rows)
	row, _ := rowsAndColumns(b, x)
	return b.Where(b.And(diagonalMask(b, x), b.Ge(row, n)), 1, x)
}
