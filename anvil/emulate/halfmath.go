package emulate

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
)

// opMathDType returns the dtype in which PyTorch computes products and quotients of a tensor of dtype d and a single
// number. The number is not rounded to d first.
func opMathDType(d dtype.DType) dtype.DType {
	if d == dtype.F16 || d == dtype.BF16 {
		return dtype.F32
	}
	return d
}

// halfMath computes products of halves in f32 if one operand is a single number.
func halfMath(c Call) expr.Value {
	if d := c.DType(); opMathDType(d) == d || !isSingle(c, 0) && !isSingle(c, 1) {
		return c.Own()
	}
	return c.Convert(c.Own(widened(c)...), c.DType())
}

// halfQuotient computes quotients of halves in f32 if the divisor is a single number.
func halfQuotient(c Call) expr.Value {
	if d := c.DType(); opMathDType(d) == d || !isSingle(c, 1) {
		return c.Own()
	}
	return c.Convert(c.Own(widened(c)...), c.DType())
}

// torchFloorDiv subtracts the exact remainder before it divides, in the dtype of the operands, or for halves
// with a single divisor in f32.
func torchFloorDiv(c Call) expr.Value {
	d := c.DType()
	var xs []expr.Value
	if opMathDType(d) != d && isSingle(c, 1) {
		xs = widened(c)
	} else {
		xs = c.Args()
	}
	return c.Convert(c.Build().FloorDiv(xs[0], xs[1]), d)
}

// isSingle reports whether operand i is a number, or a tensor of one element.
func isSingle(c Call, i int) bool {
	return c.Literal(i) != nil || c.At(i, c.Operand(i).DType).Shape().Size() == 1
}

// widened returns the operands in f32. Those that are not single numbers are rounded to the dtype of the
// operation first.
func widened(c Call) []expr.Value {
	xs := make([]expr.Value, 2)
	for i := range xs {
		at := dtype.F32
		if !isSingle(c, i) {
			at = c.DType()
		}
		xs[i] = c.Convert(c.At(i, at), dtype.F32)
	}
	return c.Broadcast(xs...)
}
