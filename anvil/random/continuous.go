package random

import (
	"fmt"
	"math"

	nv "github.com/goanvil/notebook/anvil"
)

// Exponential returns numbers of the exponential distribution with mean 1.
func Exponential(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Exponential", k, s, nv.F32, opts)
	return r.result(exponential(r.uniform(r.key)))
}

// exponential maps uniform numbers to the exponential distribution with mean 1.
func exponential(u nv.Tensor) nv.Tensor { return u.Neg().CompilerLog1p().Neg() }

// Gumbel returns numbers of the standard Gumbel distribution.
func Gumbel(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Gumbel", k, s, nv.F32, opts)
	return r.result(r.gumbel(r.uniform(r.key)))
}

// gumbel maps uniform numbers to the standard Gumbel distribution.
func (r *draw) gumbel(u nv.Tensor) nv.Tensor {
	return r.stretchFrom(u, r.format().tiny).Log().Neg().Log().Neg()
}

// Laplace returns numbers of the Laplace distribution with mean 0 and scale 1.
func Laplace(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Laplace", k, s, nv.F32, opts)
	u := r.stretchFrom(r.uniform(r.key), -r.format().below1())
	return r.result(u.Sign().Mul(u.Abs().Neg().CompilerLog1p()))
}

// Logistic returns numbers of the logistic distribution.
func Logistic(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Logistic", k, s, nv.F32, opts)
	u := r.stretchFrom(r.uniform(r.key), r.format().tiny)
	return r.result(u.Log().Sub(u.Neg().CompilerLog1p()))
}

// Cauchy returns numbers of the Cauchy distribution.
func Cauchy(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Cauchy", k, s, nv.F32, opts)
	u := r.stretchFrom(r.uniform(r.key), r.format().eps())
	return r.result(constLike(u, math.Pi).Mul(u.Sub(constLike(u, 0.5))).Tan())
}

// Pareto returns numbers of the Pareto distribution on [1, inf) with exponent b.
func Pareto(k PRNGKey, b any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Pareto", k, s, nv.F32, opts, b)
	return r.result(exponential(r.uniform(r.key)).Div(r.param("b", b)).Exp())
}

// Rayleigh returns numbers of the Rayleigh distribution with the given scale.
func Rayleigh(k PRNGKey, scale any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Rayleigh", k, s, nv.F32, opts, scale)
	u := r.uniform(r.key).Log()
	return r.result(r.param("scale", scale).Mul(u.Mul(constLike(u, -2)).Sqrt()))
}

// LogNormal returns numbers whose logarithm is normally distributed with mean 0 and
// standard deviation sigma.
func LogNormal(k PRNGKey, sigma any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("LogNormal", k, s, nv.F32, opts, sigma)
	return r.result(r.normal(r.uniform(r.key)).Mul(r.param("sigma", sigma)).Exp())
}

// WeibullMin returns numbers of the Weibull distribution with the given scale and
// concentration.
func WeibullMin(k PRNGKey, scale, concentration any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("WeibullMin", k, s, nv.F32, opts, scale, concentration)
	e := exponential(r.uniform(r.key))
	return r.result(e.Pow(constLike(e, 1).Div(r.param("concentration", concentration))).Mul(r.param("scale", scale)))
}

// Geometric returns the number of trials up to the first success, where p is the
// probability of success. The default dtype is i32.
func Geometric(k PRNGKey, p any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Geometric", k, s, nv.I32, opts, p)
	d := r.d
	r.d = floatDType(p)
	u := r.uniform(r.key)
	u = u.Eq(constLike(u, 0)).Where(constLike(u, 1), u)
	n := u.Log().Div(r.discrete("p", p).Neg().CompilerLog1p()).Floor()
	return r.result(n.Add(constLike(u, 1)).AsType(d))
}

// Categorical returns a random position in each vector of logits along an axis, by default the last: position
// i with a probability proportional to exp(logits[i]). s is the shape of the result. It must end with the
// shape of logits without that axis; a nil s stands for just that shape.
func Categorical(k PRNGKey, logits nv.Tensor, s nv.Shape, axis ...nv.Axis) nv.Tensor {
	r := newDraw("Categorical", k, s, nv.F32, nil)
	r.d = floatDType(logits)
	if len(axis) == 0 {
		axis = []nv.Axis{-1}
	}
	at := r.axis(logits, axis)
	logitsShape := logits.Shape()
	batch := append(logitsShape[:at:at].Clone(), logitsShape[at+1:]...)
	if s == nil {
		r.s = batch
	}
	draws := len(r.s) - len(batch)
	if draws < 0 || !r.s[draws:].Equal(batch) {
		r.fail(fmt.Sprintf("shape %v does not end with %v, the shape of logits %v without axis %d",
			r.s, batch, logits.Type(), at),
			"give a shape that ends with "+batch.String()+", or nil")
	}
	r.s = append(r.s[:draws].Clone(), logitsShape...)
	g := r.gumbel(r.uniform(r.key))
	return g.Add(r.discrete("logits", logits)).ArgMax(nv.Axis(draws + at)).AsType(nv.I32).Checked()
}
