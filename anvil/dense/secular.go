package dense

import (
	"math"
	"runtime"
)

// roots returns the eigenvalues w, which are the roots of the secular function, and their distances to the
// poles: gaps[i, j] is the d of pole j minus w[i]. It computes each root as the distance from the nearer of
// its two neighboring poles, so that all gaps are accurate to the last digits. The eigenvectors are
// orthogonal only with accurate gaps.
func (s secular) roots() (w []float64, gaps Matrix) {
	k := len(s.poles)
	w, gaps = make([]float64, k), New(k, k)
	squares := make([]float64, k)
	for j, p := range s.poles {
		squares[j] = p.z * p.z
	}
	parts := 1
	if k >= minParallelRoots {
		parts = runtime.GOMAXPROCS(0)
	}
	inParallel(parts, func(part int) {
		for i := part; i < k; i += parts {
			w[i] = s.root(i, squares, gaps.Row(i))
		}
	})
	return w, gaps
}

// minParallelRoots is the least number of roots that are computed in parallel.
const minParallelRoots = 128

// A point has, at some x, the value of the secular function divided by rho, the derivatives
// of its two sums (see evaluate), and a bound on the rounding error of value.
type point struct{ value, before, after, bound float64 }

// evaluate returns the point at x. x and offsets, the positions of the poles, are relative to
// the same origin. The first i+1 poles make up the first sum, whose derivative is before, and
// the others the second, whose derivative is after.
func (s secular) evaluate(x float64, i int, offsets, squares []float64) (p point) {
	value, magnitudes := 0.0, 0.0 // the sum of the terms, and of their magnitudes
	for j, d := range offsets[:i+1] {
		r := 1 / (d - x)
		t := squares[j] * r
		value += t
		magnitudes += math.Abs(t)
		p.before += t * r
	}
	for j := i + 1; j < len(offsets); j++ {
		r := 1 / (offsets[j] - x)
		t := squares[j] * r
		value += t
		magnitudes += math.Abs(t)
		p.after += t * r
	}
	inverse := 1 / s.rho
	p.value = value + inverse
	p.bound = epsilon * (8*magnitudes + inverse + math.Abs(x)*(p.before+p.after))
	return p
}

// root returns root i, and sets gaps[j] to the d of pole j minus the root.
func (s secular) root(i int, squares, gaps []float64) float64 {
	k := len(s.poles)
	if k == 1 {
		gaps[0] = -s.rho * squares[0]
		return s.poles[0].d - gaps[0]
	}
	origin, low, high := i, 0.0, 0.0
	for j, p := range s.poles {
		gaps[j] = p.d - s.poles[i].d
	}
	if i == k-1 {
		for _, q := range squares {
			high += s.rho * q
		}
	} else {
		high = gaps[i+1]
		if half := high / 2; s.evaluate(half, i, gaps, squares).value < 0 { // the root is nearer to the pole above
			origin, low, high = i+1, half-high, 0
			for j, p := range s.poles {
				gaps[j] = p.d - s.poles[origin].d
			}
		} else {
			high = half
		}
	}
	x := s.refine(min(i, k-2), low, high, gaps, squares)
	for j := range gaps {
		gaps[j] -= x
	}
	return s.poles[origin].d + x
}

// refine returns the zero between low and high, near the poles i and i+1. Each step goes
// to the zero of a simple rational function with the same value, derivatives and
// nearest poles as the secular function; where that is outside of the interval, the step
// bisects the interval. Source: Li, Solving secular equations stably and efficiently,
// 1993, the middle way.
func (s secular) refine(i int, low, high float64, offsets, squares []float64) float64 {
	x := low + (high-low)/2
	for range 100 { // a few steps are usual
		p := s.evaluate(x, i, offsets, squares)
		if math.Abs(p.value) <= p.bound {
			break
		}
		if p.value < 0 {
			low = x
		} else {
			high = x
		}
		next := x + s.step(i, x, p, offsets)
		if !(next > low && next < high) {
			next = low + (high-low)/2
		}
		if next == x || next == low || next == high {
			break
		}
		x = next
	}
	return x
}

// step returns the distance from x to the zero of the simple rational function (see refine). The distance y
// solves c*y*y - a*y + b = 0. Of the two equivalent formulas for y, each case uses the one in which a and
// sqrt do not cancel.
func (s secular) step(i int, x float64, p point, offsets []float64) float64 {
	lower, upper := offsets[i]-x, offsets[i+1]-x // from x to the poles i and i+1
	a := (lower+upper)*p.value - lower*upper*(p.before+p.after)
	b := lower * upper * p.value
	c := p.value - lower*p.before - upper*p.after
	sqrt := math.Sqrt(math.Abs(a*a - 4*b*c))
	if upper < 0 { // x is beyond both poles
		if a >= 0 {
			return (a + sqrt) / (2 * c)
		}
		return 2 * b / (a - sqrt)
	}
	if a <= 0 {
		return (a - sqrt) / (2 * c)
	}
	return 2 * b / (a + sqrt)
}
