package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// incompleteIntegrals are the incomplete gamma and beta functions. They are computed in f64 for every dtype, because
// they lose digits where their parameters are large. The builder is named m in this file, since b is a parameter of the
// beta function.
var incompleteIntegrals = []Def{
	{Name: "IGamma", Params: []string{"a", "x"}, Function: Function{Operands: Real, Args: []string{"a", "x"}, Body: inF64(withDensity(iGamma(false), gammaDensity))},
		Doc: "IGamma returns the regularized lower incomplete gamma function, the integral of t^(a-1)*exp(-t) from 0 to x divided by Gamma(a), elementwise: " +
			"the probability that a draw of the gamma distribution of shape a is less than x. It is nan for negative a or x."},
	{Name: "IGammac", Params: []string{"a", "x"}, Function: Function{Operands: Real, Args: []string{"a", "x"}, Body: inF64(withDensity(iGamma(true), negated(gammaDensity)))},
		Doc: "IGammac returns 1 - IGamma(a, x), elementwise, accurate also where the result is small."},
	{Name: "BetaInc", Params: []string{"a", "b", "x"}, Function: Function{Operands: Real, Args: []string{"a", "b", "x"}, Body: inF64(withDensity(betaInc, betaDensity))},
		Doc: "BetaInc returns the regularized incomplete beta function, the integral of t^(a-1)*(1-t)^(b-1) from 0 to x divided by Beta(a, b), elementwise: " +
			"the probability that a draw of the beta distribution of a and b is less than x. It is nan for negative " +
			"a or b, and for x outside of 0 to 1."},
}

// A functionBody is the Body of a Function.
type functionBody = func(m expr.Builder, x []expr.Value, _ float64) expr.Value

// inF64 returns f with its operands converted to f64.
func inF64(f functionBody) functionBody {
	return func(m expr.Builder, x []expr.Value, option float64) expr.Value {
		wide := make([]expr.Value, len(x))
		for i, v := range x {
			wide[i] = m.Convert(v, dtype.F64)
		}
		return f(m, wide, option)
	}
}

// withDensity returns f, an integral whose upper limit is the last operand, with density as the derivative of f with
// respect to the last operand. The derivatives with respect to the other operands are computed by differentiating f.
func withDensity(f functionBody, density func(m expr.Builder, x []expr.Value) expr.Value) functionBody {
	return func(m expr.Builder, x []expr.Value, _ float64) expr.Value {
		return m.Integral(func(m expr.Builder, x []expr.Value) []expr.Value {
			return []expr.Value{f(m, x, 0)}
		}, func(m expr.Builder, x []expr.Value) []expr.Value {
			return []expr.Value{density(m, x)}
		}, x...)
	}
}

// negated returns -f.
func negated(f func(m expr.Builder, x []expr.Value) expr.Value) func(m expr.Builder, x []expr.Value) expr.Value {
	return func(m expr.Builder, x []expr.Value) expr.Value { return m.Neg(f(m, x)) }
}

// gammaDensity returns x^(a-1) * exp(-x) / Gamma(a), the derivative of IGamma with respect to x.
func gammaDensity(m expr.Builder, operands []expr.Value) expr.Value {
	a, x := operands[0], operands[1]
	inside := m.And(m.Gt(m.Min(a, x), 0), m.Lt(m.Max(a, x), math.Inf(1)))
	p, at := m.Where(inside, a, 1), m.Where(inside, x, 1)
	r := m.Where(inside, m.Div(m.Mul(gammaWeight(m, p, at), p), at), 0)
	return m.Where(m.And(m.Eq(x, 0), m.Gt(a, 0)), densityAtEnd(m, a, m.Like(a, 1)), r)
}

// densityAtEnd returns the density at an end of its range, where it is factor * 0^(a-1).
func densityAtEnd(m expr.Builder, a, factor expr.Value) expr.Value {
	return m.Where(m.Lt(a, 1), math.Inf(1), m.Where(m.Eq(a, 1), factor, 0))
}

// betaDensity returns x^(a-1) * (1-x)^(b-1) / Beta(a, b), the derivative of BetaInc with respect to x.
func betaDensity(m expr.Builder, operands []expr.Value) expr.Value {
	a, b, x := operands[0], operands[1], operands[2]
	valid := m.And(m.Gt(m.Min(a, b), 0), m.Lt(m.Max(a, b), math.Inf(1)))
	inside := m.And(valid, m.And(m.Gt(x, 0), m.Lt(x, 1)))
	p, q, at := m.Where(inside, a, 0.5), m.Where(inside, b, 0.5), m.Where(inside, x, 0.5)
	rest := m.Sub(1, at)
	r := m.Where(inside, m.Div(betaWeight(m, p, q, at, rest), m.Mul(at, rest)), 0)
	r = m.Where(m.And(valid, m.Eq(x, 0)), densityAtEnd(m, a, b), r)
	return m.Where(m.And(valid, m.Eq(x, 1)), densityAtEnd(m, b, a), r)
}

// iGamma returns the lower or the upper incomplete gamma function. For each element it uses the method that is accurate
// for the operands: gammaSeries, gammaFraction, gammaNearZero or gammaTail.
func iGamma(upper bool) func(m expr.Builder, operands []expr.Value, _ float64) expr.Value {
	return func(m expr.Builder, operands []expr.Value, _ float64) expr.Value {
		a, x := operands[0], operands[1]
		inside := m.And(m.Gt(m.Min(a, x), 0), m.Lt(m.Max(a, x), math.Inf(1)))
		a, x = m.Where(inside, a, 1), m.Where(inside, x, 1)

		useTail := m.Ge(a, wideShape)
		useNearZero := m.And(m.Not(useTail), m.And(m.Le(x, 1.1), m.Not(lowerIsSmall(m, a, x))))
		useFraction := m.And(m.Not(useTail), m.And(m.Gt(x, 1.1), m.Gt(x, m.Add(a, 1))))
		useSeries := m.Not(m.Or(useTail, m.Or(useNearZero, useFraction)))

		weight := gammaWeight(m, a, x)
		series := m.Mul(weight, gammaSeries(m, a, x, useSeries))
		fraction := m.Mul(m.Mul(weight, a), gammaFraction(m, a, x, useFraction))
		nearZero := gammaNearZero(m, a, x, useNearZero)
		tail := m.Mul(m.Mul(weight, a), gammaTail(m, a, x, useTail))
		r := m.Where(useTail, tail, m.Where(useSeries, series, m.Where(useFraction, fraction, nearZero)))

		isLower := m.Or(useSeries, m.And(useTail, m.Lt(x, a))) // whether r is the lower function, not the upper one
		isWanted := isLower
		if upper {
			isWanted = m.Not(isLower)
		}
		r = m.Where(isWanted, r, m.Sub(1, r))
		return gammaEnds(m, operands[0], operands[1], inside, r, upper)
	}
}

// gammaEnds returns r where inside is true, the limits of the function where an operand is 0 or
// infinite, and NaN elsewhere.
func gammaEnds(m expr.Builder, a, x, inside, r expr.Value, upper bool) expr.Value {
	none, all := 0.0, 1.0 // the function's value if none or all of the gamma distribution is below x
	if upper {
		none, all = 1, 0
	}
	r = m.Where(inside, r, math.NaN())
	positive := func(t expr.Value) expr.Value { return m.Gt(t, 0) }
	r = m.Where(m.And(m.Eq(x, 0), positive(a)), none, r)
	r = m.Where(m.And(m.Eq(a, 0), positive(x)), all, r)
	finite := func(t expr.Value) expr.Value {
		return m.And(m.Ge(t, 0), m.Lt(t, math.Inf(1)))
	}
	r = m.Where(m.And(m.Eq(x, math.Inf(1)), finite(a)), all, r)
	return m.Where(m.And(m.Eq(a, math.Inf(1)), finite(x)), none, r)
}

// wideShape is the least shape parameter for which the integrand is close enough to a bell curve
// for integration by sums. For smaller ones, series and continued fractions converge quickly.
const wideShape = 24

// lowerIsSmall returns whether the lower function, the part of the integral below x, is at most about 2/3, for x up to
// 1.1.
func lowerIsSmall(m expr.Builder, a, x expr.Value) expr.Value {
	small := m.Not(m.Gt(m.Mul(a, m.Log(x)), -0.4)) // x^a <= 2/3
	return m.Where(m.Le(x, 0.5), small, m.Gt(a, m.Mul(x, 1.1)))
}

// gammaWeight returns x^a * exp(-x) / Gamma(a+1) without cancellation of large numbers:
// exp(a*(log(1+d) - d) - stirlingError(a)) / sqrt(2*pi*a), where d = (x-a)/a.
func gammaWeight(m expr.Builder, a, x expr.Value) expr.Value {
	off := m.Div(m.Sub(x, a), a)
	r := m.Exp(m.Sub(m.Mul(a, log1pMinus(m, off, m.Div(x, a))), stirlingError(m, a)))
	return m.Div(r, m.Sqrt(m.Mul(a, 2*math.Pi)))
}

// log1pMinus returns log(1+d) - d, accurate also for small d; onePlus is 1+d.
func log1pMinus(m expr.Builder, d, onePlus expr.Value) expr.Value {
	// log(1+d) = 2*atanh(r), r = d/(2+d), and 2*r - d = -r*d.
	r := m.Div(d, m.Add(d, 2))
	square := m.Square(r)
	sum := m.Like(r, 1.0/27)
	for k := 25; k >= 3; k -= 2 {
		sum = m.Add(m.Mul(sum, square), 1/float64(k))
	}
	near := m.Mul(r, m.Sub(m.Mul(m.Mul(square, 2), sum), d))
	return m.Where(m.Lt(m.Abs(d), 0.4), near, m.Sub(m.Log(onePlus), d))
}

// stirlingError returns the error of Stirling's formula,
// log(Gamma(a)) - ((a-1/2)*log(a) - a + log(2*pi)/2).
func stirlingError(m expr.Builder, a expr.Value) expr.Value {
	inverse := m.Div(m.Like(a, 1), m.Where(m.Ge(a, 10), a, 10)) // not Max, whose derivative at 10 is 1/2
	square := m.Mul(inverse, inverse)
	sum := m.Like(a, stirlingErrorSeries[0])
	for _, v := range stirlingErrorSeries[1:] {
		sum = m.Add(m.Mul(sum, square), v)
	}
	near := m.Sub(m.Do(ir.Lgamma, nil, a), m.Mul(m.Add(a, -0.5), m.Log(a)))
	near = m.Add(m.Add(near, a), -0.5*math.Log(2*math.Pi))
	return m.Where(m.Ge(a, 10), m.Mul(sum, inverse), near)
}

// stirlingErrorSeries has the coefficients B(2k)/(2k*(2k-1)) of 1/a^(2k-1), highest k first.
var stirlingErrorSeries = []float64{-3617. / 122400, 1. / 156, -691. / 360360, 1. / 1188, -1. / 1680, 1. / 1260, -1. / 360, 1. / 12}

// gammaSeries returns the sum of x^n / ((a+1)*...*(a+n)) over n >= 0, which is the lower
// function divided by gammaWeight. Here and below, only the elements for which active is true are computed.
func gammaSeries(m expr.Builder, a, x, active expr.Value) expr.Value {
	one := m.Like(a, 1)
	return converge(m, 300, 1, []expr.Value{one, one, a, active}, []expr.Value{m.Where(active, x, 0)},
		func(m expr.Builder, v, shared []expr.Value) []expr.Value {
			sum, term, n := v[0], v[1], m.Add(v[2], 1)
			term = m.Mul(term, m.Div(shared[0], n))
			sum = m.Add(sum, term)
			return []expr.Value{sum, term, n, m.Gt(term, m.Mul(sum, step64/4))}
		})[0]
}

// step64 is the distance from 1 to the next f64.
const step64 = 0x1p-52

// gammaFraction returns the continued fraction
// 1/(x+1-a - 1*(1-a)/(x+3-a - 2*(2-a)/(x+5-a - ...))), which is the upper function divided
// by a*gammaWeight. It uses the method of Lentz, whose relative error after n terms is about exp(-4*sqrt(n*x)).
func gammaFraction(m expr.Builder, a, x, active expr.Value) expr.Value {
	a, x = m.Where(active, a, 1), m.Where(active, x, 1e3)
	b := m.Add(m.Sub(x, a), 1)
	d := m.Div(1, b)
	more := m.Add(m.Div(90, x), 20)
	start := []expr.Value{d, d, m.Like(b, 1e300), b, m.Like(b, 0), active}
	return converge(m, 1000, 1, start, []expr.Value{a, more}, func(m expr.Builder, v, shared []expr.Value) []expr.Value {
		value, down, up, b, n := v[0], v[1], v[2], m.Add(v[3], 2), m.Add(v[4], 1)
		top := m.Mul(n, m.Sub(shared[0], n))
		down = m.Div(1, nonzero(m, m.Add(m.Mul(top, down), b)))
		up = nonzero(m, m.Add(b, m.Div(top, up)))
		step := m.Mul(down, up)
		goOn := m.Or(farFromOne(m, step), derivativeGoesOn(m, n, shared[0], shared[1]))
		return []expr.Value{m.Mul(value, step), down, up, b, n, goOn}
	})[0]
}

// nonzero returns x, or a tiny number where x is 0, so that the method of Lentz can divide by it.
func nonzero(m expr.Builder, x expr.Value) expr.Value { return m.Where(m.Eq(x, 0), 1e-300, x) }

// farFromOne returns whether x differs from 1 by more than rounding.
func farFromOne(m expr.Builder, x expr.Value) expr.Value { return m.Gt(m.Abs(m.Add(x, -1)), 4*step64) }

// derivativeGoesOn returns whether k, the number of a term, is between end and end+more. A continued fraction whose
// terms have the factor end-k ends at term end if end is an integer, but its derivative with respect to end does not;
// more is the number of further terms that the derivative needs.
func derivativeGoesOn(m expr.Builder, k, end, more expr.Value) expr.Value {
	past := m.Sub(k, end)
	return m.And(m.Gt(past, -0.5), m.Lt(past, more))
}

// gammaNearZero returns the upper function for x up to 1.1:
// 1 - x^a/Gamma(a+1) * (1 + the sum of a*(-x)^n / (n!*(a+n)) over n >= 1). The difference
// 1 - x^a/Gamma(a+1) is computed by Expm1.
func gammaNearZero(m expr.Builder, a, x, active expr.Value) expr.Value {
	x, a = m.Where(active, x, 0.5), m.Where(active, a, 0.5)
	zero := m.Like(a, 0)
	sum := converge(m, 60, 1, []expr.Value{zero, m.Like(a, 1), zero, active}, []expr.Value{a, x},
		func(m expr.Builder, v, shared []expr.Value) []expr.Value {
			a, x := shared[0], shared[1]
			sum, factor, n := v[0], v[1], m.Add(v[2], 1)
			factor = m.Mul(factor, m.Div(m.Neg(x), n))
			term := m.Div(factor, m.Add(a, n))
			sum = m.Add(sum, term)
			return []expr.Value{sum, factor, n, m.Gt(m.Abs(term), m.Mul(m.Abs(sum), step64/4))}
		})[0]
	power := m.Sub(m.Mul(a, m.Log(x)), lgamma1p(m, a))
	rest := m.Mul(m.Mul(a, m.Exp(power)), sum)
	return m.Neg(m.Add(m.Expm1(power), rest))
}

// lgamma1p returns log(Gamma(1+a)), accurate also for small a. For a up to 0.5 it computes
// -log(1+a) + a*(1-euler) + the sum of (zeta(k)-1) * (-a)^k / k over k >= 2.
func lgamma1p(m expr.Builder, a expr.Value) expr.Value {
	sum := m.Like(a, 0)
	for k := 40.0; k >= 2; k-- {
		sum = m.Add(m.Neg(m.Mul(sum, a)), zetaMinusOne(k)/k)
	}
	const euler = 0.57721566490153286060651209008240243
	near := m.Mul(a, m.Add(m.Mul(a, sum), 1-euler))
	near = m.Sub(near, m.Log1p(a))
	return m.Where(m.Le(a, 0.5), near, m.Do(ir.Lgamma, nil, m.Add(a, 1)))
}

// zetaMinusOne returns zeta(s) - 1, the sum of n^-s over n >= 2, for s >= 2.
func zetaMinusOne(s float64) float64 {
	sum := 0.0
	for n := 60.0; n >= 2; n-- {
		sum += math.Pow(n, -s)
	}
	if s < 12 { // the terms from 61 on, by the Euler-Maclaurin formula; for larger s they are negligible
		const n = 61.0
		sum += math.Pow(n, 1-s)/(s-1) + math.Pow(n, -s)/2 + s*math.Pow(n, -s-1)/12 -
			s*(s+1)*(s+2)*math.Pow(n, -s-3)/720
	}
	return sum
}

// gammaTail returns the integral of exp((a-1)*log(1+s*v) - s*x*v) over v. If x is at least a, s is 1 and the result is
// the upper function divided by a*gammaWeight; otherwise s is -1 and the result is the lower function divided by
// a*gammaWeight.
func gammaTail(m expr.Builder, a, x, active expr.Value) expr.Value {
	below := m.Lt(x, a)
	aMinusOne := m.Add(a, -1)
	slope := m.Sub(x, aMinusOne)
	slope = m.Where(below, m.Neg(slope), slope)
	reach := bellReach(m, aMinusOne, slope)
	reach = m.Where(below, m.Min(reach, 1), reach)
	return gammaTailSums(m, below, aMinusOne, slope, reach, active)[0]
}

// gammaTailSums returns the integral of gammaTail and its derivative with respect to a. slope is
// x - aMinusOne, negated where below is true.
func gammaTailSums(m expr.Builder, below, aMinusOne, slope, reach, active expr.Value) []expr.Value {
	return integral(m, reach, active, []expr.Value{below, aMinusOne, slope, m.And(below, m.Lt(reach, 1))},
		func(m expr.Builder, v, left expr.Value, shared []expr.Value) (power, factor expr.Value) {
			below, aMinusOne, slope := shared[0], shared[1], shared[2]
			d := m.Where(below, m.Neg(v), v)
			onePlus := m.Where(below, left, m.Add(v, 1)) // left is 1 - v without cancellation, if reach is 1
			onePlus = m.Where(shared[3], m.Sub(1, v), onePlus)
			log := log1pMinus(m, d, onePlus)
			return m.Sub(m.Mul(aMinusOne, log), m.Mul(slope, v)), m.Add(log, d)
		})
}

// negligiblePower is a number p for which exp(-p) is negligible compared with 1 in f64.
const negligiblePower = 38

// bellReach returns a v beyond which exp(n*(log(1+v) - v) - slope*v) is negligible compared
// with its value at 0.
func bellReach(m expr.Builder, n, slope expr.Value) expr.Value {
	most := m.Div(negligiblePower, n)
	bell := m.Add(most, m.Sqrt(m.Mul(most, m.Add(most, 2))))
	line := m.Div(negligiblePower, m.Max(slope, 1e-3))
	return m.Min(bell, line)
}

// integral returns the integrals of exp(power) and of factor*exp(power) over v from 0 to reach. They are sums over
// equal steps of t, where v = reach / (1 + exp(-pi*sinh(t))), so that the points v are dense at both ends. f returns
// power and factor for v, left = reach - v, and shared. If factor is nil, the second integral is 0.
func integral(m expr.Builder, reach, active expr.Value, shared []expr.Value,
	f func(m expr.Builder, v, left expr.Value, shared []expr.Value) (power, factor expr.Value)) []expr.Value {
	const step, last = 1.0 / 20, 3.25
	zero := m.Like(reach, 0)
	start := []expr.Value{zero, zero, m.Like(reach, -last), active}
	return converge(m, 2*last/step+1, 2, start, append([]expr.Value{reach, active}, shared...),
		func(m expr.Builder, v, shared []expr.Value) []expr.Value {
			sum, factorSum, t := v[0], v[1], v[2]
			reach := shared[0]
			up, down := m.Exp(t), m.Exp(m.Neg(t))
			grow := m.Exp(m.Mul(m.Sub(up, down), math.Pi/2))
			share := m.Div(grow, m.Add(grow, 1)) // v / reach
			left := m.Div(reach, m.Add(grow, 1))
			width := m.Mul(m.Mul(share, left), m.Mul(m.Add(up, down), step*math.Pi/2))
			power, factor := f(m, m.Mul(share, reach), left, shared[2:])
			term := m.Mul(width, m.Exp(power))
			if factor != nil {
				factorSum = m.Add(factorSum, m.Mul(term, factor))
			}
			return []expr.Value{m.Add(sum, term), factorSum, m.Add(t, step), shared[1]}
		})
}

// converge replaces carried by the results of body, at most steps times, and returns the first values of carried;
// results is their number. The last value of carried is boolean: once it is false for an element, the results for
// that element no longer change. The loop ends when it is false for all elements.
func converge(m expr.Builder, steps float64, results int, carried, shared []expr.Value,
	body func(m expr.Builder, v, shared []expr.Value) []expr.Value) []expr.Value {
	n := len(carried)
	start := append([]expr.Value{m.Number(0, dtype.I32)}, carried...)
	return m.While(start, shared, func(m expr.Builder, v, _ []expr.Value) expr.Value {
		active := v[n]
		axes := make([]int, len(active.Shape()))
		for i := range axes {
			axes[i] = i
		}
		return m.And(m.Reduce(ir.ReduceOr, active, axes...), m.Lt(v[0], int(steps)))
	}, func(m expr.Builder, v, shared []expr.Value) []expr.Value {
		next := body(m, v[1:], shared)
		active := v[n]
		for i := range results {
			next[i] = m.Where(active, next[i], v[1+i])
		}
		next[n-1] = m.And(active, next[n-1])
		return append([]expr.Value{m.Add(v[0], 1)}, next...)
	})[1 : 1+results]
}

// betaInc returns the regularized incomplete beta function. Since betaFraction converges quickly only if x is below the
// mean of the distribution, for larger x betaInc exchanges a with b and x with 1-x, which gives the integral
// above x. For b < 0.5 it does so only if x is nearly 1.
func betaInc(m expr.Builder, operands []expr.Value, _ float64) expr.Value {
	a, b, x := operands[0], operands[1], operands[2]
	inside := m.And(m.Gt(a, 0), m.And(m.Gt(b, 0), m.And(m.Gt(x, 0), m.Lt(x, 1))))
	inside = m.And(inside, m.Lt(m.Max(a, b), math.Inf(1)))
	p, q, at := m.Where(inside, a, 0.5), m.Where(inside, b, 0.5), m.Where(inside, x, 0.5)
	rest := m.Sub(1, at)
	mirrored := m.Gt(m.Mul(at, m.Add(m.Add(p, q), 2)), m.Add(p, 1))
	mirrored = m.And(mirrored, m.Not(m.And(m.Lt(q, 0.5), m.Lt(at, 0.999))))
	p, q = m.Where(mirrored, q, p), m.Where(mirrored, p, q)
	at, rest = m.Where(mirrored, rest, at), m.Where(mirrored, at, rest)

	wide := m.Ge(m.Min(p, q), 2*wideShape)
	weight := betaWeight(m, p, q, at, rest)
	fraction := m.Div(m.Mul(weight, betaFraction(m, p, q, at, m.Not(wide))), p)
	tail := m.Div(m.Mul(weight, betaTail(m, p, q, at, rest, wide)), rest)
	r := m.Where(wide, tail, fraction)
	r = m.Where(mirrored, m.Sub(1, r), r)
	return betaEnds(m, a, b, x, inside, r)
}

// betaEnds returns r where inside is true, the limits of the function where an operand is 0, 1
// or infinite, and NaN elsewhere.
func betaEnds(m expr.Builder, a, b, x, inside, r expr.Value) expr.Value {
	r = m.Where(inside, r, math.NaN())
	least := m.Min(a, b)
	within := m.And(m.Ge(x, 0), m.Le(x, 1))
	infinite := math.Inf(1)
	isLimit := func(p, other expr.Value, v float64) expr.Value { // p is v, and other is positive and finite
		return m.And(within, m.And(m.Eq(p, v), m.And(m.Gt(other, 0), m.Lt(other, infinite))))
	}
	r = m.Where(m.Or(isLimit(a, b, 0), isLimit(b, a, infinite)), 1, r)
	r = m.Where(m.Or(isLimit(b, a, 0), isLimit(a, b, infinite)), 0, r)
	ends := m.Gt(least, 0)
	r = m.Where(m.And(ends, m.Eq(x, 0)), 0, r)
	return m.Where(m.And(ends, m.Eq(x, 1)), 1, r)
}

// betaWeight returns x^a * y^b / Beta(a, b), where y = 1-x. Like gammaWeight it avoids the cancellation of large
// numbers.
func betaWeight(m expr.Builder, a, b, x, y expr.Value) expr.Value {
	n := m.Add(a, b)
	off := m.Sub(m.Mul(x, b), m.Mul(y, a))
	u, v := m.Div(off, a), m.Div(m.Neg(off), b)
	power := m.Add(m.Mul(a, log1pMinus(m, u, m.Div(m.Mul(x, n), a))), m.Mul(b, log1pMinus(m, v, m.Div(m.Mul(y, n), b))))
	power = m.Add(power, m.Sub(stirlingError(m, n), m.Add(stirlingError(m, a), stirlingError(m, b))))
	return m.Mul(m.Exp(power), m.Sqrt(m.Mul(m.Mul(a, 1/(2*math.Pi)), m.Div(b, n))))
}

// betaFraction returns the continued fraction 1/(1 + d1/(1 + d2/(1 + ...))), which is the incomplete
// beta function times a/betaWeight. It uses the method of Lentz, with two terms in each step:
// d(2k) = k*(b-k)*x / ((a+2k-1)*(a+2k)), d(2k+1) = -(a+k)*(a+b+k)*x / ((a+2k)*(a+2k+1)).
func betaFraction(m expr.Builder, a, b, x, active expr.Value) expr.Value {
	x = m.Where(active, x, 0)
	one, n := m.Like(x, 1), m.Add(a, b)
	first := m.Sub(1, m.Div(m.Mul(n, x), m.Add(a, 1)))
	d := m.Div(one, nonzero(m, first))
	root := m.Sqrt(m.Sub(1, x)) // two terms multiply the error by about ((1-root)/(1+root))^2
	more := m.Add(m.Div(20, m.Log(m.Div(m.Add(root, 1), m.Sub(1, m.Where(active, root, 0.5))))), 5)
	return converge(m, 10000, 1, []expr.Value{d, d, one, m.Like(x, 0), active}, []expr.Value{a, b, x, n, more},
		func(m expr.Builder, v, shared []expr.Value) []expr.Value {
			a, b, x, n := shared[0], shared[1], shared[2], shared[3]
			k := m.Add(v[3], 1)
			twice := m.Add(a, m.Mul(k, 2))
			even := m.Mul(m.Div(m.Mul(k, m.Sub(b, k)), m.Add(twice, -1)), m.Div(x, twice))
			odd := m.Neg(m.Mul(m.Div(m.Mul(m.Add(a, k), m.Add(n, k)), twice), m.Div(x, m.Add(twice, 1))))
			value, down, up := v[0], v[1], v[2]
			var step expr.Value
			for _, top := range []expr.Value{even, odd} {
				down = m.Div(1, nonzero(m, m.Add(m.Mul(top, down), 1)))
				up = nonzero(m, m.Add(m.Div(top, up), 1))
				step = m.Mul(down, up)
				value = m.Mul(value, step)
			}
			goOn := m.Or(farFromOne(m, step), derivativeGoesOn(m, k, b, shared[4]))
			return []expr.Value{value, down, up, k, goOn}
		})[0]
}

// betaTail returns the integral of (1-v)^(a-1) * (1 + v*x/y)^(b-1) over v from 0 to 1, which is the incomplete beta
// function times y/betaWeight, by the substitution t = x*(1-v) in the integral of the function.
func betaTail(m expr.Builder, a, b, x, y, active expr.Value) expr.Value {
	a, b = m.Add(a, -1), m.Add(b, -1) // the exponents
	odds := m.Div(x, y)
	slope := m.Sub(a, m.Mul(b, odds))
	reach := m.Min(bellReach(m, a, slope), 1)
	return integral(m, reach, active, []expr.Value{a, b, odds, slope, m.Lt(reach, 1)},
		func(m expr.Builder, v, left expr.Value, shared []expr.Value) (power, factor expr.Value) {
			a, b, odds, slope := shared[0], shared[1], shared[2], shared[3]
			w := m.Mul(v, odds)
			left = m.Where(shared[4], m.Sub(1, v), left)
			power = m.Add(m.Mul(a, log1pMinus(m, m.Neg(v), left)), m.Mul(b, log1pMinus(m, w, m.Add(w, 1))))
			return m.Sub(power, m.Mul(slope, v)), nil
		})[0]
}
