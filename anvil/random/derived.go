package random

import (
	"fmt"
	"math"

	nv "github.com/goanvil/notebook/anvil"
)

// Maxwell returns numbers of the Maxwell distribution of scale 1: lengths of
// vectors of three standard normal numbers.
func Maxwell(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Maxwell", k, s, nv.F32, opts)
	return r.result(r.maxwell(r.key))
}

func (r *draw) maxwell(k pair) nv.Tensor {
	of := *r
	of.s = append(r.s.Clone(), 3)
	x := of.normal(of.uniform(k))
	return x.Mul(x).Sum(nv.Axis(len(r.s))).Sqrt()
}

// Triangular returns numbers of the triangular distribution from left to right
// that is highest at mode.
func Triangular(k PRNGKey, left, mode, right any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Triangular", k, s, nv.F32, opts, left, mode, right)
	u := r.uniform(r.key)
	a, m, b := r.param("left", left), r.param("mode", mode), r.param("right", right)
	rising, falling, width := m.Sub(a), b.Sub(m), b.Sub(a)
	low := a.Add(u.Mul(width).Mul(rising).Sqrt())
	high := b.Sub(r.con(u, 1).Sub(u).Mul(width).Mul(falling).Sqrt())
	return r.result(u.Lt(rising.Div(width)).Where(low, high))
}

// DoubleSidedMaxwell returns numbers of the Maxwell distribution with a random
// sign, times scale, around loc.
func DoubleSidedMaxwell(k PRNGKey, loc, scale any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("DoubleSidedMaxwell", k, s, nv.F32, opts, loc, scale)
	x := r.maxwell(r.key.child(0))
	return r.result(r.signs(r.key.child(1), r.d).Mul(x).Mul(r.param("scale", scale)).Add(r.param("loc", loc)))
}

// GeneralizedNormal returns numbers of the generalized normal distribution,
// whose density is in proportion to exp(-|x|^p): p is 2 for a normal one of
// variance 1/2, and 1 for Laplace's.
func GeneralizedNormal(k PRNGKey, p any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("GeneralizedNormal", k, s, nv.F32, opts, p)
	return r.result(r.generalizedNormal(r.key, r.param("p", p)))
}

func (r *draw) generalizedNormal(k pair, p nv.Tensor) nv.Tensor {
	inverse := r.con(p, 1).Div(p)
	return r.signs(k.child(1), r.d).Mul(r.gamma(k.child(0), inverse, false, false).Pow(inverse))
}

// Ball returns vectors of n elements that are uniformly distributed in the ball
// of those whose p-norm is at most 1: p is 2 for the ball that is round. S is the
// shape of the result without its last axis.
func Ball(k PRNGKey, n int, p float64, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Ball", k, append(s.Clone(), n), nv.F32, opts)
	if !(p > 0) {
		r.fail(fmt.Sprint("there is no norm of order ", p), "p is above 0: 2 for the round ball")
	}
	power := r.param("p", p)
	g := r.generalizedNormal(r.key.child(0), power)
	r.s = r.s[:len(s)]
	e := exponential(r.uniform(r.key.child(1)))
	size := g.Abs().Pow(power).Sum(nv.Axis(len(s))).Add(e)
	size = size.Pow(r.con(size, 1).Div(r.param("p", p)))
	return r.result(g.Div(r.lib.ExpandDims(size, -1)))
}

// Wald returns numbers of the Wald distribution, the inverse Gaussian one, with
// that mean and scale 1.
func Wald(k PRNGKey, mean any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Wald", k, s, nv.F32, opts, mean)
	m := r.param("mean", mean)
	v, z := r.normal(r.uniform(r.key.child(0))), r.uniform(r.key.child(1))
	y, square, half := v.Mul(v), m.Mul(m), r.con(m, 2)
	root := r.con(m, 4).Mul(m).Mul(y).Add(square.Mul(y.Mul(y))).Sqrt()
	x := m.Add(square.Mul(y).Div(half)).Sub(m.Div(half).Mul(root))
	return r.result(z.Le(m.Div(m.Add(x))).Where(x, square.Div(x)))
}

// A category is what Multinomial draws one after another: the chance of this
// category where none before was met, and a key.
type category struct{ Chance, Key nv.Tensor }

// Multinomial returns how often each category comes up in n trials, as floats:
// the last axis of tensor p holds the chances of one result, which add up to 1. S
// is the shape of the result, of which the last axis is that of p; nil is p's.
func Multinomial(k PRNGKey, n any, p nv.Tensor, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Multinomial", k, s, nv.F32, opts, p)
	r.format()
	d, last := r.d, len(r.s)-1
	if r.d = nv.F32; isFloat(p) {
		r.d = p.DType()
	}
	if last < 0 || p.Rank() == 0 || p.Shape()[p.Rank()-1] != r.s[last] {
		r.fail("the chances have shape "+p.Shape().String(), "the last axis of p holds the chances, and is that of the result")
	}
	chances := r.lib.MoveAxis(r.param("p", p), nv.Axis(last), 0)
	left := r.lib.Cumsum(chances, nv.Axis(0), nv.Reverse)
	one, zero := r.con(left, 1), r.con(left, 0)
	keys := r.key.split(r.s[last])
	r.s = r.s[:last]
	each := category{chances.Div(left.Eq(zero).Where(one, left)).Clamp(zero, one), keys.Tensor}
	_, counts := nv.Scan(r.param("n", n), each, func(trials nv.Tensor, c category) (nv.Tensor, nv.Tensor) {
		at := *r
		at.key = pair{c.Key}
		count := at.binomial(trials, c.Chance, r.d, math.NaN())
		return trials.Sub(count), count
	})
	return r.result(r.lib.MoveAxis(counts, 0, -1).AsType(d))
}
