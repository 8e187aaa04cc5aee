package optim

import nv "github.com/goanvil/notebook/anvil"

// RMSProp divides the gradients by their running root mean square. A step with the
// gradient g adds
//
//	u = -Rate * g / sqrt(v + Epsilon)
//
// where v = Decay*v + (1-Decay)*g^2 starts from 0. With Centered, the square of the running
// mean of g is subtracted from v. With Momentum, a step instead adds t = u + Momentum*t, where t
// starts from 0, and with Nesterov it adds u + Momentum*t for this new t. Source: Hinton, Neural
// networks for machine learning, lecture 6, 2012; Graves, arXiv 1308.0850.
type RMSProp struct {
	Rate     any     // a number, Tensor or Schedule; nil: 0.001
	Decay    float64 // 0: 0.9
	Epsilon  float64 // 0: 1e-8
	Momentum float64
	Nesterov bool
	Centered bool
}

// Init returns the state with those of the moments "Nu", "Mu" and "Trace" that Step uses, at 0.
func (o RMSProp) Init(params []Param) State {
	state := State{Slots: map[string][]nv.Tensor{"Nu": realZeros(params)}}
	if o.Centered {
		state.Slots["Mu"] = zeros(params)
	}
	if o.Momentum != 0 {
		state.Slots["Trace"] = zeros(params)
	}
	return state
}

// Step returns the changes of one step.
func (o RMSProp) Step(params []Param, state State) ([]nv.Tensor, State) {
	rate, beta := rateOf("RMSProp", o.Rate, 0.001, state), or(o.Decay, 0.9)
	changes := make([]nv.Tensor, len(params))
	for i, p := range params {
		v := mean(state.Slots["Nu"][i], squared(p.Grad), beta)
		state.Slots["Nu"][i] = v
		if o.Centered {
			m := mean(state.Slots["Mu"][i], p.Grad, beta)
			state.Slots["Mu"][i] = m
			v = v.Sub(squared(m))
		}
		changes[i] = times(p.Grad.Mul(v.Add(or(o.Epsilon, 1e-8)).Rsqrt()), rate).Neg()
	}
	if o.Momentum != 0 {
		changes = momentum(changes, state, o.Momentum, o.Nesterov)
	}
	return changes, state
}

// momentum updates the slot "Trace" of state, which has a t for each x of xs: t = x + decay*t. It
// returns the new values t, or, with nesterov, x + decay*t for each.
func momentum(xs []nv.Tensor, state State, decay float64, nesterov bool) []nv.Tensor {
	out := make([]nv.Tensor, len(xs))
	for i, x := range xs {
		out[i] = state.Slots["Trace"][i].Mul(decay).Add(x)
		state.Slots["Trace"][i] = out[i]
		if nesterov {
			out[i] = out[i].Mul(decay).Add(x)
		}
	}
	return out
}

// squared returns the squares of the magnitudes of x, which are real.
func squared(x nv.Tensor) nv.Tensor {
	if isComplex(x) {
		return x.Real().Square().Add(x.Imag().Square())
	}
	return x.Square()
}
