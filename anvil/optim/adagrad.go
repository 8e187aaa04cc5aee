package optim

import nv "github.com/goanvil/notebook/anvil"

// Adagrad divides the gradients by the root of the sum of their squares. A step with the
// gradient g adds
//
//	-Rate * g / sqrt(s + Epsilon)
//
// where s = s + g^2 starts from Initial. Source: Duchi and others, Adaptive subgradient methods
// for online learning and stochastic optimization, JMLR 2011.
type Adagrad struct {
	Rate    any     // a number, Tensor or Schedule; nil: 0.01
	Initial float64 // of s; 0: 0.1
	Epsilon float64 // 0: 1e-7
}

// Init returns the state with the sums "Sum" at Initial.
func (o Adagrad) Init(params []Param) State {
	sums := realZeros(params)
	for i, s := range sums {
		sums[i] = s.Add(or(o.Initial, 0.1))
	}
	return State{Slots: map[string][]nv.Tensor{"Sum": sums}}
}

// Step returns the changes of one step.
func (o Adagrad) Step(params []Param, state State) ([]nv.Tensor, State) {
	rate := rateOf("Adagrad", o.Rate, 0.01, state)
	changes := make([]nv.Tensor, len(params))
	for i, p := range params {
		sum := state.Slots["Sum"][i].Add(squared(p.Grad))
		state.Slots["Sum"][i] = sum
		changes[i] = times(p.Grad.Mul(sum.Add(or(o.Epsilon, 1e-7)).Rsqrt()), rate).Neg()
	}
	return changes, state
}

// Adadelta scales the gradients by the running root mean square of the changes, divided by
// the running root mean square of the gradients. A step with the gradient g adds -Rate*u, where
//
//	u = g * sqrt(x + Epsilon) / sqrt(v + Epsilon)
//
// v = Rho*v + (1-Rho)*g^2 and x = Rho*x + (1-Rho)*u^2 start from 0, and x changes after u is
// computed. Source: Zeiler, Adadelta: an adaptive learning rate method, arXiv 1212.5701.
type Adadelta struct {
	Rate    any     // a number, Tensor or Schedule; nil: 1
	Rho     float64 // 0: 0.9
	Epsilon float64 // 0: 1e-6
}

// Init returns the state with the running means "Grad" and "Change" at 0.
func (o Adadelta) Init(params []Param) State {
	return State{Slots: map[string][]nv.Tensor{"Grad": realZeros(params), "Change": realZeros(params)}}
}

// Step returns the changes of one step.
func (o Adadelta) Step(params []Param, state State) ([]nv.Tensor, State) {
	rate, rho, epsilon := rateOf("Adadelta", o.Rate, 1, state), or(o.Rho, 0.9), or(o.Epsilon, 1e-6)
	changes := make([]nv.Tensor, len(params))
	for i, p := range params {
		v, x := mean(state.Slots["Grad"][i], squared(p.Grad), rho), state.Slots["Change"][i]
		u := p.Grad.Mul(x.Add(epsilon).Sqrt().Div(v.Add(epsilon).Sqrt()))
		state.Slots["Grad"][i], state.Slots["Change"][i] = v, mean(x, squared(u), rho)
		changes[i] = times(u, rate).Neg()
	}
	return changes, state
}
