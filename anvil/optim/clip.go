package optim

import (
	"fmt"

	nv "github.com/goanvil/notebook/anvil"
)

// ClipValue limits the elements of the gradients to -Max..Max. It is a part of a Chain:
//
//	optim.Chain{optim.ClipValue{Max: 1}, optim.Adam{Rate: 1e-3}}
type ClipValue struct{ Max float64 }

// Init returns an empty state.
func (o ClipValue) Init([]Param) State { return initClip("ClipValue", o.Max) }

// Step returns the clipped gradients.
func (o ClipValue) Step(params []Param, state State) ([]nv.Tensor, State) {
	changes := gradients(params)
	for i, g := range changes {
		changes[i] = g.Clamp(-o.Max, o.Max)
	}
	return changes, state
}

// ClipNorm scales the gradients so that their norm, taken over all parameters together, is at
// most Max. It is a part of a Chain. Source: Pascanu and others, On the difficulty of training
// recurrent neural networks, ICML 2013.
type ClipNorm struct{ Max float64 }

// Init returns an empty state.
func (o ClipNorm) Init([]Param) State { return initClip("ClipNorm", o.Max) }

// Step returns the scaled gradients.
func (o ClipNorm) Step(params []Param, state State) ([]nv.Tensor, State) {
	changes := gradients(params)
	size := norm(changes)
	factor := nv.Where(size.Lt(o.Max), 1, size.Reciprocal().Mul(o.Max))
	for i, g := range changes {
		changes[i] = times(g, factor)
	}
	return changes, state
}

// norm returns the root of the sum of the squares of all elements of all tensors, a scalar of dtype f64.
func norm(xs []nv.Tensor) nv.Tensor {
	sum := xs[0].Context().Zeros(nil, nv.F64)
	for _, x := range xs {
		sum = sum.Add(squared(x).Sum().AsType(nv.F64))
	}
	return sum.Sqrt()
}

// initClip returns the empty state of the optimizer called op. It first checks that limit, the field Max of the
// optimizer, is positive: a limit of 0 stops the training, and a negative one reverses it.
func initClip(op string, limit float64) State {
	if !(limit > 0) {
		fail(op, fmt.Sprintf("Max: %v", limit), "Max is not positive", "give a limit, such as 1")
	}
	return State{}
}
