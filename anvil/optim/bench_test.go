package optim_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/nn"
	"github.com/goanvil/notebook/anvil/optim"
	"github.com/goanvil/notebook/anvil/random"
)

type deep struct{ A, B, C, D, E, F, G, H, I, J nn.Dense }

func (d deep) Apply(x nv.Tensor) nv.Tensor {
	for _, l := range []nn.Dense{d.A, d.B, d.C, d.D, d.E, d.F, d.G, d.H, d.I, d.J} {
		x = l.Apply(x)
	}
	return x
}

// BenchmarkStep measures the call of a jitted step, whose model has 20 tensors of a few elements.
func BenchmarkStep(b *testing.B) {
	l := nn.Dense{Features: 2}
	x := nv.Ones(nv.Shape{1, 2})
	model := nn.Init(deep{l, l, l, l, l, l, l, l, l, l}, random.Key(0), x)
	for _, c := range []struct {
		name string
		opt  optim.Optimizer
	}{{"SGD", optim.SGD{Rate: 0.01}}, {"Adam", optim.Adam{Rate: 0.01}}} {
		b.Run(c.name, func(b *testing.B) {
			type both struct {
				Model deep
				State optim.State
			}
			step := nv.Jit(func(s both, x nv.Tensor) both {
				g := nv.Grad(func(m deep) nv.Tensor { return m.Apply(x).Square().Sum() })(s.Model)
				m, st := optim.Update(c.opt, s.Model, g, s.State)
				return both{m, st}
			})
			s := both{model, optim.Init(c.opt, model)}
			s = nv.TreeMap(func(xs ...nv.Tensor) nv.Tensor { return xs[0].Mul(1) }, s)
			for range 3 {
				s = step(nv.Donate(s), x)
			}
			b.ResetTimer()
			b.ReportAllocs()
			for range b.N {
				s = step(nv.Donate(s), x)
			}
			s.Model.A.Kernel.Wait()
		})
	}
}
