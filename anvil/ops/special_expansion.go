package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/expr"
)

// Expansions of special functions. They use the polynomials of coefficients_gen.go on intervals
// where a function is smooth, and identities that reduce other arguments to these intervals. The
// rounding errors of these reductions are so small that the relative error of a result is a few ulp,
// but for zeros at negative arguments.

// coefficients are the coefficients of a polynomial for f32 and for f64, highest power
// first.
type coefficients [2][]float64

// at evaluates the polynomial at x.
func (c coefficients) at(b expr.Builder, x expr.Value) expr.Value {
	if isDouble(x) {
		return b.Polynomial(x, c[1])
	}
	return b.Polynomial(x, c[0])
}

// expNegSquare returns exp(-s*x²) for finite x >= 0, as the product of two exponentials: x is split into a part with
// half of the bits, whose square is exact, and the rest. The second factor is computed as expm1 + 1, since the
// compiler would merge the product of two exponentials into one exponential. Callers must replace large x by a smaller
// number for which the result is already 0 or infinite.
func expNegSquare(b expr.Builder, x expr.Value, s float64) expr.Value {
	mask := int64(-1) << (layoutOf(x).mantissa/2 + 1)
	high := b.Bitcast(b.And(bitsOf(b, x), mask), x.DType())
	rest := b.Mul(b.Sub(x, high), b.Add(x, high))
	r := b.Exp(b.Mul(-s, b.Square(high)))
	return b.Mul(r, b.Add(1, b.Expm1(b.Mul(-s, rest))))
}

// scaledErfc returns exp(x²) erfc(x) for x >= 0.
func scaledErfc(b expr.Builder, x expr.Value) expr.Value {
	t := b.Div(b.Sub(x, 4), b.Add(x, 4))
	t = b.Where(b.Eq(x, math.Inf(1)), 1, t)
	return b.Div(erfcxTable.at(b, t), b.Add(1, b.Mul(2, x)))
}

// erfcx returns scaledErfc, or 2 exp(x²) - erfcx(-x) for negative x.
func erfcx(b expr.Builder, x ...expr.Value) expr.Value {
	a := b.Abs(x[0])
	r := scaledErfc(b, a)
	mirrored := b.Sub(b.Mul(2, expNegSquare(b, b.Min(a, 30), -1)), r)
	return b.Where(b.Lt(x[0], 0), mirrored, r)
}

// erfc returns exp(-x²) scaledErfc(x), or 2 - erfc(-x) for negative x.
func erfc(b expr.Builder, x ...expr.Value) expr.Value {
	a := b.Abs(x[0])
	r := b.Mul(expNegSquare(b, b.Min(a, 30), 1), scaledErfc(b, a))
	return b.Where(b.Lt(x[0], 0), b.Sub(2, r), r)
}

// normCDF returns erfc(-x/sqrt(2))/2. It computes exp(-x²/2) from x itself, since x/sqrt(2) is
// rounded.
func normCDF(b expr.Builder, x ...expr.Value) expr.Value {
	a := b.Abs(x[0])
	r := b.Mul(expNegSquare(b, b.Min(a, 45), 0.5), b.Mul(0.5, scaledErfc(b, b.Mul(a, math.Sqrt2/2))))
	return b.Where(b.Lt(x[0], 0), r, b.Sub(1, r))
}

// normLogCDF returns the logarithm of normCDF, even where normCDF underflows.
func normLogCDF(b expr.Builder, x ...expr.Value) expr.Value {
	a := b.Abs(x[0])
	scaled := b.Mul(0.5, scaledErfc(b, b.Mul(a, math.Sqrt2/2)))
	low := b.Sub(b.Log(scaled), b.Mul(b.Mul(0.5, a), a))
	high := log1p(b, b.Neg(b.Mul(expNegSquare(b, b.Min(a, 45), 0.5), scaled)))
	return b.Where(b.Lt(x[0], 0), low, high)
}

// The rational functions of Wichura, Algorithm AS 241: The Percentage Points of
// the Normal Distribution, Applied Statistics 37 (1988), for the centre, the
// tails and the far tails; highest power first.
var (
	normCentre = [2][]float64{
		{2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
			13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608},
		{5226.495278852854561, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867,
			5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1}}
	normTail = [2][]float64{
		{7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177, 1.27045825245236838258,
			3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959, 1.42343711074968357734},
		{1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966, 0.14810397642748007459,
			0.68976733498510000455, 1.6763848301838038494, 2.05319162663775882187, 1}}
	normFar = [2][]float64{
		{2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386, 0.026532189526576123093,
			0.29656057182850489123, 1.7848265399172913358, 5.4637849111641143699, 6.6579046435011037772},
		{2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4,
			0.0148753612908506148525, 0.13692988092273580531, 0.59983220655588793769, 1}}
)

// rational returns the quotient of the polynomials table[0] and table[1] at x.
func rational(b expr.Builder, x expr.Value, table [2][]float64) expr.Value {
	return b.Div(b.Polynomial(x, table[0]), b.Polynomial(x, table[1]))
}

func normQuantile(b expr.Builder, x ...expr.Value) expr.Value {
	q := b.Sub(x[0], 0.5)
	return quantile(b, q, b.Where(b.Lt(q, 0), x[0], b.Sub(1, x[0])))
}

// erfInv returns quantile at p = (1+x)/2, divided by sqrt(2). quantile takes p - 1/2 = x/2, which
// is exact.
func erfInv(b expr.Builder, x ...expr.Value) expr.Value {
	half := b.Mul(0.5, x[0])
	r := b.Mul(math.Sqrt2/2, quantile(b, half, b.Sub(0.5, b.Abs(half))))
	tiny := b.Lt(b.Abs(x[0]), 0x1p-40)
	return b.Where(tiny, b.Mul(x[0], math.SqrtPi/2), r)
}

// quantile returns the x at which the normal distribution function is p = 1/2 + q. tail is the
// lesser of p and 1-p.
func quantile(b expr.Builder, q, tail expr.Value) expr.Value {
	centre := b.Mul(q, rational(b, b.Sub(0.180625, b.Square(q)), normCentre))
	r := b.Sqrt(b.Neg(b.Log(tail)))
	near, far := rational(b, b.Sub(r, 1.6), normTail), rational(b, b.Sub(b.Min(r, 40), 5), normFar)
	far = b.Where(b.Eq(r, math.Inf(1)), r, far)
	outer := b.Mul(signOf(b, q), b.Where(b.Le(r, 5), near, far))
	return b.Where(b.Le(b.Abs(q), 0.425), centre, outer)
}

// digamma returns the derivative of lgamma. From 1 to 2 it computes (x - root) times a polynomial, where root is the
// positive zero of digamma; above 2 it uses an asymptotic series, and below 1 the recurrence
// digamma(a) = digamma(a+1) - 1/a. For negative numbers it uses the reflection
// digamma(-a) = digamma(a) + 1/a + pi/tan(pi a).
func digamma(b expr.Builder, x ...expr.Value) expr.Value {
	a := b.Abs(x[0])
	small := b.Lt(a, 1)
	y := b.Where(small, b.Add(a, 1), a)
	high, rest := digammaRoot32, digammaRoot32Rest // the positive root is high + rest
	if isDouble(a) {
		high, rest = digammaRoot64, digammaRoot64Rest
	}
	// off is y - root. For a small a it is computed as a + (1 - high), since a + 1 would be rounded.
	off := b.Where(small, b.Add(a, b.Sub(b.Like(a, 1), high)), b.Sub(a, high))
	middle := b.Mul(b.Sub(off, rest), digammaTable.at(b, b.Sub(y, 1.5)))
	u := b.Div(1, y)
	far := b.Add(b.Log(y), b.Mul(u, digammaFar.at(b, u)))
	r := b.Where(b.Lt(y, 2), middle, far)
	r = b.Where(small, b.Sub(r, b.Div(1, a)), r)
	cot := b.Mul(math.Pi, b.Div(cosPi(b, a), sinPi(b, a)))
	reflected := b.Add(b.Add(r, b.Div(1, a)), cot)
	integer := b.Eq(a, b.Floor(a))
	reflected = b.Where(integer, math.NaN(), reflected)
	reflected = b.Where(b.Eq(a, 0), b.Div(-1, x[0]), reflected)
	return b.Where(b.Gt(x[0], 0), r, reflected)
}

// lgamma returns log(|gamma(x)|). For x from 1 to 3 it computes (x-1)*(x-2), which has the same zeros, times a
// polynomial; above 3 it uses Stirling's formula, and below 1 the recurrence lgamma(x) = lgamma(x+1) - log(x). For
// negative x = -a it returns log(pi / |sin(pi a)|) - lgamma(a+1).
func lgamma(b expr.Builder, x ...expr.Value) expr.Value {
	a := b.Abs(x[0])
	small := b.Lt(a, 1)
	loga := b.Log(a)
	y := b.Where(small, b.Add(a, 1), a)
	first := b.Where(small, a, b.Sub(a, 1))
	second := b.Where(small, b.Sub(a, 1), b.Sub(a, 2))
	near := b.Mul(b.Mul(first, second), lgammaTable.at(b, b.Sub(y, 2))) // lgamma(y)
	u := b.Div(1, b.Max(a, 1))
	const constant = 0.91893853320467274178032973640562 - 0.5 // (log(2 pi) - 1) / 2
	far := b.Mul(b.Sub(a, 0.5), b.Sub(loga, 1))
	far = b.Add(far, b.Add(constant, b.Mul(u, stirlingTable.at(b, u))))
	r := b.Where(b.Lt(a, 3), near, far)
	sine := b.Abs(sinPi(b, a))
	reflected := b.Sub(b.Sub(math.Log(math.Pi), b.Log(sine)), b.Where(small, r, b.Add(r, loga)))
	reflected = b.Where(b.Eq(sine, 0), math.Inf(1), reflected)
	r = b.Where(b.Lt(x[0], 0), reflected, b.Where(small, b.Sub(r, loga), r))
	r = b.Where(b.Eq(r, 0), 0, r) // not -0
	return b.Where(b.Eq(a, math.Inf(1)), a, r)
}

// gamma returns the gamma function. By the recurrence gamma(x) = (x-1) gamma(x-1) it reduces the argument to the
// interval from 2 to 3, where it uses a polynomial; this makes factorials exact. For large numbers it uses Stirling's
// formula, and for negative x = -a the reflection -pi / (a sin(pi a) gamma(a)).
func gamma(b expr.Builder, x ...expr.Value) expr.Value {
	a := b.Abs(x[0])
	steps, most := 11, 40.0 // Stirling's formula is used from 3+steps on; gamma(a) overflows for a > most
	if isDouble(a) {
		steps, most = 20, 172
	}
	small := b.Lt(a, 2)
	y := b.Where(small, b.Add(a, 2), a) // for a below 2, gamma(a) = gamma(a+2) / (a (a+1))
	factors := b.Like(a, 1)
	for range steps {
		more := b.Ge(y, 3)
		y = b.Where(more, b.Sub(y, 1), y)
		factors = b.Mul(factors, b.Where(more, y, 1))
	}
	y = b.Sub(y, 2)
	near := b.Mul(factors, b.Add(1, b.Mul(y, gammaTable.at(b, y))))
	near = b.Where(small, b.Div(near, b.Mul(a, b.Add(a, 1))), near)
	p, q := stirling(b, b.Min(a, 1.2*most))
	far := b.Ge(a, float64(3+steps))
	r := b.Where(far, b.Where(b.Gt(a, most), math.Inf(1), b.Mul(p, q)), near)
	negative := b.Div(-math.Pi, b.Mul(a, sinPi(b, a)))
	negative = b.Where(far, b.Div(b.Div(negative, p), q), b.Div(negative, near))
	negative = b.Where(b.Lt(a, 0x1p-60), b.Div(-1, a), negative)
	integer := b.Eq(a, b.Floor(a))
	negative = b.Where(integer, math.NaN(), negative)
	negative = b.Where(b.Eq(a, 0), b.Div(1, x[0]), negative)
	return b.Where(b.Gt(x[0], 0), r, negative)
}

// stirling returns two factors whose product is gamma(a), for an a that is not small. They do not
// overflow unless 1/gamma(a) underflows.
func stirling(b expr.Builder, a expr.Value) (p, q expr.Value) {
	u := b.Div(1, a)
	half := b.Pow(a, b.Sub(b.Mul(a, 0.5), 0.25))
	scale := b.Mul(math.Sqrt(2*math.Pi), b.Exp(b.Mul(u, stirlingTable.at(b, u))))
	return b.Mul(half, b.Exp(b.Neg(a))), b.Mul(half, scale)
}

// besselE returns the expansion of exp(-|x|) times the modified Bessel function of order 0
// or 1. It uses a power series for |x| up to 8, and an asymptotic series above.
func besselE(order int, near, far coefficients) Expansion {
	return func(b expr.Builder, x ...expr.Value) expr.Value {
		a := b.Abs(x[0])
		w := b.Mul(0.5, b.Min(a, 8))
		low := b.Mul(near.at(b, b.Square(w)), b.Exp(b.Neg(a)))
		if order == 1 {
			low = b.Mul(low, w)
		}
		at := b.Max(a, 8)
		high := b.Mul(far.at(b, b.Div(8, at)), b.Rsqrt(at))
		r := b.Where(b.Le(a, 8), low, high)
		if order == 1 {
			return b.Mul(signOf(b, x[0]), r)
		}
		return r
	}
}

// zeta returns the Hurwitz zeta function, the sum of (q+k)^-s over k >= 0. It adds zetaSteps terms of the sum, and
// approximates the rest by the Euler-Maclaurin formula. It leaves out the formula's correction terms where the power
// underflows, since their factors may overflow there.
func zeta(b expr.Builder, x ...expr.Value) expr.Value {
	s, q := x[0], x[1]
	minus := b.Neg(s)
	sum, a := b.Like(q, 0), q
	for range zetaSteps {
		sum = b.Add(sum, b.Pow(a, minus))
		a = b.Add(a, 1)
	}
	power := b.Pow(a, minus)
	sum = b.Add(sum, b.Add(b.Div(b.Pow(a, b.Sub(1, s)), b.Sub(s, 1)), b.Mul(0.5, power)))
	inverse := b.Div(1, a)
	square, factor := b.Square(inverse), b.Mul(power, b.Mul(0.5, b.Mul(s, inverse)))
	tail := b.Like(q, 0)
	for k, number := range bernoulli {
		n := float64(2*k + 2)
		tail = b.Add(tail, b.Mul(number, factor))
		growth := b.Mul(b.Add(s, n-1), b.Add(s, n))
		factor = b.Mul(factor, b.Mul(b.Mul(growth, square), 1/((n+1)*(n+2))))
	}
	r := b.Where(b.Eq(power, 0), sum, b.Add(sum, tail))
	r = b.Where(b.Eq(q, math.Inf(1)), 0, r)
	r = b.Where(b.Eq(s, math.Inf(1)), b.Pow(q, minus), r)
	r = b.Where(b.Eq(s, 1), math.Inf(1), r)
	r = b.Where(b.Gt(q, 0), r, b.Where(b.Eq(q, 0), b.Like(q, math.Inf(1)), math.NaN()))
	return b.Where(b.Ge(s, 1), r, math.NaN())
}

// polygamma returns (-1)^(n+1) n! zeta(n+1, x). For negative x it uses reflections, and supports only n = 0, which is
// digamma, and n = 1, which is trigamma; for greater n the result is NaN.
func polygamma(b expr.Builder, x ...expr.Value) expr.Value {
	n, a := x[0], b.Abs(x[1])
	sum := zeta(b, b.Add(n, 1), a)
	half := b.Mul(n, 0.5)
	r := b.Mul(gamma(b, b.Add(n, 1)), sum)
	r = b.Where(b.Eq(half, b.Floor(half)), b.Neg(r), r)
	sine, inverse := b.Div(math.Pi, sinPi(b, a)), b.Div(1, a)
	reflected := b.Add(b.Sub(b.Square(sine), sum), b.Square(inverse))
	reflected = b.Where(b.Eq(n, 1), reflected, math.NaN())
	r = b.Where(b.Lt(x[1], 0), reflected, r)
	r = b.Where(b.Eq(n, 0), digamma(b, x[1]), r)
	whole := b.And(b.Eq(n, b.Floor(n)), b.Ge(n, 0))
	return b.Where(whole, r, math.NaN())
}

// hypot returns sqrt(x² + y²). It scales by a power of 2 where a square would overflow or
// underflow.
func hypot(b expr.Builder, x ...expr.Value) expr.Value {
	u, v := b.Abs(x[0]), b.Abs(x[1])
	far := math.Ldexp(1, int(layoutOf(u).bias)/2-2)
	most := b.Max(u, v)
	scale := b.Where(b.Gt(most, far), 1/(far*far), b.Where(b.Lt(most, 1/far), b.Like(u, far*far), 1))
	p, q := b.Mul(u, scale), b.Mul(v, scale)
	r := b.Div(b.Sqrt(b.Add(b.Square(p), b.Square(q))), scale)
	infinite := b.Or(b.Eq(u, math.Inf(1)), b.Eq(v, math.Inf(1)))
	return b.Where(infinite, math.Inf(1), r)
}
