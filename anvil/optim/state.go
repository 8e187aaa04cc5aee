package optim

import (
	nv "github.com/goanvil/notebook/anvil"
)

// A State is what an optimizer keeps from one step to the next. It is a tree of tensors,
// so that it can be saved, and be an argument and a result of a compiled step.
type State struct {
	Count  nv.Tensor              // i32{}: the number of steps taken
	Slots  map[string][]nv.Tensor // by name; one for each tensor of the model, the zero Tensor if that is not trained
	Values map[string]nv.Tensor   // by name; tensors for the model as a whole
}

// A Param is a trained tensor of a model, with its path and gradient, as Init and Update pass it to an Optimizer.
type Param struct {
	Path  string    // in the model; see nv.TreePaths
	Value nv.Tensor // at f32 or wider
	Grad  nv.Tensor // at the dtype of Value
}

// An Optimizer is a rule for changing parameters by their gradients. The functions Init and Update apply it.
type Optimizer interface {
	// Init returns the state before the first step for params, which have no Grad. Each slot of
	// the state has one tensor for each of params. The function Init sets Count.
	Init(params []Param) State

	// Step returns the tensors to add to the values of params, and the next state. state.Count is
	// the number of this step, from 1. params has only the tensors with a gradient. Each slot of
	// state and of next has one tensor for each of params, not one for each tensor of the model.
	// Step may change state.
	Step(params []Param, state State) (changes []nv.Tensor, next State)
}

// gradients returns the gradients of params.
func gradients(params []Param) []nv.Tensor {
	gs := make([]nv.Tensor, len(params))
	for i, p := range params {
		gs[i] = p.Grad
	}
	return gs
}

// wrapped returns opt, the optimizer that op wraps, after checking it.
func wrapped(op string, opt Optimizer) Optimizer {
	if opt == nil {
		fail(op, "nil", "the optimizer is nil", "give one: optim."+op+"{Optimizer: optim.Adam{Rate: 1e-3}}")
	}
	return opt
}

// zeros returns zeros of the shapes and dtypes of the values of params.
func zeros(params []Param) []nv.Tensor {
	xs := make([]nv.Tensor, len(params))
	for i, p := range params {
		xs[i] = p.Value.ZerosLike()
	}
	return xs
}

// realZeros returns zeros of the shapes of the values of params, and of the dtypes of their
// magnitudes.
func realZeros(params []Param) []nv.Tensor {
	xs := zeros(params)
	for i, x := range xs {
		if isComplex(x) {
			xs[i] = x.Real()
		}
	}
	return xs
}

// choose returns the tensors of a if pred, i1{}, is true, and those of b otherwise.
func choose(pred nv.Tensor, a, b []nv.Tensor) []nv.Tensor {
	out := make([]nv.Tensor, len(a))
	for i := range a {
		out[i] = nv.Where(pred, a[i], b[i])
	}
	return out
}

// chooseState returns a if pred, i1{}, is true, and b otherwise. Both have the same names.
func chooseState(pred nv.Tensor, a, b State) State {
	s := State{Count: nv.Where(pred, a.Count, b.Count), Slots: map[string][]nv.Tensor{}, Values: map[string]nv.Tensor{}}
	for name, slot := range a.Slots {
		s.Slots[name] = choose(pred, slot, b.Slots[name])
	}
	for name, x := range a.Values {
		s.Values[name] = nv.Where(pred, x, b.Values[name])
	}
	return s
}

// beforeStep returns the state before the step that s was passed to. It is a copy, which the Step of a wrapped
// optimizer does not change, and its Count does not include the step.
func (s State) beforeStep() State {
	c := State{Count: s.Count.Sub(1), Slots: map[string][]nv.Tensor{}, Values: map[string]nv.Tensor{}}
	for name, slot := range s.Slots {
		c.Slots[name] = append([]nv.Tensor(nil), slot...)
	}
	for name, x := range s.Values {
		c.Values[name] = x
	}
	return c
}
