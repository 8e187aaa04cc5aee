package anvil

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// Relu returns x where it is greater than 0, and 0 elsewhere, at the dtype of
// x; nan for nan.
func (l *Lib) Relu(x any) Tensor {
	c, a, amb := l.layout("Relu", x)
	if d := a.DType(); d.Is(dtype.Complex) || d == dtype.I1 {
		c.fail("it is of real numbers, not of "+d.String(), "convert x with AsType")
	}
	return c.result(c.Max(a, 0), amb)
}

// LeakyRelu returns x where it is greater than 0, and slope times x elsewhere;
// the slope is 0.01 where none is given.
func (l *Lib) LeakyRelu(x any, slope ...float64) Tensor {
	c := l.call("LeakyRelu", x)
	a, t := c.reals(x)
	below := c.Mul(a, c.parameter("slope", slope, 0.01))
	return c.done(c.Where(c.Gt(a, 0), a, below), t)
}

// Elu returns x where it is greater than 0, and alpha * (exp(x) - 1) elsewhere;
// alpha is 1 where none is given.
func (l *Lib) Elu(x any, alpha ...float64) Tensor {
	c := l.call("Elu", x)
	a, t := c.reals(x)
	below := c.Mul(c.Expm1(a), c.parameter("alpha", alpha, 1))
	return c.done(c.Where(c.Gt(a, 0), a, below), t)
}

// The constants with which Selu keeps mean 0 and variance 1. Source:
// Klambauer and others, Self-Normalizing Neural Networks, 2017.
const seluAlpha, seluScale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946

// Selu returns scale * x where x is greater than 0, and scale * alpha * (exp(x)
// - 1) elsewhere, with the constants of self-normalizing networks.
func (l *Lib) Selu(x any) Tensor {
	c := l.call("Selu", x)
	a, t := c.reals(x)
	below := c.Mul(c.Expm1(a), seluAlpha)
	return c.done(c.Mul(c.Where(c.Gt(a, 0), a, below), seluScale), t)
}

// Silu returns x / (1 + exp(-x)), elementwise: x times its logistic function.
func (l *Lib) Silu(x any) Tensor {
	c := l.call("Silu", x)
	a, t := c.reals(x)
	return c.done(c.Mul(a, c.Do(ir.Logistic, nil, a)), t)
}

// Gelu returns x times the normal distribution function of x,
// x * (1 + erf(x/sqrt(2))) / 2, exact to a few ulp of x.
func (l *Lib) Gelu(x any) Tensor {
	c := l.call("Gelu", x)
	a, t := c.reals(x)
	p := c.Do(ir.Erf, nil, c.Mul(a, math.Sqrt2/2))
	p = c.Mul(c.Add(p, 1), 0.5)
	return c.done(c.Mul(a, p), t)
}

// Softplus returns log(1 + exp(x)), elementwise, without overflow.
func (l *Lib) Softplus(x any) Tensor {
	c := l.call("Softplus", x)
	a, t := c.reals(x)
	return c.done(c.logAddExp(a, c.Like(a, 0)), t)
}

// LogSigmoid returns log(1 / (1 + exp(-x))), elementwise, without overflow.
func (l *Lib) LogSigmoid(x any) Tensor {
	c := l.call("LogSigmoid", x)
	a, t := c.reals(x)
	return c.done(c.Neg(c.logAddExp(c.Neg(a), c.Like(a, 0))), t)
}

// Softsign returns x / (1 + abs(x)), elementwise.
func (l *Lib) Softsign(x any) Tensor {
	c := l.call("Softsign", x)
	a, t := c.reals(x)
	more := c.Add(c.Abs(a), 1)
	return c.done(c.Div(a, more), t)
}

// Mish returns x * tanh(log(1 + exp(x))), elementwise.
func (l *Lib) Mish(x any) Tensor {
	c := l.call("Mish", x)
	a, t := c.reals(x)
	return c.done(c.Mul(a, c.Tanh(c.logAddExp(a, c.Like(a, 0)))), t)
}

// HardSigmoid returns x/6 + 1/2, elementwise, and 0 or 1 where that is less or
// greater.
func (l *Lib) HardSigmoid(x any) Tensor {
	c := l.call("HardSigmoid", x)
	a, t := c.reals(x)
	return c.done(c.hardSigmoid(a), t)
}

// HardSilu returns x * HardSigmoid(x), elementwise, also called hard swish.
func (l *Lib) HardSilu(x any) Tensor {
	c := l.call("HardSilu", x)
	a, t := c.reals(x)
	return c.done(c.Mul(a, c.hardSigmoid(a)), t)
}

func (c *call) hardSigmoid(a expr.Value) expr.Value {
	six := c.Do(ir.Clamp, nil, c.Like(a, 0), c.Add(a, 3), c.Like(a, 6))
	return c.Div(six, 6)
}

// Glu returns the first half of x along an axis, the last one where none is
// given, times the logistic function of the second half.
func (l *Lib) Glu(x any, axis ...Axis) Tensor {
	c := l.call("Glu", x)
	a, t := c.reals(x)
	at := c.oneAxis(axis, a)
	n := a.Shape()[at]
	if n%2 != 0 {
		c.fail("axis "+itoa(at)+" of length "+itoa(n)+" has no two halves", "its length is even")
	}
	return c.done(c.Mul(c.every(a, at, 0, n/2, 1), c.Do(ir.Logistic, nil, c.every(a, at, n/2, n, 1))), t)
}

// logAddExp returns log(exp(a) + exp(b)): the greater one, and what the other
// adds. Of equal infinities the difference is no number, and not looked at.
func (c *call) logAddExp(a, b expr.Value) expr.Value {
	top := c.Max(a, b)
	away := c.Neg(c.Abs(c.Sub(a, b)))
	sum := c.Add(top, c.Log1p(c.Exp(away)))
	return c.Where(c.Eq(a, b), c.Add(a, math.Ln2), sum)
}

// parameter returns the one number given, or what holds where none is.
func (c *call) parameter(name string, given []float64, otherwise float64) float64 {
	if len(given) > 1 {
		c.fail("more than one "+name, "give one number, or none for "+describe(otherwise))
	}
	return append(given, otherwise)[0]
}

// LogAddExp returns log(exp(x) + exp(y)), elementwise, without overflow.
func (l *Lib) LogAddExp(x, y any) Tensor {
	c := l.call("LogAddExp", x, y)
	if t := c.inexact(c.arithmetic(x, y)); t.DType.Is(dtype.Complex) && c.sys.Operates() {
		a, b := c.match(t.DType, x, y)
		return c.result(c.complexLogAddExp(a, b), t.Ambiguous)
	}
	a, b, t := c.realPair(x, y)
	return c.done(c.logAddExp(a, b), t)
}

// complexLogAddExp is logAddExp of complex numbers, of which the one with the
// greater real part is the greater; its imaginary part lies between -pi and pi.
func (c *call) complexLogAddExp(a, b expr.Value) expr.Value {
	and, or := func(x, y expr.Value) expr.Value { return c.And(x, y) }, func(x, y expr.Value) expr.Value { return c.Or(x, y) }
	re, im, re2, im2 := c.Real(a), c.Imag(a), c.Real(b), c.Imag(b)
	top := c.Where(or(c.Gt(re, re2), and(c.Eq(re, re2), c.Gt(im, im2))), a, b)
	away := c.Sub(c.Add(a, b), c.Mul(top, 2))
	sum := c.Add(top, c.Log1p(c.Exp(away)))
	angle := c.Imag(sum)
	turned := c.Rem(c.Add(angle, math.Pi), 2*math.Pi)
	turned = c.Where(c.Lt(turned, 0), c.Add(turned, 2*math.Pi), turned)
	return c.Complex(c.Real(sum), c.Sub(turned, math.Pi))
}
