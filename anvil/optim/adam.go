package optim

import nv "github.com/goanvil/notebook/anvil"

// Adam scales the steps by running means of the gradients and of their squares. Step t
// with the gradient g adds
//
//	-Rate * (m/(1-Beta1^t)) / (sqrt(v/(1-Beta2^t)) + Epsilon)
//
// where m = Beta1*m + (1-Beta1)*g and v = Beta2*v + (1-Beta2)*g^2 start from 0. Source:
// Kingma and Ba, Adam: a method for stochastic optimization, ICLR 2015.
type Adam struct {
	Rate    any     // a number, Tensor or Schedule; nil: 0.001
	Beta1   float64 // 0: 0.9
	Beta2   float64 // 0: 0.999
	Epsilon float64 // 0: 1e-8
}

// Init returns the state with the moments "Mu" and "Nu" at 0.
func (o Adam) Init(params []Param) State { return moments(params) }

// Step returns the changes of one step.
func (o Adam) Step(params []Param, state State) ([]nv.Tensor, State) {
	rate := rateOf("Adam", o.Rate, 0.001, state)
	changes := make([]nv.Tensor, len(params))
	rule := adaptive{beta1: or(o.Beta1, 0.9), beta2: or(o.Beta2, 0.999), epsilon: or(o.Epsilon, 1e-8)}
	for i, u := range rule.directions(params, state) {
		changes[i] = times(u, rate).Neg()
	}
	return changes, state
}

// NAdam is Adam with Nesterov's momentum: m/(1-Beta1^t) is replaced by
//
//	Beta1*m/(1-Beta1^(t+1)) + (1-Beta1)*g/(1-Beta1^t)
//
// Source: Dozat, Incorporating Nesterov momentum into Adam, ICLR workshop 2016.
type NAdam struct {
	Rate    any     // a number, Tensor or Schedule; nil: 0.001
	Beta1   float64 // 0: 0.9
	Beta2   float64 // 0: 0.999
	Epsilon float64 // 0: 1e-8
}

// Init returns the state with the moments "Mu" and "Nu" at 0.
func (o NAdam) Init(params []Param) State { return moments(params) }

// Step returns the changes of one step.
func (o NAdam) Step(params []Param, state State) ([]nv.Tensor, State) {
	rate := rateOf("NAdam", o.Rate, 0.001, state)
	changes := make([]nv.Tensor, len(params))
	rule := adaptive{beta1: or(o.Beta1, 0.9), beta2: or(o.Beta2, 0.999), epsilon: or(o.Epsilon, 1e-8), nesterov: true}
	for i, u := range rule.directions(params, state) {
		changes[i] = times(u, rate).Neg()
	}
	return changes, state
}

// AdamW is Adam that also adds -Rate*Decay*p to each parameter p that decays. Source:
// Loshchilov and Hutter, Decoupled weight decay regularization, ICLR 2019.
type AdamW struct {
	Rate    any      // a number, Tensor or Schedule; nil: 0.001
	Beta1   float64  // 0: 0.9
	Beta2   float64  // 0: 0.999
	Epsilon float64  // 0: 1e-8
	Decay   float64  // 0: 1e-4
	NoDecay []string // parameters that do not decay, given as in the field Except of the type Decay
}

// Init returns the state with the moments "Mu" and "Nu" at 0.
func (o AdamW) Init(params []Param) State { return moments(params) }

// Step returns the changes of one step.
func (o AdamW) Step(params []Param, state State) ([]nv.Tensor, State) {
	rate := rateOf("AdamW", o.Rate, 0.001, state)
	changes := make([]nv.Tensor, len(params))
	rule := adaptive{beta1: or(o.Beta1, 0.9), beta2: or(o.Beta2, 0.999), epsilon: or(o.Epsilon, 1e-8)}
	for i, u := range rule.directions(params, state) {
		u = decayed(u, params[i], or(o.Decay, 1e-4), o.NoDecay)
		changes[i] = times(u, rate).Neg()
	}
	return changes, state
}

// An adaptive is the rule that Adam, NAdam, AdamW and LAMB share.
type adaptive struct {
	beta1, beta2, epsilon float64
	nesterov              bool
}

// directions updates the moments in state and returns their quotients, the directions of
// Adam. A step subtracts the directions times the rate.
func (o adaptive) directions(params []Param, state State) []nv.Tensor {
	correct1, correct2 := correction(o.beta1, state.Count), correction(o.beta2, state.Count)
	us := make([]nv.Tensor, len(params))
	for i, p := range params {
		mu := mean(state.Slots["Mu"][i], p.Grad, o.beta1)
		nu := mean(state.Slots["Nu"][i], squared(p.Grad), o.beta2)
		state.Slots["Mu"][i], state.Slots["Nu"][i] = mu, nu
		m := times(mu, correct1)
		if o.nesterov {
			next := times(mu, correction(o.beta1, state.Count.Add(1)))
			m = mean(next, times(p.Grad, correct1), o.beta1)
		}
		root := times(nu, correct2).Sqrt()
		us[i] = m.Div(root.Add(constant(root, o.epsilon)))
	}
	return us
}

// moments returns a state with the slots "Mu" and "Nu" of zeros.
func moments(params []Param) State {
	return State{Slots: map[string][]nv.Tensor{"Mu": zeros(params), "Nu": realZeros(params)}}
}

// correction returns the f64 scalar 1/(1-beta^t), which corrects a running mean of t values that starts
// from 0.
func correction(beta float64, t nv.Tensor) nv.Tensor {
	power := t.Context().Scalar(beta, nv.F64).Pow(t.AsType(nv.F64))
	return power.Neg().Add(1).Reciprocal()
}

// mean returns beta*old + (1-beta)*x.
func mean(old, x nv.Tensor, beta float64) nv.Tensor {
	return old.Mul(constant(old, beta)).Add(x.Mul(constant(x, 1-beta)))
}

// constant returns v at the dtype of x as a constant of the program. An argument of the
// program, such as a rate that changes between steps, would be loaded for each element.
func constant(x nv.Tensor, v float64) nv.Tensor { return x.Context().Constant(nil, v, x.DType()) }

// or returns v, or standard if v is 0.
func or(v, standard float64) float64 {
	if v == 0 {
		return standard
	}
	return v
}
