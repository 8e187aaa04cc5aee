package emulate

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
)

// numbersFirst is TensorFlow's rule of Div and TrueDiv. A number used with integers is first converted to the common
// dtype of the two, if that is an integer, and then to the dtype of the operation.
func numbersFirst(c Call) expr.Value {
	return c.Own(c.Broadcast(numberFirst(c, 0), numberFirst(c, 1))...)
}

// numberFirst returns operand i of two at the dtype of the operation (see numbersFirst).
func numberFirst(c Call, i int) expr.Value {
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

// truthProduct is TensorFlow's rule of Mul. A product at i1 is computed in i32 and converted back: it is true if
// it is not 0. Source: tensorflow/python/ops/tensor_math_operator_overrides.py.
func truthProduct(c Call) expr.Value {
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
