package dense

import "math"

// blockSize is the number of columns that are factorized between two matrix products.
const blockSize = 48

// Cholesky returns the lower triangular l with l*transpose(l) = a. It reads the lower
// triangle of a only. If a is not positive definite, ok is false and the lower
// triangle of l is NaN.
func Cholesky(a Matrix) (l Matrix, ok bool) {
	n := a.Rows
	l = New(n, n)
	for i := range n {
		copy(l.Row(i)[:i+1], a.Row(i))
	}
	for k := 0; k < n; k += blockSize {
		end := min(k+blockSize, n)
		if !choleskyBlock(l.part(k, end, k, end)) {
			return nanBelow(n), false
		}
		below := l.part(end, n, k, end)
		for i := range below.Rows { // solves x * transpose(diagonal block) = row
			forward(l.part(k, end, k, end), below.Row(i), false)
		}
		for i := end; i < n; i += blockSize { // only blocks that reach below the diagonal
			last := min(i+blockSize, n)
			multiply(l.part(i, n, i, last), -1, noTrans(l.part(i, n, k, end)), trans(l.part(i, last, k, end)))
		}
	}
	for i := range n {
		clear(l.Row(i)[i+1:])
	}
	return l, true
}

// choleskyBlock factorizes a in place, row by row, and reports whether it is positive
// definite. It multiplies by the inverse of the diagonal, as LAPACK does, so that the
// results for small matrices are the same bits.
func choleskyBlock(a Matrix) bool {
	inverse := make([]float64, a.Rows)
	for i := range a.Rows {
		row := a.Row(i)
		for j := range i {
			row[j] = (row[j] - dot(row[:j], a.Row(j)[:j])) * inverse[j]
		}
		pivot := row[i] - dot(row[:i], row[:i])
		if !(pivot > 0) {
			return false
		}
		row[i] = math.Sqrt(pivot)
		inverse[i] = 1 / row[i]
	}
	return true
}

// nanBelow returns the n x n matrix with NaN in the lower triangle and zeros above.
func nanBelow(n int) Matrix {
	a := New(n, n)
	for i := range n {
		for j := range i + 1 {
			a.Row(i)[j] = math.NaN()
		}
	}
	return a
}
