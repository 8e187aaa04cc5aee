package dense

import "math"

// SVD returns u and v with orthonormal columns and the singular values of a in
// descending order, with a = u * diag(values) * transpose(v); it returns v transposed.
// The number of values, and of columns of u and v, is the lesser of the numbers of rows
// and columns of a; if full is true, u and v are square. The leading components of u's
// columns are positive, and so are those of columns of v that have no counterpart in u. If
// an element is not finite, all results are NaN.
//
// SVD reduces the matrix to bidiagonal form. The interleaved elements of the two diagonals are the
// off-diagonal of a tridiagonal matrix with zeros on its diagonal, whose eigenvalues and eigenvectors give
// the singular values and vectors. Source: Golub and Kahan, Calculating the singular values and
// pseudo-inverse of a matrix, 1965. Since no matrix is multiplied by itself, small values are as accurate as
// large ones.
func SVD(a Matrix, full bool) (u Matrix, values []float64, vt Matrix) {
	s, ok := a.scale()
	var left, right Matrix // the vectors as rows
	switch wide := a.Rows < a.Cols; {
	case !ok:
		left, values, right = nanSVD(a, full)
	case wide:
		right, values, left = tallSVD(a.Clone(), s, full)
	default:
		left, values, right = tallSVD(a.Transpose(), s, full)
	}
	for i := range max(left.Rows, right.Rows) {
		switch {
		case i < min(left.Rows, right.Rows):
			makeLeadPositive(left.Row(i), right.Row(i))
		case i < left.Rows:
			makeLeadPositive(left.Row(i))
		default:
			makeLeadPositive(right.Row(i))
		}
	}
	return left.Transpose(), values, right
}

// nanSVD returns NaN in the shapes of the results of SVD.
func nanSVD(a Matrix, full bool) (left Matrix, values []float64, right Matrix) {
	k := min(a.Rows, a.Cols)
	left, values, right = New(k, a.Rows), make([]float64, k), New(k, a.Cols)
	if full {
		left, right = New(a.Rows, a.Rows), New(a.Cols, a.Cols)
	}
	left.fill(math.NaN())
	right.fill(math.NaN())
	Of(1, k, values).fill(math.NaN())
	return left, values, right
}

// tallSVD is SVD of a matrix with at least as many rows as columns, which is given by its transpose, columns.
// It divides the matrix by s first, and multiplies the singular values by s. It overwrites columns, and
// returns the vectors as rows.
func tallSVD(columns Matrix, s float64, full bool) (left Matrix, values []float64, right Matrix) {
	n, m := columns.Rows, columns.Cols
	columns.divide(s)
	var tall reflections
	long := m > n+n/2 && n > 0
	if long { // reduce the matrix to the triangle of its QR factorization, which is smaller
		tall = triangularize(columns)
		square := New(n, n)
		for i := range n {
			copy(square.Row(i)[:i+1], columns.Row(i))
		}
		columns = square
	}
	d, e, h, g := bidiagonal(columns)
	left, values, right = bidiagonalSVD(d, e)
	for i := range values {
		values[i] *= s
	}
	g.apply(right, false)
	rows := n
	if full {
		rows = m
	}
	if !long {
		left = padded(left, rows, m)
		h.apply(left, false)
		return left, values, right
	}
	h.apply(left, false)
	left = padded(left, rows, m)
	tall.apply(left, false)
	return left, values, right
}

// padded returns a extended to rows x cols: with zeros to the right, and with rows of the
// identity below.
func padded(a Matrix, rows, cols int) Matrix {
	if a.Rows == rows && a.Cols == cols {
		return a
	}
	b := New(rows, cols)
	for i := range rows {
		if i < a.Rows {
			copy(b.Row(i), a.Row(i))
		} else {
			b.Row(i)[i] = 1
		}
	}
	return b
}

// bidiagonal reduces a matrix with at least as many rows as columns, which is given by its transpose,
// columns, to upper bidiagonal form with diagonal d and superdiagonal e, by reflections h from the left and g
// from the right. As in tridiagonal, each step subtracts the update of the previous step.
func bidiagonal(columns Matrix) (d, e []float64, h, g reflections) {
	n, m := columns.Rows, columns.Cols
	d, e = make([]float64, n), make([]float64, max(0, n-1))
	h, g = newReflections(n, m), newReflections(max(0, n-1), n)
	var v, z, w, y []float64 // the pending update: subtract z[j]*v + w[j]*y from each column j
	for k := range n {
		columnK := columns.Row(k)[k:]
		if k > 0 {
			add2(-z[k], v[k:], -w[k], y[k:], columnK)
		}
		x := h.v.Row(k)
		copy(x[k:], columnK)
		h.taus[k], d[k] = reflect(x[k:])
		if k == n-1 {
			break
		}
		product := make([]float64, n) // tau * transpose(a) * x
		row := g.v.Row(k)
		for j := k + 1; j < n; j++ {
			column := columns.Row(j)[k:]
			if k > 0 {
				add2(-z[j], v[k:], -w[j], y[k:], column)
			}
			product[j] = h.taus[k] * dot(column, x[k:])
			row[j] = column[0] - product[j]
		}
		g.taus[k], e[k] = reflect(row[k+1:])
		image := make([]float64, m) // tau * a * row, with a after the reflection from the left
		for j := k + 1; j < n; j++ {
			add(row[j], columns.Row(j)[k:], image[k:])
		}
		inner := dot(product[k+1:], row[k+1:])
		add(-inner, x[k:], image[k:])
		for i := k; i < m; i++ {
			image[i] *= g.taus[k]
		}
		v, z, w, y = x, product, row, image
	}
	return d, e, h, g
}

// bidiagonalSVD returns the singular values and the singular vectors, as rows, of the upper bidiagonal matrix
// with diagonal d and superdiagonal e.
func bidiagonalSVD(d, e []float64) (left Matrix, values []float64, right Matrix) {
	n := len(d)
	offDiagonal := make([]float64, max(0, 2*n-1))
	for i := range d {
		offDiagonal[2*i] = d[i]
		if i < n-1 {
			offDiagonal[2*i+1] = e[i]
		}
	}
	w, q := eigTridiagonal(make([]float64, 2*n), offDiagonal, n)
	left, values, right = New(n, n), make([]float64, n), New(n, n)
	for i := range n {
		values[i] = max(w[2*n-1-i], 0)
		row := q.Row(2*n - 1 - i)
		for j := range n {
			right.Row(i)[j], left.Row(i)[j] = row[2*j], row[2*j+1]
		}
	}
	orthonormal(left, values)
	orthonormal(right, values)
	return left, values, right
}

// orthogonalFraction is the fraction of the greatest singular value above which the computed
// vectors are orthogonal. A smaller value and its negative are close eigenvalues of the
// tridiagonal matrix, so that their computed eigenvectors mix.
const orthogonalFraction = 1.0 / 8

// orthonormal makes the rows of x orthogonal and of length 1. The rows for values near 0
// become arbitrary vectors that are orthogonal to the others.
func orthonormal(x Matrix, values []float64) {
	from := 0
	for from < len(values) && values[from] > orthogonalFraction*values[0] {
		from++
	}
	for i := range x.Rows {
		l := math.Sqrt2 * length(x.Row(i)) // 1 if the row is half of an eigenvector
		if math.Abs(l-1) > 0x1p-10 {       // the eigenvectors are mixed: orthogonalize all rows
			from = 0
			continue
		}
		factor := 1 / (l / math.Sqrt2)
		for j := range x.Row(i) {
			x.Row(i)[j] *= factor
		}
	}
	rest := x.rows(from, x.Rows)
	if rest.Rows == 0 {
		return
	}
	work := rest.Clone()
	h := triangularize(work)
	q := Identity(rest.Rows, rest.Cols)
	h.apply(q, false)
	for i := range rest.Rows {
		sign := math.Copysign(1, work.At(i, i))
		for j, v := range q.Row(i) {
			rest.Row(i)[j] = sign * v
		}
	}
}
