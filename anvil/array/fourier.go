package array

import (
	"context"
	"math"
	"math/cmplx"

	"github.com/goanvil/notebook/anvil/shape"
)

// Fourier replaces each lane along axis of xs, the elements of an array of shape s, by its discrete Fourier
// transform y[k] = sum over j of x[j]*exp(-2*pi*i*j*k/n), or by its inverse transform if inverse is true.
func Fourier(ctx context.Context, s shape.Shape, axis int, xs []complex128, inverse bool) error {
	if len(xs) == 0 {
		return nil
	}
	n, step := s[axis], Strides(s)[axis]
	starts := s.Clone()
	starts[axis] = 1
	roots := make([]complex128, n)
	for k := range roots {
		roots[k] = root(k, n)
		if inverse {
			roots[k] = cmplx.Conj(roots[k])
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

// transform returns the transform of n elements of xs, step apart. roots has the roots of unity of order
// len(roots), a multiple of n. transform splits the elements into p sequences of every p-th element, where p
// is the least prime factor of n, and combines their transforms (Cooley and Tukey).
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
	rootStep, m := len(roots)/n, n/p
	for r := range p {
		part := transform(xs[r*step:], m, step*p, roots)
		for k := range ys {
			ys[k] += roots[r*k%n*rootStep] * part[k%m]
		}
	}
	return ys
}

// root returns exp(-2*pi*i*k/n). It uses an angle in the first eighth of the circle, so that parts that are
// 0, 1 or -1 are exact.
func root(k, n int) complex128 {
	switch {
	case 2*k > n:
		return cmplx.Conj(root(n-k, n))
	case 4*k > n: // reflect the angle: pi - 2*pi*k/n = 2*pi*(2*n-4*k)/(4*n)
		r := rootInQuarter(2*(n-2*k), 4*n)
		return complex(-real(r), imag(r))
	}
	return rootInQuarter(4*k, 4*n)
}

// rootInQuarter returns exp(-2*pi*i*k/n) for 4*k <= n.
func rootInQuarter(k, n int) complex128 {
	if 8*k > n {
		sin, cos := math.Sincos(2 * math.Pi * float64(n-4*k) / float64(4*n))
		return complex(sin, -cos)
	}
	sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(n))
	return complex(cos, -sin)
}
