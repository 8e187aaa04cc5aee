package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// specialFunctions are special functions composed of other operations.
var specialFunctions = []Def{
	{Name: "NormPDF", Params: []string{"x"}, Function: Function{Operands: Real, Body: normPDF},
		Doc: "NormPDF returns the standard normal density of x, exp(-x*x/2) / sqrt(2 pi), elementwise."},
	{Name: "Sinc", Params: []string{"x"}, Function: Function{Operands: Real, Body: sinc},
		Doc: "Sinc returns sin(pi*x) / (pi*x), elementwise; 1 at 0."},
	{Name: "Logit", Params: []string{"x"}, Function: Function{Operands: Real, Body: logit},
		Doc: "Logit returns log(x / (1-x)), elementwise: the y with Logistic(y) = x; nan below 0 and above 1."},
	{Name: "BesselI0", Params: []string{"x"}, Function: Function{Operands: Real, Body: bessel(ir.BesselI0e)},
		Doc: "BesselI0 returns the modified Bessel function of order 0 of x, elementwise."},
	{Name: "BesselI1", Params: []string{"x"}, Function: Function{Operands: Real, Body: bessel(ir.BesselI1e)},
		Doc: "BesselI1 returns the modified Bessel function of order 1 of x, elementwise."},
	{Name: "Deg2Rad", Params: []string{"x"}, Function: Function{Operands: Real, Body: multiple(math.Pi / 180)},
		Doc: "Deg2Rad returns x converted from degrees to radians, elementwise: x * pi/180."},
	{Name: "Rad2Deg", Params: []string{"x"}, Function: Function{Operands: Real, Body: multiple(180 / math.Pi)},
		Doc: "Rad2Deg returns x converted from radians to degrees, elementwise: x * 180/pi."},
	{Name: "XLogY", Params: []string{"x", "y"}, Function: Function{Operands: Real, Names: []string{"xlogy"}, Body: timesLog(ir.Log)},
		Doc: "XLogY returns x * log(y), elementwise; 0 where x is 0, unless y is nan."},
	{Name: "XLog1py", Params: []string{"x", "y"}, Function: Function{Operands: Real, Body: timesLog(ir.Log1p)},
		Doc: "XLog1py returns x * log(1 + y), elementwise; 0 where x is 0, unless y is nan."},
}

// normPDF computes exp(-x²/2) as a product of two exponentials: the square of the integer
// nearest to x is exact, and the rest of x² is at most about |x|, so that its rounding error is small.
func normPDF(b expr.Builder, x []expr.Value, _ float64) expr.Value {
	whole := b.RoundEven(x[0])
	rest := b.Mul(b.Sub(x[0], whole), b.Mul(b.Add(x[0], whole), -0.5))
	far, near := b.Exp(b.Mul(b.Square(whole), -0.5)), b.Add(b.Expm1(rest), 1)
	density := b.Mul(b.Mul(far, near), 1/math.Sqrt(2*math.Pi))
	return b.Where(b.Gt(b.Abs(x[0]), 1e3), 0, density)
}

func sinc(b expr.Builder, x []expr.Value, _ float64) expr.Value {
	zero := b.Eq(x[0], 0)
	r := b.Div(b.Unary(ir.SinPi, x[0]), b.Mul(b.Where(zero, 1, x[0]), math.Pi))
	return b.Derived(b.Where(zero, 1, r), func(b expr.Builder, args []expr.Value, y expr.Value, t []expr.Value) expr.Value {
		return b.MulNoNaN(t[0], sincSlope(b, args[0], y))
	}, x[0])
}

// sincSlope returns the derivative (cos(pi*x) - y) / x of y = sinc(x). Near 0, where the
// difference cancels, it uses the series.
func sincSlope(b expr.Builder, x, y expr.Value) expr.Value {
	near := b.Lt(b.Abs(x), 0.5)
	square := b.Square(b.Where(near, x, 0))
	sum, term := b.Like(x, 0), 1.0
	coefficients := make([]float64, 14) // coefficients[k] is that of x^(2k+1) in the derivative of sinc's series
	for k := range coefficients {
		n := float64(2*k + 2)
		term *= -math.Pi * math.Pi / (n * (n + 1))
		coefficients[k] = term * n
	}
	for k := len(coefficients) - 1; k >= 0; k-- {
		sum = b.Add(b.Mul(sum, square), coefficients[k])
	}
	far := b.Div(b.Sub(b.Unary(ir.CosPi, x), y), b.Where(near, 1, x))
	return b.Where(near, b.Mul(sum, x), far)
}

// logit returns log(x) - log(1-x). Near 1/2, where the logarithms cancel, it computes 2*atanh(2*(x-1/2)).
func logit(b expr.Builder, x []expr.Value, _ float64) expr.Value {
	off := b.Sub(x[0], 0.5)
	near := b.Mul(b.Unary(ir.Atanh, b.Mul(off, 2)), 2)
	far := b.Sub(b.Log(x[0]), b.Log1p(b.Neg(x[0])))
	return b.Where(b.Lt(b.Abs(off), 0.25), near, far)
}

// bessel returns the scaled Bessel function times exp(|x|). It multiplies twice by
// exp(|x|/2), since exp(|x|) overflows before the result does.
func bessel(scaled ir.Code) func(b expr.Builder, x []expr.Value, _ float64) expr.Value {
	return func(b expr.Builder, x []expr.Value, _ float64) expr.Value {
		size := b.Abs(x[0])
		half := b.Exp(b.Mul(size, 0.5))
		r := b.Mul(b.Mul(b.Unary(scaled, x[0]), half), half)
		limit := size
		if scaled == ir.BesselI1e {
			limit = b.Mul(size, b.Sign(x[0]))
		}
		return b.Where(b.Eq(size, math.Inf(1)), limit, r)
	}
}

// PolygammaReflected returns y, the result of operation Polygamma of order n at x, with the right values where the
// operation returns NaN: for negative x and orders above 1. There it needs the sum of (x+k)^-s over k >= 0, where
// s = n+1. The sum over all integers k has the period 1 in x; it is zeta(s, f) + (-1)^s * zeta(s, 1-f), where f is the
// fraction of x. PolygammaReflected subtracts the sum over k < 0, which is (-1)^s * zeta(s, 1-x).
func PolygammaReflected(b expr.Builder, n, x, y expr.Value) expr.Value {
	d := x.DType()
	replaced := b.And(b.Lt(x, 0), b.Gt(n, 1))
	if d != dtype.F64 {
		n, x = b.Convert(n, dtype.F32), b.Convert(x, dtype.F32)
	}
	one := b.Like(x, 1)
	s := b.Add(n, one)
	floor := b.Floor(x)
	f := b.Sub(x, floor)
	rest := b.Sub(b.Add(floor, one), x)
	half := b.Mul(n, 0.5)
	odd := b.Ne(half, b.Floor(half))

	near := b.Do(ir.Zeta, nil, s, f)
	near = b.Where(odd, near, b.Neg(near))
	far := b.Sub(b.Do(ir.Zeta, nil, s, rest), b.Do(ir.Zeta, nil, s, b.Sub(one, x)))
	reflected := b.Mul(b.Do(ir.Gamma, nil, s), b.Add(near, far))
	return b.Where(replaced, b.Convert(reflected, d), y)
}

// multiple returns the Body of the function factor * x.
func multiple(factor float64) func(b expr.Builder, x []expr.Value, _ float64) expr.Value {
	return func(b expr.Builder, x []expr.Value, _ float64) expr.Value { return b.Mul(x[0], factor) }
}

// timesLog returns the Body of the function x * log(y), which is 0 where x is 0, unless y is NaN. log is ir.Log or
// ir.Log1p.
func timesLog(log ir.Code) func(b expr.Builder, x []expr.Value, _ float64) expr.Value {
	return func(b expr.Builder, x []expr.Value, _ float64) expr.Value {
		return b.Where(b.IsNaN(x[1]), x[1], b.MulNoNaN(x[0], b.Unary(log, x[1])))
	}
}
