package emulate

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
)

// realOf and imagOf are the rules of Real and Imag. They also accept real numbers.
func realOf(c Call) expr.Value { return c.Build().Real(c.Args()[0]) }
func imagOf(c Call) expr.Value { return c.Build().Imag(c.Args()[0]) }

// sign is the rule of Sign that also accepts unsigned integers and bools.
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

// roundedParts is the rule of Floor, Ceil and the like. It rounds both parts of a complex number, and returns
// integers and bools unchanged.
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
