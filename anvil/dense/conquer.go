package dense

import (
	"cmp"
	"math"
	"slices"
)

// Divide and conquer. Source: Gu and Eisenstat, A divide-and-conquer algorithm for
// the symmetric tridiagonal eigenproblem, 1995; Rutter, A serial implementation of
// Cuppen's divide and conquer algorithm, 1994, for what is done with equal
// eigenvalues.

// leaf is up to what size a tridiagonal matrix is not divided.
const leaf = 24

const epsilon = 0x1p-53

// solve is conquer of numbers of about 1 or less, of which tiny ones count for
// nothing.
func solve(d, e []float64, from int) ([]float64, Matrix) {
	for _, xs := range [][]float64{d, e} {
		for i, x := range xs {
			if math.Abs(x) < tiny {
				xs[i] = 0
			}
		}
	}
	return conquer(d, e, from)
}

// conquer returns the eigenvalues, in ascending order, of the symmetric tridiagonal
// matrix of diagonal d and elements e beside it, which it overwrites, and the
// eigenvectors as rows; those before number from may be anything.
func conquer(d, e []float64, from int) ([]float64, Matrix) {
	n := len(d)
	if n <= leaf {
		v := Identity(n, n)
		implicitQL(d, e, v)
		return sorted(d, v)
	}
	m := n / 2
	between := e[m-1]
	d[m-1] -= math.Abs(between)
	d[m] -= math.Abs(between)
	left, v := conquer(d[:m:m], e[:m-1:m-1], 0)
	right, u := conquer(d[m:], e[m:], 0)
	return merge(left, v, right, u, between, from)
}

// A pole is an eigenvalue of a half, with its part z of the vector that joins the
// halves, and its eigenvector.
type pole struct {
	d, z   float64
	vector []float64
	where  int // 1 if the vector has elements in the first half, 2 in the second, 3 in both
}

// merge returns the eigenvalues and eigenvectors of two halves together with what
// was between them: diag(d) + |between| * z * transpose(z), in the basis of the halves'
// eigenvectors.
func merge(left []float64, v Matrix, right []float64, u Matrix, between float64, from int) ([]float64, Matrix) {
	m, n := len(left), len(left)+len(right)
	ps := make([]pole, 0, n)
	all := New(n, n)
	for i, d := range left {
		copy(all.Row(i), v.Row(i))
		ps = append(ps, pole{d, v.At(i, m-1), all.Row(i), 1})
	}
	for i, d := range right {
		copy(all.Row(m + i)[m:], u.Row(i))
		ps = append(ps, pole{d, math.Copysign(1, between) * u.At(i, 0), all.Row(m + i), 2})
	}
	slices.SortStableFunc(ps, func(a, b pole) int { return cmp.Compare(a.d, b.d) })
	kept, settled := deflate(ps, math.Abs(between))
	s := secular{kept, math.Abs(between)}
	return s.finish(settled, m, from)
}

// deflate tells the poles that are eigenvalues already, with their vectors: those
// of no z, and all but one of those that are equal, which are turned so that one
// has their z.
func deflate(ps []pole, rho float64) (kept, settled []pole) {
	most := rho
	for _, p := range ps {
		most = max(most, math.Abs(p.d))
	}
	tolerance := 8 * epsilon * most
	for _, p := range ps {
		if rho*math.Abs(p.z) <= tolerance {
			settled = append(settled, p)
			continue
		}
		if len(kept) > 0 {
			last := &kept[len(kept)-1]
			r := math.Hypot(p.z, last.z)
			c, s := p.z/r, last.z/r
			if gap := p.d - last.d; gap*math.Abs(c*s) <= tolerance {
				turn(c, s, last.vector, p.vector)
				d := last.d
				last.d, p.d = d*c*c+p.d*s*s, d*s*s+p.d*c*c
				last.z, p.z = 0, r
				both := last.where | p.where
				last.where, p.where = both, both
				settled = append(settled, *last)
				kept = kept[:len(kept)-1]
			}
		}
		kept = append(kept, p)
	}
	return kept, settled
}

// A secular is an eigenproblem of diag(d) + rho*z*transpose(z), with ascending d and
// no z of 0. Its eigenvalues are the zeros x of 1 + rho * the sum of z*z / (d - x),
// one above each d.
type secular struct {
	poles []pole
	rho   float64
}

// finish returns the eigenvalues and eigenvectors of the whole, of which settled are
// some. The first m elements of a vector are those of the first half.
func (s secular) finish(settled []pole, m, from int) ([]float64, Matrix) {
	k, n := len(s.poles), len(s.poles)+len(settled)
	w, away := s.roots()
	s.fitZ(away)
	values := append([]float64(nil), w...)
	for _, p := range settled {
		values = append(values, p.d)
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })

	sortedValues, out := make([]float64, n), New(n, n)
	var wanted []int // of the k, those whose vectors are made
	for at, i := range order {
		sortedValues[at] = values[i]
		if i >= k {
			copy(out.Row(at), settled[i-k].vector)
		} else if at >= from {
			wanted = append(wanted, i)
		}
	}
	made := s.vectors(away, wanted, m, n)
	next := 0
	for at, i := range order {
		if i < k && at >= from {
			copy(out.Row(at), made.Row(next))
			next++
		}
	}
	return sortedValues, out
}

// vectors returns eigenvectors as rows. Those of the halves that have elements in one
// half only are not multiplied by the zeros of the other.
func (s secular) vectors(away Matrix, wanted []int, m, n int) Matrix {
	k := len(s.poles)
	byWhere := make([]int, 0, k) // the poles of the first half, of both, of the second
	for _, where := range []int{1, 3, 2} {
		for j, p := range s.poles {
			if p.where == where {
				byWhere = append(byWhere, j)
			}
		}
	}
	first, second := 0, k // how many have elements in the first half, and from where on in the second
	basis, c := New(k, n), New(len(wanted), k)
	for at, j := range byWhere {
		p := s.poles[j]
		copy(basis.Row(at), p.vector)
		if p.where&1 != 0 {
			first = at + 1
		}
		if p.where&2 != 0 {
			second = min(second, at)
		}
	}
	for row, i := range wanted {
		x := c.Row(row)
		for at, j := range byWhere {
			x[at] = s.poles[j].z / away.At(i, j)
		}
		l := length(x)
		for at := range x {
			x[at] /= l
		}
	}
	out := New(len(wanted), n)
	multiply(out.part(0, out.Rows, 0, m), 1, as(c.part(0, c.Rows, 0, first)), as(basis.part(0, first, 0, m)))
	multiply(out.part(0, out.Rows, m, n), 1, as(c.part(0, c.Rows, second, k)), as(basis.part(second, k, m, n)))
	return out
}

// fitZ makes the z those of which the roots are the exact eigenvalues: then the
// vectors are orthogonal, however near the roots are to each other.
func (s secular) fitZ(away Matrix) {
	z := make([]float64, len(s.poles))
	for j := range z {
		z[j] = 1
	}
	for i, p := range s.poles {
		row := away.Row(i)
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
