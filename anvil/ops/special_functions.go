package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// Special functions that are expressions over other rows.
var specialFunctions = []Def{
	{Name: "NormPDF", Params: []string{"x"}, Function: Function{Door: Real, Body: normPDF},
		Doc: "NormPDF returns the standard normal density of x, exp(-x*x/2) / sqrt(2 pi), elementwise."},
	{Name: "Sinc", Params: []string{"x"}, Function: Function{Door: Real, Body: sinc},
		Doc: "Sinc returns sin(pi*x) / (pi*x), elementwise; 1 at 0."},
	{Name: "Logit", Params: []string{"x"}, Function: Function{Door: Real, Body: logit},
		Doc: "Logit returns log(x / (1-x)), elementwise: the y with Logistic(y) = x; nan below 0 and above 1."},
	{Name: "BesselI0", Params: []string{"x"}, Function: Function{Door: Real, Body: bessel(ir.BesselI0e)},
		Doc: "BesselI0 returns the modified Bessel function of order 0 of x, elementwise."},
	{Name: "BesselI1", Params: []string{"x"}, Function: Function{Door: Real, Body: bessel(ir.BesselI1e)},
		Doc: "BesselI1 returns the modified Bessel function of order 1 of x, elementwise."},
	{Name: "Deg2Rad", Params: []string{"x"}, Function: Function{Door: Real, Body: multiple(math.Pi / 180)},
		Doc: "Deg2Rad returns x, in degrees, in radians: x * pi/180, elementwise."},
	{Name: "Rad2Deg", Params: []string{"x"}, Function: Function{Door: Real, Body: multiple(180 / math.Pi)},
		Doc: "Rad2Deg returns x, in radians, in degrees: x * 180/pi, elementwise."},
	{Name: "XLogY", Params: []string{"x", "y"}, Function: Function{Door: Real, Names: []string{"xlogy"}, Body: timesLog(ir.Log)},
		Doc: "XLogY returns x * log(y), elementwise; 0 where x is 0, unless y is nan."},
	{Name: "XLog1py", Params: []string{"x", "y"}, Function: Function{Door: Real, Body: timesLog(ir.Log1p)},
		Doc: "XLog1py returns x * log(1 + y), elementwise; 0 where x is 0, unless y is nan."},
}

// normPDF is exp(-x²/2) as a product: the square of the nearest integer to x is exact,
// and the rest of x² is small.
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
	return b.Where(zero, 1, r)
}

// logit is 2*atanh(2*(x-1/2)) near 1/2, where the logarithms cancel.
func logit(b expr.Builder, x []expr.Value, _ float64) expr.Value {
	off := b.Sub(x[0], 0.5)
	near := b.Mul(b.Unary(ir.Atanh, b.Mul(off, 2)), 2)
	far := b.Sub(b.Log(x[0]), b.Log1p(b.Neg(x[0])))
	return b.Where(b.Lt(b.Abs(off), 0.25), near, far)
}

// bessel multiplies a scaled Bessel function by exp(|x|), half of it at a time:
// all of it would overflow before the result does.
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

func multiple(factor float64) func(b expr.Builder, x []expr.Value, _ float64) expr.Value {
	return func(b expr.Builder, x []expr.Value, _ float64) expr.Value { return b.Mul(x[0], factor) }
}

func timesLog(log ir.Code) func(b expr.Builder, x []expr.Value, _ float64) expr.Value {
	return func(b expr.Builder, x []expr.Value, _ float64) expr.Value {
		zero := b.And(b.Eq(x[0], 0), b.Eq(x[1], x[1]))
		return b.Where(zero, 0, b.Mul(x[0], b.Unary(log, x[1])))
	}
}
