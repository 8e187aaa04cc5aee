package random

import (
	"math"

	nv "github.com/goanvil/notebook/anvil"
)

// Binomial returns how many of n trials of success probability p succeed, as
// floats, f32 where no option names another. N and p are numbers or tensors; it
// is computed with p's dtype where that is a tensor of floats. The result is NaN
// where n is negative or p is no probability.
func Binomial(k PRNGKey, n, p any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Binomial", k, s, nv.F32, opts, n, p)
	r.format()
	d := r.d
	if r.d = nv.F32; isFloat(p) {
		r.d = p.(nv.Tensor).DType()
	}
	return r.result(r.binomial(r.param("n", n), r.param("p", p), d, successes(n, p)))
}

// successes returns how many of n trials succeed on average, or fail where that are
// fewer, where both parameters are Go numbers, and otherwise NaN.
func successes(n, p any) float64 {
	trials, ok := number(n)
	chance, known := number(p)
	if !ok || !known {
		return math.NaN()
	}
	return math.Floor(trials) * min(chance, 1-chance)
}

// binomial draws by one method where the mean is known to be at some distance from
// the bound between them, and by both where it may be a matter of the element.
func (r *draw) binomial(n, p nv.Tensor, d nv.DType, mean float64) nv.Tensor {
	c := func(v float64) nv.Tensor { return r.con(p, v) }
	rare := p.Lt(c(0.5))
	q := rare.Where(p, c(1).Sub(p))
	noChance, noCount := q.IsNaN().Or(q.Lt(c(0))), n.IsNaN().Or(n.Lt(c(0)))
	noNumber, endless := q.IsNaN(), n.Abs().Eq(c(math.Inf(1)))
	q = noChance.Where(c(0.01), q)
	few := noCount.Or(n.Mul(q).Gt(c(10)).Not()) // also infinitely many without a chance
	n = n.Floor()
	var x nv.Tensor
	switch {
	case mean >= 0 && mean < 9.9:
		x = r.binomialFew(n, q)
	case mean > 10.1 && !math.IsInf(mean, 1):
		x = r.binomialMany(n, q)
	default:
		x = few.Where(r.binomialFew(few.And(endless.Not()).Where(n, c(0)), q), r.binomialMany(few.Where(c(1e4), n), few.Where(c(0.5), q)))
	}
	x = x.AsType(d)
	of := func(v float64) nv.Tensor { return r.lib.Constant(r.s, v, d) }
	invalid := noChance.Or(noCount)
	x = invalid.Where(of(math.NaN()), x)
	x = endless.And(invalid.Not()).Where(of(math.Inf(1)), x)
	return rare.Or(noCount).Or(noNumber).Or(endless).Where(x, n.AsType(d).Sub(x))
}

// A waiting is a step of counting successes by the trials between them: the
// key, and in each element the successes and the trials so far.
type waiting struct{ Key, N, Trials nv.Tensor }

// binomialFew adds up geometrically distributed numbers until there are n.
func (r *draw) binomialFew(n, p nv.Tensor) nv.Tensor {
	one, zero := r.con(p, 1), r.con(p, 0)
	failure := p.Neg().CompilerLog1p()
	open := func(w waiting) nv.Tensor { return w.Trials.Le(n) }
	end := nv.While(waiting{r.key.Tensor, zero, zero}, func(w waiting) nv.Tensor {
		return open(w).Any()
	}, func(w waiting) waiting {
		k := pair{w.Key}
		next, u := k.child(1), r.uniformApart(k.child(0))
		return waiting{next.Tensor, open(w).Where(w.N.Add(one), w.N), w.Trials.Add(u.Log().Div(failure).Ceil())}
	})
	return end.N.Sub(one)
}

// binomialMany draws by transformed rejection, after Hörmann, "The generation of
// binomial random variates" (1993), algorithm BTRS. N times p is above 10, and p
// at most 1/2.
func (r *draw) binomialMany(n, p nv.Tensor) nv.Tensor {
	c := func(v float64) nv.Tensor { return r.con(p, v) }
	one, half := c(1), c(0.5)
	deviation := n.Mul(p).Mul(one.Sub(p)).Sqrt()
	b := c(1.15).Add(c(2.53).Mul(deviation))
	a := c(-0.0873).Add(c(0.0248).Mul(b)).Add(c(0.01).Mul(p))
	middle := n.Mul(p).Add(half)
	inside := c(0.92).Sub(c(4.2).Div(b))
	odds := p.Div(one.Sub(p))
	alpha := c(2.83).Add(c(5.1).Div(b)).Mul(deviation)
	mode := n.Add(one).Mul(p).Floor()
	return r.trials(math.MaxInt32, func(u, v nv.Tensor) (x, accepted nv.Tensor) {
		u = u.Sub(half)
		edge := half.Sub(u.Abs())
		easy := edge.Ge(c(0.07)).And(v.Le(inside))
		x = c(2).Mul(a).Div(edge).Add(b).Mul(u).Add(middle).Floor()
		refused := x.Lt(c(0)).Or(x.Gt(n))
		v = v.Mul(alpha).Div(a.Div(edge.Mul(edge)).Add(b)).Log()
		above := n.Sub(mode).Add(one)
		bound := mode.Add(half).Mul(mode.Add(one).Div(odds.Mul(above)).Log())
		bound = bound.Add(n.Add(one).Mul(above.Div(n.Sub(x).Add(one)).Log()))
		bound = bound.Add(x.Add(half).Mul(odds.Mul(n.Sub(x).Add(one)).Div(x.Add(one)).Log()))
		bound = bound.Add(stirlingTail(mode)).Add(stirlingTail(n.Sub(mode))).Sub(stirlingTail(x)).Sub(stirlingTail(n.Sub(x)))
		return x, easy.Or(refused.Not().And(v.Le(bound)))
	})
}

// stirlingTails are by how much Stirling's formula falls short of log(k!), for k
// from 0 up.
var stirlingTails = []float64{0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211,
	0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287}

// stirlingTail returns what stirlingTails hold, for whole numbers k; beyond their
// end it is about the last one's, as it is in jax.random.
func stirlingTail(k nv.Tensor) nv.Tensor {
	c := func(v float64) nv.Tensor { return constant(k, v) }
	next := k.Clamp(c(0), c(float64(len(stirlingTails)-1))).Add(c(1))
	square := next.Mul(next)
	tail := c(1. / 12).Sub(c(1. / 360).Sub(c(1. / 1260).Div(square)).Div(square)).Div(next)
	for i, v := range stirlingTails {
		at := k.Eq(c(float64(i)))
		if i == 0 {
			at = k.Le(c(0))
		}
		tail = at.Where(c(v), tail)
	}
	return tail
}
