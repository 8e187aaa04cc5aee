package dense

// QR returns q, of width orthonormal columns, and the upper triangular r of width
// rows with q*r = a: width is the lesser side of a, or the number of its rows. The
// diagonal of r has LAPACK's signs.
func QR(a Matrix, width int) (q, r Matrix) {
	columns := a.Transpose()
	h := reduce(columns)
	r = New(width, a.Cols)
	for i := range width {
		for j := i; j < a.Cols; j++ {
			r.X[i*r.Stride+j] = columns.At(j, i)
		}
	}
	x := Identity(width, a.Rows)
	h.apply(x, false)
	return x.Transpose(), r
}

// reduce makes the upper triangle of a matrix, whose columns are given as rows, by
// reflections.
func reduce(columns Matrix) reflections {
	steps := min(columns.Rows, columns.Cols)
	h := newReflections(steps, columns.Cols)
	for k := 0; k < steps; k += block {
		end := min(k+block, steps)
		for j := k; j < end; j++ {
			h.column(columns, j, end)
		}
		reflections{h.v.rows(k, end), h.taus[k:end]}.applyBlock(columns.rows(end, columns.Rows), true)
	}
	return h
}

// column makes the reflection of column j, and applies it to those up to end.
func (h reflections) column(columns Matrix, j, end int) {
	x, v := columns.Row(j)[j:], h.v.Row(j)[j:]
	copy(v, x)
	h.taus[j], x[0] = reflect(v)
	for k := j + 1; k < end; k++ {
		y := columns.Row(k)[j:]
		add(-h.taus[j]*dot(v, y), v, y)
	}
}
