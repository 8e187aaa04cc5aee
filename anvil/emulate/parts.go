package emulate

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
)

// realOf and imagOf return the real and the imaginary part. They also accept real numbers.
func realOf(c Call) expr.Value { return c.Build().Real(c.Args()[0]) }
func imagOf(c Call) expr.Value { return c.Build().Imag(c.Args()[0]) }

// sign returns the sign. It also accepts unsigned integers and bools.
func sign(c Call) expr.Value {
	x := c.Args()[0]
	switch d := x.DType(); {
	case d == dtype.I1:
		return x
	case d.Is(dtype.Unsigned):
		return c.Build().Min(x, 1)
	}
	return c.Own()
}

// roundedParts rounds both parts of complex numbers. Integers and bools are unchanged.
func roundedParts(c Call) expr.Value {
	b, x := c.Build(), c.Args()[0]
	switch d := x.DType(); {
	case d.Is(dtype.Complex):
		return b.Complex(c.Own(b.Real(x)), c.Own(b.Imag(x)))
	case d.Is(dtype.Inexact):
		return c.Own()
	}
	return x
}
