package array

import (
	"context"
	"math"

	"github.com/goanvil/notebook/anvil/shape"
)

// Fourier replaces each lane of xs, the elements of an array of shape s, along
// axis by its discrete Fourier transform, y[k] = sum over j of
// x[j]*exp(-2*pi*i*j*k/n), or the inverse of that.
func Fourier(ctx context.Context, s shape.Shape, axis int, xs []complex128, inverse bool) error {
	if len(xs) == 0 {
		return nil
	}
	n, step := s[axis], Strides(s)[axis]
	starts := s.Clone()
	starts[axis] = min(n, 1)
	roots := make([]complex128, n)
	for k := range roots {
		if roots[k] = root(k, n); inverse {
			roots[k] = complex(real(roots[k]), -imag(roots[k]))
		}
	}
	return Walk(ctx, starts, 0, Strides(s), func(_, at int) {
		for k, y := range transform(xs[at:], n, step, roots) {
			if inverse {
				y /= complex(float64(n), 0)
			}
			xs[at+k*step] = y
		}
	})
}

// transform returns the sums of n elements of xs, step apart, times powers of
// the roots of unity, of which every len(roots)/n-th is one of n: by the least
// prime factor p of n, as p sums over every p-th element.
func transform(xs []complex128, n, step int, roots []complex128) []complex128 {
	ys := make([]complex128, n)
	if n == 1 {
		ys[0] = xs[0]
		return ys
	}
	p := 2
	for n%p != 0 {
		p++
	}
	every, m := len(roots)/n, n/p
	for r := range p {
		part := transform(xs[r*step:], m, step*p, roots)
		for k := range ys {
			ys[k] += roots[r*k%n*every] * part[k%m]
		}
	}
	return ys
}

// root returns exp(-2*pi*i*k/n), computed within the first eighth of the circle
// so that what is 0 or 1 is so exactly.
func root(k, n int) complex128 {
	switch {
	case 2*k > n:
		r := root(n-k, n)
		return complex(real(r), -imag(r))
	case 4*k > n: // x -> pi - x, in halves of 2k/n
		r := rootOf(2*(n-2*k), 4*n)
		return complex(-real(r), imag(r))
	}
	return rootOf(4*k, 4*n)
}

// rootOf returns exp(-2*pi*i*k/n) for k in the first quarter.
func rootOf(k, n int) complex128 {
	if 8*k > n {
		sin, cos := math.Sincos(2 * math.Pi * float64(n-4*k) / float64(4*n))
		return complex(sin, -cos)
	}
	sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(n))
	return complex(cos, -sin)
}
