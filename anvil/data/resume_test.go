package data_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/data"
	"github.com/goanvil/notebook/anvil/nn"
	"github.com/goanvil/notebook/anvil/optim"
	"github.com/goanvil/notebook/anvil/random"
)

type network struct{ In, Out nn.Dense }

func (m network) Apply(x nv.Tensor) nv.Tensor { return m.Out.Apply(m.In.Apply(x).Relu()) }

// A training is the state that a training needs to continue.
type training struct {
	Model network
	State optim.State
	Key   random.PRNGKey
}

// TestResume checks that a training continues with the same bits after Save and Load, and
// that it learns.
func TestResume(t *testing.T) {
	train, test := data.Digits().Split(0.8, random.Key(0))
	opt := optim.SGD{Rate: 0.1, Momentum: 0.9}
	flat := func(x nv.Tensor) nv.Tensor { return x.Reshape(nv.Shape{-1, 64}) }
	loss := func(m network, b data.Batch) nv.Tensor {
		logits := m.Apply(flat(b.X))
		atLabels := logits.TakeAlongAxis(b.Y.Reshape(nv.Shape{-1, 1})).Reshape(nv.Shape{-1})
		return b.Mean(logits.LogSumExp(nv.Axis(1)).Sub(atLabels))
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
		t.Error("the loaded training continues differently")
	}
	accuracy := data.NewMean()
	for b := range test.Batches(100) {
		accuracy = accuracy.Add(data.Correct(r.Model.Apply(flat(b.X)), b.Y), b.Mask)
	}
	if got := accuracy.Value().Float(); got < 0.85 {
		t.Errorf("the accuracy after two epochs is %v", got)
	}
}

type normed struct {
	Body nn.Dense
	Norm nn.BatchNorm
	Out  nn.Dense
}

func (m normed) Apply(x nv.Tensor) nv.Tensor { return m.Out.Apply(m.Norm.Apply(m.Body.Apply(x))) }

// TestResumeFrozen saves and loads a training with a frozen layer and running statistics.
// The file has all tensors of the model, and no moments of those that do not train.
func TestResumeFrozen(t *testing.T) {
	type run struct {
		Model normed
		State optim.State
	}
	r := random.New(1)
	x, y := r.Normal(nv.Shape{8, 3}), r.Normal(nv.Shape{8, 2})
	opt, freeze := optim.Adam{Rate: 0.01}, nn.Freeze("Body")
	start := func(seed int) run {
		m := nn.Init(normed{nn.Dense{Features: 4}, nn.BatchNorm{}, nn.Dense{Features: 2}}, random.Key(seed), x)
		return run{m, optim.Init(opt, m, freeze)}
	}
	step := nv.Jit(func(r run) run {
		loss := func(m normed) nv.Tensor {
			z, _ := m.Norm.Train(m.Body.Apply(x))
			return m.Out.Apply(z).Sub(y).Square().Mean()
		}
		m, s := optim.Update(opt, r.Model, nv.Grad(loss, freeze)(r.Model), r.State)
		_, m.Norm = m.Norm.Train(m.Body.Apply(x))
		return run{m, s}
	})
	first := start(1)
	trained := step(step(first))
	if !equal(trained.Model.Body, first.Model.Body) || equal(trained.Model.Norm.Mean, first.Model.Norm.Mean) {
		t.Error("the frozen layer changes, or the running mean does not")
	}
	path := filepath.Join(t.TempDir(), "run.safetensors")
	if err := data.Save(path, trained); err != nil {
		t.Fatal(err)
	}
	names := slices.Sorted(maps.Keys(nv.Must(nv.ReadSafetensors(path))))
	var want []string
	for i, name := range nn.Names(first.Model) {
		want = append(want, "Model."+name)
		if name == "Norm.Scale" || name == "Norm.Bias" || name == "Out.Kernel" || name == "Out.Bias" {
			want = append(want, "State.Slots.Mu."+strconv.Itoa(i), "State.Slots.Nu."+strconv.Itoa(i))
		}
	}
	want = append(want, "State.Count")
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("the file has\n%q, want\n%q", names, want)
	}
	loaded, report, err := data.Load(path, start(2))
	if err != nil || report.String() != "all tensors loaded" || !equal(loaded, trained) {
		t.Fatalf("%v, %v: loaded %v", report, err, loaded)
	}
	if !equal(step(loaded), step(trained)) {
		t.Error("the loaded training continues differently")
	}
}
