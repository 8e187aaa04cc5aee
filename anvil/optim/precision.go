package optim

import (
	"strings"

	nv "github.com/goanvil/notebook/anvil"
)

// MasterWeights keeps a copy of the parameters at f32, or at their dtype if that is wider. The
// optimizer changes the copy, and the model gets it rounded to its own dtypes. Otherwise small
// changes of bf16 and f16 parameters would be lost. Source: Micikevicius and others, Mixed
// precision training, ICLR 2018.
type MasterWeights struct{ Optimizer Optimizer }

// Init returns the state of the optimizer, with the copies.
func (o MasterWeights) Init(params []Param) State {
	masters := make([]nv.Tensor, len(params))
	for i, p := range params {
		masters[i] = p.Value.Add(0) // a copy, so that model and state can both be donated; Value is f32 even for bf16
	}
	state := State{Slots: map[string][]nv.Tensor{"Master": masters}}
	state.join("", wrapped("MasterWeights", o.Optimizer).Init(params))
	return state
}

// Step returns the differences between the changed copies and the parameters.
func (o MasterWeights) Step(params []Param, state State) ([]nv.Tensor, State) {
	inner := append([]Param(nil), params...)
	for i, master := range state.Slots["Master"] {
		inner[i].Value = master
	}
	changes, next := o.Optimizer.Step(inner, state)
	masters := make([]nv.Tensor, len(params))
	for i, p := range inner {
		masters[i] = p.Value.Add(changes[i])
		changes[i] = masters[i].Sub(params[i].Value)
	}
	next.join("", State{Slots: map[string][]nv.Tensor{"Master": masters}})
	return changes, next
}

// LossScaling divides the gradients by the factor that State.LossScale returns. The loss must be
// multiplied by the factor, so that small gradients of f16 do not vanish:
//
//	l, g := nv.ValueAndGrad(func(m Model) nv.Tensor { return loss(m, x, y) * s.LossScale() })(m)
//
// A step with a gradient that is not finite changes nothing, does not count, and halves the factor,
// but not below 1. After as many finite steps in a row as the field Every says, the factor doubles.
// Source: Micikevicius and others, Mixed precision training, ICLR 2018.
type LossScaling struct {
	Initial   float64 // the first factor; 0: 65536
	Every     int     // number of finite steps; 0: 2000
	Optimizer Optimizer
}

// Init returns the state of the optimizer, with the first factor.
func (o LossScaling) Init(params []Param) State {
	ctx := params[0].Value.Context()
	state := State{Values: map[string]nv.Tensor{
		"LossScale": ctx.Scalar(or(o.Initial, 65536), nv.F32),
		"Finite":    ctx.Zeros(nil, nv.I32),
	}}
	state.join("", wrapped("LossScaling", o.Optimizer).Init(params))
	return state
}

// Step returns the changes of the optimizer, or zeros if a gradient is not finite.
func (o LossScaling) Step(params []Param, state State) ([]nv.Tensor, State) {
	scale := state.Values["LossScale"]
	params = append([]Param(nil), params...)
	finite := scale.IsFinite()
	for i, p := range params {
		params[i].Grad = times(p.Grad, scale.Reciprocal())
		finite = finite.And(p.Grad.IsFinite().All())
	}
	old := state.beforeStep()
	changes, next := o.Optimizer.Step(params, state)
	next = chooseState(finite, next, old)

	every := o.Every
	if every == 0 {
		every = 2000
	}
	good := state.Values["Finite"].Add(1) // the number of finite steps since the factor changed, if this one is finite
	doubled := scale.Mul(2)
	grown := nv.Where(good.Lt(every).Or(doubled.IsFinite().Not()), scale, doubled)
	next.Values["LossScale"] = nv.Where(finite, grown, scale.Div(2).Maximum(1))
	next.Values["Finite"] = nv.Where(finite.And(good.Lt(every)), good, 0)
	return choose(finite, changes, zeros(params)), next
}

// LossScale returns the factor, f32{}, by which the loss must be multiplied in the next step. It
// returns 1 if the optimizer has no LossScaling.
func (s State) LossScale() nv.Tensor {
	for name, x := range s.Values {
		if name == "LossScale" || strings.HasSuffix(name, ".LossScale") {
			return x
		}
	}
	return s.Count.Context().Scalar(1, nv.F32)
}
