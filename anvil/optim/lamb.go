package optim

import nv "github.com/goanvil/notebook/anvil"

// LAMB is Adam with a step for each tensor p that is proportional to the norm of p. It adds
//
//	-Rate * u * |p|/|u|
//
// where u is the direction of Adam plus Decay*p, and |p|/|u| is 1 if a norm is 0. Source: You and
// others, Large batch optimization for deep learning, ICLR 2020.
type LAMB struct {
	Rate    any     // a number, Tensor or Schedule; nil: 0.001
	Beta1   float64 // 0: 0.9
	Beta2   float64 // 0: 0.999
	Epsilon float64 // 0: 1e-6
	Decay   float64
	NoDecay []string // parameters that do not decay, given as in the field Except of the type Decay
}

// Init returns the state with the moments "Mu" and "Nu" at 0.
func (o LAMB) Init(params []Param) State { return moments(params) }

// Step returns the changes of one step.
func (o LAMB) Step(params []Param, state State) ([]nv.Tensor, State) {
	rate := rateOf("LAMB", o.Rate, 0.001, state)
	changes := make([]nv.Tensor, len(params))
	rule := adaptive{beta1: or(o.Beta1, 0.9), beta2: or(o.Beta2, 0.999), epsilon: or(o.Epsilon, 1e-6)}
	for i, u := range rule.directions(params, state) {
		u = decayed(u, params[i], o.Decay, o.NoDecay)
		normP, normU := squared(params[i].Value).Sum().Sqrt(), squared(u).Sum().Sqrt()
		trust := nv.Where(normP.Eq(0).Or(normU.Eq(0)), 1, normP.Div(normU))
		changes[i] = times(u.Mul(trust), rate).Neg()
	}
	return changes, state
}
