package anvil

// Conj returns the complex conjugate of x, elementwise. It returns real numbers unchanged.
func (l *Lib) Conj(x any) Tensor {
	c, a, amb := l.layout("Conj", x)
	return c.result(c.Conj(a), amb)
}

// Angle returns the angle of x from the positive real axis, elementwise, in radians from
// -pi to pi. The angle of a real number is 0 or pi.
func (l *Lib) Angle(x any) Tensor {
	c := l.call("Angle", x)
	_, t := c.unaryTypes(x)
	t = c.inexact(t)
	a := c.at(x, t.DType)
	re, im := c.Real(a), c.Imag(a)
	return c.result(c.Atan2(im, re), t.Ambiguous)
}
