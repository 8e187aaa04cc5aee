package optim

import nv "github.com/goanvil/notebook/anvil"

// ClipValue limits the elements of the gradients to -Max..Max. It is a part of a Chain:
//
//	optim.Chain{optim.ClipValue{Max: 1}, optim.Adam{Rate: 1e-3}}
type ClipValue struct{ Max float64 }

// Init returns an empty state.
func (o ClipValue) Init([]Param) State { return State{} }

// Step returns the clipped gradients.
func (o ClipValue) Step(params []Param, state State) ([]nv.Tensor, State) {
	changes := gradients(params)
	for i, g := range changes {
		changes[i] = g.Clamp(-o.Max, o.Max)
	}
	return changes, state
}

// ClipNorm scales the gradients so that the norm of all of them together is at most Max. It
// is a part of a Chain. Source: Pascanu and others, On the difficulty of training recurrent
// neural networks, ICML 2013.
type ClipNorm struct{ Max float64 }

// Init returns an empty state.
func (o ClipNorm) Init([]Param) State { return State{} }

// Step returns the scaled gradients.
func (o ClipNorm) Step(params []Param, state State) ([]nv.Tensor, State) {
	changes := gradients(params)
	norm := Norm(changes)
	factor := nv.Where(norm.Lt(o.Max), 1, norm.Reciprocal().Mul(o.Max))
	for i, g := range changes {
		changes[i] = times(g, factor)
	}
	return changes, state
}

// Norm returns the root of the sum of the squares of all tensors of tree together, f64{}.
func Norm(tree any) nv.Tensor {
	var sum nv.Tensor
	for _, x := range nv.TreeLeaves(tree) {
		if !x.Valid() {
			continue
		}
		part := squared(wide(x)).Sum().AsType(nv.F64)
		if sum.Valid() {
			part = sum.Add(part)
		}
		sum = part
	}
	if !sum.Valid() {
		fail("Norm", "", "the tree has no tensors", "give a model or a gradient")
	}
	return sum.Sqrt()
}
