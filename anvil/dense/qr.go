package dense

// QR returns q with width orthonormal columns and the upper triangular r with width rows, for which q*r = a.
// width must be the number of rows of a, or the lesser of its numbers of rows and columns. The diagonal of r
// has LAPACK's signs.
func QR(a Matrix, width int) (q, r Matrix) {
	columns := a.Transpose()
	h := triangularize(columns)
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

// triangularize computes the QR factorization of a matrix whose columns are given as rows. It overwrites
// the upper triangle of the matrix with R, leaves numbers without meaning below the diagonal, and returns
// the reflections whose product is Q.
func triangularize(columns Matrix) reflections {
	steps := min(columns.Rows, columns.Cols)
	h := newReflections(steps, columns.Cols)
	for k := 0; k < steps; k += blockSize {
		end := min(k+blockSize, steps)
		for j := k; j < end; j++ {
			h.reduceColumn(columns, j, end)
		}
		reflections{h.v.rows(k, end), h.taus[k:end]}.applyBlock(columns.rows(end, columns.Rows), true)
	}
	return h
}

// reduceColumn computes the reflection for column j, and applies it to columns j to
// end-1.
func (h reflections) reduceColumn(columns Matrix, j, end int) {
	x, v := columns.Row(j)[j:], h.v.Row(j)[j:]
	copy(v, x)
	h.taus[j], x[0] = reflect(v)
	for k := j + 1; k < end; k++ {
		y := columns.Row(k)[j:]
		add(-h.taus[j]*dot(v, y), v, y)
	}
}
