package optim

import (
	"fmt"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/internal/extension"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/typename"
)

// Init returns the state of opt before the first step, for the tensors of model that are trained:
// float and complex tensors that are not in an nv.State and not frozen by one of opts, such as
// nn.Freeze("In"). For other tensors the slots hold the zero Tensor.
func Init(opt Optimizer, model any, opts ...nv.GradOption) State {
	params, at := parameters("Init", opt, model, nil, opts)
	state := opt.Init(params)
	state.Count = params[0].Value.Context().Zeros(nil, nv.I32)
	all := map[string][]nv.Tensor{}
	for name, slot := range state.Slots {
		all[name] = setAt(at, slot, make([]nv.Tensor, len(nv.TreeLeaves(model))))
	}
	state.Slots = all
	return state
}

// Update returns model with its tensors changed by one step of opt, and the next state. grads is
// the gradient of the loss with respect to model, as nv.Grad returns it. Tensors of model keep
// their dtypes. Tensors without a gradient, for which grads has the zero Tensor, do not change.
func Update[M any](opt Optimizer, model, grads M, state State) (M, State) {
	m, next := UpdateAny(opt, model, grads, state)
	return m.(M), next
}

// UpdateAny is Update for callers that cannot instantiate a generic function.
func UpdateAny(opt Optimizer, model, grads any, state State) (any, State) {
	params, at := parameters("Update", opt, model, grads, nil)
	if !state.Count.Valid() {
		fail("Update", typename.Of(opt), "the state is empty", "make it with state := optim.Init(opt, model)")
	}
	if want := opt.Init(params); !sameNames(want, state) {
		fail("Update", typename.Of(opt), "the state belongs to another optimizer",
			"make a new one with state := optim.Init(opt, model)")
	}
	n := len(nv.TreeLeaves(model))
	part := State{Count: state.Count.Add(1), Slots: map[string][]nv.Tensor{}, Values: map[string]nv.Tensor{}}
	for name, x := range state.Values {
		part.Values[name] = x
	}
	for name, slot := range state.Slots {
		if len(slot) != n {
			fail("Update", typename.Of(model),
				fmt.Sprintf("the state is for a model of %d tensors, but this model has %d", len(slot), n),
				"make a new one with state := optim.Init(opt, model)")
		}
		for k, i := range at {
			if !slot[i].Valid() {
				fail("Update", params[k].Path, "the tensor was frozen when the state was made, but now it has a gradient",
					"give nv.Grad the same nn.Freeze, or make a new state with state := optim.Init(opt, model)")
			}
			part.Slots[name] = append(part.Slots[name], slot[i])
		}
	}
	changes, next := opt.Step(params, part)
	for name, slot := range next.Slots {
		next.Slots[name] = setAt(at, slot, append([]nv.Tensor(nil), state.Slots[name]...))
	}
	if len(next.Values) == 0 {
		next.Values = state.Values
	}
	values := nv.TreeLeaves(model)
	for k, i := range at {
		values[i] = params[k].Value.Add(changes[k]).AsType(values[i].DType())
	}
	changed := nv.TreeMapAny(func(xs ...nv.Tensor) nv.Tensor { return xs[1] }, model, values)
	return changed, next
}

// sameNames reports whether a and b have slots and values with the same names.
func sameNames(a, b State) bool {
	same := len(a.Slots) == len(b.Slots) && len(a.Values) == len(b.Values)
	for name := range a.Slots {
		same = same && b.Slots[name] != nil
	}
	for name := range a.Values {
		same = same && b.Values[name].Valid()
	}
	return same
}

// parameters returns the tensors of model that opt changes, and their indices in nv.TreeLeaves(model).
// These are the tensors of a float or complex dtype that are neither an nv.State nor frozen by opts. If
// grads is not nil, parameters returns only tensors with a gradient.
func parameters(op string, opt Optimizer, model, grads any, opts []nv.GradOption) (params []Param, at []int) {
	if opt == nil {
		fail(op, "nil", "the optimizer is nil", "give one, such as optim.Adam{Rate: 1e-3}")
	}
	paths := nv.TreePaths(model)
	frozen := extension.Frozen("optim."+op, model, opts)
	gs := nv.TreeLeaves(grads)
	if grads != nil && len(gs) != len(paths) {
		fail(op, typename.Of(model)+", "+typename.Of(grads),
			fmt.Sprintf("the model has %d tensors and the gradient %d", len(paths), len(gs)),
			"give nv.Grad(loss)(model)")
	}
	for i, x := range nv.TreeLeaves(model) {
		if !x.Valid() || frozen[i] || !x.DType().Is(dtype.Inexact) || grads != nil && !gs[i].Valid() {
			continue
		}
		p := Param{Path: paths[i], Value: wide(x)}
		if grads != nil {
			if !gs[i].Shape().Equal(x.Shape()) {
				fail(op, p.Path,
					fmt.Sprintf("the shape is %v, but the gradient has the shape %v", x.Shape(), gs[i].Shape()),
					"give nv.Grad(loss)(model)")
			}
			p.Grad = gs[i].AsType(p.Value.DType())
		}
		params, at = append(params, p), append(at, i)
	}
	if len(params) == 0 {
		fail(op, typename.Of(model), "no tensor can be trained",
			"give a model initialized by nn.Init, with a float tensor that is not frozen")
	}
	return params, at
}

// setAt replaces the elements of all with the indices at by those of slot, and returns all.
func setAt(at []int, slot, all []nv.Tensor) []nv.Tensor {
	for k, i := range at {
		all[i] = slot[k]
	}
	return all
}

// wide returns x at f32, or at its own dtype if that is wider.
func wide(x nv.Tensor) nv.Tensor { return x.AsType(promote.AtLeast(dtype.F32, x.DType()).DType) }

// fail panics with an *nv.Error.
func fail(op, operands, reason, hint string) {
	panic(&nv.Error{Op: "optim." + op, Operands: operands, Reason: reason, Hint: hint})
}
