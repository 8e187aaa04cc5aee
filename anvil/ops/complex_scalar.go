package ops

import (
	"math"
	"math/cmplx"
)

// Functions of complex numbers, for the reference evaluator. Most use the formulas of
// Kahan, Branch Cuts for Complex Elementary Functions (1987), because math/cmplx loses half
// of the bits of large and of small numbers. Infinities and NaN are left to math/cmplx, which
// follows the conventions of C.

// scaledComplex returns x times the real number factor, part by part: in a complex product
// an infinite part would make the other part NaN.
func scaledComplex(x complex128, factor float64) complex128 {
	return complex(real(x)*factor, imag(x)*factor)
}

// sqrtComplex returns the square root of x. If the real part is NaN and the imaginary part
// is not infinite, both parts of the result are NaN.
func sqrtComplex(x complex128) complex128 {
	if math.IsNaN(real(x)) && !math.IsInf(imag(x), 0) {
		return cmplx.NaN()
	}
	return cmplx.Sqrt(x)
}

// infAndNaN reports whether a is infinite and b is NaN. For a number with these parts, inverse functions
// have an infinite part whose sign the C standard leaves unspecified. Callers always return the same sign.
func infAndNaN(a, b float64) bool { return math.IsInf(a, 0) && math.IsNaN(b) }

func finiteComplex(x complex128) bool { return !cmplx.IsInf(x) && !cmplx.IsNaN(x) }

func acosComplex(x complex128) complex128 {
	if !finiteComplex(x) {
		if infAndNaN(real(x), imag(x)) {
			return complex(math.NaN(), math.Inf(-1))
		}
		return cmplx.Acos(x)
	}
	below, above := sqrtAroundOne(x)
	return complex(2*atan2Float(real(below), real(above)), math.Asinh(imagProduct(above, below)))
}

func asinComplex(x complex128) complex128 {
	if !finiteComplex(x) {
		if infAndNaN(real(x), imag(x)) {
			return complex(math.NaN(), math.Inf(1))
		}
		return cmplx.Asin(x)
	}
	below, above := sqrtAroundOne(x)
	return complex(atan2Float(real(x), realProduct(below, cmplx.Conj(above))), math.Asinh(imagProduct(below, above)))
}

func acoshComplex(x complex128) complex128 {
	if !finiteComplex(x) {
		return cmplx.Acosh(x)
	}
	below, above := cmplx.Sqrt(complex(real(x)-1, imag(x))), cmplx.Sqrt(complex(real(x)+1, imag(x)))
	return complex(math.Asinh(realProduct(below, above)), 2*atan2Float(imag(below), real(above)))
}

func asinhComplex(x complex128) complex128 {
	if !finiteComplex(x) {
		if infAndNaN(imag(x), real(x)) {
			return complex(math.Inf(1), math.NaN())
		}
		return cmplx.Asinh(x)
	}
	r := asinComplex(complex(-imag(x), real(x)))
	return complex(imag(r), -real(r))
}

func atanComplex(x complex128) complex128 {
	if !finiteComplex(x) {
		return cmplx.Atan(x)
	}
	r := atanhComplex(complex(-imag(x), real(x)))
	return complex(imag(r), -real(r))
}

// atanhComplex returns the inverse hyperbolic tangent of x. It computes the function at a + b*i = side*conj(x), whose
// real part is not negative, and derives the result for x by symmetry.
func atanhComplex(x complex128) complex128 {
	if !finiteComplex(x) || x == 1 || x == -1 {
		return cmplx.Atanh(x)
	}
	side := math.Copysign(1, real(x))
	a, b := math.Abs(real(x)), -side*imag(x)
	var re, im float64
	switch large := math.Sqrt(math.MaxFloat64) / 4; {
	case a > large || math.Abs(b) > large:
		re, im = real(1/complex(a, b)), -math.Copysign(math.Pi/2, b)
	case a == 1:
		re = math.Log(math.Sqrt(math.Hypot(2, b)) / math.Sqrt(math.Abs(b)))
		im = -math.Copysign(math.Pi/2+math.Atan(math.Abs(b)/2), b) / 2
	default:
		re = math.Log1p(4*a/((1-a)*(1-a)+b*b)) / 4
		im = -atan2Float(2*b, (1-a)*(1+a)-b*b) / 2
	}
	return complex(side*re, side*im)
}

// tanhComplex returns (sinh(a)cosh(a) + sin(b)cos(b)i) / (sinh(a)^2 + cos(b)^2) for
// x = a+bi.
func tanhComplex(x complex128) complex128 {
	if !finiteComplex(x) {
		return cmplx.Tanh(x)
	}
	a, sin, cos := real(x), sinFloat(imag(x)), cosFloat(imag(x))
	if math.Abs(a) > 22 { // sinh(a)^2 and |sinh(a)*cosh(a)| round to exp(2|a|)/4
		return complex(math.Copysign(1, a), 4*sin*cos*math.Exp(-2*math.Abs(a)))
	}
	d := math.Sinh(a)*math.Sinh(a) + cos*cos
	return complex(math.Sinh(a)*math.Cosh(a)/d, sin*cos/d)
}

func tanComplex(x complex128) complex128 {
	r := tanhComplex(complex(-imag(x), real(x)))
	return complex(imag(r), -real(r))
}

// sqrtAroundOne returns sqrt(1-x) and sqrt(1+x).
func sqrtAroundOne(x complex128) (below, above complex128) {
	return cmplx.Sqrt(complex(1-real(x), -imag(x))), cmplx.Sqrt(complex(1+real(x), imag(x)))
}

// realProduct returns the real part of conj(x)*y.
func realProduct(x, y complex128) float64 { return real(x)*real(y) + imag(x)*imag(y) }

// imagProduct returns the imaginary part of conj(x)*y.
func imagProduct(x, y complex128) float64 { return real(x)*imag(y) - imag(x)*real(y) }

// logComplex returns the logarithm, accurate near the unit circle, where its real part is
// small.
func logComplex(x complex128) complex128 {
	a, b := math.Abs(real(x)), math.Abs(imag(x))
	angle := atan2Float(imag(x), real(x))
	switch r := math.Hypot(a, b); {
	case r > math.MaxFloat64/2 && finiteComplex(x):
		return complex(math.Log(math.Hypot(a/2, b/2))+math.Ln2, angle)
	case r < 0.5 || r > 2:
		return complex(math.Log(r), angle)
	}
	high, low := max(a, b), min(a, b)
	return complex(math.Log1p((high-1)*(high+1)+low*low)/2, angle)
}
