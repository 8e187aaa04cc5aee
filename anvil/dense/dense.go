// Package dense factorizes matrices of float64 in host memory: what LAPACK does
// elsewhere. Compilers of tensor programs take seconds for an eigenvalue problem of
// any size, and none of them has these factorizations of its own.
//
// All but what is next to the diagonal is done by products of matrices, which
// run at the speed of the processor. Results are functions of the operands
// alone: however many processors there are, each element is the same sum.
package dense

import "math"

// A Matrix has its rows one after the other in X, Stride elements apart.
type Matrix struct {
	Rows, Cols, Stride int
	X                  []float64
}

// New returns a matrix of zeros.
func New(rows, cols int) Matrix { return Matrix{rows, cols, cols, make([]float64, rows*cols)} }

// Of returns the matrix of elements x, which it shares.
func Of(rows, cols int, x []float64) Matrix { return Matrix{rows, cols, cols, x} }

// Row returns row i, which is shared.
func (a Matrix) Row(i int) []float64 { return a.X[i*a.Stride : i*a.Stride+a.Cols : i*a.Stride+a.Cols] }

// At returns an element.
func (a Matrix) At(i, j int) float64 { return a.X[i*a.Stride+j] }

// part returns the rows from i to before i2, and of these the columns from j to
// before j2.
func (a Matrix) part(i, i2, j, j2 int) Matrix {
	if i >= i2 || j >= j2 {
		return Matrix{Rows: max(0, i2-i), Cols: max(0, j2-j), Stride: a.Stride}
	}
	return Matrix{i2 - i, j2 - j, a.Stride, a.X[i*a.Stride+j : (i2-1)*a.Stride+j2]}
}

func (a Matrix) rows(i, i2 int) Matrix { return a.part(i, i2, 0, a.Cols) }

// Clone returns a copy of a.
func (a Matrix) Clone() Matrix {
	b := New(a.Rows, a.Cols)
	for i := range a.Rows {
		copy(b.Row(i), a.Row(i))
	}
	return b
}

// edge is the side of the squares that a matrix is transposed by: both fit the
// nearest cache.
const edge = 16

// Transpose returns the transposed matrix.
func (a Matrix) Transpose() Matrix {
	b := New(a.Cols, a.Rows)
	for i := 0; i < a.Rows; i += edge {
		for j := 0; j < a.Cols; j += edge {
			for r := i; r < min(i+edge, a.Rows); r++ {
				for c := j; c < min(j+edge, a.Cols); c++ {
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

// fill makes all elements of a the number v.
func (a Matrix) fill(v float64) {
	for i := range a.Rows {
		for j := range a.Row(i) {
			a.Row(i)[j] = v
		}
	}
}

// scale returns a power of two near the greatest magnitude of a, by which a is
// divided so that no square overflows or vanishes; 1 of zeros. It is not ok where
// an element is infinite or not a number.
func (a Matrix) scale() (s float64, ok bool) {
	most, sum := 0.0, 0.0
	for i := range a.Rows {
		for _, x := range a.Row(i) {
			most = max(most, math.Abs(x))
			sum += x - x
		}
	}
	if sum != 0 || most == 0 {
		return 1, sum == 0
	}
	return math.Ldexp(1, math.Ilogb(most)), true
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

// lead makes the leading component of x, the first one of at least 0.9 of the
// greatest magnitude, positive: where it is not, x and others are negated.
func lead(x []float64, others ...[]float64) {
	most := 0.0
	for _, v := range x {
		most = max(most, math.Abs(v))
	}
	for _, v := range x {
		if math.Abs(v) < 0.9*most {
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
