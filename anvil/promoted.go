package anvil

import (
	"reflect"

	"github.com/goanvil/notebook/anvil/dtype"
)

// PromoteArrays returns xs, tensors and numbers, as tensors of dtype d, or of their common dtype if d is
// dtype.Invalid, as a layer converts its inputs and parameters.
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
