package dense

import (
	"math"
	"runtime"
)

// roots returns the eigenvalues, and in row i of away the distances of eigenvalue i
// from all poles, d - x. Each root is held as its distance from the nearer pole of
// the two that it lies between, so that all distances are known to the last
// digits, on which the vectors' being orthogonal depends.
func (s secular) roots() (w []float64, away Matrix) {
	k := len(s.poles)
	w, away = make([]float64, k), New(k, k)
	squares := make([]float64, k)
	for j, p := range s.poles {
		squares[j] = p.z * p.z
	}
	parts := 1
	if k >= 128 {
		parts = runtime.GOMAXPROCS(0)
	}
	inParallel(parts, func(part int) {
		for i := part; i < k; i += parts {
			w[i] = s.root(i, squares, away.Row(i))
		}
	})
	return w, away
}

// A point is what is known of the secular function at a distance from a pole: its
// value / rho, the derivatives of its two sums, and a bound of the value's rounding
// error.
type point struct{ value, before, after, bound float64 }

// at returns the point at x, for poles at the given distances from the origin. The
// first i+1 go into one sum and the others into another.
func (s secular) at(x float64, i int, from, squares []float64) (p point) {
	value := 0.0
	sum := 0.0 // of magnitudes
	for j, d := range from[:i+1] {
		r := 1 / (d - x)
		t := squares[j] * r
		value += t
		sum += math.Abs(t)
		p.before += t * r
	}
	for j := i + 1; j < len(from); j++ {
		r := 1 / (from[j] - x)
		t := squares[j] * r
		value += t
		sum += math.Abs(t)
		p.after += t * r
	}
	inverse := 1 / s.rho
	p.value = value + inverse
	p.bound = epsilon * (8*sum + inverse + math.Abs(x)*(p.before+p.after))
	return p
}

// root returns root i, and puts its distances from the poles into away.
func (s secular) root(i int, squares, away []float64) float64 {
	k := len(s.poles)
	if k == 1 {
		away[0] = -s.rho * squares[0]
		return s.poles[0].d - away[0]
	}
	origin, low, high := i, 0.0, 0.0
	for j, p := range s.poles {
		away[j] = p.d - s.poles[i].d
	}
	if i == k-1 {
		for _, q := range squares {
			high += s.rho * q
		}
	} else {
		high = away[i+1]
		if half := high / 2; s.at(half, i, away, squares).value < 0 { // nearer to the pole above
			origin, low, high = i+1, half-high, 0
			for j, p := range s.poles {
				away[j] = p.d - s.poles[origin].d
			}
		} else {
			high = half
		}
	}
	x := s.refine(min(i, k-2), low, high, away, squares)
	for j := range away {
		away[j] -= x
	}
	return s.poles[origin].d + x
}

// refine returns the zero between low and high, by the poles i and i+1. It goes by the zeros of simple
// functions with the value and the derivatives of the secular one and the nearest
// poles, and where these lead out of what is known to hold the zero, halves that.
// Source: Li, Solving secular equations stably and efficiently, 1993: the middle way.
func (s secular) refine(i int, low, high float64, from, squares []float64) float64 {
	x := low + (high-low)/2
	for range 100 {
		p := s.at(x, i, from, squares)
		if math.Abs(p.value) <= p.bound {
			break
		}
		if p.value < 0 {
			low = x
		} else {
			high = x
		}
		next := x + s.step(i, x, p, from)
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

// step returns how far the zero of the simple function is from x.
func (s secular) step(i int, x float64, p point, from []float64) float64 {
	near, far := from[i]-x, from[i+1]-x
	a := (near+far)*p.value - near*far*(p.before+p.after)
	b := near * far * p.value
	c := p.value - near*p.before - far*p.after
	root := math.Sqrt(math.Abs(a*a - 4*b*c))
	if beyond := far < 0; beyond {
		if a >= 0 {
			return (a + root) / (2 * c)
		}
		return 2 * b / (a - root)
	}
	if a <= 0 {
		return (a - root) / (2 * c)
	}
	return 2 * b / (a + root)
}
