package optim

import (
	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
)

// LBFGS is the limited-memory quasi-Newton method of Broyden, Fletcher, Goldfarb and Shanno, for
// losses without noise: each step needs the gradient over all data. A step adds -Rate*H*g, where g
// is the gradient of all parameters together and H an approximation of the inverse of the Hessian,
// built from the last Memory changes of the parameters and the gradients. The first step adds
// -Rate*g*min(1, 1/|g|). There is no line search. Source: Nocedal and Wright, Numerical
// optimization, 2nd edition, algorithm 7.4.
type LBFGS struct {
	Rate   any // a number, Tensor or Schedule; nil: 1
	Memory int // 0: 10
}

// The slots of the last changes of the parameters and of the gradients.
const (
	valueChanges = "Values"
	gradChanges  = "Grads"
)

// memory returns Memory or its default.
func (o LBFGS) memory() int {
	if o.Memory == 0 {
		return 10
	}
	return positive("LBFGS", "Memory", o.Memory)
}

// Init returns the state with an empty memory. The slots "Values" and "Grads" hold the last Memory
// changes of the parameters and the gradients, oldest first; "Value" and "Grad" hold the last
// parameters and gradients.
func (o LBFGS) Init(params []Param) State {
	state := State{Slots: map[string][]nv.Tensor{"Value": zeros(params), "Grad": zeros(params)}}
	for _, p := range params {
		for _, history := range []string{valueChanges, gradChanges} {
			empty := p.Value.Context().Zeros(append(nv.Shape{o.memory()}, p.Value.Shape()...), p.Value.DType())
			state.Slots[history] = append(state.Slots[history], empty)
		}
	}
	return state
}

// Step returns the changes of one step.
func (o LBFGS) Step(params []Param, state State) ([]nv.Tensor, State) {
	rate, m := rateOf("LBFGS", o.Rate, 1, state), o.memory()
	first := state.Count.Eq(1)
	for i, p := range params {
		// remember drops the oldest change of the slot that history names, appends the change of x since the last
		// step, and stores x in the slot that last names.
		remember := func(last, history string, x nv.Tensor) {
			change := nv.Where(first, 0, x.Sub(state.Slots[last][i]))
			state.Slots[last][i] = x
			newer := state.Slots[history][i].At(nv.Slice(1, m, 1))
			state.Slots[history][i] = nv.Concatenate(0, newer, change.ExpandDims(0))
		}
		remember("Value", valueChanges, p.Value)
		remember("Grad", gradChanges, p.Grad)
	}
	s, y := flatten(state.Slots[valueChanges], m), flatten(state.Slots[gradChanges], m)
	g := flatten(gradients(params), 1).At(0)
	changes := make([]nv.Tensor, len(params))
	direction, at := inverseHessian(s, y, g, first), 0
	for i, p := range params {
		part := direction.At(nv.Slice(at, at+p.Value.Size(), 1))
		at += p.Value.Size()
		if isComplex(part) && !isComplex(p.Value) {
			part = part.Real()
		}
		changes[i] = times(part.Reshape(p.Value.Shape()).AsType(p.Value.DType()), rate).Neg()
	}
	return changes, state
}

// inverseHessian returns the product of the approximated inverse of the Hessian and g, by the
// two-loop recursion. s and y hold the changes of the parameters and of the gradients, a row for
// each step. first is true in the first step, in which all changes are 0.
func inverseHessian(s, y, g, first nv.Tensor) nv.Tensor {
	m := s.Shape()[0]
	curvature := inner(s, y)
	rho := nv.Where(curvature.Eq(0), 0, curvature.Reciprocal())
	alpha := make([]nv.Tensor, m)
	q := g
	for j := m - 1; j >= 0; j-- {
		alpha[j] = rho.At(j).Mul(inner(s.At(j), q))
		q = q.Sub(y.At(j).Mul(alpha[j]))
	}
	last := inner(y.At(m-1), y.At(m-1))
	scale := nv.Where(last.Gt(0), curvature.At(m-1).Div(last), 1)
	scale = nv.Where(first, inner(g, g).Rsqrt().Minimum(1), scale)
	q = q.Mul(scale)
	for j := range m {
		beta := rho.At(j).Mul(inner(y.At(j), q))
		q = q.Add(s.At(j).Mul(alpha[j].Sub(beta)))
	}
	return q
}

// inner returns the real inner products of x and y along the last axis.
func inner(x, y nv.Tensor) nv.Tensor {
	if isComplex(x) {
		return x.Conj().Mul(y).Real().Sum(nv.Axis(-1))
	}
	return x.Mul(y).Sum(nv.Axis(-1))
}

// flatten returns xs side by side, each reshaped to a matrix with the given number of rows, at the dtype that they
// promote to.
func flatten(xs []nv.Tensor, rows int) nv.Tensor {
	parts := make([]any, len(xs))
	for i, x := range xs {
		parts[i] = x
	}
	d := promote.Result(parts...).DType
	for i, x := range xs {
		parts[i] = x.Reshape(nv.Shape{rows, x.Size() / rows}).AsType(d)
	}
	return nv.Concatenate(1, parts...)
}
