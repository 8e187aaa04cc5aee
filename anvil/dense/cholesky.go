package dense

import (
	"math"
	"runtime"
)

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
	if !choleskyInPlace(l) {
		return nanBelow(n), false
	}
	for i := range n {
		clear(l.Row(i)[i+1:])
	}
	return l, true
}

// choleskyInPlace factorizes a in place, by halves, and reports whether a is positive definite. It leaves
// arbitrary numbers above the diagonal.
func choleskyInPlace(a Matrix) bool {
	n := a.Rows
	if n <= blockSize {
		return choleskyBlock(a)
	}
	half := (n/2 + blockSize - 1) / blockSize * blockSize
	first, below := a.part(0, half, 0, half), a.part(half, n, 0, half)
	if !choleskyInPlace(first) {
		return false
	}
	inParallelRows(below, half*half, func(rows Matrix) { solveTransposed(first, rows) })
	for i := half; i < n; i += 2 * blockSize { // do not compute blocks above the diagonal
		last := min(i+2*blockSize, n)
		multiply(a.part(i, n, i, last), -1, noTrans(a.part(i, n, 0, half)), trans(a.part(i, last, 0, half)))
	}
	return choleskyInPlace(a.part(half, n, half, n))
}

// inParallelRows calls f with parts of the rows of a, concurrently if there is enough work. workPerRow is the
// number of multiplications in f for each row.
func inParallelRows(a Matrix, workPerRow int, f func(rows Matrix)) {
	parts := 1
	if a.Rows*workPerRow >= minParallel {
		parts = runtime.GOMAXPROCS(0)
	}
	rowsPerPart := (a.Rows + parts - 1) / parts
	inParallel(parts, func(i int) {
		if from, to := min(i*rowsPerPart, a.Rows), min(i*rowsPerPart+rowsPerPart, a.Rows); from < to {
			f(a.rows(from, to))
		}
	})
}

// solveTransposed solves x*transpose(a) = b in place of b, with a lower triangular.
func solveTransposed(a, b Matrix) {
	n := a.Rows
	if n <= substitutionRows {
		for i := range b.Rows {
			forward(a, b.Row(i), false)
		}
		return
	}
	half := (n/2 + substitutionRows - 1) / substitutionRows * substitutionRows
	solved, rest := b.part(0, b.Rows, 0, half), b.part(0, b.Rows, half, n)
	solveTransposed(a.part(0, half, 0, half), solved)
	tilings[0].multiplyRows(rest, -1, noTrans(solved), 0, trans(a.part(half, n, 0, half)))
	solveTransposed(a.part(half, n, half, n), rest)
}

// choleskyBlock factorizes a in place, row by row, and reports whether it is positive definite. It multiplies
// by the inverses of the diagonal elements, as LAPACK does, so that small matrices have LAPACK's results bit
// for bit.
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

// nanBelow returns the n x n matrix with NaN on and below the diagonal and zeros above it.
func nanBelow(n int) Matrix {
	a := New(n, n)
	for i := range n {
		for j := range i + 1 {
			a.Row(i)[j] = math.NaN()
		}
	}
	return a
}
