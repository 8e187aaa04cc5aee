package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/stablehlo"
)

// How the special functions are written: polynomials of coefficients_gen.go where
// they are smooth, and the exact identities that lead there. Arguments are
// reduced without rounding, by which the relative error stays at a few ulp.

// coefficients are those of a polynomial, highest power first, for f32 and for
// f64.
type coefficients [2][]float64

// fit returns the polynomial of a table at x.
func (m formula) fit(x name, table coefficients) name {
	if m.double() {
		return m.poly(x, table[1])
	}
	return m.poly(x, table[0])
}

// expSquare returns exp(-s*x²) for x >= 0: x is cut into a part of half the
// bits, whose square is exact, and the rest. The compiler would make one
// exponential of the product of two.
func (m formula) expSquare(x name, s float64) name {
	i, l := m.ints(), m.layout()
	high := m.float(i.op("and", m.bits(x), i.integer(-1<<(l.mantissa/2+1))))
	rest := m.mul(m.sub(x, high), m.add(x, high))
	r := m.exp(m.mul(m.num(-s), m.mul(high, high)))
	return m.mul(r, m.add(m.num(1), m.op("exponential_minus_one", m.mul(m.num(-s), rest))))
}

func (m formula) exp(x name) name { return m.op("exponential", x) }
func (m formula) log(x name) name { return m.op("log", x) }

// scaledErfc returns exp(x²) erfc(x) for x >= 0.
func (m formula) scaledErfc(x name) name {
	t := m.div(m.sub(x, m.num(4)), m.add(x, m.num(4)))
	t = m.choose(m.compare("EQ", x, m.num(math.Inf(1))), m.num(1), t)
	return m.div(m.fit(t, erfcxTable), m.add(m.num(1), m.mul(m.num(2), x)))
}

// below returns the lesser of x and most, or nan.
func (m formula) below(x name, most float64) name { return m.op("minimum", x, m.num(most)) }

// erfcx is 2 exp(x²) less its mirror image for negative x.
func erfcx(m formula, x ...name) name {
	a := m.abs(x[0])
	r := m.scaledErfc(a)
	mirrored := m.sub(m.mul(m.num(2), m.expSquare(m.below(a, 30), -1)), r)
	return m.choose(m.negative(x[0]), mirrored, r)
}

func erfc(m formula, x ...name) name {
	a := m.abs(x[0])
	r := m.mul(m.expSquare(m.below(a, 30), 1), m.scaledErfc(a))
	return m.choose(m.negative(x[0]), m.sub(m.num(2), r), r)
}

// normCDF is erfc(-x/sqrt(2))/2, with the square taken of x itself.
func normCDF(m formula, x ...name) name {
	a := m.abs(x[0])
	r := m.mul(m.expSquare(m.below(a, 45), 0.5), m.mul(m.num(0.5), m.scaledErfc(m.mul(a, m.num(math.Sqrt2/2)))))
	return m.choose(m.negative(x[0]), r, m.sub(m.num(1), r))
}

// normLogCDF is the logarithm of normCDF, without its underflow.
func normLogCDF(m formula, x ...name) name {
	a := m.abs(x[0])
	scaled := m.mul(m.num(0.5), m.scaledErfc(m.mul(a, m.num(math.Sqrt2/2))))
	low := m.sub(m.log(scaled), m.mul(m.mul(m.num(0.5), a), a))
	high := log1p(m, m.neg(m.mul(m.expSquare(m.below(a, 45), 0.5), scaled)))
	return m.choose(m.negative(x[0]), low, high)
}

func (m formula) negative(x name) name { return m.compare("LT", x, m.num(0)) }

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

func (m formula) ratio(x name, table [2][]float64) name {
	return m.div(m.poly(x, table[0]), m.poly(x, table[1]))
}

func normQuantile(m formula, x ...name) name {
	q := m.sub(x[0], m.num(0.5))
	return m.quantile(q, m.choose(m.negative(q), x[0], m.sub(m.num(1), x[0])))
}

// erfInv is a quantile at (1+x)/2, which is not rounded so.
func erfInv(m formula, x ...name) name {
	half := m.mul(m.num(0.5), x[0])
	r := m.mul(m.num(math.Sqrt2/2), m.quantile(half, m.sub(m.num(0.5), m.abs(half))))
	tiny := m.compare("LT", m.abs(x[0]), m.num(0x1p-40))
	return m.choose(tiny, m.mul(x[0], m.num(math.SqrtPi/2)), r)
}

// quantile returns where the normal distribution function is 1/2 + q; tail is
// the lesser of that and what is left to 1.
func (m formula) quantile(q, tail name) name {
	centre := m.mul(q, m.ratio(m.sub(m.num(0.180625), m.mul(q, q)), normCentre))
	r := m.op("sqrt", m.neg(m.log(tail)))
	near, far := m.ratio(m.sub(r, m.num(1.6)), normTail), m.ratio(m.sub(m.below(r, 40), m.num(5)), normFar)
	far = m.choose(m.compare("EQ", r, m.num(math.Inf(1))), r, far)
	outer := m.mul(m.signOf(q), m.choose(m.compare("LE", r, m.num(5)), near, far))
	return m.choose(m.compare("LE", m.abs(q), m.num(0.425)), centre, outer)
}

// digamma is a polynomial with its root taken out between 1 and 2, its
// asymptotic form above, one step of the recurrence below, and of negative
// numbers the reflection digamma(-a) = digamma(a) + 1/a + pi/tan(pi a).
func digamma(m formula, x ...name) name {
	a, one := m.abs(x[0]), m.num(1)
	small := m.compare("LT", a, one)
	y := m.choose(small, m.add(a, one), a)
	high, rest := m.num(digammaRoot32), m.num(digammaRoot32Rest)
	if m.double() {
		high, rest = m.num(digammaRoot64), m.num(digammaRoot64Rest)
	}
	// a - root + 1, where adding 1 to a would round away what is left.
	off := m.choose(small, m.add(a, m.sub(one, high)), m.sub(a, high))
	middle := m.mul(m.sub(off, rest), m.fit(m.sub(y, m.num(1.5)), digammaTable))
	u := m.div(one, y)
	far := m.add(m.log(y), m.mul(u, m.fit(u, digammaFar)))
	r := m.choose(m.compare("LT", y, m.num(2)), middle, far)
	r = m.choose(small, m.sub(r, m.div(one, a)), r)
	cot := m.mul(m.num(math.Pi), m.div(cosPi(m, a), sinPi(m, a)))
	reflected := m.add(m.add(r, m.div(one, a)), cot)
	integer := m.compare("EQ", a, m.op("floor", a))
	reflected = m.choose(integer, m.num(math.NaN()), reflected)
	reflected = m.choose(m.compare("EQ", a, m.num(0)), m.div(m.num(-1), x[0]), reflected)
	return m.choose(m.compare("GT", x[0], m.num(0)), r, reflected)
}

// lgamma is a polynomial with the roots at 1 and 2 taken out below 3, Stirling's
// formula above, and of negative numbers log(pi / |sin(pi a)|) - lgamma(a+1).
func lgamma(m formula, x ...name) name {
	a, one := m.abs(x[0]), m.num(1)
	small := m.compare("LT", a, one)
	loga := m.log(a)
	y := m.choose(small, m.add(a, one), a)
	first := m.choose(small, a, m.sub(a, one))
	second := m.choose(small, m.sub(a, one), m.sub(a, m.num(2)))
	near := m.mul(m.mul(first, second), m.fit(m.sub(y, m.num(2)), lgammaTable)) // of y
	u := m.div(one, m.op("maximum", a, one))
	const constant = 0.91893853320467274178032973640562 - 0.5 // log(2 pi)/2
	far := m.mul(m.sub(a, m.num(0.5)), m.sub(loga, one))
	far = m.add(far, m.add(m.num(constant), m.mul(u, m.fit(u, stirlingTable))))
	r := m.choose(m.compare("LT", a, m.num(3)), near, far)
	sine := m.abs(sinPi(m, a))
	reflected := m.sub(m.sub(m.num(math.Log(math.Pi)), m.log(sine)), m.choose(small, r, m.add(r, loga)))
	reflected = m.choose(m.compare("EQ", sine, m.num(0)), m.num(math.Inf(1)), reflected)
	r = m.choose(m.negative(x[0]), reflected, m.choose(small, m.sub(r, loga), r))
	r = m.choose(m.compare("EQ", r, m.num(0)), m.num(0), r)
	return m.choose(m.compare("EQ", a, m.num(math.Inf(1))), a, r)
}

// gamma takes factors away until a polynomial holds, so that factorials are
// exact; above, Stirling's formula; and of negative numbers the reflection
// -pi / (a sin(pi a) gamma(a)).
func gamma(m formula, x ...name) name {
	a, one, steps, most := m.abs(x[0]), m.num(1), 11, 40.0
	if m.double() {
		steps, most = 20, 172
	}
	small := m.compare("LT", a, m.num(2))
	y := m.choose(small, m.add(a, m.num(2)), a) // 0 to 2: gamma(a+2) / (a (a+1))
	factors := one
	for range steps {
		more := m.compare("GE", y, m.num(3))
		y = m.choose(more, m.sub(y, one), y)
		factors = m.mul(factors, m.choose(more, y, one))
	}
	y = m.sub(y, m.num(2))
	near := m.mul(factors, m.add(one, m.mul(y, m.fit(y, gammaTable))))
	near = m.choose(small, m.div(near, m.mul(a, m.add(a, one))), near)
	p, q := m.stirling(m.below(a, 1.2*most))
	far := m.compare("GE", a, m.num(float64(3+steps)))
	r := m.choose(far, m.choose(m.compare("GT", a, m.num(most)), m.num(math.Inf(1)), m.mul(p, q)), near)
	negative := m.div(m.num(-math.Pi), m.mul(a, sinPi(m, a)))
	negative = m.choose(far, m.div(m.div(negative, p), q), m.div(negative, near))
	negative = m.choose(m.compare("LT", a, m.num(0x1p-60)), m.div(m.num(-1), a), negative)
	integer := m.compare("EQ", a, m.op("floor", a))
	negative = m.choose(integer, m.num(math.NaN()), negative)
	negative = m.choose(m.compare("EQ", a, m.num(0)), m.div(one, x[0]), negative)
	return m.choose(m.compare("GT", x[0], m.num(0)), r, negative)
}

// stirling returns two factors of gamma(a) for an a that is not small, of which
// neither overflows before 1/gamma(a) underflows.
func (m formula) stirling(a name) (p, q name) {
	u := m.div(m.num(1), a)
	half := m.op("power", a, m.sub(m.mul(a, m.num(0.5)), m.num(0.25)))
	scale := m.mul(m.num(math.Sqrt(2*math.Pi)), m.exp(m.mul(u, m.fit(u, stirlingTable))))
	return m.mul(half, m.exp(m.neg(a))), m.mul(half, scale)
}

// besselE returns what exp(-|x|) times a modified Bessel function is written
// with: a power series below 8, an asymptotic one above.
func besselE(order int, near, far coefficients) func(m formula, x ...name) name {
	return func(m formula, x ...name) name {
		a := m.abs(x[0])
		w := m.mul(m.num(0.5), m.below(a, 8))
		low := m.mul(m.fit(m.mul(w, w), near), m.exp(m.neg(a)))
		if order == 1 {
			low = m.mul(low, w)
		}
		at := m.op("maximum", a, m.num(8))
		high := m.mul(m.fit(m.div(m.num(8), at), far), m.op("rsqrt", at))
		r := m.choose(m.compare("LE", a, m.num(8)), low, high)
		if order == 1 {
			return m.mul(m.signOf(x[0]), r)
		}
		return r
	}
}

// zeta is the Euler-Maclaurin formula behind so many terms of the sum. Its tail is
// nothing where the power underflows; there its factors may overflow.
func zeta(m formula, x ...name) name {
	s, q := x[0], x[1]
	one, minus := m.num(1), m.neg(s)
	sum, a := m.num(0), q
	for range zetaSteps {
		sum = m.add(sum, m.op("power", a, minus))
		a = m.add(a, one)
	}
	power := m.op("power", a, minus)
	sum = m.add(sum, m.add(m.div(m.op("power", a, m.sub(one, s)), m.sub(s, one)), m.mul(m.num(0.5), power)))
	inverse := m.div(one, a)
	square, factor := m.mul(inverse, inverse), m.mul(power, m.mul(m.num(0.5), m.mul(s, inverse)))
	tail := m.num(0)
	for k, b := range bernoulli {
		n := float64(2*k + 2)
		tail = m.add(tail, m.mul(m.num(b), factor))
		growth := m.mul(m.add(s, m.num(n-1)), m.add(s, m.num(n)))
		factor = m.mul(factor, m.mul(m.mul(growth, square), m.num(1/((n+1)*(n+2)))))
	}
	r := m.choose(m.compare("EQ", power, m.num(0)), sum, m.add(sum, tail))
	r = m.choose(m.compare("EQ", q, m.num(math.Inf(1))), m.num(0), r)
	r = m.choose(m.compare("EQ", s, m.num(math.Inf(1))), m.op("power", q, minus), r)
	r = m.choose(m.compare("EQ", s, one), m.num(math.Inf(1)), r)
	r = m.choose(m.compare("GT", q, m.num(0)), r, m.choose(m.compare("EQ", q, m.num(0)), m.num(math.Inf(1)), m.num(math.NaN())))
	return m.choose(m.compare("GE", s, one), r, m.num(math.NaN()))
}

// polygamma is n! zeta(n+1, x), with the sign of (-1)^(n+1). Of negative numbers
// there is trigamma alone, by reflection.
func polygamma(m formula, x ...name) name {
	n, one, a := x[0], m.num(1), m.abs(x[1])
	sum := zeta(m, m.add(n, one), a)
	half := m.mul(n, m.num(0.5))
	r := m.mul(gamma(m, m.add(n, one)), sum)
	r = m.choose(m.compare("EQ", half, m.op("floor", half)), m.neg(r), r)
	sine, inverse := m.div(m.num(math.Pi), sinPi(m, a)), m.div(one, a)
	reflected := m.add(m.sub(m.mul(sine, sine), sum), m.mul(inverse, inverse))
	reflected = m.choose(m.compare("EQ", n, one), reflected, m.num(math.NaN()))
	r = m.choose(m.negative(x[1]), reflected, r)
	r = m.choose(m.compare("EQ", n, m.num(0)), digamma(m, x[1]), r)
	whole := m.w.Apply("and", stablehlo.Bool(m.t), m.compare("EQ", n, m.op("floor", n)), m.compare("GE", n, m.num(0)))
	return m.choose(whole, r, m.num(math.NaN()))
}

// hypot scales by a power of 2 where a square would overflow or underflow.
func hypot(m formula, x ...name) name {
	a, b := m.abs(x[0]), m.abs(x[1])
	far := math.Ldexp(1, int(m.layout().bias)/2-2)
	most := m.op("maximum", a, b)
	scale := m.choose(m.compare("GT", most, m.num(far)), m.num(1/(far*far)), m.choose(m.compare("LT", most, m.num(1/far)), m.num(far*far), m.num(1)))
	p, q := m.mul(a, scale), m.mul(b, scale)
	r := m.div(m.op("sqrt", m.add(m.mul(p, p), m.mul(q, q))), scale)
	infinite := m.w.Apply("or", stablehlo.Bool(m.t), m.compare("EQ", a, m.num(math.Inf(1))), m.compare("EQ", b, m.num(math.Inf(1))))
	return m.choose(infinite, m.num(math.Inf(1)), r)
}
