package dense

import "runtime"

// Triangular returns the x for which a*x = b, where a is triangular. It reads only the upper or only the
// lower triangle of a; if unit is true, it assumes ones on the diagonal.
func Triangular(a, b Matrix, upper, unit bool) Matrix {
	if b.Cols < 4 { // transpose b, so that each element of the result is one dot product
		x := b.Transpose()
		for i := range x.Rows {
			if upper {
				backward(a, x.Row(i), unit)
			} else {
				forward(a, x.Row(i), unit)
			}
		}
		return x.Transpose()
	}
	x := b.Clone()
	parts := 1
	if a.Rows*a.Rows*b.Cols >= minParallel {
		parts = runtime.GOMAXPROCS(0)
	}
	columnsPerPart := (b.Cols/columnGroup + parts) / parts * columnGroup
	inParallel(parts, func(i int) {
		if from, to := min(i*columnsPerPart, b.Cols), min(i*columnsPerPart+columnsPerPart, b.Cols); from < to {
			solve(a, x.part(0, x.Rows, from, to), upper, unit)
		}
	})
	return x
}

// columnGroup is a multiple of the widths of tiles and vectors. Each processor takes a multiple of
// columnGroup columns, so that the terms of each element are added in the same order for any number of
// processors.
const columnGroup = 96

// substitutionRows is the number of rows up to which equations are solved row by row.
const substitutionRows = 16

// solve solves a*x = b in place of b. It solves for one half of the rows of x, subtracts their product with a
// part of a from the other half of b, and solves for the other half of x. So most of the work is in products
// of large matrices.
func solve(a, b Matrix, upper, unit bool) {
	n := a.Rows
	if n <= substitutionRows {
		substitute(a, b, upper, unit)
		return
	}
	half := (n/2 + substitutionRows - 1) / substitutionRows * substitutionRows
	first, second := a.part(0, half, 0, half), a.part(half, n, half, n)
	if upper {
		solve(second, b.rows(half, n), upper, unit)
		tilings[0].multiplyRows(b.rows(0, half), -1, noTrans(a.part(0, half, half, n)), 0, noTrans(b.rows(half, n)))
		solve(first, b.rows(0, half), upper, unit)
		return
	}
	solve(first, b.rows(0, half), upper, unit)
	tilings[0].multiplyRows(b.rows(half, n), -1, noTrans(a.part(half, n, 0, half)), 0, noTrans(b.rows(0, half)))
	solve(second, b.rows(half, n), upper, unit)
}

// substitute solves a*x = b in place of b, row by row.
func substitute(a, b Matrix, upper, unit bool) {
	for step := range a.Rows {
		i, from, to := step, 0, step
		if upper {
			i = a.Rows - 1 - step
			from, to = i+1, a.Rows
		}
		row := b.Row(i)
		for k := from; k < to; k++ {
			add(-a.At(i, k), b.Row(k), row)
		}
		if !unit {
			for j := range row {
				row[j] /= a.At(i, i)
			}
		}
	}
}

// forward solves a*x = b in place of b, with a lower triangular.
func forward(a Matrix, b []float64, unit bool) {
	for i := range b {
		b[i] -= dot(a.Row(i)[:i], b[:i])
		if !unit {
			b[i] /= a.At(i, i)
		}
	}
}

// backward solves a*x = b in place of b, with a upper triangular.
func backward(a Matrix, b []float64, unit bool) {
	for i := len(b) - 1; i >= 0; i-- {
		b[i] -= dot(a.Row(i)[i+1:], b[i+1:])
		if !unit {
			b[i] /= a.At(i, i)
		}
	}
}
