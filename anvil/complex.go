package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// Conj returns the complex conjugate of x, elementwise: the imaginary part
// negated. Real numbers are their own.
func (l *Lib) Conj(x any) Tensor {
	c, a, amb := l.layout("Conj", x)
	if !a.arr.Type().DType.Is(dtype.Complex) {
		return c.result(a, amb)
	}
	im := c.infer(ir.Neg, nil, c.infer(ir.Imag, nil, a))
	return c.result(c.infer(ir.Complex, nil, c.infer(ir.Real, nil, a), im), amb)
}

// Angle returns the angle of x from the positive real axis in radians, from -pi
// to pi, elementwise: of real numbers 0 or pi.
func (l *Lib) Angle(x any) Tensor {
	c := l.call("Angle", x)
	_, t := c.alone(x)
	t = c.inexact(t)
	a := c.at(x, t.DType)
	re, im := c.infer(ir.Real, nil, a), c.infer(ir.Imag, nil, a)
	return c.result(c.infer(ir.Atan2, nil, im, re), t.Ambiguous)
}
