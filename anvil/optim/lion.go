package optim

import nv "github.com/goanvil/notebook/anvil"

// Lion steps by the signs of an interpolated momentum. A step with the gradient g adds
//
//	-Rate * (sign(Beta1*m + (1-Beta1)*g) + Decay*p)
//
// to a parameter p, where m starts from 0 and becomes Beta2*m + (1-Beta2)*g afterwards.
// Source: Chen and others, Symbolic discovery of optimization algorithms, NeurIPS 2023.
type Lion struct {
	Rate    any      // a number, Tensor or Schedule; nil: 1e-4
	Beta1   float64  // 0: 0.9
	Beta2   float64  // 0: 0.99
	Decay   float64  // 0: 1e-3
	NoDecay []string // parameters that do not decay, given as in the field Except of the type Decay
}

// Init returns the state with the momentum "Mu" at 0.
func (o Lion) Init(params []Param) State {
	return State{Slots: map[string][]nv.Tensor{"Mu": zeros(params)}}
}

// Step returns the changes of one step.
func (o Lion) Step(params []Param, state State) ([]nv.Tensor, State) {
	rate := rateOf("Lion", o.Rate, 1e-4, state)
	changes := make([]nv.Tensor, len(params))
	for i, p := range params {
		mu := state.Slots["Mu"][i]
		u := decayed(mean(mu, p.Grad, or(o.Beta1, 0.9)).Sign(), p, or(o.Decay, 1e-3), o.NoDecay)
		state.Slots["Mu"][i] = mean(mu, p.Grad, or(o.Beta2, 0.99))
		changes[i] = times(u, rate).Neg()
	}
	return changes, state
}
