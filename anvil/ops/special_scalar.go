package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
)

// Special functions of single elements, in f64, for the reference evaluator. Package math lacks
// these functions or computes them inaccurately.

func lgammaFloat(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.Inf(1)
	}
	switch { // math.Lgamma is wrong by 20 ulp around 0.2 and 1.2
	case x < -1e-100 && x > -1e15 && x != math.Floor(x):
		return math.Log(math.Pi/math.Abs(x*sinPiFloat(x))) - lgammaFloat(-x)
	case x > 1e-300 && x < 0.95 || x > 1.05 && x < 1.24:
		return math.Log(gammaFloat(x))
	}
	r, _ := math.Lgamma(x)
	return r
}

// gammaFloat returns the gamma function: the product of factors x-1, x-2, ..., in double-double precision, and of a
// polynomial for the remaining argument from 2 to 3. math.Gamma is wrong by 80 ulp for large results.
func gammaFloat(x float64) float64 {
	switch {
	case x < 0 && x == math.Floor(x):
		return math.NaN()
	case !(x > -184 && x < gammaOverflow) || x == 0:
		return math.Gamma(x)
	case x < -170: // gamma(-x) would overflow
		return gammaFloat(x+2) / x / (x + 1)
	case x < 0:
		return -math.Pi / (-x * gammaFloat(-x)) / sinPiFloat(-x)
	case x < 2:
		return gammaFloat(x+2) / (x * (x + 1))
	}
	high, low := 1.0, 0.0
	for x >= 3 {
		x--
		p := high * x
		high, low = p, low*x+math.FMA(high, x, -p)
	}
	return (high + low) * (1 + (x-2)*hornerFloat(x-2, gammaTable[1]))
}

// gammaOverflow is the least positive number at which the gamma function overflows f64.
const gammaOverflow = 171.6243769563027

// acosFloat returns the inverse cosine, accurate near 1, where math.Acos is not.
func acosFloat(x float64) float64 { return 2 * math.Atan2(math.Sqrt(1-x), math.Sqrt(1+x)) }

// bernoulli has the Bernoulli numbers B(2k) for k from 1 on.
var bernoulli = [...]float64{1. / 6, -1. / 30, 1. / 42, -1. / 30, 5. / 66, -691. / 2730, 7. / 6, -3617. / 510, 43867. / 798, -174611. / 330}

// digammaFloat returns the derivative of lgammaFloat. It applies the recurrence until x is at least 12, and then the
// asymptotic series.
func digammaFloat(x float64) float64 {
	switch {
	case x == 0:
		return -1 / x
	case x < 0 && x == math.Floor(x):
		return math.NaN()
	case x < 0:
		return digammaFloat(1-x) + math.Pi/tanPiFloat(-x)
	case math.IsInf(x, 1):
		return x
	}
	shift := 0.0
	for ; x < 12; x++ {
		shift -= 1 / x
	}
	r, power := math.Log(x)-0.5/x, 1.0
	for k, b := range bernoulli {
		power /= x * x
		r -= b / float64(2*k+2) * power
	}
	return r + shift
}

// erfcxFloat returns exp(x²) erfc(x).
func erfcxFloat(x float64) float64 {
	if x > 5 {
		return erfcxFraction(x)
	}
	return math.Erfc(x) * expSquareFloat(x, 1)
}

// expSquareFloat returns exp(s*x²), with a correction for the rounding error of x².
func expSquareFloat(x, s float64) float64 {
	square := x * x
	if square > 1e5 { // the exponential overflows or underflows
		return math.Exp(s * square)
	}
	return math.Exp(s*square) * (1 + s*math.FMA(x, x, -square))
}

// erfcxFraction returns erfcx(x) by its continued fraction, for x that are not small.
func erfcxFraction(x float64) float64 {
	if math.IsInf(x, 1) {
		return 0
	}
	r := x
	for k := 80.0; k >= 1; k-- {
		r = x + k/2/r
	}
	return 1 / (r * math.Sqrt(math.Pi))
}

// normCDFFloat returns erfc(-x/sqrt(2))/2, with a first-order correction for the rounding
// error of -x/sqrt(2).
func normCDFFloat(x float64) float64 {
	const c, rest = math.Sqrt2 / 2, -4.833646656726457e-17 // rest: 1/sqrt(2) minus c rounded to f64
	z := -x * c
	r := math.Erfc(z)
	if math.Abs(z) < 30 {
		r -= 2 / math.SqrtPi * expSquareFloat(z, -1) * (math.FMA(-x, c, -z) - x*rest)
	}
	return r / 2
}

func normLogCDFFloat(x float64) float64 {
	switch {
	case x > 0:
		return math.Log1p(-normCDFFloat(-x))
	case x > -5:
		return math.Log(normCDFFloat(x))
	}
	return math.Log(erfcxFraction(-x*(math.Sqrt2/2))/2) - x/2*x
}

func normQuantileFloat(p float64) float64 {
	q := p - 0.5
	if q < 0 {
		return quantileFloat(q, p)
	}
	return quantileFloat(q, 1-p)
}

func erfInvFloat(x float64) float64 {
	return math.Sqrt2 / 2 * quantileFloat(x/2, 0.5-math.Abs(x/2))
}

// quantileFloat returns the normal quantile of p = 1/2 + q by Wichura's algorithm AS 241 (see normCentre). tail is the
// lesser of p and 1-p.
func quantileFloat(q, tail float64) float64 {
	if math.Abs(q) <= 0.425 {
		return q * rationalFloat(0.180625-q*q, normCentre)
	}
	r := math.Sqrt(-math.Log(tail))
	switch {
	case math.IsInf(r, 1): // the quantile is infinite too
	case r <= 5:
		r = rationalFloat(r-1.6, normTail)
	default:
		r = rationalFloat(r-5, normFar)
	}
	return math.Copysign(r, q)
}

// rationalFloat returns the quotient of the polynomials table[0] and table[1] at x.
func rationalFloat(x float64, table [2][]float64) float64 {
	return hornerFloat(x, table[0]) / hornerFloat(x, table[1])
}

// hornerFloat evaluates a polynomial at x by the method of Horner, highest power first.
func hornerFloat(x float64, coefficients []float64) float64 {
	r := 0.0
	for _, a := range coefficients {
		r = r*x + a
	}
	return r
}

// besselFloat returns exp(-|x|) times the modified Bessel function of order 0 or 1. For |x| up to 40
// it uses the power series, whose terms are positive, and above 40 the asymptotic series.
func besselFloat(order int) func(x float64) float64 {
	v := float64(order)
	return func(x float64) float64 {
		a := math.Abs(x)
		r := 1.0
		if a > 40 {
			for k := 40.0; k > 0; k-- {
				r = 1 - (4*v*v-(2*k-1)*(2*k-1))/(8*k*a)*r
			}
			r /= math.Sqrt(2*math.Pi) * math.Sqrt(a)
		} else {
			r = besselSeries(a/2, v) * math.Exp(-a) * math.Pow(a/2, v)
		}
		if order == 1 {
			return math.Copysign(r, x)
		}
		return r
	}
}

// besselSeries returns the sum of h^2k v!/(k! (k+v)!) over k >= 0, in double-double
// arithmetic: some twenty terms are nearly as large as the sum.
func besselSeries(h, v float64) float64 {
	square, sum, term := doubleDouble{h, 0}.mul(doubleDouble{h, 0}), doubleDouble{1, 0}, doubleDouble{1, 0}
	for k := 1.0; k < 200 && term.high > sum.high*0x1p-60; k++ {
		term = term.mul(square).divFloat(k * (k + v))
		sum = sum.add(term)
	}
	return sum.high
}

// zetaSteps is the number of terms of zeta's sum that are added one by one. The Euler-Maclaurin
// formula approximates the rest.
const zetaSteps = 10

// zetaFloat returns the Hurwitz zeta function, the sum of (q+k)^-s over k >= 0, by
// the Euler-Maclaurin formula.
func zetaFloat(s, q float64) float64 {
	switch {
	case math.IsNaN(s) || math.IsNaN(q) || s < 1 || q < 0:
		return math.NaN()
	case s == 1 || q == 0:
		return math.Inf(1)
	case math.IsInf(q, 1):
		return 0
	case math.IsInf(s, 1):
		return math.Pow(q, -s)
	}
	sum, a := 0.0, q
	for range zetaSteps {
		sum += math.Pow(a, -s)
		a++
	}
	power := math.Pow(a, -s)
	sum += math.Pow(a, 1-s)/(s-1) + power/2
	if power == 0 {
		return sum
	}
	factor := power * s / 2 / a
	for k, b := range bernoulli {
		n := float64(2*k + 2)
		sum += b * factor
		factor *= (s + n - 1) * (s + n) / ((n + 1) * (n + 2)) / (a * a)
	}
	return sum
}

// trigammaFloat returns polygamma(1, x), by reflection for negative x.
func trigammaFloat(x float64) float64 {
	if x < 0 {
		s := sinPiFloat(x)
		return math.Pi*math.Pi/(s*s) - zetaFloat(2, -x) + 1/(x*x)
	}
	return zetaFloat(2, x)
}

// polygammaFloat returns the n-th derivative of digamma.
func polygammaFloat(n, x float64) float64 {
	switch {
	case n == 0:
		return digammaFloat(x)
	case n == 1:
		return trigammaFloat(x)
	case !(n > 1) || n != math.Floor(n):
		return math.NaN()
	}
	r := math.Gamma(n+1) * zetaFloat(n+1, x)
	if math.Mod(n, 2) == 0 {
		return -r
	}
	return r
}

// nextAfterFloat returns the number of dtype d next to x in the direction of y.
func nextAfterFloat(d dtype.DType, x, y float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsNaN(y):
		return math.NaN()
	case x == y:
		return y
	}
	var data [8]byte
	if x == 0 {
		dtype.PutUint(data[:], uintOf[d.Bits()], 1)
		return math.Copysign(dtype.GetFloat(data[:], d), y)
	}
	dtype.PutFloat(data[:], d, x)
	bits := dtype.GetUint(data[:], uintOf[d.Bits()])
	if (y > x) == (x > 0) {
		bits++
	} else {
		bits--
	}
	dtype.PutUint(data[:], uintOf[d.Bits()], bits)
	return dtype.GetFloat(data[:], d)
}

// uintOf maps the width of a float in bits to the unsigned integer dtype of that width.
var uintOf = map[int]dtype.DType{16: dtype.U16, 32: dtype.U32, 64: dtype.U64}

// log2Float returns the logarithm to base 2, exact at powers of 2 and accurate near 1, where
// math.Log2 is not.
func log2Float(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log(x)
	}
	f, n := frexpFloat(x)
	return float64(n) + math.Log(f)*(1/math.Ln2)
}

// log10Float returns the logarithm to base 10, exact at powers of 10.
func log10Float(x float64) float64 {
	r := math.Log(x) * (1 / math.Ln10)
	if n := math.Round(r); r != n && math.Abs(r-n) < 1e-13 && n > 0 && n < 23 && math.Pow10(int(n)) == x {
		return n
	}
	return r
}
