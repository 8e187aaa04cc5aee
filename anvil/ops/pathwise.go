package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// Derivatives of random draws with respect to a parameter of their distribution, at a constant
// probability: -(dF/dparameter) / (dF/dy) at the draw y, where F is the distribution function.
// They are elementwise functions of f64. Source: Figurnov, Mohamed and Mnih, Implicit
// Reparameterization Gradients (2018).

// GammaSlope returns the derivative of y, a draw of the gamma distribution of shape a, with respect
// to a. It is 0 where y is 0.
func GammaSlope(b expr.Builder, a, y expr.Value) expr.Value {
	return b.MulNoNaN(y, LogGammaSlope(b, a, b.Log(y)))
}

// LogGammaSlope returns the derivative of l, the logarithm of a draw of the gamma distribution of
// shape a, with respect to a. Let x = exp(l), P the distribution function and W = dP/dl =
// x^a * exp(-x) / Gamma(a). Then P is W/a times gammaSeries. W times the integral of gammaTail is P
// where the integral is over numbers below x, and 1 - P elsewhere. The derivative of W with respect
// to a is W * (l - Digamma(a)).
func LogGammaSlope(b expr.Builder, a, l expr.Value) expr.Value {
	inside := b.And(b.And(b.Gt(a, 0), b.Lt(a, math.Inf(1))), b.Lt(b.Abs(l), math.Inf(1)))
	a, l = b.Where(inside, a, 1), b.Where(inside, l, 0)
	x := b.Exp(l)
	wide := b.Ge(a, wideShape)
	useSeries := b.And(b.Not(wide), b.Le(x, b.Max(b.Add(a, 1), 1.1)))
	below := b.And(wide, b.Lt(x, a)) // gammaTail integrates below x

	sums := gammaSeriesSums(b, a, x, useSeries)
	series := b.Add(sums[1], b.Mul(sums[0], b.Sub(l, b.Unary(ir.Digamma, b.Add(a, 1)))))
	series = b.Neg(b.Div(series, a))

	aMinusOne := b.Add(a, -1)
	slope := b.Sub(x, aMinusOne) // that of gammaTail's exponent (see gammaTailSums), not the result
	reach := bellReach(b, b.Where(wide, aMinusOne, 1), b.Where(below, b.Neg(slope), slope))
	reach = b.Where(below, b.Min(reach, 1), reach)
	reach = b.Where(wide, reach, b.Div(negligiblePower, b.Where(b.Lt(a, 1), x, slope)))
	tails := gammaTailSums(b, below, aMinusOne, b.Where(below, b.Neg(slope), slope), reach, b.Not(useSeries))
	tail := b.Add(tails[1], b.Mul(tails[0], b.Sub(l, b.Unary(ir.Digamma, a))))
	tail = b.Where(below, b.Neg(tail), tail)
	return b.Where(inside, b.Where(useSeries, series, tail), math.NaN())
}

// gammaSeriesSums returns the sum of gammaSeries, and its derivative with respect to a.
func gammaSeriesSums(b expr.Builder, a, x, active expr.Value) []expr.Value {
	one, zero := b.Like(a, 1), b.Like(a, 0)
	start := []expr.Value{one, zero, one, zero, a, active}
	return converge(b, 300, 2, start, []expr.Value{b.Where(active, x, 0)},
		func(b expr.Builder, v, shared []expr.Value) []expr.Value {
			n := b.Add(v[4], 1) // a plus the number of the term
			term := b.Mul(v[2], b.Div(shared[0], n))
			rate := b.Sub(v[3], b.Div(1, n)) // the derivative of the term's logarithm
			change := b.Mul(term, rate)
			sum, slope := b.Add(v[0], term), b.Add(v[1], change)
			more := b.Or(b.Gt(term, b.Mul(sum, step64/4)), b.Gt(b.Abs(change), b.Mul(b.Abs(slope), step64/4)))
			return []expr.Value{sum, slope, term, rate, n, more}
		})
}

// WaldSlope returns the derivative of y, a draw of the Wald distribution with the given mean and
// scale 1, with respect to the mean.
func WaldSlope(b expr.Builder, mean, y expr.Value) expr.Value {
	root := b.Sqrt(y)
	tail := b.Unary(ir.Erfcx, b.Div(b.Add(b.Div(y, mean), 1), b.Mul(root, math.Sqrt2)))
	return b.Div(b.Mul(b.Mul(b.Mul(y, root), tail), 2*math.Sqrt(math.Pi/2)), b.Square(mean))
}
