package anvil

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// The special functions. Integers and bools are taken at the float dtype that
// their system gives them. How many units in the last place each may be off
// stands in docs/accuracy.md.

// Exp2 returns 2 to the power x, elementwise; exactly at integers.
func (l *Lib) Exp2(x any) Tensor { return l.real("Exp2", ir.Exp2, x) }

// Log2 returns the logarithm of x to base 2, elementwise; exactly at powers of 2.
func (l *Lib) Log2(x any) Tensor { return l.real("Log2", ir.Log2, x) }

// Log10 returns the logarithm of x to base 10, elementwise.
func (l *Lib) Log10(x any) Tensor { return l.real("Log10", ir.Log10, x) }

// Asin returns the inverse sine of x in radians, elementwise; nan beyond -1 and 1.
func (l *Lib) Asin(x any) Tensor { return l.real("Asin", ir.Asin, x) }

// Acos returns the inverse cosine of x in radians, elementwise; nan beyond -1 and 1.
func (l *Lib) Acos(x any) Tensor { return l.real("Acos", ir.Acos, x) }

// Acosh returns the inverse hyperbolic cosine of x, elementwise; nan below 1.
func (l *Lib) Acosh(x any) Tensor { return l.real("Acosh", ir.Acosh, x) }

// Atanh returns the inverse hyperbolic tangent of x, elementwise; nan beyond -1 and 1.
func (l *Lib) Atanh(x any) Tensor { return l.real("Atanh", ir.Atanh, x) }

// SinPi returns the sine of pi*x, elementwise; exactly 0 at integers.
func (l *Lib) SinPi(x any) Tensor { return l.real("SinPi", ir.SinPi, x) }

// CosPi returns the cosine of pi*x, elementwise; exactly 0 halfway between integers.
func (l *Lib) CosPi(x any) Tensor { return l.real("CosPi", ir.CosPi, x) }

// TanPi returns the tangent of pi*x, elementwise; 0 at integers, infinite halfway between them.
func (l *Lib) TanPi(x any) Tensor { return l.real("TanPi", ir.TanPi, x) }

// Erfc returns 1 - Erf(x), elementwise, exact also where that is small.
func (l *Lib) Erfc(x any) Tensor { return l.real("Erfc", ir.Erfc, x) }

// Erfcx returns exp(x*x) * Erfc(x), elementwise, where Erfc alone would underflow.
func (l *Lib) Erfcx(x any) Tensor { return l.real("Erfcx", ir.Erfcx, x) }

// ErfInv returns the y with Erf(y) = x, elementwise; nan beyond -1 and 1.
func (l *Lib) ErfInv(x any) Tensor { return l.real("ErfInv", ir.ErfInv, x) }

// Lgamma returns the logarithm of |Gamma(x)|, elementwise, where Gamma itself
// would overflow.
func (l *Lib) Lgamma(x any) Tensor { return l.real("Lgamma", ir.Lgamma, x) }

// Gamma returns the gamma function of x, elementwise: (n-1)! of a whole number n;
// nan at negative ones.
func (l *Lib) Gamma(x any) Tensor { return l.real("Gamma", ir.Gamma, x) }

// Digamma returns the derivative of Lgamma at x, elementwise.
func (l *Lib) Digamma(x any) Tensor { return l.real("Digamma", ir.Digamma, x) }

// BesselI0e returns exp(-|x|) times the modified Bessel function of order 0 of x,
// elementwise.
func (l *Lib) BesselI0e(x any) Tensor { return l.real("BesselI0e", ir.BesselI0e, x) }

// BesselI1e returns exp(-|x|) times the modified Bessel function of order 1 of x,
// elementwise.
func (l *Lib) BesselI1e(x any) Tensor { return l.real("BesselI1e", ir.BesselI1e, x) }

// NormCDF returns the standard normal distribution function of x, elementwise: the
// probability of less than x. It is exact also where it is small.
func (l *Lib) NormCDF(x any) Tensor { return l.real("NormCDF", ir.NormCDF, x) }

// NormLogCDF returns the logarithm of NormCDF(x), elementwise, where NormCDF itself
// would underflow.
func (l *Lib) NormLogCDF(x any) Tensor { return l.real("NormLogCDF", ir.NormLogCDF, x) }

// NormQuantile returns the y with NormCDF(y) = x, elementwise; nan below 0 and
// above 1.
func (l *Lib) NormQuantile(x any) Tensor { return l.real("NormQuantile", ir.NormQuantile, x) }

// Trigamma returns the derivative of Digamma at x, elementwise.
func (l *Lib) Trigamma(x any) Tensor {
	c := l.call("Trigamma", x)
	_, t := c.alone(x)
	t = c.realOf(t)
	a := c.at(x, t.DType)
	return c.result(c.Do(ir.Polygamma, nil, c.Like(a, 1), a), t.Ambiguous)
}

// Zeta returns the Hurwitz zeta function, the sum of (q+k)^-x over k = 0, 1, 2
// and so on, elementwise: Riemann's for q = 1. It is nan for x < 1 and for q < 0.
func (l *Lib) Zeta(x, q any) Tensor { return l.realBinary("Zeta", ir.Zeta, x, q) }

// Hypot returns sqrt(x*x + y*y), elementwise, without overflow between.
func (l *Lib) Hypot(x, y any) Tensor { return l.realBinary("Hypot", ir.Hypot, x, y) }

// realBinary returns the result of a function of two reals: of integers and
// bools at the float dtype that the system gives them.
func (l *Lib) realBinary(op string, code ir.Code, x, y any) Tensor {
	c := l.call(op, x, y)
	return c.pair(code, nil, c.inexact(c.arithmetic(x, y)), x, y)
}

// NormPDF returns the standard normal density of x, exp(-x*x/2) / sqrt(2 pi),
// elementwise.
func (l *Lib) NormPDF(x any) Tensor {
	c := l.call("NormPDF", x)
	a, t := c.reals(x)
	// log(density) = -x²/2 - log(sqrt(2 pi)), the square of the nearer whole
	// number, which is exact, taken apart from what is left.
	whole := c.RoundEven(a)
	rest := c.Sub(a, whole)
	rest = c.Mul(rest, c.Mul(c.Add(a, whole), -0.5))
	far := c.Exp(c.Mul(c.Mul(whole, whole), -0.5))
	near := c.Add(c.Expm1(rest), 1)
	r := c.Mul(c.Mul(far, near), 1/math.Sqrt(2*math.Pi))
	return c.done(c.Where(c.Gt(c.Abs(a), 1e3), 0, r), t)
}

// Sinc returns sin(pi*x) / (pi*x), elementwise; 1 at 0.
func (l *Lib) Sinc(x any) Tensor {
	c := l.call("Sinc", x)
	a, t := c.reals(x)
	none := c.Eq(a, 0)
	r := c.Div(c.Do(ir.SinPi, nil, a), c.Mul(c.Where(none, 1, a), math.Pi))
	return c.done(c.Where(none, 1, r), t)
}

// Logit returns log(x / (1-x)), elementwise: the y with Logistic(y) = x; nan
// below 0 and above 1.
func (l *Lib) Logit(x any) Tensor {
	c := l.call("Logit", x)
	a, t := c.reals(x)
	off := c.Sub(a, 0.5) // exact near 1/2, where the logarithms cancel
	near := c.Mul(c.Do(ir.Atanh, nil, c.Mul(off, 2)), 2)
	far := c.Sub(c.Log(a), c.Log1p(c.Neg(a)))
	return c.done(c.Where(c.Lt(c.Abs(off), 0.25), near, far), t)
}

// BesselI0 returns the modified Bessel function of order 0 of x, elementwise.
func (l *Lib) BesselI0(x any) Tensor { return l.bessel("BesselI0", ir.BesselI0e, x) }

// BesselI1 returns the modified Bessel function of order 1 of x, elementwise.
func (l *Lib) BesselI1(x any) Tensor { return l.bessel("BesselI1", ir.BesselI1e, x) }

// bessel returns a function without its factor exp(-|x|), of which half is put
// back at a time: all of it would overflow before the result does.
func (l *Lib) bessel(op string, scaled ir.Code, x any) Tensor {
	c := l.call(op, x)
	a, t := c.reals(x)
	r := c.Do(scaled, nil, a)
	size := c.Abs(a)
	half := c.Exp(c.Mul(size, 0.5))
	r = c.Mul(c.Mul(r, half), half)
	if scaled == ir.BesselI1e {
		size = c.Mul(size, c.Sign(a))
	}
	return c.done(c.Where(c.Eq(c.Abs(a), math.Inf(1)), size, r), t)
}

// Deg2Rad returns x, in degrees, in radians: x * pi/180, elementwise.
func (l *Lib) Deg2Rad(x any) Tensor { return l.multiple("Deg2Rad", x, math.Pi/180) }

// Rad2Deg returns x, in radians, in degrees: x * 180/pi, elementwise.
func (l *Lib) Rad2Deg(x any) Tensor { return l.multiple("Rad2Deg", x, 180/math.Pi) }

func (l *Lib) multiple(op string, x any, v float64) Tensor {
	c := l.call(op, x)
	a, t := c.reals(x)
	return c.done(c.Mul(a, v), t)
}

// XLogY returns x * log(y), elementwise; 0 where x is 0, unless y is nan.
func (l *Lib) XLogY(x, y any) Tensor { return l.timesLog("XLogY", ir.Log, x, y) }

// XLog1py returns x * log(1 + y), elementwise; 0 where x is 0, unless y is nan.
func (l *Lib) XLog1py(x, y any) Tensor { return l.timesLog("XLog1py", ir.Log1p, x, y) }

func (l *Lib) timesLog(op string, log ir.Code, x, y any) Tensor {
	c := l.call(op, x, y)
	a, b, t := c.realPair(x, y)
	none := c.And(c.Eq(a, 0), c.Eq(b, b))
	r := c.Mul(a, c.Do(log, nil, b))
	return c.done(c.Where(none, 0, r), t)
}

// Lerp returns x + weight*(y - x), elementwise: x for weight 0 and exactly y for
// weight 1.
func (l *Lib) Lerp(x, y, weight any) Tensor {
	c := l.call("Lerp", x, y, weight)
	t := c.inexact(c.joined([]any{x, y, weight}))
	a, b, w := c.at(x, t.DType), c.at(y, t.DType), c.at(weight, t.DType)
	s := c.broadcast(a, b, w)
	a, b, w = c.to(a, s), c.to(b, s), c.to(w, s)
	a, b, w = c.convert(a, wide(t.DType)), c.convert(b, wide(t.DType)), c.convert(w, wide(t.DType))
	step := c.Sub(b, a)
	up := c.Add(a, c.Mul(w, step))
	if t.DType.Is(dtype.Complex) {
		return c.done(up, t)
	}
	down := c.Sub(b, c.Mul(step, c.Sub(1, w)))
	return c.done(c.Where(c.Lt(w, 0.5), up, down), t)
}

// Heaviside returns 0 where x is negative, 1 where it is positive and y where it
// is 0, elementwise; nan for nan.
func (l *Lib) Heaviside(x, y any) Tensor {
	c := l.call("Heaviside", x, y)
	t := c.arithmetic(x, y)
	if t.DType.Is(dtype.Complex) {
		c.fail("complex numbers have no sign", "take nv.Real of them")
	}
	a, b := c.match(t.DType, x, y)
	r := c.Where(c.Gt(a, 0), c.Like(a, 1), c.Like(a, 0))
	r = c.Where(c.Eq(a, 0), b, r)
	return c.result(c.Where(c.Ne(a, a), a, r), t.Ambiguous)
}

// DivMod returns FloorDiv(x, y) and what it leaves, x - y*FloorDiv(x, y),
// elementwise: a remainder with the sign of y. Of floats the remainder is exact
// but for y being added where the signs differ.
func (l *Lib) DivMod(x, y any) (quotient, remainder Tensor) {
	c := l.call("DivMod", x, y)
	t := c.arithmetic(x, y)
	a, b := c.match(t.DType, x, y)
	quotient = c.result(c.floorDiv(t.DType, x, y), t.Ambiguous)
	return quotient, c.result(c.floorRem(a, b), t.Ambiguous)
}
