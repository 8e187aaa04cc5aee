package optim

import (
	"strings"

	nv "github.com/goanvil/notebook/anvil"
)

// Average applies an optimizer and averages the parameters; Averaged returns the model with
// the averages. The average a of a parameter p starts as the initial parameter. After each step
// it becomes
//
//	Decay*a + (1-Decay)*p
//
// If Decay is 0, a is the mean of the parameters after all steps so far. The averages are
// kept at f32, or at the dtype of the parameter if that is wider. Source:
// Polyak and Juditsky, Acceleration of stochastic approximation by averaging, 1992.
type Average struct {
	Decay     float64
	Optimizer Optimizer
}

// Init returns the state of the optimizer, with the parameters as their averages.
func (o Average) Init(params []Param) State {
	average := make([]nv.Tensor, len(params))
	for i, p := range params {
		average[i] = p.Value.Add(0) // a copy, so that the model and the state can both be donated
	}
	state := State{Slots: map[string][]nv.Tensor{"Average": average}}
	state.join("", wrapped("Average", o.Optimizer).Init(params))
	return state
}

// Step returns the changes of the optimizer.
func (o Average) Step(params []Param, state State) ([]nv.Tensor, State) {
	average, count := state.Slots["Average"], state.Count // count is the number of this step, from 1
	changes, next := o.Optimizer.Step(params, state)
	weight := any(1 - o.Decay)
	if o.Decay == 0 {
		weight = count.AsType(nv.F64).Reciprocal()
	}
	stepped := next.Count.Eq(count) // false if LossScaling or Accumulate skips the step: then next.Count is count-1
	updated := make([]nv.Tensor, len(params))
	for i, p := range params {
		a := average[i]
		updated[i] = nv.Where(stepped, a.Add(times(p.Value.Add(changes[i]).Sub(a), weight)), a)
	}
	next.join("", State{Slots: map[string][]nv.Tensor{"Average": updated}})
	return changes, next
}

// Averaged returns model with its parameters replaced by the averages that an Average keeps in state. Tensors that
// are not trained stay the same.
func Averaged[M any](model M, state State) M { return AveragedAny(model, state).(M) }

// AveragedAny is Averaged for callers that cannot instantiate a generic function.
func AveragedAny(model any, state State) any {
	for name, slot := range state.Slots { // a Chain around the Average prefixes the name
		if name == "Average" || strings.HasSuffix(name, ".Average") {
			return nv.TreeMapAny(func(xs ...nv.Tensor) nv.Tensor {
				if !xs[1].Valid() {
					return xs[0]
				}
				return xs[1].AsType(xs[0].DType())
			}, model, slot)
		}
	}
	fail("Averaged", "", "the state has no averages", "use optim.Average{Decay: 0.999, Optimizer: opt}")
	return nil
}
