package random

import (
	nv "github.com/goanvil/notebook/anvil"
)

// Gamma returns numbers of the gamma distribution with shape parameter a and
// scale 1. Where a is far below 1 many of them are 0; LogGamma tells them apart.
func Gamma(k PRNGKey, a any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Gamma", k, s, nv.F32, opts, a)
	return r.result(r.gamma(r.key, r.param("a", a), false, atLeast(1, a)))
}

// LogGamma returns the logarithms of numbers of the gamma distribution with
// shape parameter a and scale 1.
func LogGamma(k PRNGKey, a any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("LogGamma", k, s, nv.F32, opts, a)
	return r.result(r.gamma(r.key, r.param("a", a), true, atLeast(1, a)))
}

// ChiSquare returns numbers of the chi-square distribution with df degrees of
// freedom.
func ChiSquare(k PRNGKey, df any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("ChiSquare", k, s, nv.F32, opts, df)
	return r.result(r.chiSquare(r.key, r.param("df", df), atLeast(2, df)))
}

func (r *draw) chiSquare(k pair, df nv.Tensor, plain bool) nv.Tensor {
	two := r.con(df, 2)
	return r.gamma(k, df.Div(two), true, plain).Exp().Mul(two)
}

// F returns numbers of the F distribution with dfnum and dfden degrees of
// freedom.
func F(k PRNGKey, dfnum, dfden any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("F", k, s, nv.F32, opts, dfnum, dfden)
	num, den := r.param("dfnum", dfnum), r.param("dfden", dfden)
	// A quotient of quotients as XLA writes it, which it can where it sees all of them.
	above := r.chiSquare(r.key.child(1), num, atLeast(2, dfnum))
	return r.result(above.Mul(den).Div(num.Mul(r.chiSquare(r.key.child(0), den, atLeast(2, dfden)))))
}

// T returns numbers of Student's t distribution with df degrees of freedom.
func T(k PRNGKey, df any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("T", k, s, nv.F32, opts, df)
	half := r.param("df", df)
	half = half.Div(r.con(half, 2))
	n := r.normal(r.uniform(r.key.child(0)))
	return r.result(n.Mul(half.Div(r.gamma(r.key.child(1), half, false, atLeast(2, df))).Sqrt()))
}

// Beta returns numbers of the beta distribution with parameters a and b.
func Beta(k PRNGKey, a, b any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Beta", k, s, nv.F32, opts, a, b)
	x := r.gamma(r.key.child(0), r.param("a", a), true, atLeast(1, a))
	y := r.gamma(r.key.child(1), r.param("b", b), true, atLeast(1, b))
	most := x.Maximum(y)
	x, y = x.Sub(most).Exp(), y.Sub(most).Exp()
	return r.result(x.Div(x.Add(y)))
}

// Dirichlet returns vectors of the Dirichlet distribution: positive numbers
// that add up to 1. The last axis of tensor alpha holds the parameters of one;
// s is the shape of the result without its last axis, and nil that of alpha
// without it.
func Dirichlet(k PRNGKey, alpha nv.Tensor, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Dirichlet", k, s, nv.F32, opts)
	last := r.axis(alpha, []nv.Axis{-1})
	of := alpha.Shape()
	if s == nil {
		r.s = of[:last]
	}
	r.s = append(r.s.Clone(), of[last])
	x := r.gamma(r.key, r.param("alpha", alpha), true, false)
	axis := nv.Axis(r.s.Rank() - 1)
	x = x.Sub(x.Max(axis, nv.KeepDims)).Exp()
	return r.result(x.Div(x.Sum(axis, nv.KeepDims)))
}

// A proposal is a step of the rejection sampler of gamma numbers in each
// element: the key, the number and whether it is to be drawn again.
type proposal struct{ Key, V, Again nv.Tensor }

// A normalCube is a step of what proposes: the key, a normal number and what is
// cubed, which has to be positive.
type normalCube struct{ Key, X, V nv.Tensor }

// gamma returns numbers of the gamma distribution of shape parameters a, or
// their logarithms, by the method of Marsaglia and Tsang, "A simple method for
// generating gamma variables" (TOMS 26, 2000). Each element has a key of its
// own. What is below 1 is drawn with 1 more and brought back by a power of a
// uniform number; plain says that nothing is.
func (r *draw) gamma(key pair, a nv.Tensor, log, plain bool) nv.Tensor {
	r.format()
	s := a.Shape()
	if s.Size() == 0 {
		return a
	}
	keys, one := pair{key.split(s.Size()).Reshape(s)}, r.con(a, 1)
	third := r.con(a, 1./3)
	if plain {
		d := a.Sub(third)
		v := r.marsaglia(keys.child(0), d)
		if log {
			return d.Log().Add(v.Log())
		}
		return d.Mul(v)
	}
	above := a.Ge(one)
	d := above.Where(a, a.Add(one)).Sub(third)
	both := keys.children(2)
	v := r.marsaglia(both[0], d)
	u := r.each(both[1])
	inverse := one.Div(a)
	if !log {
		return d.Mul(v).Mul(above.Where(one, one.Sub(u).Pow(inverse)))
	}
	l := exponential(u).Neg()
	zero := r.con(l, 0)
	boost := above.Or(l.Eq(zero)).Where(zero, l.Mul(inverse))
	return d.Log().Add(v.Log()).Add(boost)
}

// marsaglia returns numbers that times d are gamma numbers of shape parameter
// d + 1/3, which is at least 1.
func (r *draw) marsaglia(k pair, d nv.Tensor) nv.Tensor {
	one := r.con(d, 1)
	c := r.con(d, 1./3).Div(d.Sqrt())
	if r.d == nv.F16 { // of which XLA makes this where it sees the root
		c = r.con(d, 1./3).Mul(d.Rsqrt())
	}
	again := func(square, v, u nv.Tensor) nv.Tensor {
		one := r.con(v, 1)
		outside := u.Ge(one.Sub(r.con(u, 0.0331).Mul(square.Mul(square))))
		return outside.And(u.Log().Ge(square.Mul(r.con(u, 0.5)).Add(d.Mul(one.Sub(v).Add(v.Log())))))
	}
	start := proposal{k.Tensor, one, again(r.con(d, 0), one, r.con(d, 2))}
	cond := func(p proposal) nv.Tensor { return p.Again.Any() }
	body := func(p proposal) proposal {
		ks := pair{p.Key}.children(3)
		x, v := r.positive(ks[1], c, p.Again)
		v = v.Mul(v).Mul(v)
		refused := again(x.Mul(x), v, r.each(ks[2]))
		return proposal{ks[0].Tensor, p.Again.Where(v, p.V), p.Again.And(refused)}
	}
	return nv.While(start, cond, body).V
}

// positive returns normal numbers x and 1 + c*x above 0, where needed.
func (r *draw) positive(k pair, c, needed nv.Tensor) (x, v nv.Tensor) {
	zero, one := r.con(c, 0), r.con(c, 1)
	start := normalCube{k.Tensor, zero, needed.Where(r.con(c, -1), one)}
	low := func(p normalCube) nv.Tensor { return p.V.Le(r.con(p.V, 0)) }
	end := nv.While(start, func(p normalCube) nv.Tensor { return low(p).Any() }, func(p normalCube) normalCube {
		ks := pair{p.Key}.children(2)
		x := r.normal(r.each(ks[1]))
		v := r.con(x, 1).Add(x.Mul(c))
		return normalCube{ks[0].Tensor, low(p).Where(x, p.X), low(p).Where(v, p.V)}
	})
	return end.X, end.V
}

// each returns a uniform number of [0, 1) for each of the keys.
func (r *draw) each(k pair) nv.Tensor {
	return r.mantissas(k.child(0).narrow(r.format().random))
}
