package random

import (
	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/internal/extension"
)

// Gamma returns numbers of the gamma distribution with shape parameter a and scale 1. If a is far below 1,
// many numbers underflow to 0; use LogGamma for their logarithms.
func Gamma(k PRNGKey, a any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Gamma", k, s, nv.F32, opts, a)
	return r.result(r.gamma(r.key, r.param("a", a), false, atLeast(1, a)))
}

// LogGamma returns the logarithms of numbers of the gamma distribution with
// shape parameter a and scale 1.
func LogGamma(k PRNGKey, a any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("LogGamma", k, s, nv.F32, opts, a)
	return r.result(r.gamma(r.key, r.param("a", a), true, atLeast(1, a)))
}

// ChiSquare returns numbers of the chi-square distribution with df degrees of
// freedom.
func ChiSquare(k PRNGKey, df any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("ChiSquare", k, s, nv.F32, opts, df)
	return r.result(r.chiSquare(r.key, r.param("df", df), atLeast(2, df)))
}

// chiSquare is ChiSquare with the key k. atLeast1 reports whether every df/2 is known to be at least 1.
func (r *draw) chiSquare(k pair, df nv.Tensor, atLeast1 bool) nv.Tensor {
	two := constLike(df, 2)
	return r.gamma(k, df.Div(two), true, atLeast1).Exp().Mul(two)
}

// F returns numbers of the F distribution with dfnum and dfden degrees of
// freedom.
func F(k PRNGKey, dfnum, dfden any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("F", k, s, nv.F32, opts, dfnum, dfden)
	num, den := r.param("dfnum", dfnum), r.param("dfden", dfden)
	// (x/num) / (y/den) for chi-square numbers x and y, in the form to which XLA rewrites it in JAX.
	numerator := r.chiSquare(r.key.child(1), num, atLeast(2, dfnum))
	return r.result(numerator.Mul(den).Div(num.Mul(r.chiSquare(r.key.child(0), den, atLeast(2, dfden)))))
}

// T returns numbers of Student's t distribution with df degrees of freedom.
func T(k PRNGKey, df any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("T", k, s, nv.F32, opts, df)
	half := r.param("df", df)
	half = half.Div(constLike(half, 2))
	n := r.normal(r.uniform(r.key.child(0)))
	return r.result(n.Mul(half.Div(r.gamma(r.key.child(1), half, false, atLeast(2, df))).Sqrt()))
}

// Beta returns numbers of the beta distribution with parameters a and b.
func Beta(k PRNGKey, a, b any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Beta", k, s, nv.F32, opts, a, b)
	x := r.gamma(r.key.child(0), r.param("a", a), true, atLeast(1, a))
	y := r.gamma(r.key.child(1), r.param("b", b), true, atLeast(1, b))
	largest := x.Maximum(y)
	x, y = x.Sub(largest).Exp(), y.Sub(largest).Exp()
	return r.result(x.Div(x.Add(y)))
}

// Dirichlet returns vectors of the Dirichlet distribution: positive numbers whose sum is 1. The last axis of
// alpha has the parameters of a vector. s is the shape of the result without its last axis; a nil s stands
// for the shape of alpha without its last axis.
func Dirichlet(k PRNGKey, alpha nv.Tensor, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Dirichlet", k, s, nv.F32, opts)
	last := r.axis(alpha, []nv.Axis{-1})
	alphaShape := alpha.Shape()
	if s == nil {
		r.s = alphaShape[:last]
	}
	r.s = append(r.s.Clone(), alphaShape[last])
	x := r.gamma(r.key, r.param("alpha", alpha), true, false)
	axis := nv.Axis(r.s.Rank() - 1)
	x = x.Sub(x.Max(axis, nv.KeepDims)).Exp()
	return r.result(x.Div(x.Sum(axis, nv.KeepDims)))
}

// A gammaState is the state of marsaglia's loop: for each element the key, the last number drawn, and whether
// the number must be drawn again.
type gammaState struct{ Key, V, Again nv.Tensor }

// A normalState is the state of positiveNormal's loop: for each element the key, and the results x and v.
type normalState struct{ Key, X, V nv.Tensor }

// gamma returns numbers of the gamma distribution with shape parameters a, or their logarithms if log is
// true. Each element has its own key. For a below 1, it draws with a + 1 and multiplies by a power of a
// uniform number. atLeast1 reports whether every a is known to be at least 1, so that these steps can be left
// out. Source: Marsaglia and Tsang, A simple method for generating gamma variables, TOMS 26, 2000.
//
// The derivative with respect to a is taken at a constant cumulative probability; the steps of the sampler
// are not differentiated.
func (r *draw) gamma(key pair, a nv.Tensor, log, atLeast1 bool) nv.Tensor {
	r.format() // checks the dtype
	if a.Shape().Size() == 0 {
		return a
	}
	x := r.gammaValues(key, nv.StopGradient(a), log, atLeast1)
	if log {
		return extension.PathwiseLogGamma(x, a).(nv.Tensor)
	}
	return extension.PathwiseGamma(x, a).(nv.Tensor)
}

// gammaValues is gamma without its derivative.
func (r *draw) gammaValues(key pair, a nv.Tensor, log, atLeast1 bool) nv.Tensor {
	s := a.Shape()
	keys, one := pair{key.split(s.Size()).Reshape(s)}, constLike(a, 1)
	third := constLike(a, 1./3)
	if atLeast1 {
		d := a.Sub(third)
		v := r.marsaglia(keys.child(0), d)
		if log {
			return d.Log().Add(v.Log())
		}
		return d.Mul(v)
	}
	above := a.Ge(one)
	d := above.Where(a, a.Add(one)).Sub(third)
	children := keys.children(2)
	v := r.marsaglia(children[0], d)
	u := r.uniformEach(children[1])
	inverse := one.Div(a)
	if !log {
		return d.Mul(v).Mul(above.Where(one, one.Sub(u).Pow(inverse)))
	}
	logU := exponential(u).Neg() // log(1 - u)
	zero := constLike(logU, 0)
	boost := above.Or(logU.Eq(zero)).Where(zero, logU.Mul(inverse))
	return d.Log().Add(v.Log()).Add(boost)
}

// marsaglia returns gamma numbers of shape parameter d + 1/3, which is at least 1, divided
// by d.
func (r *draw) marsaglia(k pair, d nv.Tensor) nv.Tensor {
	one := constLike(d, 1)
	c := constLike(d, 1./3).Div(d.Sqrt())
	if r.d == nv.F16 { // in JAX, XLA rewrites the quotient to this
		c = constLike(d, 1./3).Mul(d.Rsqrt())
	}
	rejected := func(square, v, u nv.Tensor) nv.Tensor { // square is the square of the normal number
		one := constLike(v, 1)
		outside := u.Ge(one.Sub(constLike(u, 0.0331).Mul(square.Mul(square))))
		return outside.And(u.Log().Ge(square.Mul(constLike(u, 0.5)).Add(d.Mul(one.Sub(v).Add(v.Log())))))
	}
	// At first u is 2. Uniform numbers are below 1, and a u of 2 is rejected for every finite d, so that each element
	// is drawn at least once.
	start := gammaState{k.Tensor, one, rejected(constLike(d, 0), one, constLike(d, 2))}
	cond := func(p gammaState) nv.Tensor { return p.Again.Any() }
	body := func(p gammaState) gammaState {
		ks := pair{p.Key}.children(3)
		x, v := r.positiveNormal(ks[1], c, p.Again)
		v = v.Mul(v).Mul(v)
		again := rejected(x.Mul(x), v, r.uniformEach(ks[2]))
		return gammaState{ks[0].Tensor, p.Again.Where(v, p.V), p.Again.And(again)}
	}
	return nv.While(start, cond, body).V
}

// positiveNormal returns normal numbers x, and v = 1 + c*x; x is drawn such that v is positive. For elements that are
// false in needed it draws nothing: x is 0 and v is 1.
func (r *draw) positiveNormal(k pair, c, needed nv.Tensor) (x, v nv.Tensor) {
	zero, one := constLike(c, 0), constLike(c, 1)
	start := normalState{k.Tensor, zero, needed.Where(constLike(c, -1), one)}
	low := func(p normalState) nv.Tensor { return p.V.Le(constLike(p.V, 0)) }
	end := nv.While(start, func(p normalState) nv.Tensor { return low(p).Any() }, func(p normalState) normalState {
		ks := pair{p.Key}.children(2)
		x := r.normal(r.uniformEach(ks[1]))
		v := constLike(x, 1).Add(x.Mul(c))
		return normalState{ks[0].Tensor, low(p).Where(x, p.X), low(p).Where(v, p.V)}
	})
	return end.X, end.V
}

// uniformEach returns a uniform number in [0, 1) for each key in k.
func (r *draw) uniformEach(k pair) nv.Tensor {
	return r.mantissas(k.child(0).narrow(r.format().random))
}
