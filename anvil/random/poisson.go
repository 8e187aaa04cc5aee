package random

import (
	"math"

	nv "github.com/goanvil/notebook/anvil"
)

// Poisson returns numbers of the Poisson distribution with mean lam. The default dtype is i32. lam is
// converted to f32. Where it is negative or NaN, the result is -1, or the largest number if the dtype is
// unsigned.
func Poisson(k PRNGKey, lam any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Poisson", k, s, nv.I32, opts, lam)
	r.checkInteger()
	d := r.d
	r.d = nv.F32
	mean := r.discrete("lam", lam)
	return r.result(mean.Eq(constLike(mean, 0)).Where(r.lib.Constant(r.s, 0, d), r.poisson(mean, lam, d)))
}

// poisson returns Poisson numbers of dtype d. If lam is a Go number, it uses the method for that mean.
// Otherwise it draws all elements by both methods, and selects one result for each element. mean is lam as a
// tensor.
func (r *draw) poisson(mean nv.Tensor, lam any, d nv.DType) nv.Tensor {
	switch v, ok := number(lam); {
	case ok && float32(v) >= 10:
		return r.poissonMany(mean, d)
	case ok:
		return r.poissonFew(mean, d)
	}
	few := mean.IsNaN().Or(mean.Lt(constLike(mean, 10)))
	// The method that is not selected for an element gets an arbitrary valid mean.
	return few.Where(
		r.poissonFew(few.Where(mean, constLike(mean, 0)), d),
		r.poissonMany(few.Where(constLike(mean, 1e5), mean), d))
}

// maxSteps returns the bound on the steps of a loop that counts in dtype d: the largest number of d or of
// i32, whichever is less.
func maxSteps(d nv.DType) int {
	_, most := integerRange(d)
	if most.IsInt64() {
		return int(min(most.Int64(), math.MaxInt32))
	}
	return math.MaxInt32
}

// A poissonState is the state of poissonFew's loop: the key, the number of steps, and for
// each element the count so far and the logarithm of the product.
type poissonState struct{ Key, Step, N, Log nv.Tensor }

// poissonFew draws uniform numbers one after another, and returns the count up to which their product exceeds
// exp(-lam). The loop takes about lam steps. Source: Knuth, Seminumerical Algorithms, 3.4.1.
func (r *draw) poissonFew(lam nv.Tensor, d nv.DType) nv.Tensor {
	one := r.lib.Constant(r.s, 1, d)
	start := poissonState{r.key.Tensor, r.lib.Constant(nil, 0, nv.I32), r.lib.Constant(r.s, 0, d), constLike(lam, 0)}
	above := func(p poissonState) nv.Tensor { return p.Log.Gt(lam.Neg()) }
	end := nv.While(start, func(p poissonState) nv.Tensor {
		return above(p).Any().And(p.Step.Lt(r.lib.Constant(nil, maxSteps(d), nv.I32)))
	}, func(p poissonState) poissonState {
		k := pair{p.Key}
		next, u := k.child(0), r.uniformUnfused(k.child(1))
		step := p.Step.Add(r.lib.Constant(nil, 1, nv.I32))
		return poissonState{next.Tensor, step, above(p).Where(p.N.Add(one), p.N), p.Log.Add(u.Log())}
	})
	return end.N.Sub(one)
}

// A rejectionState is the state of rejectionSample's loop: the key, the number of steps, and for each element
// the last accepted number and whether there is one.
type rejectionState struct{ Key, Step, N, Done nv.Tensor }

// rejectionSample draws until a number is accepted for every element, at most maxSteps times. propose returns
// numbers, computed from two uniform numbers for each, and whether they are accepted. As in jax.random, a
// later accepted number replaces an earlier one of the same element.
func (r *draw) rejectionSample(maxSteps int, propose func(u, v nv.Tensor) (n, accepted nv.Tensor)) nv.Tensor {
	nothing := r.lib.Constant(r.s, -1, r.d)
	start := rejectionState{r.key.Tensor, r.lib.Constant(nil, 0, nv.I32), nothing, r.lib.Constant(r.s, false, nv.I1)}
	return nv.While(start, func(t rejectionState) nv.Tensor {
		return t.Done.All().Not().And(t.Step.Lt(r.lib.Constant(nil, maxSteps, nv.I32)))
	}, func(t rejectionState) rejectionState {
		k := pair{t.Key}
		next := k.child(0)
		n, accepted := propose(r.uniformUnfused(k.child(1)), r.uniformUnfused(k.child(2)))
		step := t.Step.Add(r.lib.Constant(nil, 1, nv.I32))
		return rejectionState{next.Tensor, step, accepted.Where(n, t.N), t.Done.Or(accepted)}
	}).N
}

// poissonMany draws by transformed rejection, for lam of at least 10. Source: Hörmann, The
// transformed rejection method for generating Poisson random variables, 1993, algorithm
// PTRS.
func (r *draw) poissonMany(lam nv.Tensor, d nv.DType) nv.Tensor {
	c := func(v float64) nv.Tensor { return constLike(lam, v) }
	logLam := lam.Log()
	b := c(0.931).Add(c(2.53).Mul(lam.Sqrt()))
	a := c(-0.059).Add(c(0.02483).Mul(b))
	inverse := c(1.1239).Add(c(1.1328).Div(b.Sub(c(3.4))))
	inside := c(0.9277).Sub(c(3.6224).Div(b.Sub(c(2))))
	return r.rejectionSample(maxSteps(d), func(u, v nv.Tensor) (n, accepted nv.Tensor) {
		u = u.Sub(c(0.5))
		edge := c(0.5).Sub(u.Abs())
		n = c(2).Mul(a).Div(edge).Add(b).Mul(u).Add(lam).Add(c(0.43)).Floor()
		s := v.Mul(inverse).Div(a.Div(edge.Mul(edge)).Add(b)).Log()
		t := lam.Neg().Add(n.Mul(logLam)).Sub(logGamma(n.Add(c(1))))
		rejected := n.Lt(c(0)).Or(edge.Lt(c(0.013)).And(v.Gt(edge)))
		return n, edge.Ge(c(0.07)).And(v.Le(inside)).Or(rejected.Not().And(s.Le(t)))
	}).AsType(d)
}

// lanczos has Godfrey's coefficients of Lanczos's approximation of the gamma function for g = 7.
var lanczos = []float64{
	0.99999999999980993227684700473478, 676.520368121885098567009190444019, -1259.13921672240287047156078755283,
	771.3234287776530788486528258894, -176.61502916214059906584551354, 12.507343278686904814458936853,
	-0.13857109526572011689554707, 9.984369578019570859563e-6, 1.50563273514931155834e-7,
}

// logGamma returns the logarithm of the gamma function of x, for x of at least 1/2.
func logGamma(x nv.Tensor) nv.Tensor {
	const g = 7.5 // Lanczos's g plus 1/2
	c := func(v float64) nv.Tensor { return constLike(x, v) }
	z := x.Sub(c(1))
	sum := c(lanczos[0])
	for i, p := range lanczos[1:] {
		sum = sum.Add(c(p).Div(z.Add(c(float64(i + 1)))))
	}
	t := c(math.Log(g)).Add(z.Div(c(g)).CompilerLog1p())
	y := z.Add(c(0.5)).Sub(c(g).Add(z).Div(t)).Mul(t)
	return y.Add(c(math.Log(2*math.Pi) / 2)).Add(sum.Log())
}
