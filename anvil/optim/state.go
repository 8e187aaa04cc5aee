package optim

import (
	nv "github.com/goanvil/notebook/anvil"
)

// A State is what an optimizer keeps from one step to the next. It is a tree of tensors,
// so that it can be saved, and be an argument and a result of a compiled step.
type State struct {
	Count nv.Tensor              // i32{}: the number of steps taken
	Slots map[string][]nv.Tensor // by name, one tensor for each tensor of the model
}

// A Param is a tensor of a model, as an Optimizer sees it.
type Param struct {
	Path  string    // in the model; see nv.TreePaths
	Value nv.Tensor // at f32 or wider
	Grad  nv.Tensor // at the dtype of Value
}

// An Optimizer is a rule of changing parameters by their gradients. Use one by Init and
// Update.
type Optimizer interface {
	// Init returns the state before the first step for params, which have no Grad. Each of
	// its Slots has a tensor for each of params. Count is ignored.
	Init(params []Param) State

	// Step returns what to add to the values of params, and the next state. state.Count is
	// the number of this step, from 1. Params without a gradient are left out, in the slots
	// too.
	Step(params []Param, state State) (changes []nv.Tensor, next State)
}

// zeros returns zeros of the shapes and dtypes of the values of params.
func zeros(params []Param) []nv.Tensor {
	xs := make([]nv.Tensor, len(params))
	for i, p := range params {
		xs[i] = p.Value.ZerosLike()
	}
	return xs
}
