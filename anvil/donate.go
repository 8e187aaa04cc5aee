package anvil

import (
	"reflect"

	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/typename"
)

// Donate returns a copy of tree, a Tensor or a struct, slice or map of Tensors, whose
// tensors are marked: a function made by Jit that is called with marked tensors may reuse
// their memory for its results. A step such as w = step(nv.Donate(w), x) then needs no
// memory for a second w. Using the tensors of tree itself after the call of Donate is an
// error. Donate first computes recent pending results that have one of these tensors as an
// operand; older pending results must be computed before the call.
//
// Operations other than functions made by Jit ignore the mark. Memory of less than 64 KiB
// is not reused. Inside a trace Donate marks nothing.
func Donate[P any](tree P) P {
	if reflect.TypeFor[P]().Kind() == reflect.Interface {
		return DonateAny(tree).(P)
	}
	donate(reflect.ValueOf(&tree).Elem())
	return tree
}

// DonateAny is Donate for callers that cannot instantiate it.
func DonateAny(tree any) any {
	if tree == nil {
		failDonate("<nil>")
	}
	v := reflect.New(reflect.TypeOf(tree)).Elem()
	v.Set(reflect.ValueOf(tree))
	donate(v)
	return v.Interface()
}

// failDonate panics with an *Error because the argument, described by operands, contains no tensor.
func failDonate(operands string) {
	panic(&Error{Op: "Donate", Operands: operands, Reason: "the value contains no tensor",
		Hint: "give a Tensor, or a struct, slice or map of them"})
}

// typeText returns the type of v as a cell writes it.
func typeText(v reflect.Value) string { return typename.Text(v.Type().String()) }

// donate replaces the tensors of v, which is addressable, by marked ones.
func donate(v reflect.Value) {
	given := make([]*tensor, 0, 32)
	arrays := make([]engine.Array, 0, 32)
	if recursive(v.Type()) {
		panic(&Error{Op: "Donate", Operands: typeText(v), Reason: "the type is recursive",
			Hint: "give a slice or a map of tensors"})
	}
	tensorsOf(v, func(x Tensor) {
		if x.t != nil || v.Type() == tensorType {
			given = append(given, x.must("Donate"))
			arrays = append(arrays, x.t.arr)
		}
	})
	if len(given) == 0 {
		failDonate(typeText(v))
	}
	ctx := given[0].ctx
	for _, t := range given {
		if t.ctx != ctx {
			panic(&Error{Op: "Donate", Operands: typeText(v), Reason: "the tensors belong to two contexts",
				Hint: "make all tensors in one Context"})
		}
	}
	donated, err := ctx.session.Donate(arrays)
	if err != nil {
		panic(asError("Donate", typeText(v), err))
	}
	made := make([]tensor, len(given)) // one allocation, since all these tensors are used by the same call
	at := 0
	replace(v, func(x Tensor) Tensor {
		if x.t == nil {
			return x
		}
		t, d := given[at], &made[at]
		d.ctx, d.arr, d.amb, d.unchecked, d.why = ctx, donated[at], t.amb, t.unchecked, t.why
		at++
		return Tensor{t: d}
	})
}
