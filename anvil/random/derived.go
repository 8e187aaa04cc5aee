package random

import (
	"fmt"
	"math"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/internal/extension"
)

// Maxwell returns numbers of the Maxwell distribution with scale 1: the lengths of vectors
// of three standard normal numbers.
func Maxwell(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Maxwell", k, s, nv.F32, opts)
	return r.result(r.maxwell(r.key))
}

// maxwell is Maxwell with the key k.
func (r *draw) maxwell(k pair) nv.Tensor {
	vectors := *r
	vectors.s = append(r.s.Clone(), 3)
	x := vectors.normal(vectors.uniform(k))
	return x.Mul(x).Sum(nv.Axis(len(r.s))).Sqrt()
}

// Triangular returns numbers of the triangular distribution on [left, right] with the given mode, the most
// probable number.
func Triangular(k PRNGKey, left, mode, right any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Triangular", k, s, nv.F32, opts, left, mode, right)
	u := r.uniform(r.key)
	a, m, b := r.param("left", left), r.param("mode", mode), r.param("right", right)
	rising, falling, width := m.Sub(a), b.Sub(m), b.Sub(a)
	low := a.Add(u.Mul(width).Mul(rising).Sqrt())
	high := b.Sub(constLike(u, 1).Sub(u).Mul(width).Mul(falling).Sqrt())
	return r.result(u.Lt(rising.Div(width)).Where(low, high))
}

// DoubleSidedMaxwell returns loc plus scale times numbers of the Maxwell distribution with
// random signs.
func DoubleSidedMaxwell(k PRNGKey, loc, scale any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("DoubleSidedMaxwell", k, s, nv.F32, opts, loc, scale)
	x := r.maxwell(r.key.child(0))
	return r.result(r.signs(r.key.child(1), r.d).Mul(x).Mul(r.param("scale", scale)).Add(r.param("loc", loc)))
}

// GeneralizedNormal returns numbers of the generalized normal distribution, whose density
// is proportional to exp(-|x|^p). For p = 2 it is the normal distribution with variance 1/2,
// for p = 1 the Laplace distribution.
func GeneralizedNormal(k PRNGKey, p any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("GeneralizedNormal", k, s, nv.F32, opts, p)
	return r.result(r.generalizedNormal(r.key, r.param("p", p)))
}

// generalizedNormal is GeneralizedNormal with the key k.
func (r *draw) generalizedNormal(k pair, p nv.Tensor) nv.Tensor {
	inverse := constLike(p, 1).Div(p)
	return r.signs(k.child(1), r.d).Mul(r.gamma(k.child(0), inverse, false, false).Pow(inverse))
}

// Ball returns vectors of n elements, uniformly distributed among those whose p-norm is at
// most 1. s is the shape of the result without its last axis.
func Ball(k PRNGKey, n int, p float64, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Ball", k, append(s.Clone(), n), nv.F32, opts)
	if !(p > 0) {
		r.fail(fmt.Sprintf("p is %v, and the order of a norm must be positive", p), "p = 2 is the Euclidean norm")
	}
	power := r.param("p", p)
	g := r.generalizedNormal(r.key.child(0), power)
	r.s = r.s[:len(s)]
	e := exponential(r.uniform(r.key.child(1)))
	size := g.Abs().Pow(power).Sum(nv.Axis(len(s))).Add(e)
	size = size.Pow(constLike(size, 1).Div(r.param("p", p)))
	return r.result(g.Div(r.lib.ExpandDims(size, -1)))
}

// Wald returns numbers of the Wald distribution, also known as inverse Gaussian, with the
// given mean and scale 1.
func Wald(k PRNGKey, mean any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Wald", k, s, nv.F32, opts, mean)
	param := r.param("mean", mean)
	m := nv.StopGradient(param) // PathwiseWald gives the derivative
	v, z := r.normal(r.uniform(r.key.child(0))), r.uniform(r.key.child(1))
	y, square, two := v.Mul(v), m.Mul(m), constLike(m, 2)
	root := constLike(m, 4).Mul(m).Mul(y).Add(square.Mul(y.Mul(y))).Sqrt()
	x := m.Add(square.Mul(y).Div(two)).Sub(m.Div(two).Mul(root))
	return r.result(extension.PathwiseWald(z.Le(m.Div(m.Add(x))).Where(x, square.Div(x)), param).(nv.Tensor))
}

// A category is a step of Multinomial: the probability that the category comes up in a trial in which no
// earlier category does, and a key.
type category struct{ Chance, Key nv.Tensor }

// Multinomial returns how often each category comes up in n trials, as floats. The last axis of p has the
// probabilities of the categories, whose sum is 1. s is the shape of the result, and must end with the last
// axis of p; a nil s stands for the shape of p.
func Multinomial(k PRNGKey, n any, p nv.Tensor, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Multinomial", k, s, nv.F32, opts, p)
	r.format() // checks the dtype
	d, last := r.d, len(r.s)-1
	r.d = floatDType(p)
	if last < 0 || p.Rank() == 0 || p.Shape()[p.Rank()-1] != r.s[last] {
		r.fail("p has shape "+p.Shape().String(), "the last axis of p must be that of the result")
	}
	chances := r.lib.MoveAxis(r.discrete("p", p), nv.Axis(last), 0)
	rest := r.lib.Cumsum(chances, nv.Axis(0), nv.Reverse) // the probabilities that no earlier category comes up in a trial
	one, zero := constLike(rest, 1), constLike(rest, 0)
	keys := r.key.split(r.s[last])
	r.s = r.s[:last]
	categories := category{chances.Div(rest.Eq(zero).Where(one, rest)).Clamp(zero, one), keys.Tensor}
	_, counts := nv.Scan(r.discrete("n", n), categories, func(trials nv.Tensor, c category) (nv.Tensor, nv.Tensor) {
		step := *r
		step.key = pair{c.Key}
		count := step.binomial(trials, c.Chance, r.d, math.NaN())
		return trials.Sub(count), count
	})
	return r.result(r.lib.MoveAxis(counts, 0, -1).AsType(d))
}
