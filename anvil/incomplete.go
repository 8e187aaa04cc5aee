package anvil

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
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
func (c reals) of(x any, d dtype.DType) expr.Value { return c.convert(c.at(x, d), dtype.F64) }

// gamma returns IGamma of operands of one shape, or what it lacks to 1.
func (c reals) gamma(a, x expr.Value, upper bool) expr.Value {
	least := c.Min(a, x)
	inside := c.And(c.Gt(least, 0), c.Lt(c.Max(a, x), math.Inf(1)))
	a, x, outerA, outerX := c.Where(inside, a, 1), c.Where(inside, x, 1), a, x

	wide := c.Ge(a, wideShape)
	below := c.And(c.Not(wide), c.And(c.Le(x, 1.1), c.Not(c.mostlyBelow(a, x))))
	beyond := c.And(c.Not(wide), c.And(c.Gt(x, 1.1), c.Gt(x, c.Add(a, 1))))
	series := c.Not(c.Or(wide, c.Or(below, beyond)))

	weight := c.gammaWeight(a, x)
	low := c.Mul(weight, c.gammaSeries(a, x, series))
	high := c.Where(beyond, c.Mul(c.Mul(weight, a), c.gammaFraction(a, x, beyond)), c.gammaNearZero(a, x, below))
	tail := c.Mul(c.Mul(weight, a), c.gammaTail(a, x, wide))
	isLow := c.Or(series, c.And(wide, c.Lt(x, a)))
	r := c.Where(wide, tail, c.Where(series, low, high))
	if upper {
		isLow = c.Not(isLow)
	}
	r = c.Where(isLow, r, c.Sub(1, r))
	return c.gammaEnds(outerA, outerX, inside, r, upper)
}

// gammaEnds returns r, the function inside its domain, with what it is at the ends and beyond.
func (c reals) gammaEnds(a, x, inside, r expr.Value, upper bool) expr.Value {
	zero, one := 0.0, 1.0
	if upper {
		zero, one = 1, 0
	}
	r = c.Where(inside, r, math.NaN())
	positive := func(t expr.Value) expr.Value { return c.Gt(t, 0) }
	r = c.Where(c.And(c.Eq(x, 0), positive(a)), zero, r)
	r = c.Where(c.And(c.Eq(a, 0), positive(x)), one, r)
	finite := func(t expr.Value) expr.Value {
		return c.And(c.Ge(t, 0), c.Lt(t, math.Inf(1)))
	}
	r = c.Where(c.And(c.Eq(x, math.Inf(1)), finite(a)), one, r)
	return c.Where(c.And(c.Eq(a, math.Inf(1)), finite(x)), zero, r)
}

// wideShape is the shape from which on the integrand is near enough to a bell for
// integration by sums; below, series and fractions end soon.
const wideShape = 24

// mostlyBelow returns whether less than about half of the integral is beyond x, of x below 1.1.
func (c reals) mostlyBelow(a, x expr.Value) expr.Value {
	small := c.Gt(c.Mul(a, c.Log(x)), -0.4) // x^a > 2/3
	small = c.Not(small)
	return c.Where(c.Le(x, 0.5), small, c.Gt(a, c.Mul(x, 1.1)))
}

// gammaWeight returns x^a * exp(-x) / Gamma(a+1), by how far x is from a, so that nothing
// large cancels: exp(a*(log(1+m) - m) - correction) / sqrt(2*pi*a), m = (x-a)/a.
func (c reals) gammaWeight(a, x expr.Value) expr.Value {
	m := c.Div(c.Sub(x, a), a)
	r := c.Exp(c.Sub(c.Mul(a, c.logLess(m, c.Div(x, a))), c.stirling(a)))
	return c.Div(r, c.Sqrt(c.Mul(a, 2*math.Pi)))
}

// logLess returns log(1+m) - m, exact also where both nearly cancel; more is 1+m.
func (c reals) logLess(m, more expr.Value) expr.Value {
	// log(1+m) = 2*atanh(r), r = m/(2+m), and 2*r - m = -r*m.
	r := c.Div(m, c.Add(m, 2))
	square := c.Mul(r, r)
	sum := c.Like(r, 1.0/27)
	for k := 25; k >= 3; k -= 2 {
		sum = c.Add(c.Mul(sum, square), 1/float64(k))
	}
	near := c.Mul(r, c.Sub(c.Mul(c.Mul(square, 2), sum), m))
	return c.Where(c.Lt(c.Abs(m), 0.4), near, c.Sub(c.Log(more), m))
}

// stirling returns log(Gamma(a)) less (a-1/2)*log(a) - a + log(2*pi)/2.
func (c reals) stirling(a expr.Value) expr.Value {
	inverse := c.Div(c.Like(a, 1), c.Max(a, 10))
	square := c.Mul(inverse, inverse)
	sum := c.Like(a, stirlingSeries[0])
	for _, v := range stirlingSeries[1:] {
		sum = c.Add(c.Mul(sum, square), v)
	}
	near := c.Sub(c.Do(ir.Lgamma, nil, a), c.Mul(c.Add(a, -0.5), c.Log(a)))
	near = c.Add(c.Add(near, a), -0.5*math.Log(2*math.Pi))
	return c.Where(c.Ge(a, 10), c.Mul(sum, inverse), near)
}

// stirlingSeries are the coefficients of 1/a^(2k-1), the highest first, of B(2k)/(2k*(2k-1)).
var stirlingSeries = []float64{-3617. / 122400, 1. / 156, -691. / 360360, 1. / 1188, -1. / 1680, 1. / 1260, -1. / 360, 1. / 12}

// gammaSeries returns the sum of x^n / ((a+1)*...*(a+n)), which P is its weight times.
func (c reals) gammaSeries(a, x, here expr.Value) expr.Value {
	x = c.Where(here, x, 0)
	one := c.Like(a, 1)
	return c.converge(300, []expr.Value{one, one, a, here}, func(v []expr.Value) []expr.Value {
		n := c.Add(v[2], 1)
		term := c.Mul(v[1], c.Div(x, n))
		sum := c.Add(v[0], term)
		return []expr.Value{sum, term, n, c.Gt(term, c.Mul(sum, step64/4))}
	})[0]
}

// step64 is the distance from 1 to the next f64.
const step64 = 0x1p-52

// gammaFraction returns the continued fraction that Q is its weight times:
// 1/(x+1-a - 1*(1-a)/(x+3-a - 2*(2-a)/(x+5-a - ...))), by the method of Lentz.
func (c reals) gammaFraction(a, x, here expr.Value) expr.Value {
	a, x = c.Where(here, a, 1), c.Where(here, x, 1e3)
	b := c.Add(c.Sub(x, a), 1)
	d := c.Div(c.Like(b, 1), b)
	start := []expr.Value{d, d, c.Like(b, 1e300), b, c.Like(b, 0), here}
	return c.converge(1000, start, func(v []expr.Value) []expr.Value {
		n := c.Add(v[4], 1)
		top := c.Mul(n, c.Sub(a, n))
		b := c.Add(v[3], 2)
		d := c.Div(c.Like(b, 1), c.nonzero(c.Add(c.Mul(top, v[1]), b)))
		up := c.nonzero(c.Add(b, c.Div(top, v[2])))
		step := c.Mul(d, up)
		return []expr.Value{c.Mul(v[0], step), d, up, b, n, c.farFromOne(step)}
	})[0]
}

func (c reals) nonzero(x expr.Value) expr.Value {
	return c.Where(c.Eq(x, 0), 1e-300, x)
}

func (c reals) farFromOne(x expr.Value) expr.Value {
	return c.Gt(c.Abs(c.Add(x, -1)), 4*step64)
}

// gammaNearZero returns Q of x below 1.1, where most is below x: 1 - x^a/Gamma(a+1) *
// (1 + the sum of a*(-x)^n / (n!*(a+n))), the first two as one power.
func (c reals) gammaNearZero(a, x, here expr.Value) expr.Value {
	x = c.Where(here, x, 0.5)
	a = c.Where(here, a, 0.5)
	zero := c.Like(a, 0)
	sum := c.converge(60, []expr.Value{zero, c.Like(a, 1), zero, here}, func(v []expr.Value) []expr.Value {
		n := c.Add(v[2], 1)
		factor := c.Mul(v[1], c.Div(c.Neg(x), n))
		term := c.Div(factor, c.Add(a, n))
		sum := c.Add(v[0], term)
		return []expr.Value{sum, factor, n, c.Gt(c.Abs(term), c.Mul(c.Abs(sum), step64/4))}
	})[0]
	power := c.Sub(c.Mul(a, c.Log(x)), c.logGammaMore(a))
	rest := c.Mul(c.Mul(a, c.Exp(power)), sum)
	return c.Neg(c.Add(c.Expm1(power), rest))
}

// logGammaMore returns log(Gamma(1+a)), exact also of small a, where it is
// -log(1+a) + a*(1-Euler) + the sum of (zeta(k)-1) * (-a)^k / k from k = 2 on.
func (c reals) logGammaMore(a expr.Value) expr.Value {
	sum := c.Like(a, 0)
	for k := 40; k >= 2; k-- {
		v := 0.0
		for n := 60.0; n >= 2; n-- {
			v += math.Pow(n, -float64(k))
		}
		if k < 12 { // what is beyond 60, by its integral and its first corrections
			m, s := 61.0, float64(k)
			v += math.Pow(m, 1-s)/(s-1) + math.Pow(m, -s)/2 + s*math.Pow(m, -s-1)/12 - s*(s+1)*(s+2)*math.Pow(m, -s-3)/720
		}
		sum = c.Add(c.Neg(c.Mul(sum, a)), v/float64(k))
	}
	const euler = 0.57721566490153286060651209008240243
	near := c.Mul(a, c.Add(c.Mul(a, sum), 1-euler))
	near = c.Sub(near, c.Log1p(a))
	return c.Where(c.Le(a, 0.5), near, c.Do(ir.Lgamma, nil, c.Add(a, 1)))
}

// gammaTail returns the integral of exp((a-1)*log(1+s*v) - s*x*v) over v, s = 1 of those
// above x where x is at least a, else s = -1: the part of the smaller side, which
// its weight times is P or Q.
func (c reals) gammaTail(a, x, here expr.Value) expr.Value {
	below := c.Lt(x, a)
	less := c.Add(a, -1)
	slope := c.Sub(x, less)
	slope = c.Where(below, c.Neg(slope), slope)
	reach := c.reach(less, slope)
	reach = c.Where(below, c.Min(reach, 1), reach)
	return c.integral(reach, here, func(v, left expr.Value) expr.Value {
		m := c.Where(below, c.Neg(v), v)
		more := c.Where(below, left, c.Add(v, 1)) // 1 - v, where reach is 1
		more = c.Where(c.And(below, c.Lt(reach, 1)), c.Sub(1, v), more)
		return c.Sub(c.Mul(less, c.logLess(m, more)), c.Mul(slope, v))
	})
}

// reach returns where exp(n*(log(1+v) - v) - slope*v) is nothing beside its start.
func (c reals) reach(n, slope expr.Value) expr.Value {
	most := c.Div(c.Like(n, 38), n)
	bell := c.Add(most, c.Sqrt(c.Mul(most, c.Add(most, 2))))
	line := c.Div(c.Like(n, 38), c.Max(slope, 1e-3))
	return c.Min(bell, line)
}

// integral returns the integral of exp(f) from 0 to reach, by the sum over equal
// steps t of v = reach / (1 + exp(-pi*sinh(t))): towards both ends they are as dense
// as numbers are. f is given reach - v too.
func (c reals) integral(reach, here expr.Value, f func(v, left expr.Value) expr.Value) expr.Value {
	const step, last = 1.0 / 20, 3.25
	start := []expr.Value{c.Like(reach, 0), c.Like(reach, -last), here}
	sum := c.converge(2*last/step+1, start, func(v []expr.Value) []expr.Value {
		up, down := c.Exp(v[1]), c.Exp(c.Neg(v[1]))
		grow := c.Exp(c.Mul(c.Sub(up, down), math.Pi/2))
		share := c.Div(grow, c.Add(grow, 1))
		left := c.Div(reach, c.Add(grow, 1))
		width := c.Mul(c.Mul(share, left), c.Mul(c.Add(up, down), step*math.Pi/2))
		sum := c.Add(v[0], c.Mul(width, c.Exp(f(c.Mul(share, reach), left))))
		return []expr.Value{sum, c.Add(v[1], step), here}
	})[0]
	return sum
}

// converge returns carry after body has replaced it until the last of it, bools,
// holds nowhere, steps times at most. Where it holds no more, the first stays.
func (c reals) converge(steps float64, carry []expr.Value, body func(carry []expr.Value) []expr.Value) []expr.Value {
	n := len(carry)
	w := &loop{call: c.call, carry: []*tensor{c.literal(0, dtype.I32)}}
	for _, v := range carry {
		w.carry = append(w.carry, v.(*tensor))
	}
	w.cond = func(carry []Tensor) Tensor {
		going := carry[n].t
		any := c.Do(ir.ReduceOr, ir.AxesAttrs{Axes: Shape(upTo(len(going.Shape()))).Dims()}, going)
		return asTensor(c.And(any, c.Lt(carry[0].t, int(steps))))
	}
	w.body = func(carry []Tensor) []Tensor {
		own := make([]expr.Value, n)
		for i := range own {
			own[i] = carry[i+1].t
		}
		next := []Tensor{asTensor(c.Add(carry[0].t, 1))}
		made := body(own)
		made[0], made[n-1] = c.Where(own[n-1], made[0], own[0]), c.And(own[n-1], made[n-1])
		for _, t := range made {
			next = append(next, asTensor(t))
		}
		return next
	}
	made := make([]expr.Value, n)
	for i, x := range w.run()[1:] {
		made[i] = x.t
	}
	return made
}

// beta returns BetaInc of operands of one shape.
func (c reals) beta(a, b, x expr.Value) expr.Value {
	inside := c.And(c.Gt(a, 0), c.And(c.Gt(b, 0), c.And(c.Gt(x, 0), c.Lt(x, 1))))
	inside = c.And(inside, c.Lt(c.Max(a, b), math.Inf(1)))
	half := func(t expr.Value) expr.Value { return c.Where(inside, t, 0.5) }
	p, q, at := half(a), half(b), half(x)
	rest := c.Sub(1, at)
	// The side of the mean where x is, is computed; of small b the lower one, which may be
	// as small, as long as its fraction ends.
	turned := c.Gt(c.Mul(at, c.Add(c.Add(p, q), 2)), c.Add(p, 1))
	turned = c.And(turned, c.Not(c.And(c.Lt(q, 0.5), c.Lt(at, 0.999))))
	p, q = c.Where(turned, q, p), c.Where(turned, p, q)
	at, rest = c.Where(turned, rest, at), c.Where(turned, at, rest)

	wide := c.Ge(c.Min(p, q), 2*wideShape)
	weight := c.betaWeight(p, q, at, rest)
	fraction := c.Div(c.Mul(weight, c.betaFraction(p, q, at, c.Not(wide))), p)
	tail := c.Div(c.Mul(weight, c.betaTail(p, q, at, rest, wide)), rest)
	r := c.Where(wide, tail, fraction)
	r = c.Where(turned, c.Sub(1, r), r)
	return c.betaEnds(a, b, x, inside, r)
}

// betaEnds returns r, the function inside its domain, with what it is at the ends and beyond.
func (c reals) betaEnds(a, b, x, inside, r expr.Value) expr.Value {
	r = c.Where(inside, r, math.NaN())
	least := c.Min(a, b)
	within := c.And(c.Ge(x, 0), c.Le(x, 1))
	has := func(p expr.Value) expr.Value { return c.And(within, p) }
	infinite := math.Inf(1)
	one := func(which, other expr.Value, v float64) expr.Value {
		return has(c.And(c.Eq(which, v), c.And(c.Gt(other, 0), c.Lt(other, infinite))))
	}
	r = c.Where(c.Or(one(a, b, 0), one(b, a, infinite)), 1, r)
	r = c.Where(c.Or(one(b, a, 0), one(a, b, infinite)), 0, r)
	ends := c.Gt(least, 0)
	r = c.Where(c.And(ends, c.Eq(x, 0)), 0, r)
	return c.Where(c.And(ends, c.Eq(x, 1)), 1, r)
}

// betaWeight returns x^a * y^b / Beta(a, b), where y = 1-x, as gammaWeight does.
func (c reals) betaWeight(a, b, x, y expr.Value) expr.Value {
	n := c.Add(a, b)
	off := c.Sub(c.Mul(x, b), c.Mul(y, a))
	u, v := c.Div(off, a), c.Div(c.Neg(off), b)
	power := c.Add(c.Mul(a, c.logLess(u, c.Div(c.Mul(x, n), a))), c.Mul(b, c.logLess(v, c.Div(c.Mul(y, n), b))))
	power = c.Add(power, c.Sub(c.stirling(n), c.Add(c.stirling(a), c.stirling(b))))
	return c.Mul(c.Exp(power), c.Sqrt(c.Mul(c.Mul(a, 1/(2*math.Pi)), c.Div(b, n))))
}

// betaFraction returns the continued fraction 1/(1 + d1/(1 + d2/(1 + ...))) that the
// function is its weight / a times, by the method of Lentz, two steps at a time:
// d(2m) = m*(b-m)*x / ((a+2m-1)*(a+2m)), d(2m+1) = -(a+m)*(a+b+m)*x / ((a+2m)*(a+2m+1)).
func (c reals) betaFraction(a, b, x, here expr.Value) expr.Value {
	x = c.Where(here, x, 0)
	one, n := c.Like(x, 1), c.Add(a, b)
	first := c.Sub(1, c.Div(c.Mul(n, x), c.Add(a, 1)))
	d := c.Div(one, c.nonzero(first))
	return c.converge(10000, []expr.Value{d, d, one, c.Like(x, 0), here}, func(v []expr.Value) []expr.Value {
		m := c.Add(v[3], 1)
		twice := c.Add(a, c.Mul(m, 2))
		even := c.Mul(c.Div(c.Mul(m, c.Sub(b, m)), c.Add(twice, -1)), c.Div(x, twice))
		odd := c.Neg(c.Mul(c.Div(c.Mul(c.Add(a, m), c.Add(n, m)), twice), c.Div(x, c.Add(twice, 1))))
		value, down, up, step := v[0], v[1], v[2], one
		for _, top := range []expr.Value{even, odd} {
			down = c.Div(one, c.nonzero(c.Add(c.Mul(top, down), 1)))
			up = c.nonzero(c.Add(c.Div(top, up), 1))
			step = c.Mul(down, up)
			value = c.Mul(value, step)
		}
		return []expr.Value{value, down, up, m, c.farFromOne(step)}
	})[0]
}

// betaTail returns the integral of (1-v)^(a-1) * (1 + v*x/y)^(b-1) over v from 0 to 1,
// of t = x*(1-v), which the function is its weight / y times.
func (c reals) betaTail(a, b, x, y, here expr.Value) expr.Value {
	a, b = c.Add(a, -1), c.Add(b, -1)
	odds := c.Div(x, y)
	slope := c.Sub(a, c.Mul(b, odds))
	reach := c.Min(c.reach(a, slope), 1)
	return c.integral(reach, here, func(v, left expr.Value) expr.Value {
		w := c.Mul(v, odds)
		left = c.Where(c.Lt(reach, 1), c.Sub(1, v), left)
		bent := c.Add(c.Mul(a, c.logLess(c.Neg(v), left)), c.Mul(b, c.logLess(w, c.Add(w, 1))))
		return c.Sub(bent, c.Mul(slope, v))
	})
}
