package ops

import (
	"cmp"
	"math"
	"slices"

	"github.com/goanvil/notebook/anvil/ir"
)

// The reference evaluations of the operations in linalg.go.

// choleskyOf returns the Cholesky factor, which is lower triangular. If a pivot is not positive, the triangle is NaN.
func choleskyOf[T scalar](_ *ir.Node, xs []dense[T]) []dense[T] {
	a, l := xs[0], newDense[T](xs[0].rows, xs[0].rows)
	for j := range a.rows {
		pivot := re(a.at(j, j))
		for k := range j {
			pivot -= re(l.at(j, k) * conj(l.at(j, k)))
		}
		if !(pivot > 0) {
			nan := scalarOf[T](math.NaN())
			nan *= nan // NaN in both parts of a complex number
			return []dense[T]{denseOf(a.rows, a.rows, func(i, j int) T {
				if i < j {
					return 0
				}
				return nan
			})}
		}
		l.set(j, j, scalarOf[T](math.Sqrt(pivot)))
		for i := j + 1; i < a.rows; i++ {
			s := a.at(i, j)
			for k := range j {
				s -= l.at(i, k) * conj(l.at(j, k))
			}
			l.set(i, j, s/l.at(j, j))
		}
	}
	return []dense[T]{l}
}

// triangularOf solves op(a)*x = b by forward or backward substitution. It solves x*op(a) = b as the transposed
// equation, transpose(op(a))*transpose(x) = transpose(b).
func triangularOf[T scalar](n *ir.Node, xs []dense[T]) []dense[T] {
	attrs := n.Attrs.(ir.TriangularAttrs)
	a, b := applyOp(attrs, xs[0]), xs[1]
	flipped := attrs.Op != ir.AsIs // transposing turns an upper triangle into a lower one
	lower := attrs.Upper == flipped
	if attrs.Right {
		a, b, lower = a.transpose(), b.transpose(), !lower
	}
	x := dense[T]{b.rows, b.cols, slices.Clone(b.x)}
	for step := range a.rows {
		i, from, to := step, 0, step
		if !lower {
			i = a.rows - 1 - step
			from, to = i+1, a.rows
		}
		for c := range b.cols {
			s := x.at(i, c)
			for k := from; k < to; k++ {
				s -= a.at(i, k) * x.at(k, c)
			}
			x.set(i, c, s/a.at(i, i))
		}
	}
	if attrs.Right {
		x = x.transpose()
	}
	return []dense[T]{x}
}

// applyOp returns op(a), with zeros in the triangle that is not read.
func applyOp[T scalar](t ir.TriangularAttrs, a dense[T]) dense[T] {
	a = denseOf(a.rows, a.rows, func(i, j int) T {
		switch {
		case i == j && t.Unit:
			return 1
		case i < j && !t.Upper, i > j && t.Upper:
			return 0
		}
		return a.at(i, j)
	})
	switch t.Op {
	case ir.Transposed:
		return a.transpose()
	case ir.Adjoint:
		return a.adjoint()
	}
	return a
}

// luOf returns the factors, the pivots and the permutation of Gaussian elimination with partial pivoting.
func luOf[T scalar](_ *ir.Node, xs []dense[T]) []dense[T] {
	a := dense[T]{xs[0].rows, xs[0].cols, slices.Clone(xs[0].x)}
	steps := min(a.rows, a.cols)
	pivots, order := newDense[T](1, steps), denseOf(1, a.rows, func(_, j int) T { return scalarOf[T](float64(j)) })
	order = order.transpose()
	for k := range steps {
		best := k
		for i := k + 1; i < a.rows; i++ {
			if pivotSize(a.at(i, k)) > pivotSize(a.at(best, k)) {
				best = i
			}
		}
		pivots.set(0, k, scalarOf[T](float64(best)))
		a.swapRows(k, best)
		order.swapRows(k, best)
		if a.at(k, k) == 0 {
			continue
		}
		for i := k + 1; i < a.rows; i++ {
			a.set(i, k, a.at(i, k)/a.at(k, k))
			for j := k + 1; j < a.cols; j++ {
				a.set(i, j, a.at(i, j)-a.at(i, k)*a.at(k, j))
			}
		}
	}
	return []dense[T]{a, pivots, order.transpose()}
}

// pivotSize returns |re| + |im| of x, which LAPACK compares to choose pivots.
func pivotSize[T scalar](x T) float64 { return math.Abs(re(x)) + math.Abs(im(x)) }

// qrOf makes its operand upper triangular by Householder reflections H = I - tau*v*adjoint(v), with the
// signs of LAPACK's geqrf. The product of the reflections is q.
func qrOf[T scalar](n *ir.Node, xs []dense[T]) []dense[T] {
	a := dense[T]{xs[0].rows, xs[0].cols, slices.Clone(xs[0].x)}
	steps, width := min(a.rows, a.cols), min(a.rows, a.cols)
	if n.Attrs.(ir.FullAttrs).Full {
		width = a.rows
	}
	taus := make([]T, steps)
	for k := range steps {
		taus[k] = reflection(a, k)
		for j := k + 1; j < a.cols; j++ {
			reflect(a, k, conj(taus[k]), a, j)
		}
	}
	q := identity[T](a.rows, width)
	for k := steps - 1; k >= 0; k-- {
		for j := range width {
			reflect(a, k, taus[k], q, j)
		}
	}
	return []dense[T]{q, denseOf(width, a.cols, func(i, j int) T {
		if i > j {
			return 0
		}
		return a.at(i, j)
	})}
}

// reflection computes the reflection that makes the elements below row k in column k of a zero, and returns its tau.
// In column k it stores the new element of row k and, below, the elements of v after the leading 1.
func reflection[T scalar](a dense[T], k int) (tau T) {
	alpha, rest := a.at(k, k), a.norm(k, k+1)
	if rest == 0 && im(alpha) == 0 {
		return 0
	}
	beta := scalarOf[T](-math.Copysign(math.Hypot(abs(alpha), rest), re(alpha)))
	for i := k + 1; i < a.rows; i++ {
		a.set(i, k, a.at(i, k)/(alpha-beta))
	}
	a.set(k, k, beta)
	return (beta - alpha) / beta
}

// reflect applies the reflection in column k of v to column j of a.
func reflect[T scalar](v dense[T], k int, tau T, a dense[T], j int) {
	s := a.at(k, j)
	for i := k + 1; i < v.rows; i++ {
		s += conj(v.at(i, k)) * a.at(i, j)
	}
	a.set(k, j, a.at(k, j)-tau*s)
	for i := k + 1; i < v.rows; i++ {
		a.set(i, j, a.at(i, j)-tau*s*v.at(i, k))
	}
}

const (
	jacobiSweeps = 40        // the greatest number of sweeps of the Jacobi methods, which converge in fewer
	jacobiZero   = 0x1p-1000 // products below it count as 0; the greatest element is about 1 (see scaled)
)

// scaled returns y = x/scale, where scale is a power of 2 for which the greatest magnitude in y is about 1, so that
// products of elements neither overflow nor underflow. scale is 1 if the greatest magnitude in x is 0 or not finite.
func scaled[T scalar](x dense[T]) (y dense[T], scale T) {
	most := 0.0
	for _, v := range x.x {
		most = max(most, math.Abs(re(v)), math.Abs(im(v)))
	}
	scale = 1
	if most > 0 && !math.IsInf(most, 1) {
		_, exp := math.Frexp(most)
		scale = scalarOf[T](math.Ldexp(1, exp-1))
	}
	return denseOf(x.rows, x.cols, func(i, j int) T { return x.at(i, j) / scale }), scale
}

// eighOf computes eigenvalues and eigenvectors by the Jacobi method: rotations make the elements off the diagonal 0.
func eighOf[T scalar](_ *ir.Node, xs []dense[T]) []dense[T] {
	n := xs[0].rows
	x, scale := scaled(xs[0])
	a := denseOf(n, n, func(i, j int) T {
		switch {
		case i == j:
			return scalarOf[T](re(x.at(i, i)))
		case i < j:
			return conj(x.at(j, i))
		default:
			return x.at(i, j)
		}
	})
	v := identity[T](n, n)
	for range jacobiSweeps {
		converged := true
		for p := range n {
			for q := p + 1; q < n; q++ {
				g, app, aqq := a.at(p, q), re(a.at(p, p)), re(a.at(q, q))
				rounding := 0x1p-54 * math.Sqrt(math.Abs(app)) * math.Sqrt(math.Abs(aqq))
				if abs(g) <= rounding || abs(g) < jacobiZero {
					continue
				}
				converged = false
				rotate(a, p, q, g, app, aqq)
				b := a.adjoint() // its columns are the rows of a, conjugated
				rotate(b, p, q, g, app, aqq)
				copy(a.x, b.adjoint().x)
				rotate(v, p, q, g, app, aqq)
			}
		}
		if converged {
			break
		}
	}
	order := indicesUpTo(n)
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(re(a.at(i, i)), re(a.at(j, j))) })
	v = denseOf(n, n, func(i, j int) T { return v.at(i, order[j]) })
	for j := range n {
		normalizeColumn(v, j, v)
	}
	return []dense[T]{denseOf(1, n, func(_, j int) T { return a.at(order[j], order[j]) * scale }), v}
}

// indicesUpTo returns 0, 1, ..., n-1.
func indicesUpTo(n int) []int {
	xs := make([]int, n)
	for i := range xs {
		xs[i] = i
	}
	return xs
}

// rotate rotates columns p and q of a by the rotation that diagonalizes the Hermitian matrix
// {{app, g}, {conj(g), aqq}}.
func rotate[T scalar](a dense[T], p, q int, g T, app, aqq float64) {
	theta := (aqq - app) / (2 * abs(g))
	t := math.Copysign(1/(math.Abs(theta)+math.Hypot(theta, 1)), theta)
	c := 1 / math.Hypot(t, 1)
	s, phase := scalarOf[T](t*c), conj(g)/scalarOf[T](abs(g))
	for i := range a.rows {
		x, y := a.at(i, p), phase*a.at(i, q)
		a.set(i, p, scalarOf[T](c)*x-s*y)
		a.set(i, q, s*x+scalarOf[T](c)*y)
	}
}

// normalizeColumn multiplies column j of each target by the phase that makes the leading component of
// a's column j real and positive. The leading component is the first whose magnitude is at least 0.9 times
// the greatest.
func normalizeColumn[T scalar](a dense[T], j int, targets ...dense[T]) {
	most := 0.0
	for i := range a.rows {
		most = max(most, abs(a.at(i, j)))
	}
	for i := range a.rows {
		if x := a.at(i, j); most > 0 && abs(x) >= 0.9*most {
			phase := conj(x) / scalarOf[T](abs(x))
			for _, b := range targets {
				for k := range b.rows {
					b.set(k, j, b.at(k, j)*phase)
				}
			}
			return
		}
	}
}

// svdOf computes the SVD by the one-sided Jacobi method: rotations make the columns of the matrix orthogonal; the
// lengths of the rotated columns are the singular values.
func svdOf[T scalar](n *ir.Node, xs []dense[T]) []dense[T] {
	full := n.Attrs.(ir.FullAttrs).Full
	var u, values, v dense[T]
	if a := xs[0]; a.rows >= a.cols {
		u, values, v = tallSVD(a, full)
	} else {
		v, values, u = tallSVD(a.adjoint(), full)
	}
	for j := range max(u.cols, v.cols) {
		switch {
		case j < values.cols:
			normalizeColumn(u, j, u, v)
		case j < u.cols:
			normalizeColumn(u, j, u)
		default:
			normalizeColumn(v, j, v)
		}
	}
	return []dense[T]{u, values, v.adjoint()}
}

// tallSVD returns the SVD x = u*diag(values)*adjoint(v) of a matrix with no more columns than rows.
func tallSVD[T scalar](x dense[T], full bool) (u, values, v dense[T]) {
	a, scale := scaled(x)
	n := x.cols
	v = identity[T](n, n)
	for range jacobiSweeps {
		converged := true
		for p := range n {
			for q := p + 1; q < n; q++ {
				g, app, aqq := a.dot(p, q, 0), re(a.dot(p, p, 0)), re(a.dot(q, q, 0))
				if abs(g) > 0x1p-53*math.Sqrt(app)*math.Sqrt(aqq) && abs(g) > jacobiZero {
					converged = false
					rotate(a, p, q, g, app, aqq)
					rotate(v, p, q, g, app, aqq)
				}
			}
		}
		if converged {
			break
		}
	}
	order, lengths := indicesUpTo(n), make([]float64, n)
	for j := range lengths {
		lengths[j] = a.norm(j, 0)
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(lengths[j], lengths[i]) })
	u = newDense[T](a.rows, n)
	if full {
		u = newDense[T](a.rows, a.rows)
	}
	for j := range u.cols {
		if j < n && lengths[order[j]] > 0x1p-50*lengths[order[0]] { // more than rounding errors
			for i := range a.rows {
				u.set(i, j, a.at(i, order[j])/scalarOf[T](lengths[order[j]]))
			}
			continue
		}
		setOrthogonalColumn(u, j)
	}
	values = denseOf(1, n, func(_, j int) T { return scalarOf[T](lengths[order[j]]) * scale })
	return u, values, denseOf(n, n, func(i, j int) T { return v.at(i, order[j]) })
}

// setOrthogonalColumn sets column j of u to a vector of length 1 that is orthogonal to the columns before it. Of
// the standard basis vectors, it takes the one whose orthogonal part is longest, and normalizes that part.
func setOrthogonalColumn[T scalar](u dense[T], j int) {
	best, most := newDense[T](u.rows, 1), -1.0
	for e := range u.rows {
		for i := range u.rows {
			u.set(i, j, 0)
		}
		u.set(e, j, 1)
		for range 2 { // the second pass removes the rounding errors of the first
			for k := range j {
				s := u.dot(k, j, 0)
				for i := range u.rows {
					u.set(i, j, u.at(i, j)-s*u.at(i, k))
				}
			}
		}
		if left := u.norm(j, 0); left > most {
			most = left
			for i := range u.rows {
				best.set(i, 0, u.at(i, j)/scalarOf[T](left))
			}
		}
	}
	for i := range u.rows {
		u.set(i, j, best.at(i, 0))
	}
}
