package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// A Partial returns the partial derivative of an elementwise operation on x, with result y, with respect to
// operand i, or nil if it is zero. At points without a derivative it returns the value that docs/gradients.md
// lists.
type Partial func(b expr.Builder, i int, x []expr.Value, y expr.Value) expr.Value

// partial1 returns the Partial of a function of one operand, given its derivative f.
func partial1(f func(b expr.Builder, x, y expr.Value) expr.Value) Partial {
	return func(b expr.Builder, _ int, x []expr.Value, y expr.Value) expr.Value { return f(b, x[0], y) }
}

// partial2 returns the Partial of a function of two operands, given its partial derivatives dx and dy.
func partial2(dx, dy func(b expr.Builder, x, y, z expr.Value) expr.Value) Partial {
	return func(b expr.Builder, i int, x []expr.Value, z expr.Value) expr.Value {
		if i == 0 {
			return dx(b, x[0], x[1], z)
		}
		return dy(b, x[0], x[1], z)
	}
}

// ones returns ones of the type of x.
func ones(b expr.Builder, x expr.Value) expr.Value { return b.Like(x, 1) }

// oneMinus returns 1 - x.
func oneMinus(b expr.Builder, x expr.Value) expr.Value { return b.Sub(1, x) }

// gaussian returns exp(-x*x) * factor.
func gaussian(b expr.Builder, x expr.Value, factor float64) expr.Value {
	return b.Mul(b.Exp(b.Neg(b.Square(x))), factor)
}

// partials has the partial derivatives of elementwise operations.
var partials = map[ir.Code]Partial{
	ir.Exp:   partial1(func(_ expr.Builder, _, y expr.Value) expr.Value { return y }),
	ir.Expm1: partial1(func(b expr.Builder, x, _ expr.Value) expr.Value { return b.Exp(x) }),
	ir.Exp2:  partial1(func(b expr.Builder, _, y expr.Value) expr.Value { return b.Mul(y, math.Ln2) }),
	ir.Log:   partial1(func(b expr.Builder, x, _ expr.Value) expr.Value { return b.Reciprocal(x) }),
	ir.Log1p: partial1(func(b expr.Builder, x, _ expr.Value) expr.Value { return b.Reciprocal(b.Add(x, 1)) }),
	ir.Log2:  partial1(func(b expr.Builder, x, _ expr.Value) expr.Value { return b.Div(1/math.Ln2, x) }),
	ir.Log10: partial1(func(b expr.Builder, x, _ expr.Value) expr.Value { return b.Div(1/math.Ln10, x) }),
	ir.Sqrt:  partial1(func(b expr.Builder, _, y expr.Value) expr.Value { return b.Div(0.5, y) }),
	ir.Rsqrt: partial1(func(b expr.Builder, x, y expr.Value) expr.Value { return b.Div(b.Mul(y, -0.5), x) }),
	ir.Cbrt:  partial1(func(b expr.Builder, _, y expr.Value) expr.Value { return b.Div(1.0/3, b.Square(y)) }),

	ir.Sin:  partial1(func(b expr.Builder, x, _ expr.Value) expr.Value { return b.Cos(x) }),
	ir.Cos:  partial1(func(b expr.Builder, x, _ expr.Value) expr.Value { return b.Neg(b.Sin(x)) }),
	ir.Tan:  partial1(func(b expr.Builder, _, y expr.Value) expr.Value { return b.Add(b.Square(y), 1) }),
	ir.Tanh: partial1(func(b expr.Builder, _, y expr.Value) expr.Value { return oneMinus(b, b.Square(y)) }),
	ir.Sinh: partial1(func(b expr.Builder, x, _ expr.Value) expr.Value { return b.Unary(ir.Cosh, x) }),
	ir.Cosh: partial1(func(b expr.Builder, x, _ expr.Value) expr.Value { return b.Unary(ir.Sinh, x) }),
	ir.Asin: partial1(func(b expr.Builder, x, _ expr.Value) expr.Value {
		return rsqrtProduct(b, oneMinus(b, x), b.Add(x, 1))
	}),
	ir.Acos: partial1(func(b expr.Builder, x, _ expr.Value) expr.Value {
		return b.Neg(rsqrtProduct(b, oneMinus(b, x), b.Add(x, 1)))
	}),
	ir.Atan: partial1(func(b expr.Builder, x, _ expr.Value) expr.Value { return b.Reciprocal(b.Add(b.Square(x), 1)) }),
	ir.Asinh: partial1(func(b expr.Builder, x, _ expr.Value) expr.Value {
		if x.DType().Is(dtype.Complex) {
			return b.Rsqrt(b.Add(b.Square(x), 1))
		}
		return b.Reciprocal(b.Binary(ir.Hypot, x, ones(b, x))) // the square of x may overflow
	}),
	ir.Acosh: partial1(func(b expr.Builder, x, _ expr.Value) expr.Value {
		return b.Mul(b.Rsqrt(b.Sub(x, 1)), b.Rsqrt(b.Add(x, 1)))
	}),
	ir.Atanh: partial1(func(b expr.Builder, x, _ expr.Value) expr.Value {
		return b.Reciprocal(b.Mul(oneMinus(b, x), b.Add(x, 1)))
	}),
	ir.SinPi: partial1(func(b expr.Builder, x, _ expr.Value) expr.Value { return b.Mul(b.Unary(ir.CosPi, x), math.Pi) }),
	ir.CosPi: partial1(func(b expr.Builder, x, _ expr.Value) expr.Value { return b.Mul(b.Unary(ir.SinPi, x), -math.Pi) }),
	ir.TanPi: partial1(func(b expr.Builder, _, y expr.Value) expr.Value { return b.Mul(b.Add(b.Square(y), 1), math.Pi) }),

	ir.Logistic: partial1(func(b expr.Builder, x, y expr.Value) expr.Value { // y * (1 - y), accurate where y is nearly 1
		return b.Mul(y, b.Unary(ir.Logistic, b.Neg(x)))
	}),
	ir.Erf:   partial1(func(b expr.Builder, x, _ expr.Value) expr.Value { return gaussian(b, x, 2/math.SqrtPi) }),
	ir.Erfc:  partial1(func(b expr.Builder, x, _ expr.Value) expr.Value { return gaussian(b, x, -2/math.SqrtPi) }),
	ir.Erfcx: partial1(erfcxPartial),
	ir.ErfInv: partial1(func(b expr.Builder, _, y expr.Value) expr.Value {
		return b.Mul(b.Exp(b.Square(y)), math.SqrtPi/2)
	}),
	ir.Lgamma: partial1(func(b expr.Builder, x, _ expr.Value) expr.Value { return b.Unary(ir.Digamma, x) }),
	ir.Gamma:  partial1(func(b expr.Builder, x, y expr.Value) expr.Value { return b.Mul(y, b.Unary(ir.Digamma, x)) }),
	ir.Digamma: partial1(func(b expr.Builder, x, _ expr.Value) expr.Value {
		return b.Binary(ir.Polygamma, 1, x)
	}),
	ir.BesselI0e: partial1(func(b expr.Builder, x, y expr.Value) expr.Value {
		return b.Sub(b.Unary(ir.BesselI1e, x), b.Mul(b.Sign(x), y))
	}),
	// I1e' = I0e - I1e*(sign(x) + 1/x), whose limit at 0 is 1/2.
	ir.BesselI1e: partial1(func(b expr.Builder, x, y expr.Value) expr.Value {
		p := b.Sub(b.Unary(ir.BesselI0e, x), b.Add(b.Mul(y, b.Sign(x)), b.Div(y, x)))
		return b.Where(b.Eq(x, 0), 0.5, p)
	}),
	ir.NormCDF: partial1(func(b expr.Builder, x, _ expr.Value) expr.Value {
		return b.Mul(b.Exp(b.Mul(b.Square(x), -0.5)), 1/math.Sqrt(2*math.Pi))
	}),
	// The density divided by the distribution function. Both may underflow, so that the
	// quotient is computed by the scaled complementary error function.
	ir.NormLogCDF: partial1(func(b expr.Builder, x, _ expr.Value) expr.Value {
		return b.Div(math.Sqrt(2/math.Pi), b.Unary(ir.Erfcx, b.Mul(x, -math.Sqrt2/2)))
	}),
	ir.NormQuantile: partial1(func(b expr.Builder, _, y expr.Value) expr.Value {
		return b.Mul(b.Exp(b.Mul(b.Square(y), 0.5)), math.Sqrt(2*math.Pi))
	}),

	ir.Mul: partial2(func(_ expr.Builder, _, y, _ expr.Value) expr.Value { return y },
		func(_ expr.Builder, x, _, _ expr.Value) expr.Value { return x }),
	ir.Div: partial2(func(b expr.Builder, _, y, _ expr.Value) expr.Value { return b.Reciprocal(y) },
		func(b expr.Builder, _, y, z expr.Value) expr.Value { return b.Neg(b.Div(z, y)) }),
	ir.Rem: partial2(func(b expr.Builder, x, _, _ expr.Value) expr.Value { return ones(b, x) },
		func(b expr.Builder, x, y, z expr.Value) expr.Value { return b.Div(b.Sub(z, x), y) }),
	ir.Pow: partial2(powBase, powExponent),
	ir.Max: extremePartial,
	ir.Min: extremePartial,
	ir.Atan2: partial2(func(b expr.Builder, y, x, _ expr.Value) expr.Value { return overSquaredNorm(b, x, x, y) },
		func(b expr.Builder, y, x, _ expr.Value) expr.Value { return b.Neg(overSquaredNorm(b, y, x, y)) }),
	ir.Hypot: partial2(func(b expr.Builder, x, _, z expr.Value) expr.Value { return quotientOrZero(b, x, z) },
		func(b expr.Builder, _, y, z expr.Value) expr.Value { return quotientOrZero(b, y, z) }),
	ir.Polygamma: partial2(func(expr.Builder, expr.Value, expr.Value, expr.Value) expr.Value {
		panic(fault("Polygamma has no derivative with respect to its order", "keep the order constant: nv.StopGradient(n)"))
	}, func(b expr.Builder, n, x, _ expr.Value) expr.Value {
		n = b.Add(n, 1)
		return PolygammaReflected(b, n, x, b.Binary(ir.Polygamma, n, x)) // ir.Polygamma is NaN for some negative x
	}),
	ir.Zeta: partial2(func(expr.Builder, expr.Value, expr.Value, expr.Value) expr.Value {
		panic(fault("the derivative of Zeta with respect to its exponent has no closed form",
			"keep the exponent constant: nv.StopGradient(x)"))
	}, func(b expr.Builder, x, q, _ expr.Value) expr.Value {
		return b.Neg(b.Mul(x, b.Binary(ir.Zeta, b.Add(x, 1), q)))
	}),
	ir.Clamp: clampPartial,
}

// erfcxPartial returns 2*x*y - 2/sqrt(pi). For large x, where the terms cancel, it uses the
// asymptotic series in 1/(2*x*x) with the coefficients (-1)^n (2n+1)!!.
func erfcxPartial(b expr.Builder, x, y expr.Value) expr.Value {
	u := b.Square(b.Div(math.Sqrt2/2, x))
	series := b.Like(x, 10395)
	for _, c := range []float64{945, 105, 15, 3, 1} {
		series = b.Sub(c, b.Mul(u, series))
	}
	far := b.Mul(b.Mul(u, series), -2/math.SqrtPi)
	return b.Where(b.Gt(x, 30), far, b.Sub(b.Mul(b.Mul(x, y), 2), 2/math.SqrtPi))
}

// rsqrtProduct returns 1/sqrt(x*y). For complex numbers it uses the root of each factor, which keeps the
// branch.
func rsqrtProduct(b expr.Builder, x, y expr.Value) expr.Value {
	if x.DType().Is(dtype.Complex) {
		return b.Mul(b.Rsqrt(x), b.Rsqrt(y))
	}
	return b.Rsqrt(b.Mul(x, y))
}

// powBase returns y * x^(y-1), or 0 if y = 0, for every x.
func powBase(b expr.Builder, x, y, _ expr.Value) expr.Value {
	p := b.Mul(y, b.Pow(x, b.Sub(y, 1)))
	return b.Where(b.Eq(y, 0), 0, p)
}

// powExponent returns x^y * log(x), or 0 if x = 0 and y >= 0: the limit for y > 0. For complex numbers it returns 0
// if x = 0.
func powExponent(b expr.Builder, x, y, z expr.Value) expr.Value {
	p := b.Mul(z, b.Log(x))
	if x.DType().Is(dtype.Complex) {
		return b.Where(b.Eq(x, 0), 0, p)
	}
	return b.Where(b.And(b.Eq(x, 0), b.Ge(y, 0)), 0, p)
}

// extremePartial returns 1 where only operand i is equal to the result z, a maximum or minimum, 1/2 where both operands
// are, and 0 elsewhere.
func extremePartial(b expr.Builder, i int, x []expr.Value, z expr.Value) expr.Value {
	share := b.Where(b.Eq(x[0], x[1]), b.Like(z, 0.5), 1)
	return b.Where(b.Eq(x[i], z), share, 0)
}

// overSquaredNorm returns v / (x*x + y*y) without intermediate overflow, and 0 where x and y are 0.
func overSquaredNorm(b expr.Builder, v, x, y expr.Value) expr.Value {
	if v.DType().Is(dtype.Complex) {
		return quotientOrZero(b, v, b.Add(b.Square(x), b.Square(y)))
	}
	h := b.Binary(ir.Hypot, x, y)
	return quotientOrZero(b, quotientOrZero(b, v, h), h)
}

// quotientOrZero returns x / y, and 0 where y is 0.
func quotientOrZero(b expr.Builder, x, y expr.Value) expr.Value {
	zero := b.Eq(y, 0)
	return b.Where(zero, 0, b.Div(x, b.Where(zero, ones(b, y), y)))
}

// clampPartial returns the derivative with respect to x[i], where x holds min, operand and max. The derivative with
// respect to the operand is 1 where min <= operand <= max, and 0 elsewhere. The derivative with respect to a bound is 1
// where the operand is clamped to this bound, and 0 elsewhere.
func clampPartial(b expr.Builder, i int, x []expr.Value, y expr.Value) expr.Value {
	isOperand := b.Eq(x[1], y)
	isMin := b.Eq(b.BroadcastTo(x[0], y.Shape()), y)
	selected := isOperand
	switch i {
	case 0:
		selected = b.And(b.Not(isOperand), isMin)
	case 2:
		selected = b.Not(b.Or(isOperand, isMin))
	}
	return b.Convert(selected, y.DType())
}
