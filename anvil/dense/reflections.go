package dense

import "math"

// reflections is the product of the Householder reflections I - tau * v * transpose(v). Row i of the matrix v
// is the v of reflection i, and taus[i] its tau.
type reflections struct {
	v    Matrix
	taus []float64
}

// newReflections returns count reflections of vectors of the given length, all with v = 0 and tau = 0.
func newReflections(count, length int) reflections {
	return reflections{New(count, length), make([]float64, count)}
}

// tiny is a power of two that is negligible against 1. Dividing small numbers by it is
// exact.
const tiny = 0x1p-500

// reflect replaces x by the v of the reflection that maps x to (beta, 0, ..., 0), and
// returns tau and beta, with the signs of LAPACK.
func reflect(x []float64) (tau, beta float64) {
	rest := length(x[1:])
	if rest == 0 {
		beta, x[0] = x[0], 1
		return 0, beta
	}
	if math.Abs(x[0]) < tiny && rest < tiny { // beta and divisor could be subnormal, and the quotients inexact
		for i := range x {
			x[i] /= tiny
		}
		tau, beta = reflect(x)
		return tau, beta * tiny
	}
	beta = -math.Copysign(math.Hypot(x[0], rest), x[0])
	tau = (beta - x[0]) / beta
	divisor := x[0] - beta
	for i := range x {
		x[i] /= divisor
	}
	x[0] = 1
	return tau, beta
}

// length returns the Euclidean norm of x.
func length(x []float64) float64 {
	s := dot(x, x)
	if s > 0x1p-900 && s < 0x1p900 { // no square overflows, and those that underflow are negligible
		return math.Sqrt(s)
	}
	s = 0
	for _, v := range x {
		s = math.Hypot(s, v)
	}
	return s
}

// blockT returns the triangular matrix T for which the product of the reflections is
// I - transpose(V) * T * V. Source: Schreiber and Van Loan, A storage-efficient WY
// representation for products of Householder transformations, 1989.
func (r reflections) blockT() Matrix {
	n := r.v.Rows
	t, products := New(n, n), make([]float64, n)
	for j := range n {
		for k := range j {
			products[k] = dot(r.v.Row(k), r.v.Row(j))
		}
		for i := range j {
			t.X[i*n+j] = -r.taus[j] * dot(t.Row(i)[i:j], products[i:j])
		}
		t.X[j*n+j] = r.taus[j]
	}
	return t
}

// apply multiplies each row of x, taken as a column vector, by the product of the reflections, or by the
// inverse of the product. It works in blocks of reflections.
func (r reflections) apply(x Matrix, inverse bool) {
	blocks := (r.v.Rows + blockSize - 1) / blockSize
	for i := range blocks {
		if !inverse {
			i = blocks - 1 - i
		}
		from, to := i*blockSize, min(i*blockSize+blockSize, r.v.Rows)
		reflections{r.v.rows(from, to), r.taus[from:to]}.applyBlock(x, inverse)
	}
}

// applyBlock is apply for one block of reflections. It subtracts x * transpose(V) * transpose(T) * V from x,
// or for the inverse x * transpose(V) * T * V, with T from blockT.
func (r reflections) applyBlock(x Matrix, inverse bool) {
	first := r.start()
	v, y := r.v.part(0, r.v.Rows, first, r.v.Cols), x.part(0, x.Rows, first, x.Cols)
	yv, yvt := New(x.Rows, v.Rows), New(x.Rows, v.Rows) // y*transpose(V), and that times T or its transpose
	multiply(yv, 1, noTrans(y), trans(v))
	multiply(yvt, 1, noTrans(yv), operand{r.blockT(), !inverse})
	multiply(y, -1, noTrans(yvt), noTrans(v))
}

// start returns the first column in which a v is not 0. That is a column of the first v,
// since each v begins to the right of the one before.
func (r reflections) start() int {
	for j, x := range r.v.Row(0) {
		if x != 0 {
			return j
		}
	}
	return 0
}
