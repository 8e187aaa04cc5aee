package optim

import nv "github.com/goanvil/notebook/anvil"

// SGD is stochastic gradient descent. Without Momentum, a step adds -Rate*g to a parameter
// with the gradient g. With Momentum, it adds -Rate*t, where t = g + Momentum*t starts from
// 0, and with Nesterov -Rate*(g + Momentum*t) for this new t. Source: Sutskever and others, On
// the importance of initialization and momentum in deep learning, ICML 2013.
type SGD struct {
	Rate     any // a number, Tensor or Schedule; nil: 0.01
	Momentum float64
	Nesterov bool
}

// Init returns the state with the momentum "Trace" at 0, or an empty state if Momentum is 0.
func (o SGD) Init(params []Param) State {
	if o.Momentum == 0 {
		return State{}
	}
	return State{Slots: map[string][]nv.Tensor{"Trace": zeros(params)}}
}

// Step returns the changes of one step.
func (o SGD) Step(params []Param, state State) ([]nv.Tensor, State) {
	rate := rateOf("SGD", o.Rate, 0.01, state)
	changes := gradients(params)
	if o.Momentum != 0 {
		changes = momentum(changes, state, o.Momentum, o.Nesterov)
	}
	for i, g := range changes {
		changes[i] = times(g, rate).Neg()
	}
	return changes, state
}
