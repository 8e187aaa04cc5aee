package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// Relu returns x where x is greater than 0, nan where x is nan, and 0 elsewhere, at the dtype of x.
func (l *Lib) Relu(x any) Tensor {
	c, a, amb := l.layout("Relu", x)
	switch d := a.DType(); {
	case d.Is(dtype.Complex):
		c.fail("the operand must be real, not "+d.String(), "take nv.Real, nv.Imag or nv.Abs first")
	case d == dtype.I1:
		c.fail("the operand must hold numbers, not "+d.String(), "convert x with AsType(nv.F32)")
	}
	return c.result(c.Where(c.Le(a, 0), 0, a), amb) // not Max(a, 0), whose derivative at 0 is 1/2
}

// Glu returns the first half of x along an axis times the logistic function of the second half. The default
// axis is the last.
func (l *Lib) Glu(x any, axis ...Axis) Tensor {
	c := l.call("Glu", x)
	a, t := c.reals(x)
	at := c.oneAxis(axis, a)
	n := a.Shape()[at]
	if n%2 != 0 {
		c.fail("axis "+itoa(at)+" of length "+itoa(n)+" cannot be halved", "give an axis of even length")
	}
	return c.resultAs(c.Mul(c.sliceAxis(a, at, 0, n/2, 1), c.Do(ir.Logistic, nil, c.sliceAxis(a, at, n/2, n, 1))), t)
}

// LogAddExp returns log(exp(x) + exp(y)), elementwise, without overflow.
func (l *Lib) LogAddExp(x, y any) Tensor {
	c := l.call("LogAddExp", x, y)
	t := c.inexact(c.arithmetic(x, y))
	return c.resultAs(c.emulated("LogAddExp", t.DType, c.xs, func(...expr.Value) expr.Value {
		a, b, _ := c.realPair(x, y)
		return c.Builder.LogAddExp(a, b)
	}), t)
}
