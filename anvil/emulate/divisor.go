package emulate

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
)

// torchGCD: the least integer is negative, and so may its divisors be.
func torchGCD(c Call) expr.Value {
	xs := c.Args()
	return c.Own(c.Convert(xs[1], c.DType()), c.Convert(xs[0], c.DType()))
}

// torchLCM is not negative where wrapping made it so, but of integers that are
// computed in C's int.
func torchLCM(c Call) expr.Value {
	r := c.Own()
	if c.DType().Bits() < 32 || !c.DType().Is(dtype.Signed) {
		return r
	}
	return c.Build().Abs(r)
}
