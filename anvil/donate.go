package anvil

import (
	"fmt"
	"reflect"
)

// Donate returns tree, a Tensor or a struct, slice or map of them, marked so that a
// function made by Jit may reuse its memory for results: a step such as w =
// step(nv.Donate(w), x) then needs no more memory than w does. Using the tensors of tree
// afterwards is an error. Pending results that need them must be computed before: they
// are, if something was read or computed after they were written.
//
// Operations other than functions made by Jit ignore the mark. Memory of less than 64 KiB
// is not reused. Inside a trace Donate returns tree itself.
func Donate[P any](tree P) P { return DonateAny(tree).(P) }

// DonateAny is Donate for callers that cannot instantiate it.
func DonateAny(tree any) any {
	v := reflect.ValueOf(tree)
	if !v.IsValid() || recursive(v.Type(), nil) || len(TreeLeaves(tree)) == 0 {
		panic(&Error{Op: "Donate", Operands: fmt.Sprintf("%T", tree), Reason: "the value contains no tensor",
			Hint: "give a Tensor, or a struct, slice or map of them"})
	}
	return rebuild(v, func(x Tensor) Tensor {
		if x.t == nil && v.Type() != tensorType {
			return x
		}
		t := x.must("Donate")
		arr, err := t.ctx.session.Donate(t.arr)
		if err != nil {
			panic(asError("Donate", describe(x), err))
		}
		return Tensor{t: &tensor{ctx: t.ctx, arr: arr, amb: t.amb, unchecked: t.unchecked, why: t.why}}
	}).Interface()
}
