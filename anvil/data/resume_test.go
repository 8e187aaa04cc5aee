package data_test

import (
	"path/filepath"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/data"
	"github.com/goanvil/notebook/anvil/nn"
	"github.com/goanvil/notebook/anvil/optim"
	"github.com/goanvil/notebook/anvil/random"
)

type network struct{ In, Out nn.Dense }

func (m network) Apply(x nv.Tensor) nv.Tensor { return m.Out.Apply(m.In.Apply(x).Relu()) }

// training is all that a training goes on with.
type training struct {
	Model network
	State optim.State
	Key   random.PRNGKey
}

// TestResume: a training that is saved and loaded goes on with the same bits, and learns.
func TestResume(t *testing.T) {
	train, test := data.Digits().Split(0.8, random.Key(0))
	opt := optim.SGD{Rate: 0.1, Momentum: 0.9}
	flat := func(x nv.Tensor) nv.Tensor { return x.Reshape(nv.Shape{-1, 64}) }
	loss := func(m network, b data.Batch) nv.Tensor {
		logits := m.Apply(flat(b.X))
		of := logits.TakeAlongAxis(b.Y.Reshape(nv.Shape{-1, 1})).Reshape(nv.Shape{-1})
		return b.Mean(logits.LogSumExp(nv.Axis(1)).Sub(of))
	}
	step := nv.Jit(func(r training, b data.Batch) training {
		g := nv.Grad(func(m network) nv.Tensor { return loss(m, b) })(r.Model)
		r.Model, r.State = optim.Update(opt, r.Model, g, r.State)
		return r
	})
	epoch := func(r training) training {
		var key random.PRNGKey
		key, r.Key = r.Key.Split()
		for b := range train.Batches(64, data.Shuffle(key)) {
			r = step(r, b)
		}
		return r
	}
	start := func(seed int) training {
		m := network{nn.Dense{Features: 32}, nn.Dense{Features: 10}}
		m = nn.Init(m, random.Key(seed), nv.Zeros(nv.Shape{1, 64}))
		return training{m, optim.Init(opt, m), random.Key(seed + 1)}
	}
	r := epoch(epoch(start(1)))
	path := filepath.Join(t.TempDir(), "run.safetensors")
	if err := data.Save(path, r); err != nil {
		t.Fatal(err)
	}
	loaded, report, err := data.Load(path, start(5))
	if err != nil || report.String() != "all tensors loaded" {
		t.Fatalf("%v, %v", report, err)
	}
	if !equal(epoch(loaded), epoch(r)) {
		t.Error("the loaded training goes on with other bits")
	}
	accuracy := data.NewMean()
	for b := range test.Batches(100) {
		accuracy = accuracy.Add(data.Correct(r.Model.Apply(flat(b.X)), b.Y), b.Mask)
	}
	if got := accuracy.Value().Float(); got < 0.85 {
		t.Errorf("the accuracy after two epochs is %v", got)
	}
}
