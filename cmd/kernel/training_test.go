package main

import (
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/goanvil/notebook/anvil/xla"
)

// network declares a model of digits, its data and a jitted step of training. The first layer is
// large enough for nv.Donate to have an effect.
const network = `
type Net struct{ In, Out nn.Dense }
func (m Net) Apply(x nv.Tensor) nv.Tensor { return m.Out.Apply(nv.Relu(m.In.Apply(x))) }
type Run struct {
	Model Net
	State optim.State
	Steps nv.Tensor
}
digits := data.Digits()
x, y := digits.X.Reshape(nv.Shape{-1, 64})[:256], digits.Y[:256]
opt := optim.Adam{Rate: 1e-3}
loss := func(m Net) nv.Tensor { return nv.CrossEntropyLoss(m.Apply(x), y) }
step := nv.Jit(func(r Run) Run {
	m, s := optim.Update(opt, r.Model, nv.Grad(loss)(r.Model), r.State)
	return Run{m, s, r.Steps + 1}
})
start := func(seed int) Run {
	m := nn.Init(Net{nn.Dense{Features: 300}, nn.Dense{Features: 10}}, random.Key(seed), x)
	return Run{m, optim.Init(opt, m), nv.Scalar(0, nv.I32)}
}
run := start(1)
`

// TestSavedModel compares the predictions of a model in the kernel that trained it, and in a fresh
// kernel that has loaded it from a file.
func TestSavedModel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.safetensors")
	const predict = `
var bits []string
for _, v := range nv.Values[float32](run.Model.Apply(x)) {
	bits = append(bits, fmt.Sprintf("%08x", math.Float32bits(v)))
}
strings.Join(bits, "")`
	trained := newFront(t, trainingBackend())
	trained.text(network + "for range 20 {\n\trun = step(nv.Donate(run))\n}")
	want := trained.text(predict)
	trained.text(fmt.Sprintf("if err := data.Save(%q, run); err != nil {\n\tpanic(err)\n}", path))
	further := "run = step(nv.Donate(run))" + predict
	fresh := newFront(t, trainingBackend())
	fresh.text(network)
	if fresh.text(predict) == want {
		t.Error("training changes nothing")
	}
	report := fresh.text(fmt.Sprintf("loaded, report, err := data.Load(%q, start(2))\nrun = nv.Must(loaded, err)\nreport", path))
	if got := fresh.text(predict); got != want || report != "all tensors loaded" {
		t.Errorf("the loaded model predicts other bits (%s)", report)
	}
	if trained.text(further) != fresh.text(further) {
		t.Error("a further step gives other bits")
	}
}

// TestInterruptedTraining tests that an interrupted training leaves the model of the last finished step.
func TestInterruptedTraining(t *testing.T) {
	f := newFront(t, trainingBackend())
	f.text(network)
	for _, steps := range []int{1, 10, 100} {
		a := f.interrupted(fmt.Sprintf("run = start(1)\nfor i := 0; ; i++ {\n\trun = step(nv.Donate(run))\n\tif i == %d {\n\t\t%s\t}\n}", steps, begun))
		if a.Ename != "Interrupt" {
			t.Fatalf("%s %+v", a.Status, a.Failure)
		}
		f.want(`
again := start(1)
for range run.Steps.Int() {
	again = step(nv.Donate(again))
}
differ := []string{}
for i, x := range nv.TreeLeaves(run) {
	if !nv.ArrayEqual(x, nv.TreeLeaves(again)[i]).Bool() {
		differ = append(differ, nv.TreePaths(run)[i])
	}
}
run.Steps.Int() > 0, differ`, "true\n[]string{}")
	}
}

// TestTrainingIsFlat tests that 10,000 steps of training leave no memory, programs or goroutines.
func TestTrainingIsFlat(t *testing.T) {
	f, s := newMeasuredFront(t, trainingBackend())
	f.text(network)
	const loop = "for range %d {\n\trun = step(nv.Donate(run))\n}\nrun.Steps.Int()"
	f.text(fmt.Sprintf(loop, 1000))
	heap, device, compiled := liveHeap(), liveOnDevice(s), s.ctx.Stats().Compiles
	goroutines := runtime.NumGoroutine()
	f.want(fmt.Sprintf(loop, 10000), "11000")
	if more := liveHeap() - heap; more > 256<<10 {
		t.Errorf("10,000 steps leave %d bytes", more)
	}
	if more := liveOnDevice(s) - device; more > 0 {
		t.Errorf("10,000 steps leave %d bytes on the device", more)
	}
	if more := s.ctx.Stats().Compiles - compiled; more > 0 {
		t.Errorf("10,000 steps compile %d programs", more)
	}
	if more := runtime.NumGoroutine() - goroutines; more > 2 {
		t.Errorf("10,000 steps leave %d goroutines", more)
	}
}

// trainingBackend returns "xla" if a plugin is found, and otherwise "reference".
func trainingBackend() string {
	if len(xla.Discover("")) == 0 {
		return "reference"
	}
	return "xla"
}
