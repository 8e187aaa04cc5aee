package emulate

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
)

// tensorflowDiv is TensorFlow's rule of Div and TrueDiv. It converts a number used with integers by way of their
// common dtype.
func tensorflowDiv(c Call) expr.Value {
	return c.Own(c.Broadcast(viaCommonInteger(c, 0), viaCommonInteger(c, 1))...)
}

// viaCommonInteger returns operand i of two at the dtype of the operation. If it is a number and the other operand
// holds integers, it is first converted to the common dtype of the two operands, if that is an integer.
func viaCommonInteger(c Call, i int) expr.Value {
	if c.Literal(i) == nil || !c.Operand(1-i).DType.Is(dtype.Integral) {
		return c.At(i, c.DType())
	}
	t, err := c.System().Join(c.Operand(i), c.Operand(1-i))
	c.Check(err)
	if !t.DType.Is(dtype.Integral) {
		return c.At(i, c.DType())
	}
	return c.Convert(c.At(i, t.DType), c.DType())
}

// tensorflowMul is TensorFlow's rule of Mul. It computes a product of bools in i32; the result is true where the
// product is not 0. Source: tensorflow/python/ops/tensor_math_operator_overrides.py.
func tensorflowMul(c Call) expr.Value {
	if c.DType() != dtype.I1 {
		return c.Own()
	}
	b, xs := c.Build(), make([]expr.Value, 2)
	for i := range xs {
		v := c.Literal(i)
		if v == nil {
			xs[i] = c.Cast(c.At(i, c.Operand(i).DType), dtype.I32)
			continue
		}
		xs[i] = b.Number(v, dtype.I32)
	}
	xs = c.Broadcast(xs...)
	return b.Ne(b.Mul(xs[0], xs[1]), 0)
}
