package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// Conj returns the complex conjugate of x, elementwise. The conjugate of a real number is
// the number.
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

// unaryWithoutXLA returns the result of Real, Imag or IsFinite of a for dtypes for which XLA does not define these
// operations. It returns nil if XLA defines the operation code for the dtype of a.
func (c *call) unaryWithoutXLA(code ir.Code, a expr.Value) expr.Value {
	ty := typeOf(a)
	switch exact := !ty.DType.Is(dtype.Inexact); {
	case code == ir.Real && exact:
		return a
	case code == ir.Imag && exact:
		return c.Like(a, 0)
	case code == ir.IsFinite && exact:
		return c.to(c.literal(true, dtype.I1), ty.Shape)
	case code == ir.IsFinite && ty.DType.Is(dtype.Complex):
		return c.And(c.Do(code, nil, c.Real(a)), c.Do(code, nil, c.Imag(a)))
	}
	return nil
}
