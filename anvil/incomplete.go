package anvil

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// IGamma returns the regularized lower incomplete gamma function, the integral of
// t^(a-1)*exp(-t) from 0 to x divided by Gamma(a), elementwise: the probability that a
// draw of the gamma distribution of shape a is less than x. It is nan for negative a or x.
func (l *Lib) IGamma(a, x any) Tensor { return l.incompleteGamma("IGamma", a, x, false) }

// IGammac returns 1 - IGamma(a, x), elementwise, exact also where that is small.
func (l *Lib) IGammac(a, x any) Tensor { return l.incompleteGamma("IGammac", a, x, true) }

// BetaInc returns the regularized incomplete beta function, the integral of
// t^(a-1)*(1-t)^(b-1) from 0 to x divided by Beta(a, b), elementwise: the probability
// that a draw of the beta distribution of a and b is less than x, from 0 to 1. It is nan for
// negative a or b, and for x beyond 0 and 1.
func (l *Lib) BetaInc(a, b, x any) Tensor {
	c := l.call("BetaInc", a, b, x)
	t := c.realOf(c.joined([]any{a, b, x}))
	d := reals{c}
	p, q, at := d.of(a, t.DType), d.of(b, t.DType), d.of(x, t.DType)
	s := c.broadcast(p, q, at)
	return c.done(d.beta(c.to(p, s), c.to(q, s), c.to(at, s)), t)
}

func (l *Lib) incompleteGamma(op string, a, x any, upper bool) Tensor {
	c := l.call(op, a, x)
	t := c.realOf(c.arithmetic(a, x))
	d := reals{c}
	p, at := d.of(a, t.DType), d.of(x, t.DType)
	s := c.broadcast(p, at)
	return c.done(d.gamma(c.to(p, s), c.to(at, s), upper), t)
}

// reals are calculations in f64, whatever the dtype of the result: these integrals lose
// digits where a and x are large, which then are none of the narrower float's.
type reals struct{ *call }

// of returns x, rounded to its operation's dtype d.
func (c reals) of(x any, d dtype.DType) *tensor { return c.convert(c.at(x, d), dtype.F64) }

func (c reals) add(x, y *tensor) *tensor { return c.infer(ir.Add, nil, x, y) }
func (c reals) sub(x, y *tensor) *tensor { return c.infer(ir.Sub, nil, x, y) }
func (c reals) mul(x, y *tensor) *tensor { return c.infer(ir.Mul, nil, x, y) }
func (c reals) div(x, y *tensor) *tensor { return c.infer(ir.Div, nil, x, y) }
func (c reals) and(x, y *tensor) *tensor { return c.infer(ir.And, nil, x, y) }
func (c reals) or(x, y *tensor) *tensor  { return c.infer(ir.Or, nil, x, y) }
func (c reals) not(x *tensor) *tensor    { return c.infer(ir.Not, nil, x) }
func (c reals) exp(x *tensor) *tensor    { return c.infer(ir.Exp, nil, x) }
func (c reals) plus(x *tensor, v float64) *tensor {
	return c.add(x, c.constant(v, x))
}

// oneLess returns 1 - x.
func (c reals) oneLess(x *tensor) *tensor { return c.sub(c.constant(1, x), x) }

// put returns v where p holds, and x elsewhere.
func (c reals) put(p *tensor, v float64, x *tensor) *tensor { return c.choose(p, c.constant(v, x), x) }

// gamma returns IGamma of operands of one shape, or what it lacks to 1.
func (c reals) gamma(a, x *tensor, upper bool) *tensor {
	least := c.infer(ir.Min, nil, a, x)
	inside := c.and(c.compareTo(ir.GT, least, 0), c.compareTo(ir.LT, c.infer(ir.Max, nil, a, x), math.Inf(1)))
	a, x, outerA, outerX := c.choose(inside, a, c.constant(1, a)), c.choose(inside, x, c.constant(1, x)), a, x

	wide := c.compareTo(ir.GE, a, wideShape)
	below := c.and(c.not(wide), c.and(c.compareTo(ir.LE, x, 1.1), c.not(c.mostlyBelow(a, x))))
	beyond := c.and(c.not(wide), c.and(c.compareTo(ir.GT, x, 1.1), c.compare(ir.GT, x, c.plus(a, 1))))
	series := c.not(c.or(wide, c.or(below, beyond)))

	weight := c.gammaWeight(a, x)
	low := c.mul(weight, c.gammaSeries(a, x, series))
	high := c.choose(beyond, c.mul(c.mul(weight, a), c.gammaFraction(a, x, beyond)), c.gammaNearZero(a, x, below))
	tail := c.mul(c.mul(weight, a), c.gammaTail(a, x, wide))
	isLow := c.or(series, c.and(wide, c.compare(ir.LT, x, a)))
	r := c.choose(wide, tail, c.choose(series, low, high))
	if upper {
		isLow = c.not(isLow)
	}
	r = c.choose(isLow, r, c.oneLess(r))
	return c.gammaEnds(outerA, outerX, inside, r, upper)
}

// gammaEnds returns r, the function inside its domain, with what it is at the ends and beyond.
func (c reals) gammaEnds(a, x, inside, r *tensor, upper bool) *tensor {
	zero, one := 0.0, 1.0
	if upper {
		zero, one = 1, 0
	}
	r = c.choose(inside, r, c.constant(math.NaN(), r))
	positive := func(t *tensor) *tensor { return c.positive(t) }
	r = c.put(c.and(c.compareTo(ir.EQ, x, 0), positive(a)), zero, r)
	r = c.put(c.and(c.compareTo(ir.EQ, a, 0), positive(x)), one, r)
	finite := func(t *tensor) *tensor {
		return c.and(c.compareTo(ir.GE, t, 0), c.compareTo(ir.LT, t, math.Inf(1)))
	}
	r = c.put(c.and(c.compareTo(ir.EQ, x, math.Inf(1)), finite(a)), one, r)
	return c.put(c.and(c.compareTo(ir.EQ, a, math.Inf(1)), finite(x)), zero, r)
}

// wideShape is the shape from which on the integrand is near enough to a bell for
// integration by sums; below, series and fractions end soon.
const wideShape = 24

// mostlyBelow returns whether less than about half of the integral is beyond x, of x below 1.1.
func (c reals) mostlyBelow(a, x *tensor) *tensor {
	small := c.compare(ir.GT, c.mul(a, c.infer(ir.Log, nil, x)), c.constant(-0.4, a)) // x^a > 2/3
	small = c.not(small)
	return c.choose(c.compareTo(ir.LE, x, 0.5), small, c.compare(ir.GT, a, c.times(x, 1.1)))
}

// gammaWeight returns x^a * exp(-x) / Gamma(a+1), by how far x is from a, so that nothing
// large cancels: exp(a*(log(1+m) - m) - correction) / sqrt(2*pi*a), m = (x-a)/a.
func (c reals) gammaWeight(a, x *tensor) *tensor {
	m := c.div(c.sub(x, a), a)
	r := c.exp(c.sub(c.mul(a, c.logLess(m, c.div(x, a))), c.stirling(a)))
	return c.div(r, c.infer(ir.Sqrt, nil, c.times(a, 2*math.Pi)))
}

// logLess returns log(1+m) - m, exact also where both nearly cancel; more is 1+m.
func (c reals) logLess(m, more *tensor) *tensor {
	// log(1+m) = 2*atanh(r), r = m/(2+m), and 2*r - m = -r*m.
	r := c.div(m, c.plus(m, 2))
	square := c.mul(r, r)
	sum := c.constant(1.0/27, r)
	for k := 25; k >= 3; k -= 2 {
		sum = c.plus(c.mul(sum, square), 1/float64(k))
	}
	near := c.mul(r, c.sub(c.mul(c.times(square, 2), sum), m))
	return c.choose(c.compareTo(ir.LT, c.infer(ir.Abs, nil, m), 0.4), near, c.sub(c.infer(ir.Log, nil, more), m))
}

// stirling returns log(Gamma(a)) less (a-1/2)*log(a) - a + log(2*pi)/2.
func (c reals) stirling(a *tensor) *tensor {
	inverse := c.div(c.constant(1, a), c.infer(ir.Max, nil, a, c.constant(10, a)))
	square := c.mul(inverse, inverse)
	sum := c.constant(stirlingSeries[0], a)
	for _, v := range stirlingSeries[1:] {
		sum = c.plus(c.mul(sum, square), v)
	}
	near := c.sub(c.infer(ir.Lgamma, nil, a), c.mul(c.plus(a, -0.5), c.infer(ir.Log, nil, a)))
	near = c.plus(c.add(near, a), -0.5*math.Log(2*math.Pi))
	return c.choose(c.compareTo(ir.GE, a, 10), c.mul(sum, inverse), near)
}

// stirlingSeries are the coefficients of 1/a^(2k-1), the highest first, of B(2k)/(2k*(2k-1)).
var stirlingSeries = []float64{-3617. / 122400, 1. / 156, -691. / 360360, 1. / 1188, -1. / 1680, 1. / 1260, -1. / 360, 1. / 12}

// gammaSeries returns the sum of x^n / ((a+1)*...*(a+n)), which P is its weight times.
func (c reals) gammaSeries(a, x, here *tensor) *tensor {
	x = c.choose(here, x, c.constant(0, x))
	one := c.constant(1, a)
	return c.converge(300, []*tensor{one, one, a, here}, func(v []*tensor) []*tensor {
		n := c.plus(v[2], 1)
		term := c.mul(v[1], c.div(x, n))
		sum := c.add(v[0], term)
		return []*tensor{sum, term, n, c.compare(ir.GT, term, c.times(sum, step64/4))}
	})[0]
}

// step64 is the distance from 1 to the next f64.
const step64 = 0x1p-52

// gammaFraction returns the continued fraction that Q is its weight times:
// 1/(x+1-a - 1*(1-a)/(x+3-a - 2*(2-a)/(x+5-a - ...))), by the method of Lentz.
func (c reals) gammaFraction(a, x, here *tensor) *tensor {
	a, x = c.choose(here, a, c.constant(1, a)), c.choose(here, x, c.constant(1e3, x))
	b := c.plus(c.sub(x, a), 1)
	d := c.div(c.constant(1, b), b)
	start := []*tensor{d, d, c.constant(1e300, b), b, c.constant(0, b), here}
	return c.converge(1000, start, func(v []*tensor) []*tensor {
		n := c.plus(v[4], 1)
		top := c.mul(n, c.sub(a, n))
		b := c.plus(v[3], 2)
		d := c.div(c.constant(1, b), c.nonzero(c.add(c.mul(top, v[1]), b)))
		up := c.nonzero(c.add(b, c.div(top, v[2])))
		step := c.mul(d, up)
		return []*tensor{c.mul(v[0], step), d, up, b, n, c.farFromOne(step)}
	})[0]
}

func (c reals) nonzero(x *tensor) *tensor {
	return c.put(c.compareTo(ir.EQ, x, 0), 1e-300, x)
}

func (c reals) farFromOne(x *tensor) *tensor {
	return c.compareTo(ir.GT, c.infer(ir.Abs, nil, c.plus(x, -1)), 4*step64)
}

// gammaNearZero returns Q of x below 1.1, where most is below x: 1 - x^a/Gamma(a+1) *
// (1 + the sum of a*(-x)^n / (n!*(a+n))), the first two as one power.
func (c reals) gammaNearZero(a, x, here *tensor) *tensor {
	x = c.choose(here, x, c.constant(0.5, x))
	a = c.choose(here, a, c.constant(0.5, a))
	zero := c.constant(0, a)
	sum := c.converge(60, []*tensor{zero, c.constant(1, a), zero, here}, func(v []*tensor) []*tensor {
		n := c.plus(v[2], 1)
		factor := c.mul(v[1], c.div(c.infer(ir.Neg, nil, x), n))
		term := c.div(factor, c.add(a, n))
		sum := c.add(v[0], term)
		return []*tensor{sum, factor, n, c.compare(ir.GT, c.infer(ir.Abs, nil, term), c.times(c.infer(ir.Abs, nil, sum), step64/4))}
	})[0]
	power := c.sub(c.mul(a, c.infer(ir.Log, nil, x)), c.logGammaMore(a))
	rest := c.mul(c.mul(a, c.exp(power)), sum)
	return c.infer(ir.Neg, nil, c.add(c.infer(ir.Expm1, nil, power), rest))
}

// logGammaMore returns log(Gamma(1+a)), exact also of small a, where it is
// -log(1+a) + a*(1-Euler) + the sum of (zeta(k)-1) * (-a)^k / k from k = 2 on.
func (c reals) logGammaMore(a *tensor) *tensor {
	sum := c.constant(0, a)
	for k := 40; k >= 2; k-- {
		v := 0.0
		for n := 60.0; n >= 2; n-- {
			v += math.Pow(n, -float64(k))
		}
		if k < 12 { // what is beyond 60, by its integral and its first corrections
			m, s := 61.0, float64(k)
			v += math.Pow(m, 1-s)/(s-1) + math.Pow(m, -s)/2 + s*math.Pow(m, -s-1)/12 - s*(s+1)*(s+2)*math.Pow(m, -s-3)/720
		}
		sum = c.plus(c.infer(ir.Neg, nil, c.mul(sum, a)), v/float64(k))
	}
	const euler = 0.57721566490153286060651209008240243
	near := c.mul(a, c.plus(c.mul(a, sum), 1-euler))
	near = c.sub(near, c.infer(ir.Log1p, nil, a))
	return c.choose(c.compareTo(ir.LE, a, 0.5), near, c.infer(ir.Lgamma, nil, c.plus(a, 1)))
}

// gammaTail returns the integral of exp((a-1)*log(1+s*v) - s*x*v) over v, s = 1 of those
// above x where x is at least a, else s = -1: the part of the smaller side, which
// its weight times is P or Q.
func (c reals) gammaTail(a, x, here *tensor) *tensor {
	below := c.compare(ir.LT, x, a)
	less := c.plus(a, -1)
	slope := c.sub(x, less)
	slope = c.choose(below, c.infer(ir.Neg, nil, slope), slope)
	reach := c.reach(less, slope)
	reach = c.choose(below, c.infer(ir.Min, nil, reach, c.constant(1, reach)), reach)
	return c.integral(reach, here, func(v, left *tensor) *tensor {
		m := c.choose(below, c.infer(ir.Neg, nil, v), v)
		more := c.choose(below, left, c.plus(v, 1)) // 1 - v, where reach is 1
		more = c.choose(c.and(below, c.compareTo(ir.LT, reach, 1)), c.oneLess(v), more)
		return c.sub(c.mul(less, c.logLess(m, more)), c.mul(slope, v))
	})
}

// reach returns where exp(n*(log(1+v) - v) - slope*v) is nothing beside its start.
func (c reals) reach(n, slope *tensor) *tensor {
	most := c.div(c.constant(38, n), n)
	bell := c.add(most, c.infer(ir.Sqrt, nil, c.mul(most, c.plus(most, 2))))
	line := c.div(c.constant(38, n), c.infer(ir.Max, nil, slope, c.constant(1e-3, slope)))
	return c.infer(ir.Min, nil, bell, line)
}

// integral returns the integral of exp(f) from 0 to reach, by the sum over equal
// steps t of v = reach / (1 + exp(-pi*sinh(t))): towards both ends they are as dense
// as numbers are. f is given reach - v too.
func (c reals) integral(reach, here *tensor, f func(v, left *tensor) *tensor) *tensor {
	const step, last = 1.0 / 20, 3.25
	start := []*tensor{c.constant(0, reach), c.constant(-last, reach), here}
	sum := c.converge(2*last/step+1, start, func(v []*tensor) []*tensor {
		up, down := c.exp(v[1]), c.exp(c.infer(ir.Neg, nil, v[1]))
		grow := c.exp(c.times(c.sub(up, down), math.Pi/2))
		share := c.div(grow, c.plus(grow, 1))
		left := c.div(reach, c.plus(grow, 1))
		width := c.mul(c.mul(share, left), c.times(c.add(up, down), step*math.Pi/2))
		sum := c.add(v[0], c.mul(width, c.exp(f(c.mul(share, reach), left))))
		return []*tensor{sum, c.plus(v[1], step), here}
	})[0]
	return sum
}

// converge returns carry after body has replaced it until the last of it, bools,
// holds nowhere, steps times at most. Where it holds no more, the first stays.
func (c reals) converge(steps float64, carry []*tensor, body func(carry []*tensor) []*tensor) []*tensor {
	n := len(carry)
	w := &loop{call: c.call, carry: append([]*tensor{c.literal(0, dtype.I32)}, carry...)}
	w.cond = func(carry []Tensor) Tensor {
		going := carry[n].t
		any := c.infer(ir.ReduceOr, ir.AxesAttrs{Axes: Shape(upTo(len(going.arr.Type().Shape))).Dims()}, going)
		return Tensor{t: c.and(any, c.compareTo(ir.LT, carry[0].t, int(steps)))}
	}
	w.body = func(carry []Tensor) []Tensor {
		own := make([]*tensor, n)
		for i := range own {
			own[i] = carry[i+1].t
		}
		next := []Tensor{{t: c.add(carry[0].t, c.literal(1, dtype.I32))}}
		made := body(own)
		made[0], made[n-1] = c.choose(own[n-1], made[0], own[0]), c.and(own[n-1], made[n-1])
		for _, t := range made {
			next = append(next, Tensor{t: t})
		}
		return next
	}
	made := make([]*tensor, n)
	for i, x := range w.run()[1:] {
		made[i] = x.t
	}
	return made
}

// beta returns BetaInc of operands of one shape.
func (c reals) beta(a, b, x *tensor) *tensor {
	inside := c.and(c.positive(a), c.and(c.positive(b), c.and(c.positive(x), c.compareTo(ir.LT, x, 1))))
	inside = c.and(inside, c.compareTo(ir.LT, c.infer(ir.Max, nil, a, b), math.Inf(1)))
	half := func(t *tensor) *tensor { return c.choose(inside, t, c.constant(0.5, t)) }
	p, q, at := half(a), half(b), half(x)
	rest := c.oneLess(at)
	// The side of the mean where x is, is computed; of small b the lower one, which may be
	// as small, as long as its fraction ends.
	turned := c.compare(ir.GT, c.mul(at, c.plus(c.add(p, q), 2)), c.plus(p, 1))
	turned = c.and(turned, c.not(c.and(c.compareTo(ir.LT, q, 0.5), c.compareTo(ir.LT, at, 0.999))))
	p, q = c.choose(turned, q, p), c.choose(turned, p, q)
	at, rest = c.choose(turned, rest, at), c.choose(turned, at, rest)

	wide := c.compareTo(ir.GE, c.infer(ir.Min, nil, p, q), 2*wideShape)
	weight := c.betaWeight(p, q, at, rest)
	fraction := c.div(c.mul(weight, c.betaFraction(p, q, at, c.not(wide))), p)
	tail := c.div(c.mul(weight, c.betaTail(p, q, at, rest, wide)), rest)
	r := c.choose(wide, tail, fraction)
	r = c.choose(turned, c.oneLess(r), r)
	return c.betaEnds(a, b, x, inside, r)
}

// betaEnds returns r, the function inside its domain, with what it is at the ends and beyond.
func (c reals) betaEnds(a, b, x, inside, r *tensor) *tensor {
	r = c.choose(inside, r, c.constant(math.NaN(), r))
	least := c.infer(ir.Min, nil, a, b)
	within := c.and(c.compareTo(ir.GE, x, 0), c.compareTo(ir.LE, x, 1))
	has := func(p *tensor) *tensor { return c.and(within, p) }
	infinite := math.Inf(1)
	one := func(which, other *tensor, v float64) *tensor {
		return has(c.and(c.compareTo(ir.EQ, which, v), c.and(c.positive(other), c.compareTo(ir.LT, other, infinite))))
	}
	r = c.put(c.or(one(a, b, 0), one(b, a, infinite)), 1, r)
	r = c.put(c.or(one(b, a, 0), one(a, b, infinite)), 0, r)
	ends := c.positive(least)
	r = c.put(c.and(ends, c.compareTo(ir.EQ, x, 0)), 0, r)
	return c.put(c.and(ends, c.compareTo(ir.EQ, x, 1)), 1, r)
}

// betaWeight returns x^a * y^b / Beta(a, b), where y = 1-x, as gammaWeight does.
func (c reals) betaWeight(a, b, x, y *tensor) *tensor {
	n := c.add(a, b)
	off := c.sub(c.mul(x, b), c.mul(y, a))
	u, v := c.div(off, a), c.div(c.infer(ir.Neg, nil, off), b)
	power := c.add(c.mul(a, c.logLess(u, c.div(c.mul(x, n), a))), c.mul(b, c.logLess(v, c.div(c.mul(y, n), b))))
	power = c.add(power, c.sub(c.stirling(n), c.add(c.stirling(a), c.stirling(b))))
	return c.mul(c.exp(power), c.infer(ir.Sqrt, nil, c.mul(c.times(a, 1/(2*math.Pi)), c.div(b, n))))
}

// betaFraction returns the continued fraction 1/(1 + d1/(1 + d2/(1 + ...))) that the
// function is its weight / a times, by the method of Lentz, two steps at a time:
// d(2m) = m*(b-m)*x / ((a+2m-1)*(a+2m)), d(2m+1) = -(a+m)*(a+b+m)*x / ((a+2m)*(a+2m+1)).
func (c reals) betaFraction(a, b, x, here *tensor) *tensor {
	x = c.choose(here, x, c.constant(0, x))
	one, n := c.constant(1, x), c.add(a, b)
	first := c.oneLess(c.div(c.mul(n, x), c.plus(a, 1)))
	d := c.div(one, c.nonzero(first))
	return c.converge(10000, []*tensor{d, d, one, c.constant(0, x), here}, func(v []*tensor) []*tensor {
		m := c.plus(v[3], 1)
		twice := c.add(a, c.times(m, 2))
		even := c.mul(c.div(c.mul(m, c.sub(b, m)), c.plus(twice, -1)), c.div(x, twice))
		odd := c.infer(ir.Neg, nil, c.mul(c.div(c.mul(c.add(a, m), c.add(n, m)), twice), c.div(x, c.plus(twice, 1))))
		value, down, up, step := v[0], v[1], v[2], one
		for _, top := range []*tensor{even, odd} {
			down = c.div(one, c.nonzero(c.plus(c.mul(top, down), 1)))
			up = c.nonzero(c.plus(c.div(top, up), 1))
			step = c.mul(down, up)
			value = c.mul(value, step)
		}
		return []*tensor{value, down, up, m, c.farFromOne(step)}
	})[0]
}

// betaTail returns the integral of (1-v)^(a-1) * (1 + v*x/y)^(b-1) over v from 0 to 1,
// of t = x*(1-v), which the function is its weight / y times.
func (c reals) betaTail(a, b, x, y, here *tensor) *tensor {
	a, b = c.plus(a, -1), c.plus(b, -1)
	odds := c.div(x, y)
	slope := c.sub(a, c.mul(b, odds))
	reach := c.infer(ir.Min, nil, c.reach(a, slope), c.constant(1, x))
	return c.integral(reach, here, func(v, left *tensor) *tensor {
		w := c.mul(v, odds)
		left = c.choose(c.compareTo(ir.LT, reach, 1), c.oneLess(v), left)
		bent := c.add(c.mul(a, c.logLess(c.infer(ir.Neg, nil, v), left)), c.mul(b, c.logLess(w, c.plus(w, 1))))
		return c.sub(bent, c.mul(slope, v))
	})
}
