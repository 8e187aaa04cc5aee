package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// opmath returns the dtype in which an operation on x and y that gives d is
// computed: d, but under systems that take a single number of a product, or a
// single divisor, from its own value, a wider one, in which it is not rounded
// to d before the operation is.
func (c *call) opmath(code ir.Code, d dtype.DType, x, y any) dtype.DType {
	wide := c.sys.Opmath(d)
	if wide == d || !(code == ir.Mul && single(x) || (code == ir.Mul || code == ir.Div) && single(y)) {
		return d
	}
	return wide
}

// single reports whether x is a number, or a tensor of one element.
func single(x any) bool {
	t, ok := x.(Tensor)
	return !ok || t.Size() == 1
}

// rounding returns x, rounded to d unless it is single.
func (c *call) rounding(d dtype.DType, x any) any {
	if single(x) {
		return x
	}
	return asTensor(c.at(x, d))
}

// reflected reports whether x / y is computed from the reciprocal of y: as
// PyTorch does where x is a number. Source: torch/_tensor.py __rtruediv__.
func (c *call) reflected(x any) bool {
	_, torch := c.sys.Torch()
	t, ok := x.(Tensor)
	return torch && (!ok || t.t.lit != nil)
}

// reciprocal returns 1 / y, at its own dtype, times x.
func (c *call) reciprocal(t dtype.Typed, x, y any) Tensor {
	e := c.sys.ExplainOperation("reciprocal", c.operand(y))
	c.check(e.Err)
	a, b := c.match(e.Result.DType, 1, y)
	return c.pair(ir.Mul, nil, t, x, asTensor(c.Div(a, b)))
}
