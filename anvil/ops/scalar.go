package ops

import (
	"cmp"
	"math"
	"math/cmplx"
)

// Functions of single elements for the reference evaluator that Go and package math lack.

func orBool(x, y bool) bool  { return x || y }
func andBool(x, y bool) bool { return x && y }

func maxOf[T cmp.Ordered](x, y T) T { return max(x, y) }
func minOf[T cmp.Ordered](x, y T) T { return min(x, y) }

func signFloat(x float64) float64 {
	if x == 0 || math.IsNaN(x) {
		return x
	}
	return math.Copysign(1, x)
}

func signComplex(x complex128) complex128 {
	switch {
	case math.IsNaN(real(x)) || math.IsNaN(imag(x)):
		return cmplx.NaN()
	case x == 0:
		return x
	}
	r := cmplx.Abs(x)
	return complex(real(x)/r, imag(x)/r)
}

// expFloat, sinhFloat and coshFloat are finite wherever the exact result is finite in f64.
// On amd64, math.Exp overflows from 709.1 on, where the result would still be 1e308.
func expFloat(x float64) float64 {
	if x > 700 && x < 710 {
		return math.Exp(x-1) * math.E
	}
	return math.Exp(x)
}

func sinhFloat(x float64) float64 {
	if math.Abs(x) > 700 {
		return math.Copysign(coshFloat(x), x)
	}
	return math.Sinh(x)
}

func coshFloat(x float64) float64 {
	if a := math.Abs(x); a > 700 {
		return expFloat(a-1) * (math.E / 2)
	}
	return math.Cosh(x)
}

// expComplex returns exp(a)cos(b) + exp(a)sin(b)i for x = a+bi.
func expComplex(x complex128) complex128 {
	if a := real(x); a > 700 && a < 710 && finiteComplex(x) {
		return cmplx.Exp(x-1) * math.E
	}
	return cmplx.Exp(x)
}

// powComplex returns x to the power y. If x is 0 and y is not real, the result is NaN, as in
// NumPy and XLA.
func powComplex(x, y complex128) complex128 {
	if x == 0 && imag(y) != 0 {
		return cmplx.NaN()
	}
	return cmplx.Pow(x, y)
}

// divInt returns the truncated quotient. As in XLA, x/0 = -1 and INT_MIN/-1 = INT_MIN.
func divInt(x, y int64) int64 {
	switch y {
	case 0:
		return -1
	case -1:
		return -x
	}
	return x / y
}

func divUint(x, y uint64) uint64 {
	if y == 0 {
		return math.MaxUint64
	}
	return x / y
}

// remInt returns the remainder, with the sign of x. As in XLA, x%0 = x and INT_MIN%-1 = 0.
func remInt(x, y int64) int64 {
	switch y {
	case 0:
		return x
	case -1:
		return 0
	}
	return x % y
}

func remUint(x, y uint64) uint64 {
	if y == 0 {
		return x
	}
	return x % y
}

// powInt returns x to the power y; an overflow wraps. For negative y it returns the truncated
// reciprocal, or 0 if x is 0, as in XLA.
func powInt(x, y int64) int64 {
	if y >= 0 {
		return int64(powUint(uint64(x), uint64(y)))
	}
	switch x {
	case 1:
		return 1
	case -1:
		return 1 - 2*(y&1)
	}
	return 0
}

// powUint returns x to the power y, by repeated squaring.
func powUint(x, y uint64) uint64 {
	r := uint64(1)
	for ; y > 0; y >>= 1 {
		if y&1 == 1 {
			r *= x
		}
		x *= x
	}
	return r
}

// lessComplex reports whether x is less than y, by real, then imaginary part.
func lessComplex(x, y complex128) bool {
	if real(x) != real(y) {
		return real(x) < real(y)
	}
	return imag(x) < imag(y)
}

func maxComplex(x, y complex128) complex128 {
	if lessComplex(x, y) {
		return y
	}
	return x
}

func minComplex(x, y complex128) complex128 {
	if lessComplex(y, x) {
		return y
	}
	return x
}

// expm1Complex returns exp(x)-1, accurate near 0: for x = a+bi it is
// expm1(a)cos(b) - 2sin²(b/2) + exp(a)sin(b)i.
func expm1Complex(x complex128) complex128 {
	a, b := real(x), imag(x)
	if b == 0 {
		return complex(math.Expm1(a), b)
	}
	s := math.Sin(b / 2)
	return complex(math.Expm1(a)*math.Cos(b)-2*s*s, math.Exp(a)*math.Sin(b))
}

// log1pComplex returns log(1+x), accurate near 0: for x = a+bi the real part is
// log1p(2a + a² + b²)/2.
func log1pComplex(x complex128) complex128 {
	a, b := real(x), imag(x)
	if r := math.Hypot(1+a, b); r < 0.5 || r > 2 {
		return logComplex(complex(1+a, b))
	}
	return complex(math.Log1p(a*(2+a)+b*b)/2, atan2Float(b, 1+a))
}

// atan2Float returns math.Atan2(y, x), with the sign of y even if y/x underflows to 0.
func atan2Float(y, x float64) float64 { return math.Copysign(math.Atan2(math.Abs(y), x), y) }

// atan2Complex returns -i log((x + iy) / sqrt(x² + y²)).
func atan2Complex(y, x complex128) complex128 {
	return -1i * cmplx.Log((x+1i*y)/cmplx.Sqrt(x*x+y*y))
}
