package dense

import (
	"cmp"
	"math"
	"slices"
)

// Eigh returns the eigenvalues of a symmetric matrix in ascending order, and its
// eigenvectors as columns of length 1 with positive leading components. It reads the
// lower triangle of a only. If an element is not finite, all results are NaN.
func Eigh(a Matrix) (values []float64, vectors Matrix) {
	n := a.Rows
	x := New(n, n)
	for i := range n {
		copy(x.Row(i)[:i+1], a.Row(i))
	}
	s, ok := x.scale()
	if !ok {
		values = make([]float64, n)
		Of(1, n, values).fill(math.NaN())
		x.fill(math.NaN())
		return values, x
	}
	x.divide(s)
	d, e, h := tridiagonal(x)
	values, rows := eigTridiagonal(d, e, 0)
	h.apply(rows, false)
	for i := range n {
		values[i] *= s
		makeLeadPositive(rows.Row(i))
	}
	return values, rows.Transpose()
}

// tridiagonal reduces the symmetric matrix with the lower triangle x to tridiagonal form with diagonal d and
// off-diagonal e, by the reflections h. Each step computes a rank-two update of the matrix, which the next
// step subtracts, so that a step loads each element only once.
func tridiagonal(x Matrix) (d, e []float64, h reflections) {
	n := x.Rows
	d, e = make([]float64, n), make([]float64, max(0, n-1))
	h = newReflections(max(0, n-1), n)
	var v, w []float64 // the pending update of the previous step: v*transpose(w) + w*transpose(v)
	for k := range n {
		if v != nil {
			for i := k; i < n; i++ {
				x.Row(i)[k] -= v[i]*w[k] + w[i]*v[k]
			}
		}
		d[k] = x.At(k, k)
		if k == n-1 {
			break
		}
		next := h.v.Row(k)
		for i := k + 1; i < n; i++ {
			next[i] = x.At(i, k)
		}
		h.taus[k], e[k] = reflect(next[k+1:])
		y := make([]float64, n)
		for i := k + 1; i < n; i++ {
			row := x.Row(i)[k+1 : i+1]
			if v != nil {
				add2(-v[i], w[k+1:i+1], -w[i], v[k+1:i+1], row)
			}
			last := len(row) - 1
			y[i] += dotAdd(next[i], row[:last], next[k+1:i], y[k+1:i]) + row[last]*next[i]
		}
		tau := h.taus[k]
		half := -tau / 2 * tau * dot(y[k+1:], next[k+1:])
		for i := k + 1; i < n; i++ {
			y[i] = tau*y[i] + half*next[i]
		}
		v, w = next, y
	}
	return d, e, h
}

// sortByValue returns w in ascending order, and the rows of v in the same order.
func sortByValue(w []float64, v Matrix) ([]float64, Matrix) {
	order := make([]int, len(w))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(w[i], w[j]) })
	values, rows := make([]float64, len(w)), New(v.Rows, v.Cols)
	for i, j := range order {
		values[i] = w[j]
		copy(rows.Row(i), v.Row(j))
	}
	return values, rows
}
