// Package dense factorizes matrices of float64 in host memory, as LAPACK does. XLA
// plugins have no such factorizations, and take seconds to compile an eigenvalue
// problem of any size.
//
// Most of the work is done by matrix products, which run at the processor's full speed. Results do not depend
// on the number of processors: the terms of each element are always added in the same order.
package dense

import "math"

// A Matrix is a row-major matrix. Its rows start Stride elements apart in X.
type Matrix struct {
	Rows, Cols, Stride int
	X                  []float64
}

// New returns a matrix of zeros.
func New(rows, cols int) Matrix { return Matrix{rows, cols, cols, make([]float64, rows*cols)} }

// Of returns the rows x cols matrix with the elements x, without copying them.
func Of(rows, cols int, x []float64) Matrix { return Matrix{rows, cols, cols, x} }

// Row returns row i, which shares memory with a.
func (a Matrix) Row(i int) []float64 { return a.X[i*a.Stride : i*a.Stride+a.Cols : i*a.Stride+a.Cols] }

// At returns element i, j.
func (a Matrix) At(i, j int) float64 { return a.X[i*a.Stride+j] }

// part returns rows i to i2-1 and columns j to j2-1 of a, which share memory with a.
func (a Matrix) part(i, i2, j, j2 int) Matrix {
	if i >= i2 || j >= j2 {
		return Matrix{Rows: max(0, i2-i), Cols: max(0, j2-j), Stride: a.Stride}
	}
	return Matrix{i2 - i, j2 - j, a.Stride, a.X[i*a.Stride+j : (i2-1)*a.Stride+j2]}
}

// rows returns rows i to i2-1 of a, which share memory with a.
func (a Matrix) rows(i, i2 int) Matrix { return a.part(i, i2, 0, a.Cols) }

// Clone returns a copy of a.
func (a Matrix) Clone() Matrix {
	b := New(a.Rows, a.Cols)
	for i := range a.Rows {
		copy(b.Row(i), a.Row(i))
	}
	return b
}

// transposeTile is the side of the squares that Transpose copies one after another: two of them fit into the
// first-level cache.
const transposeTile = 16

// Transpose returns the transpose of a.
func (a Matrix) Transpose() Matrix {
	b := New(a.Cols, a.Rows)
	for i := 0; i < a.Rows; i += transposeTile {
		for j := 0; j < a.Cols; j += transposeTile {
			for r := i; r < min(i+transposeTile, a.Rows); r++ {
				for c := j; c < min(j+transposeTile, a.Cols); c++ {
					b.X[c*b.Stride+r] = a.X[r*a.Stride+c]
				}
			}
		}
	}
	return b
}

// Identity returns the rows x cols matrix with ones on the diagonal.
func Identity(rows, cols int) Matrix {
	a := New(rows, cols)
	for i := range min(rows, cols) {
		a.X[i*cols+i] = 1
	}
	return a
}

// fill sets all elements of a to v.
func (a Matrix) fill(v float64) {
	for i := range a.Rows {
		for j := range a.Row(i) {
			a.Row(i)[j] = v
		}
	}
}

// scale returns a power of two near the greatest magnitude in a, or 1 if all elements are 0. If a is divided
// by s, the square of its greatest element neither overflows nor underflows. ok is false if an element is
// infinite or NaN.
func (a Matrix) scale() (s float64, ok bool) {
	largest, zeros := 0.0, 0.0
	for i := range a.Rows {
		for _, x := range a.Row(i) {
			largest = max(largest, math.Abs(x))
			zeros += x - x // NaN for infinities and NaN
		}
	}
	finite := zeros == 0
	if !finite || largest == 0 {
		return 1, finite
	}
	return math.Ldexp(1, math.Ilogb(largest)), true
}

// divide divides a by s.
func (a Matrix) divide(s float64) {
	if s == 1 {
		return
	}
	for i := range a.Rows {
		for j := range a.Row(i) {
			a.Row(i)[j] /= s
		}
	}
}

// makeLeadPositive negates x and others if the leading component of x is negative. The leading component is
// the first whose magnitude is at least 0.9 of the greatest magnitude. With this margin, rounding errors do
// not decide which of several components of equal magnitude leads.
func makeLeadPositive(x []float64, others ...[]float64) {
	largest := 0.0
	for _, v := range x {
		largest = max(largest, math.Abs(v))
	}
	for _, v := range x {
		if math.Abs(v) < 0.9*largest {
			continue
		}
		if v < 0 {
			for _, y := range append(others, x) {
				for i := range y {
					y[i] = -y[i]
				}
			}
		}
		return
	}
}
