package emulate

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
)

// halfMath is PyTorch's rule of Mul, and of Div unless a number is divided by a tensor. It computes halves in f32 if
// one operand is a single number (see isSingle), which PyTorch does not round first.
func halfMath(c Call) expr.Value {
	if d := c.DType(); halvesInF32(d) == d || !isSingle(c, 0) && !isSingle(c, 1) {
		return c.Own()
	}
	return c.Convert(c.Own(widened(c)...), c.DType())
}

// torchTrueDiv is PyTorch's rule of TrueDiv. It computes quotients of halves in f32 if the divisor is a single
// number.
func torchTrueDiv(c Call) expr.Value {
	if d := c.DType(); halvesInF32(d) == d || !isSingle(c, 1) {
		return c.Own()
	}
	return c.Convert(c.Own(widened(c)...), c.DType())
}

// torchFloorDiv is PyTorch's rule of FloorDiv. It subtracts the exact remainder before it divides. It computes in
// the dtype of the operation, or in f32 for halves divided by a single number.
func torchFloorDiv(c Call) expr.Value {
	d := c.DType()
	var xs []expr.Value
	if halvesInF32(d) != d && isSingle(c, 1) {
		xs = widened(c)
	} else {
		xs = c.Args()
	}
	return c.Convert(c.Build().FloorDiv(xs[0], xs[1]), d)
}

// isSingle reports whether operand i is a single number: a literal or a tensor of one element.
func isSingle(c Call, i int) bool {
	return c.Literal(i) != nil || c.At(i, c.Operand(i).DType).Shape().Size() == 1
}

// widened returns the operands in f32. It first rounds operands that are not single numbers to the dtype of the
// operation.
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
