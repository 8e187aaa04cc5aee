package dense

import (
	"cmp"
	"math"
	"slices"
)

// This file computes eigenvalues and eigenvectors of symmetric tridiagonal matrices by divide and conquer: it
// solves two halves of a matrix and merges the solutions. Sources: Gu and Eisenstat, A divide-and-conquer
// algorithm for the symmetric tridiagonal eigenproblem, 1995; Rutter, A serial implementation of Cuppen's
// divide and conquer algorithm, 1994, for the treatment of equal eigenvalues.

// leafSize is the size up to which a tridiagonal matrix is not divided but solved by implicitQL.
const leafSize = 24

// epsilon is half the distance from 1 to the next float64.
const epsilon = 0x1p-53

// eigTridiagonal sets elements of magnitude below tiny to 0 and calls divideAndConquer. The magnitudes of the
// elements must not be much greater than 1.
func eigTridiagonal(d, e []float64, from int) ([]float64, Matrix) {
	for _, xs := range [][]float64{d, e} {
		for i, x := range xs {
			if math.Abs(x) < tiny {
				xs[i] = 0
			}
		}
	}
	return divideAndConquer(d, e, from)
}

// divideAndConquer returns the eigenvalues, in ascending order, of the symmetric tridiagonal matrix with
// diagonal d and off-diagonal e, and the eigenvectors as rows. The rows before row number from are
// unspecified. It overwrites d and e.
func divideAndConquer(d, e []float64, from int) ([]float64, Matrix) {
	n := len(d)
	if n <= leafSize {
		v := Identity(n, n)
		implicitQL(d, e, v)
		return sortByValue(d, v)
	}
	m := n / 2
	coupling := e[m-1]
	d[m-1] -= math.Abs(coupling)
	d[m] -= math.Abs(coupling)
	left, v := divideAndConquer(d[:m:m], e[:m-1:m-1], 0)
	right, u := divideAndConquer(d[m:], e[m:], 0)
	return merge(left, v, right, u, coupling, from)
}

// A pole is an eigenvalue d of one of the two halves of a matrix with its eigenvector, and the element z, for
// this eigenvector, of the rank-one update that joins the halves (see merge).
type pole struct {
	d, z   float64
	vector []float64
	halves int // a bit mask: 1 if the vector may have elements other than 0 in the first half, 2 in the second
}

// merge returns the eigenvalues and eigenvectors of a matrix from those of its halves, left and v, and right
// and u, and the off-diagonal element that couples the halves. In the basis of the halves' eigenvectors, the
// matrix is diag(d) + |coupling| * z * transpose(z). The rows of the eigenvectors before row number from are
// unspecified.
func merge(left []float64, v Matrix, right []float64, u Matrix, coupling float64, from int) ([]float64, Matrix) {
	m, n := len(left), len(left)+len(right)
	ps := make([]pole, 0, n)
	vectors := New(n, n)
	for i, d := range left {
		copy(vectors.Row(i), v.Row(i))
		ps = append(ps, pole{d, v.At(i, m-1), vectors.Row(i), 1})
	}
	for i, d := range right {
		copy(vectors.Row(m + i)[m:], u.Row(i))
		ps = append(ps, pole{d, math.Copysign(1, coupling) * u.At(i, 0), vectors.Row(m + i), 2})
	}
	slices.SortStableFunc(ps, func(a, b pole) int { return cmp.Compare(a.d, b.d) })
	remaining, deflated := deflate(ps, math.Abs(coupling))
	s := secular{remaining, math.Abs(coupling)}
	return s.eigen(deflated, m, from)
}

// deflate separates the poles that already are eigenvalues of the whole matrix. These are the poles with
// negligible z, and all but one of several nearly equal poles, after rotations that make the z of all others
// 0. The remaining poles need the secular equation (see secular). rho is |coupling| in merge.
func deflate(ps []pole, rho float64) (remaining, deflated []pole) {
	largest := rho
	for _, p := range ps {
		largest = max(largest, math.Abs(p.d))
	}
	tolerance := 8 * epsilon * largest
	for _, p := range ps {
		if rho*math.Abs(p.z) <= tolerance {
			deflated = append(deflated, p)
			continue
		}
		if len(remaining) > 0 {
			last := &remaining[len(remaining)-1]
			r := math.Hypot(p.z, last.z)
			c, s := p.z/r, last.z/r
			if gap := p.d - last.d; gap*math.Abs(c*s) <= tolerance {
				rotate(c, s, last.vector, p.vector)
				d := last.d
				last.d, p.d = d*c*c+p.d*s*s, d*s*s+p.d*c*c
				last.z, p.z = 0, r
				halves := last.halves | p.halves
				last.halves, p.halves = halves, halves
				deflated = append(deflated, *last)
				remaining = remaining[:len(remaining)-1]
			}
		}
		remaining = append(remaining, p)
	}
	return remaining, deflated
}

// A secular is the eigenproblem of diag(d) + rho*z*transpose(z), with ascending d and
// nonzero z. Its eigenvalues are the zeros x of the secular function
// 1 + rho * (sum over the poles of z*z / (d - x)), one above each d.
type secular struct {
	poles []pole
	rho   float64
}

// eigen returns the eigenvalues and eigenvectors of the whole matrix: those of s and the deflated ones. The
// first m elements of a vector belong to the first half of the matrix. The rows of the eigenvectors before
// row number from are unspecified.
func (s secular) eigen(deflated []pole, m, from int) ([]float64, Matrix) {
	k, n := len(s.poles), len(s.poles)+len(deflated)
	w, gaps := s.roots()
	s.recomputeZ(gaps)
	values := append([]float64(nil), w...)
	for _, p := range deflated {
		values = append(values, p.d)
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })

	sortedValues, out := make([]float64, n), New(n, n)
	var wanted []int // the indices in w of the eigenvalues of s whose vectors are computed
	for at, i := range order {
		sortedValues[at] = values[i]
		if i >= k {
			copy(out.Row(at), deflated[i-k].vector)
		} else if at >= from {
			wanted = append(wanted, i)
		}
	}
	vectors := s.vectors(gaps, wanted, m, n)
	next := 0
	for at, i := range order {
		if i < k && at >= from {
			copy(out.Row(at), vectors.Row(next))
			next++
		}
	}
	return sortedValues, out
}

// vectors returns the wanted eigenvectors of s as rows of n elements. They are linear combinations of the
// poles' vectors. The first m elements and the others are computed by one product each, from the vectors that
// are not 0 there.
func (s secular) vectors(gaps Matrix, wanted []int, m, n int) Matrix {
	k := len(s.poles)
	byHalf := make([]int, 0, k) // poles of the first half, then of both, then of the second
	for _, halves := range []int{1, 3, 2} {
		for j, p := range s.poles {
			if p.halves == halves {
				byHalf = append(byHalf, j)
			}
		}
	}
	firstEnd, secondStart := 0, k              // byHalf[:firstEnd] has the first half, byHalf[secondStart:] the second
	basis, c := New(k, n), New(len(wanted), k) // the poles' vectors, and their coefficients
	for at, j := range byHalf {
		p := s.poles[j]
		copy(basis.Row(at), p.vector)
		if p.halves&1 != 0 {
			firstEnd = at + 1
		}
		if p.halves&2 != 0 {
			secondStart = min(secondStart, at)
		}
	}
	for row, i := range wanted {
		x := c.Row(row)
		for at, j := range byHalf {
			x[at] = s.poles[j].z / gaps.At(i, j)
		}
		l := length(x)
		for at := range x {
			x[at] /= l
		}
	}
	out := New(len(wanted), n)
	left := basis.part(0, firstEnd, 0, m)
	multiply(out.part(0, out.Rows, 0, m), 1, noTrans(c.part(0, c.Rows, 0, firstEnd)), noTrans(left))
	right := basis.part(secondStart, k, m, n)
	multiply(out.part(0, out.Rows, m, n), 1, noTrans(c.part(0, c.Rows, secondStart, k)), noTrans(right))
	return out
}

// recomputeZ replaces each z by the number for which the computed roots are the exact eigenvalues. Then the
// vectors are orthogonal, however close the roots are.
func (s secular) recomputeZ(gaps Matrix) {
	z := make([]float64, len(s.poles))
	for j := range z {
		z[j] = 1
	}
	for i, p := range s.poles {
		row := gaps.Row(i)
		for j, q := range s.poles {
			if i == j {
				z[j] *= -row[j]
			} else {
				z[j] *= row[j] / (q.d - p.d)
			}
		}
	}
	for j := range z {
		s.poles[j].z = math.Copysign(math.Sqrt(math.Abs(z[j])), s.poles[j].z)
	}
}
