package random

import (
	"math"

	nv "github.com/goanvil/notebook/anvil"
)

// Binomial returns the number of successes in n trials, each with probability p, as floats. The default dtype
// is f32. n and p are numbers or tensors; if p is a tensor of floats, its dtype is used in the computation.
// The result is NaN where n is negative or p is not a probability.
func Binomial(k PRNGKey, n, p any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Binomial", k, s, nv.F32, opts, n, p)
	r.format() // checks the dtype
	d := r.d
	r.d = floatDType(p)
	return r.result(r.binomial(r.discrete("n", n), r.discrete("p", p), d, smallerMean(n, p)))
}

// smallerMean returns the mean number of successes or of failures, whichever is smaller, if both parameters
// are Go numbers, and NaN otherwise.
func smallerMean(n, p any) float64 {
	trials, ok := number(n)
	if !ok {
		return math.NaN()
	}
	chance, ok := number(p)
	if !ok {
		return math.NaN()
	}
	return math.Floor(max(trials, 0)) * min(chance, 1-chance) // not above 0 if n or p is invalid
}

// binomial returns binomial numbers of dtype d. It counts successes, or failures where p is at least 1/2.
// mean is the result of smallerMean. If mean is clearly below 10, binomialFew draws all elements; if it is
// clearly above 10, binomialMany does. Otherwise all elements are drawn by both methods, and one result is
// selected for each element.
func (r *draw) binomial(n, p nv.Tensor, d nv.DType, mean float64) nv.Tensor {
	c := func(v float64) nv.Tensor { return constLike(p, v) }
	rare := p.Lt(c(0.5))
	q := rare.Where(p, c(1).Sub(p))
	invalidP, invalidN := q.IsNaN().Or(q.Lt(c(0))), n.IsNaN().Or(n.Lt(c(0)))
	nanP, infiniteN := q.IsNaN(), n.Abs().Eq(c(math.Inf(1)))
	q = invalidP.Where(c(0.01), q)               // an arbitrary probability for which the loops end
	few := invalidN.Or(n.Mul(q).Gt(c(10)).Not()) // also true where n*q is NaN, because it is infinity*0
	n = n.Floor()
	var x nv.Tensor
	switch {
	case mean >= 0 && mean < 9.9:
		x = r.binomialFew(n, q)
	case mean > 10.1 && !math.IsInf(mean, 1):
		x = r.binomialMany(n, q)
	default: // the method that is not selected for an element gets arbitrary parameters for which its loop ends
		x = few.Where(
			r.binomialFew(few.And(infiniteN.Not()).Where(n, c(0)), q),
			r.binomialMany(few.Where(c(1e4), n), few.Where(c(0.5), q)))
	}
	x = x.AsType(d)
	constant := func(v float64) nv.Tensor { return r.lib.Constant(r.s, v, d) }
	invalid := invalidP.Or(invalidN)
	x = invalid.Where(constant(math.NaN()), x)
	x = infiniteN.And(invalid.Not()).Where(constant(math.Inf(1)), x)
	return rare.Or(invalidN).Or(nanP).Or(infiniteN).Where(x, n.AsType(d).Sub(x))
}

// A binomialState is the state of binomialFew's loop: the key, and for each element the numbers of successes
// and of trials so far.
type binomialState struct{ Key, Successes, Trials nv.Tensor }

// binomialFew counts successes: it adds up the numbers of trials from one success to the
// next, which are geometrically distributed, until the sum exceeds n.
func (r *draw) binomialFew(n, p nv.Tensor) nv.Tensor {
	one, zero := constLike(p, 1), constLike(p, 0)
	failure := p.Neg().CompilerLog1p() // the logarithm of the probability of failure
	unfinished := func(w binomialState) nv.Tensor { return w.Trials.Le(n) }
	end := nv.While(binomialState{r.key.Tensor, zero, zero}, func(w binomialState) nv.Tensor {
		return unfinished(w).Any()
	}, func(w binomialState) binomialState {
		k := pair{w.Key}
		next, u := k.child(1), r.uniformUnfused(k.child(0))
		successes := unfinished(w).Where(w.Successes.Add(one), w.Successes)
		return binomialState{next.Tensor, successes, w.Trials.Add(u.Log().Div(failure).Ceil())}
	})
	return end.Successes.Sub(one)
}

// binomialMany draws by transformed rejection, for n*p above 10 and p of at most 1/2.
// Source: Hörmann, The generation of binomial random variates, 1993, algorithm BTRS.
func (r *draw) binomialMany(n, p nv.Tensor) nv.Tensor {
	c := func(v float64) nv.Tensor { return constLike(p, v) }
	one, half := c(1), c(0.5)
	deviation := n.Mul(p).Mul(one.Sub(p)).Sqrt()
	b := c(1.15).Add(c(2.53).Mul(deviation))
	a := c(-0.0873).Add(c(0.0248).Mul(b)).Add(c(0.01).Mul(p))
	middle := n.Mul(p).Add(half)
	inside := c(0.92).Sub(c(4.2).Div(b))
	odds := p.Div(one.Sub(p))
	alpha := c(2.83).Add(c(5.1).Div(b)).Mul(deviation)
	mode := n.Add(one).Mul(p).Floor()
	return r.rejectionSample(math.MaxInt32, func(u, v nv.Tensor) (x, accepted nv.Tensor) {
		u = u.Sub(half)
		edge := half.Sub(u.Abs())
		easy := edge.Ge(c(0.07)).And(v.Le(inside))
		x = c(2).Mul(a).Div(edge).Add(b).Mul(u).Add(middle).Floor()
		outside := x.Lt(c(0)).Or(x.Gt(n))
		v = v.Mul(alpha).Div(a.Div(edge.Mul(edge)).Add(b)).Log()
		above := n.Sub(mode).Add(one)
		bound := mode.Add(half).Mul(mode.Add(one).Div(odds.Mul(above)).Log())
		bound = bound.Add(n.Add(one).Mul(above.Div(n.Sub(x).Add(one)).Log()))
		bound = bound.Add(x.Add(half).Mul(odds.Mul(n.Sub(x).Add(one)).Div(x.Add(one)).Log()))
		bound = bound.Add(stirlingTail(mode)).Add(stirlingTail(n.Sub(mode)))
		bound = bound.Sub(stirlingTail(x)).Sub(stirlingTail(n.Sub(x)))
		return x, easy.Or(outside.Not().And(v.Le(bound)))
	})
}

// stirlingTails has the differences of log(k!) and Stirling's formula for k = 0, 1, ..., 9.
var stirlingTails = []float64{
	0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211,
	0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287,
}

// stirlingTail returns the difference of log(k!) and Stirling's formula. For all k above 9 it returns an
// approximation of the difference for 9, as jax.random does.
func stirlingTail(k nv.Tensor) nv.Tensor {
	c := func(v float64) nv.Tensor { return constLike(k, v) }
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
