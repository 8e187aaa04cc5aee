package anvil

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
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

// LogAddExp returns log(exp(x) + exp(y)), elementwise, without overflow.
func (l *Lib) LogAddExp(x, y any) Tensor {
	c := l.call("LogAddExp", x, y)
	if t := c.inexact(c.arithmetic(x, y)); t.DType.Is(dtype.Complex) && c.sys.Operates() {
		a, b := c.match(t.DType, x, y)
		return c.result(c.complexLogAddExp(a, b), t.Ambiguous)
	}
	a, b, t := c.realPair(x, y)
	return c.done(ops.LogAddExp(c.Builder, a, b), t)
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
