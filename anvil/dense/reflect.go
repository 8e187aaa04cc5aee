package dense

import "math"

// Reflections are H = I - tau * v * transpose(v), with v as a row, one after the
// other.
type reflections struct {
	v    Matrix
	taus []float64
}

func newReflections(count, length int) reflections {
	return reflections{New(count, length), make([]float64, count)}
}

// tiny is what counts for nothing beside 1, and whose quotients with the least
// normal number are still exact.
const tiny = 0x1p-500

// reflect makes x the v of the reflection that leaves only its first element, and
// returns that and tau; with the signs of LAPACK.
func reflect(x []float64) (tau, beta float64) {
	rest := length(x[1:])
	if rest == 0 {
		beta, x[0] = x[0], 1
		return 0, beta
	}
	if math.Abs(x[0]) < tiny && rest < tiny { // the quotients would not be exact
		for i := range x {
			x[i] /= tiny
		}
		tau, beta = reflect(x)
		return tau, beta * tiny
	}
	beta = -math.Copysign(math.Hypot(x[0], rest), x[0])
	tau = (beta - x[0]) / beta
	by := x[0] - beta
	for i := range x {
		x[i] /= by
	}
	x[0] = 1
	return tau, beta
}

// length returns the square root of the sum of squares of x.
func length(x []float64) float64 {
	s := dot(x, x)
	if s > 0x1p-900 && s < 0x1p900 {
		return math.Sqrt(s)
	}
	s = 0
	for _, v := range x {
		s = math.Hypot(s, v)
	}
	return s
}

// block returns the triangular matrix T for which the reflections of r, one after
// the other, are I - transpose(V) * T * V. Source: Schreiber and Van Loan, A
// storage-efficient WY representation for products of Householder
// transformations, 1989.
func (r reflections) block() Matrix {
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

// apply multiplies the rows of x, as columns, by the reflections of r in blocks: by
// the first one last, or inverse by the last one last.
func (r reflections) apply(x Matrix, inverse bool) {
	blocks := (r.v.Rows + block - 1) / block
	for i := range blocks {
		if !inverse {
			i = blocks - 1 - i
		}
		from, to := i*block, min(i*block+block, r.v.Rows)
		reflections{r.v.rows(from, to), r.taus[from:to]}.applyBlock(x, inverse)
	}
}

// applyBlock is apply of one block: x less x * transpose(V) * transpose(T) * V, or
// inverse with T itself.
func (r reflections) applyBlock(x Matrix, inverse bool) {
	first := r.start()
	v, y := r.v.part(0, r.v.Rows, first, r.v.Cols), x.part(0, x.Rows, first, x.Cols)
	left, both := New(x.Rows, v.Rows), New(x.Rows, v.Rows)
	multiply(left, 1, as(y), turned(v))
	multiply(both, 1, as(left), operand{r.block(), !inverse})
	multiply(y, -1, as(both), as(v))
}

// start returns the first column in which there is a v.
func (r reflections) start() int {
	for j, x := range r.v.Row(0) {
		if x != 0 {
			return j
		}
	}
	return 0
}
