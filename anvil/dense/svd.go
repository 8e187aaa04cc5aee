package dense

import "math"

// SVD returns u and v with orthonormal columns and the singular values of a in
// descending order: a = u * diag(values) * transpose(v), where v is given
// transposed. There are as many of each as the lesser side of a has, or with full
// as many vectors as the sides. The leading components of u's columns are positive,
// and of v's where u has no more. All is NaN where an element is not finite.
//
// The matrix is reduced to a bidiagonal one, whose singular values and vectors are
// in the eigenvalues and eigenvectors of the tridiagonal matrix in which its
// elements lie in turn. Source: Golub and Kahan, Calculating the singular values and
// pseudo-inverse of a matrix, 1965. No product of the matrix with itself is made, so
// that small values are as exact as large ones.
func SVD(a Matrix, full bool) (u Matrix, values []float64, vt Matrix) {
	s, ok := a.scale()
	var left, right Matrix // the vectors as rows
	switch wide := a.Rows < a.Cols; {
	case !ok:
		left, values, right = notNumbers(a, full)
	case wide:
		right, values, left = tallSVD(a.Clone(), s, full)
	default:
		left, values, right = tallSVD(a.Transpose(), s, full)
	}
	for i := range max(left.Rows, right.Rows) {
		switch {
		case i < min(left.Rows, right.Rows):
			lead(left.Row(i), right.Row(i))
		case i < left.Rows:
			lead(left.Row(i))
		default:
			lead(right.Row(i))
		}
	}
	return left.Transpose(), values, right
}

func notNumbers(a Matrix, full bool) (left Matrix, values []float64, right Matrix) {
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

// tallSVD is SVD of a matrix with no more columns than rows, whose columns are given
// as rows; it overwrites them. It returns the vectors as rows.
func tallSVD(columns Matrix, s float64, full bool) (left Matrix, values []float64, right Matrix) {
	n, m := columns.Rows, columns.Cols
	columns.divide(s)
	var tall reflections
	long := m > n+n/2 && n > 0
	if long { // the reductions of the rows are then of the triangle's
		tall = reduce(columns)
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

// padded returns a with zeros to its right, and below it ones on the diagonal.
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

// bidiagonal reduces a matrix with no more columns than rows, whose columns are
// given as rows, to the diagonal d and the elements e above it: by h from the left
// and by g from the right. As in tridiagonal, a step is done on the way of the next
// one, but for the column and the row that that one begins with.
func bidiagonal(columns Matrix) (d, e []float64, h, g reflections) {
	n, m := columns.Rows, columns.Cols
	d, e = make([]float64, n), make([]float64, max(0, n-1))
	h, g = newReflections(n, m), newReflections(max(0, n-1), n)
	var v, z, w, y []float64 // what is to be taken: z[j]*v + w[j]*y from column j
	for k := range n {
		own := columns.Row(k)[k:]
		if k > 0 {
			add2(-z[k], v[k:], -w[k], y[k:], own)
		}
		x := h.v.Row(k)
		copy(x[k:], own)
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
		image := make([]float64, m) // tau * (a, reflected from the left) * row
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

// bidiagonalSVD returns the singular values and the vectors, as rows, of an upper
// bidiagonal matrix.
func bidiagonalSVD(d, e []float64) (left Matrix, values []float64, right Matrix) {
	n := len(d)
	beside := make([]float64, max(0, 2*n-1))
	for i := range d {
		beside[2*i] = d[i]
		if i < n-1 {
			beside[2*i+1] = e[i]
		}
	}
	w, q := solve(make([]float64, 2*n), beside, n)
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

// small is the part of the greatest singular value above which vectors are as
// orthogonal as they come: the halves of an eigenvector mix with those of the
// negative eigenvalues the more, the nearer these are.
const small = 1.0 / 8

// orthonormal makes the rows of x of length 1 and orthogonal. Those of values that
// are next to 0 beside the others are no more than the first ones leave: any will
// do.
func orthonormal(x Matrix, values []float64) {
	from := 0
	for from < len(values) && values[from] > small*values[0] {
		from++
	}
	for i := range x.Rows {
		l := math.Sqrt2 * length(x.Row(i))
		if math.Abs(l-1) > 0x1p-10 { // not half of an eigenvector
			from = 0
			continue
		}
		scaled := 1 / (l / math.Sqrt2)
		for j := range x.Row(i) {
			x.Row(i)[j] *= scaled
		}
	}
	rest := x.rows(from, x.Rows)
	if rest.Rows == 0 {
		return
	}
	work := rest.Clone()
	h := reduce(work)
	q := Identity(rest.Rows, rest.Cols)
	h.apply(q, false)
	for i := range rest.Rows {
		sign := math.Copysign(1, work.At(i, i))
		for j, v := range q.Row(i) {
			rest.Row(i)[j] = sign * v
		}
	}
}
