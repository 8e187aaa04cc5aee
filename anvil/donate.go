package anvil

import (
	"fmt"
	"reflect"
)

// Donate returns tree, a Tensor or a struct, slice or map of them, to be given to
// a function that Jit made: the program may put its results into their memory, so
// that a step such as w = step(nv.Donate(w), x) takes no more of it than w does.
// The tensors of tree are given away: using them afterwards is an error. What was
// made of them before has been computed if it was written since something was
// last read or computed; else it cannot be computed any more.
//
// Other operations leave what Donate returns as it is. Memory of less than 64 KiB
// is not taken over. Of what is being traced Donate returns tree itself.
func Donate[P any](tree P) P { return DonateAny(tree).(P) }

// DonateAny is Donate for callers that cannot instantiate it.
func DonateAny(tree any) any {
	fail := func(reason string) {
		panic(&Error{Op: "Donate", Operands: fmt.Sprintf("%T", tree), Reason: reason, Hint: "give a Tensor, or a struct, slice or map of them"})
	}
	v := reflect.ValueOf(tree)
	if !v.IsValid() || recursive(v.Type(), nil) || len(TreeLeaves(tree)) == 0 {
		fail("there is no tensor to give away")
	}
	return rebuild(v, func(x Tensor) Tensor {
		t := x.must("Donate")
		arr, err := t.ctx.session.Donate(t.arr)
		if err != nil {
			panic(asError("Donate", describe(x), err))
		}
		return Tensor{t: &tensor{ctx: t.ctx, arr: arr, amb: t.amb, unchecked: t.unchecked, why: t.why}}
	}).Interface()
}
