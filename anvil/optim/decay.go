package optim

import (
	"strings"

	nv "github.com/goanvil/notebook/anvil"
)

// Decay adds Weight*p to the gradient of each parameter p, as the penalty Weight/2*p^2 in
// the loss does. It is a part of a Chain:
//
//	optim.Chain{optim.Decay{Weight: 1e-4, Except: []string{"Bias"}}, optim.SGD{Rate: 0.1}}
//
// Except lists parameters that do not decay, by their paths or by successive parts of their paths:
// "Bias" matches "In.Bias" and "Out.Bias", and "In" matches all parameters below In.
type Decay struct {
	Weight float64
	Except []string
}

// Init returns an empty state.
func (o Decay) Init([]Param) State { return State{} }

// Step returns the gradients with the decay added.
func (o Decay) Step(params []Param, state State) ([]nv.Tensor, State) {
	changes := gradients(params)
	for i, g := range changes {
		changes[i] = decayed(g, params[i], o.Weight, o.Except)
	}
	return changes, state
}

// decayed returns x plus weight times the value of p, or x if p is in except.
func decayed(x nv.Tensor, p Param, weight float64, except []string) nv.Tensor {
	if weight == 0 {
		return x
	}
	for _, name := range except {
		if strings.Contains("."+p.Path+".", "."+name+".") {
			return x
		}
	}
	return x.Add(p.Value.Mul(weight))
}
