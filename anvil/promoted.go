package anvil

import (
	"reflect"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// PromoteArrays returns xs, tensors and numbers, as tensors of dtype d, or of their common dtype if d is
// dtype.Invalid.
func (l *Lib) PromoteArrays(d DType, xs ...any) []Tensor {
	xs = spreadSlices(xs)
	if d == dtype.Invalid {
		return l.PromoteToCommon(xs...)
	}
	out := make([]Tensor, len(xs))
	for i, x := range xs {
		out[i] = l.AsType(x, d)
	}
	return out
}

// PromoteTree returns a copy of tree, a struct, slice or map that contains tensors at any depth, in which
// each tensor has dtype d, or the common dtype of all if d is dtype.Invalid.
func (l *Lib) PromoteTree(d DType, tree any) any {
	var xs []any
	for _, x := range TreeLeaves(tree) {
		if x.t != nil {
			xs = append(xs, x)
		}
	}
	if len(xs) == 0 {
		return tree
	}
	promoted := l.PromoteArrays(d, xs...)
	return rebuild(reflect.ValueOf(tree), func(x Tensor) Tensor {
		if x.t == nil {
			return x
		}
		x, promoted = promoted[0], promoted[1:]
		return x
	}).Interface()
}

// convert returns a converted to dtype d. It converts as XLA does, except that every number other than 0 becomes true
// at dtype i1.
func (c *call) convert(a expr.Value, d dtype.DType) expr.Value {
	ty := typeOf(a)
	switch {
	case ty.DType == d:
		return a
	case ty.DType.Is(dtype.Complex) && d == dtype.I1: // XLA looks only at the real part
		return c.truth(a)
	case ty.DType == dtype.BF16 && d == dtype.I1: // subnormal numbers are true, but XLA treats them as 0
		bits := c.Do(ir.BitcastConvert, ir.DTypeAttrs{DType: dtype.U16}, a)
		return c.Ne(c.And(bits, 0x7fff), 0)
	}
	return c.emit(ir.Convert, ir.DTypeAttrs{DType: d}, shape.Type{DType: d, Shape: ty.Shape}, a)
}
