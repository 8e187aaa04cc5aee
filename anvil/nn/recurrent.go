package nn

import (
	"fmt"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/random"
	"github.com/goanvil/notebook/anvil/typename"
)

// LSTM is the cell of a long short-term memory, for RNN. Its state is (c, h):
//
//	i, f, g, o = split(x*Kernel + h*Recurrent + Bias)
//	c = Gate(f)*c + Gate(i)*Act(g)
//	h = Gate(o)*Act(c)
//
// The state and the result have the dtype to which the dtype of computation and the dtypes of the parameters promote.
type LSTM struct {
	Features      int                       // of the state
	Gate          func(nv.Tensor) nv.Tensor // nil: nv.Logistic
	Act           func(nv.Tensor) nv.Tensor // nil: nv.Tanh
	KernelInit    Initializer               // nil: random.LecunNormal
	RecurrentInit Initializer               // nil: orthogonal
	BiasInit      Initializer               // nil: Zeros
	DType         nv.DType                  // of computation; zero: the promotion of x and the parameters
	ParamDType    nv.DType                  // of the parameters that Init makes; zero: f32
	Kernel        nv.Tensor                 // {inputs, 4*Features}
	Recurrent     nv.Tensor                 // {Features, 4*Features}
	Bias          nv.Tensor                 // {4*Features}
	base
}

// Init returns the cell with parameters for elements like x, which has axes (batch...,
// inputs).
func (l LSTM) Init(key random.PRNGKey, x nv.Tensor) LSTM {
	return Init(oneStep{l}, key, x).Cell.(LSTM)
}

// Start returns the state before the first element: zeros for elements like x, which has
// axes (batch..., inputs).
func (l LSTM) Start(x nv.Tensor) []nv.Tensor {
	kernel, recurrent, bias := l.parameters(x)
	zero := l.zeroState("LSTM", l.DType, l.Features, x, kernel, recurrent, bias)
	return []nv.Tensor{zero, zero}
}

// Step returns the state after the element x, and the result h.
func (l LSTM) Step(state []nv.Tensor, x nv.Tensor) (next []nv.Tensor, y nv.Tensor) {
	defer l.enter("LSTM", &y, x)()
	checkState("LSTM", state, 2)
	kernel, recurrent, bias := l.parameters(x)
	p := l.promote("LSTM", l.DType, x, kernel, recurrent, bias)
	x, kernel, recurrent, bias = p[0], p[1], p[2], p[3]
	h := cast("LSTM", state[1], x.DType())
	z := x.MatMul(kernel).Add(h.MatMul(recurrent)).Add(bias).Split(4, -1)
	i, f, g, o := z[0], z[1], z[2], z[3]
	gate, act := orFunc(l.Gate, nv.Tensor.Logistic), orFunc(l.Act, nv.Tensor.Tanh)
	d := state[0].DType()
	toState := func(x nv.Tensor) nv.Tensor { return cast("LSTM", x, d) }
	c := toState(gate(f)).Mul(state[0]).Add(toState(gate(i)).Mul(toState(act(g))))
	y = toState(gate(o)).Mul(toState(act(c)))
	return []nv.Tensor{c, y}, y
}

// parameters returns the parameters for elements like x.
func (l LSTM) parameters(x nv.Tensor) (kernel, recurrent, bias nv.Tensor) {
	n, f := lastAxis("LSTM", x), l.Features
	kernel = l.param("LSTM", "Kernel", l.Kernel, nv.Shape{n, 4 * f}, l.ParamDType,
		blocks(4, l.KernelInit.or(lecunNormal)))
	recurrent = l.param("LSTM", "Recurrent", l.Recurrent, nv.Shape{f, 4 * f}, l.ParamDType,
		blocks(4, l.RecurrentInit.or(orthogonal)))
	bias = l.param("LSTM", "Bias", l.Bias, nv.Shape{4 * f}, l.ParamDType, l.BiasInit.or(Zeros))
	return kernel, recurrent, bias
}

// GRU is the cell of a gated recurrent unit, for RNN. Its state is (h):
//
//	xr, xz, xn = split(x*Kernel + Bias)
//	hr, hz, hn = split(h*Recurrent)
//	r, z = Gate(xr+hr), Gate(xz+hz)
//	n = Act(xn + r*(hn+RecurrentBias))
//	h = (1-z)*n + z*h
//
// The state and the result have the dtype to which the dtype of computation and the dtypes of the parameters promote.
type GRU struct {
	Features      int                       // of the state
	Gate          func(nv.Tensor) nv.Tensor // nil: nv.Logistic
	Act           func(nv.Tensor) nv.Tensor // nil: nv.Tanh
	KernelInit    Initializer               // nil: random.LecunNormal
	RecurrentInit Initializer               // nil: orthogonal
	BiasInit      Initializer               // nil: Zeros
	DType         nv.DType                  // of computation; zero: the promotion of x and the parameters
	ParamDType    nv.DType                  // of the parameters that Init makes; zero: f32
	Kernel        nv.Tensor                 // {inputs, 3*Features}
	Recurrent     nv.Tensor                 // {Features, 3*Features}
	Bias          nv.Tensor                 // {3*Features}
	RecurrentBias nv.Tensor                 // {Features}
	base
}

// Init returns the cell with parameters for elements like x, which has axes (batch...,
// inputs).
func (g GRU) Init(key random.PRNGKey, x nv.Tensor) GRU {
	return Init(oneStep{g}, key, x).Cell.(GRU)
}

// Start returns the state before the first element: zeros for elements like x, which has
// axes (batch..., inputs).
func (g GRU) Start(x nv.Tensor) []nv.Tensor {
	return []nv.Tensor{g.zeroState("GRU", g.DType, g.Features, x, g.parameters(x)...)}
}

// Step returns the state after the element x, and the result h.
func (g GRU) Step(state []nv.Tensor, x nv.Tensor) (next []nv.Tensor, y nv.Tensor) {
	defer g.enter("GRU", &y, x)()
	checkState("GRU", state, 1)
	p := g.promote("GRU", g.DType, append([]nv.Tensor{x}, g.parameters(x)...)...)
	x, kernel, recurrent, bias, recurrentBias := p[0], p[1], p[2], p[3], p[4]
	h := cast("GRU", state[0], x.DType())
	fromX, fromH := x.MatMul(kernel).Add(bias).Split(3, -1), h.MatMul(recurrent).Split(3, -1)
	gate, act := orFunc(g.Gate, nv.Tensor.Logistic), orFunc(g.Act, nv.Tensor.Tanh)
	r, z := gate(fromX[0].Add(fromH[0])), gate(fromX[1].Add(fromH[1]))
	n := act(fromX[2].Add(r.Mul(fromH[2].Add(recurrentBias))))
	d := state[0].DType()
	toState := func(x nv.Tensor) nv.Tensor { return cast("GRU", x, d) }
	y = toState(z.Neg().Add(1)).Mul(toState(n)).Add(toState(z).Mul(state[0]))
	return []nv.Tensor{y}, y
}

// parameters returns Kernel, Recurrent, Bias and RecurrentBias for elements like x.
func (g GRU) parameters(x nv.Tensor) []nv.Tensor {
	n, f := lastAxis("GRU", x), g.Features
	return []nv.Tensor{
		g.param("GRU", "Kernel", g.Kernel, nv.Shape{n, 3 * f}, g.ParamDType, blocks(3, g.KernelInit.or(lecunNormal))),
		g.param("GRU", "Recurrent", g.Recurrent, nv.Shape{f, 3 * f}, g.ParamDType,
			blocks(3, g.RecurrentInit.or(orthogonal))),
		g.param("GRU", "Bias", g.Bias, nv.Shape{3 * f}, g.ParamDType, g.BiasInit.or(Zeros)),
		g.param("GRU", "RecurrentBias", g.RecurrentBias, nv.Shape{f}, g.ParamDType, g.BiasInit.or(Zeros)),
	}
}

// A Cell is a layer that RNN applies to each element of a sequence.
type Cell interface {
	// Start returns the state before the first element, for elements like x.
	Start(x nv.Tensor) []nv.Tensor
	// Step returns the state after the element x, and a result.
	Step(state []nv.Tensor, x nv.Tensor) ([]nv.Tensor, nv.Tensor)
}

// RNN applies a cell to the elements of a sequence, one after the other, by nv.Scan.
type RNN struct {
	Cell    any  // a Cell, such as LSTM or GRU
	Reverse bool // begins with the last element
	base
}

// Init returns the layer with parameters for inputs like x.
func (r RNN) Init(key random.PRNGKey, x nv.Tensor) RNN { return Init(r, key, x) }

// Apply returns the results of the cell, with axes (batch..., length, features), for x, with
// axes (batch..., length, inputs).
func (r RNN) Apply(x nv.Tensor, mode ...Mode) nv.Tensor {
	y, _ := r.Run(x, nil)
	return y
}

// Run returns the results of the cell for x, and the state after the last element. It begins with
// the given state, or with Cell.Start if state is nil.
func (r RNN) Run(x nv.Tensor, state []nv.Tensor) (y nv.Tensor, last []nv.Tensor) {
	defer r.enter("RNN", &y, x)()
	cell, ok := r.Cell.(Cell)
	if !ok {
		fail("RNN", typename.Of(r.Cell), "the field Cell has no methods Start and Step",
			"give nn.LSTM{Features: 64}")
	}
	if x.Rank() < 2 {
		fail("RNN", describe(x), "the input has fewer than 2 axes", "give axes (batch..., length, inputs)")
	}
	s := x.Shape()
	element := append(s[:len(s)-2:len(s)-2], s[len(s)-1])
	if state == nil {
		state = cell.Start(x.Context().Zeros(element, x.DType()))
	}
	var opts []nv.ScanOption
	if r.Reverse {
		opts = append(opts, nv.Reverse)
	}
	step := func(state []nv.Tensor, x nv.Tensor) ([]nv.Tensor, nv.Tensor) { return cell.Step(state, x) }
	end, ys := x.Context().ScanAny(state, x.MoveAxis(-2, 0), step, opts...)
	return ys.(nv.Tensor).MoveAxis(0, -2), end.([]nv.Tensor)
}

// oneStep is a layer that runs one step of a cell, so that Init can initialize the cell alone.
type oneStep struct{ Cell any }

// Apply returns the result of the first element.
func (o oneStep) Apply(x nv.Tensor) nv.Tensor {
	cell := o.Cell.(Cell)
	_, y := cell.Step(cell.Start(x), x)
	return y
}

// zeroState returns zeros with axes (batch..., features) for elements like x. The dtype of computation
// (see resultDType) and the dtypes of params promote to their dtype.
func (b base) zeroState(op string, d nv.DType, features int, x nv.Tensor, params ...nv.Tensor) nv.Tensor {
	d = b.resultDType(op, d, append([]nv.Tensor{x}, params...)...)
	for _, p := range params {
		d = b.promotionSystem().Promote(d, p.DType())
	}
	s := x.Shape()
	s[len(s)-1] = features
	return x.Context().Zeros(s, d)
}

// checkState fails unless the state has n tensors.
func checkState(op string, state []nv.Tensor, n int) {
	if len(state) != n {
		fail(op, describe(state...), fmt.Sprintf("the state has %d tensors, but the cell needs %d", len(state), n),
			"begin with Start(x)")
	}
}

// orFunc returns f, or fallback if f is nil.
func orFunc(f, fallback func(nv.Tensor) nv.Tensor) func(nv.Tensor) nv.Tensor {
	if f == nil {
		return fallback
	}
	return f
}

// blocks returns the Initializer of n matrices side by side; init makes each from another key.
func blocks(n int, init Initializer) Initializer {
	return func(k random.PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
		var all []any
		for i := range n {
			all = append(all, init(k.FoldIn(i), nv.Shape{s[0], s[1] / n}, opts...))
		}
		return k.Data.Context().Concatenate(-1, all...)
	}
}

// orthogonal is the Initializer of orthogonal matrices.
func orthogonal(k random.PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	return random.SemiOrthogonal(k, s[0], s[1], nil, opts...)
}
