package random

import (
	"math"

	nv "github.com/goanvil/notebook/anvil"
)

// Exponential returns numbers of the exponential distribution with mean 1.
func Exponential(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Exponential", k, s, nv.F32, opts)
	return r.result(exponential(r.uniform(r.key)))
}

func exponential(u nv.Tensor) nv.Tensor { return u.Neg().CompilerLog1p().Neg() }

// Gumbel returns numbers of the standard Gumbel distribution.
func Gumbel(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Gumbel", k, s, nv.F32, opts)
	return r.result(r.gumbel(r.uniform(r.key)))
}

func (r *draw) gumbel(u nv.Tensor) nv.Tensor {
	return r.from(u, r.format().tiny).Log().Neg().Log().Neg()
}

// Laplace returns numbers of the Laplace distribution around 0 of scale 1.
func Laplace(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Laplace", k, s, nv.F32, opts)
	u := r.from(r.uniform(r.key), -r.format().below1())
	return r.result(u.Sign().Mul(u.Abs().Neg().CompilerLog1p()))
}

// Logistic returns numbers of the logistic distribution.
func Logistic(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Logistic", k, s, nv.F32, opts)
	u := r.from(r.uniform(r.key), r.format().tiny)
	return r.result(u.Log().Sub(u.Neg().CompilerLog1p()))
}

// Cauchy returns numbers of the Cauchy distribution.
func Cauchy(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Cauchy", k, s, nv.F32, opts)
	u := r.from(r.uniform(r.key), r.format().eps())
	return r.result(r.con(u, math.Pi).Mul(u.Sub(r.con(u, 0.5))).Tan())
}

// Pareto returns numbers of the Pareto distribution with exponent b, from 1 up.
func Pareto(k PRNGKey, b any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Pareto", k, s, nv.F32, opts, b)
	return r.result(exponential(r.uniform(r.key)).Div(r.param("b", b)).Exp())
}

// Rayleigh returns numbers of the Rayleigh distribution of that scale.
func Rayleigh(k PRNGKey, scale any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Rayleigh", k, s, nv.F32, opts, scale)
	u := r.uniform(r.key).Log()
	return r.result(r.param("scale", scale).Mul(u.Mul(r.con(u, -2)).Sqrt()))
}

// LogNormal returns numbers whose logarithm is normally distributed around 0
// with standard deviation sigma.
func LogNormal(k PRNGKey, sigma any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("LogNormal", k, s, nv.F32, opts, sigma)
	return r.result(r.normal(r.uniform(r.key)).Mul(r.param("sigma", sigma)).Exp())
}

// WeibullMin returns numbers of the Weibull distribution.
func WeibullMin(k PRNGKey, scale, concentration any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("WeibullMin", k, s, nv.F32, opts, scale, concentration)
	e := exponential(r.uniform(r.key))
	return r.result(e.Pow(r.con(e, 1).Div(r.param("concentration", concentration))).Mul(r.param("scale", scale)))
}

// Geometric returns how many trials of success probability p it takes to the
// first success, i32 where no option names another dtype.
func Geometric(k PRNGKey, p any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Geometric", k, s, nv.I32, opts, p)
	d := r.d
	if r.d = nv.F32; isFloat(p) {
		r.d = p.(nv.Tensor).DType()
	}
	u := r.uniform(r.key)
	u = u.Eq(r.con(u, 0)).Where(r.con(u, 1), u)
	n := u.Log().Div(r.param("p", p).Neg().CompilerLog1p()).Floor()
	return r.result(n.Add(r.con(u, 1)).AsType(d))
}

// Categorical returns, for each vector of logits along an axis, the last one
// where none is given, a position in it: position i with a probability in
// proportion to exp(logits[i]). S is the shape of the result, of which the last
// axes are those of logits without that one; nil is those alone.
func Categorical(k PRNGKey, logits nv.Tensor, s nv.Shape, axis ...nv.Axis) nv.Tensor {
	r := begin("Categorical", k, s, nv.F32, nil)
	if r.d = logits.DType(); !isFloat(logits) {
		r.d = nv.F32
	}
	if len(axis) == 0 {
		axis = []nv.Axis{-1}
	}
	at := r.axis(logits, axis)
	from := logits.Shape()
	batch := append(from[:at:at].Clone(), from[at+1:]...)
	if s == nil {
		r.s = batch
	}
	draws := len(r.s) - len(batch)
	if draws < 0 || !r.s[draws:].Equal(batch) {
		r.fail("the last axes of the result are "+batch.String(), "give a shape that ends with them")
	}
	r.s = append(append(r.s[:draws].Clone(), from[:at]...), append(nv.Shape{from[at]}, from[at+1:]...)...)
	g := r.gumbel(r.uniform(r.key))
	return g.Add(r.param("logits", logits)).ArgMax(nv.Axis(draws + at)).AsType(nv.I32).Checked()
}
