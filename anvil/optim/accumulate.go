package optim

import nv "github.com/goanvil/notebook/anvil"

// Accumulate changes the parameters only in every Steps-th step, by the mean of the gradients since
// the last change. This is like a step with a larger batch. State.Count counts only steps that change
// parameters.
type Accumulate struct {
	Steps     int
	Optimizer Optimizer
}

// Init returns the state of the optimizer, with mean gradients of 0.
func (o Accumulate) Init(params []Param) State {
	positive("Accumulate", "Steps", o.Steps)
	state := State{
		Slots:  map[string][]nv.Tensor{"Accumulated": zeros(params)},
		Values: map[string]nv.Tensor{"Accumulated": params[0].Value.Context().Zeros(nil, nv.I32)},
	}
	state.join("", wrapped("Accumulate", o.Optimizer).Init(params))
	return state
}

// Step returns the changes of the optimizer in every Steps-th step, and zeros otherwise.
func (o Accumulate) Step(params []Param, state State) ([]nv.Tensor, State) {
	n := state.Values["Accumulated"].Add(1) // the number of gradients since the last change, with this one
	due := n.Eq(o.Steps)
	params = append([]Param(nil), params...)
	for i, mean := range state.Slots["Accumulated"] {
		params[i].Grad = mean.Add(times(params[i].Grad.Sub(mean), n.AsType(nv.F64).Reciprocal()))
	}
	means := gradients(params)
	old := state.beforeStep()
	changes, next := o.Optimizer.Step(params, state)
	next = chooseState(due, next, old)
	next.Slots["Accumulated"] = choose(due, zeros(params), means)
	next.Values["Accumulated"] = nv.Where(due, 0, n)
	return choose(due, changes, zeros(params)), next
}
