package dense

// Triangular returns the x with a*x = b, where a is triangular. It reads the upper or the
// lower triangle of a only; with unit it takes the diagonal for ones.
func Triangular(a, b Matrix, upper, unit bool) Matrix {
	if b.Cols < 4 { // with the right sides as rows each element is one dot product
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
	for done := 0; done < a.Rows; done += blockSize {
		from, to := done, min(done+blockSize, a.Rows)
		if upper {
			from, to = a.Rows-to, a.Rows-from
			multiply(x.rows(from, to), -1, noTrans(a.part(from, to, to, a.Rows)), noTrans(x.rows(to, a.Rows)))
		} else {
			multiply(x.rows(from, to), -1, noTrans(a.part(from, to, 0, from)), noTrans(x.rows(0, from)))
		}
		substitute(a.part(from, to, from, to), x.rows(from, to), upper, unit)
	}
	return x
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
