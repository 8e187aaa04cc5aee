package optim_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/optim"
)

// TestDonatedFirstStep checks that the state of Init can be donated together with the model
// whose values it copies.
func TestDonatedFirstStep(t *testing.T) {
	type model struct{ W nv.Tensor }
	opt := optim.Average{Decay: 0.5, Optimizer: optim.MasterWeights{Optimizer: optim.SGD{Rate: 0.5}}}
	m := model{nv.Ones(nv.Shape{200, 200}, nv.F32).Mul(nv.Scalar(1, nv.F32))}
	s := optim.Init(opt, m)
	step := stepOf(opt, func(m model) nv.Tensor { return m.W.Sum() })
	for range 3 {
		m, s = step(nv.Donate(m), nv.Donate(s))
	}
	if w, a := m.W.Min().Float(), optim.Averaged(m, s).W.Max().Float(); w != -0.5 || a != 0.5*(0.5*(0.5*1+0.5*0.5)+0)+0.5*-0.5 {
		t.Errorf("the parameter is %v and its average %v", w, a)
	}
}
