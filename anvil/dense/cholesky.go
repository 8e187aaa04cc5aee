package dense

import "math"

// block is how many columns are factorized between two products of matrices.
const block = 48

// Cholesky returns the lower triangular l with l*transpose(l) = a, of which the
// lower triangle is read. It is not ok where a is not positive definite: then the
// lower triangle of l is NaN.
func Cholesky(a Matrix) (l Matrix, ok bool) {
	n := a.Rows
	l = New(n, n)
	for i := range n {
		copy(l.Row(i)[:i+1], a.Row(i))
	}
	for k := 0; k < n; k += block {
		end := min(k+block, n)
		if !choleskyBlock(l.part(k, end, k, end)) {
			return nanBelow(n), false
		}
		below := l.part(end, n, k, end)
		for i := range below.Rows { // x * transpose(diagonal block) = what is there
			forward(l.part(k, end, k, end), below.Row(i), false)
		}
		for i := end; i < n; i += block { // nothing above the diagonal is made
			last := min(i+block, n)
			multiply(l.part(i, n, i, last), -1, as(l.part(i, n, k, end)), turned(l.part(i, last, k, end)))
		}
	}
	for i := range n {
		clear(l.Row(i)[i+1:])
	}
	return l, true
}

// choleskyBlock factorizes a row by row, in place, with the inverses of the
// diagonal as LAPACK has them: then small factors have its bits.
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

func nanBelow(n int) Matrix {
	a := New(n, n)
	for i := range n {
		for j := range i + 1 {
			a.Row(i)[j] = math.NaN()
		}
	}
	return a
}
