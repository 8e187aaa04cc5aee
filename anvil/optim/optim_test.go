package optim_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/optim"
)

type line struct{ W, B nv.Tensor }

func (m line) loss(x, y nv.Tensor) nv.Tensor { return m.W.Mul(x).Add(m.B).Sub(y).Square().Mean() }

func newLine() line { return line{nv.Scalar(0, nv.F32), nv.Scalar(0, nv.F32)} }

func TestStepCompilesOnce(t *testing.T) {
	x := nv.New([]float64{-1, 0, 1, 2})
	y := x.Mul(3).Sub(1)
	step := nv.Jit(func(m line, s optim.State, rate, x, y nv.Tensor) (line, optim.State, nv.Tensor) {
		opt := optim.SGD{Rate: rate, Momentum: 0.5}
		l, g := nv.ValueAndGrad(func(m line) nv.Tensor { return m.loss(x, y) })(m)
		m, s = optim.Update(opt, m, g, s)
		return m, s, l
	})
	model := newLine()
	state := optim.Init(optim.SGD{Momentum: 0.5}, model)
	var l nv.Tensor
	var after nv.Counters
	for i := range 100 {
		model, state, l = step(nv.Donate(model), nv.Donate(state), nv.Scalar(0.1/(1+0.01*float64(i))), x, y)
		if i == 0 {
			after = nv.Stats()
		}
	}
	if n := nv.Stats().Programs - after.Programs; n != 0 {
		t.Errorf("99 steps compile %d programs", n)
	}
	if l.Float() > 1e-6 || state.Count.Int() != 100 {
		t.Errorf("after %v steps the loss is %v", state.Count, l)
	}
}
