package data_test

import (
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/data"
	"github.com/goanvil/notebook/anvil/nn"
)

type convNet struct {
	Conv   nn.Conv
	Norm   nn.BatchNorm
	Hidden nn.Dense
	After  nn.LayerNorm
	Out    nn.Dense
}

func (m convNet) Apply(x nv.Tensor) nv.Tensor {
	x = m.Norm.Apply(m.Conv.Apply(x)).Relu().Mean(nv.Axis(1), nv.Axis(2))
	return m.Out.Apply(m.After.Apply(m.Hidden.Apply(x)).Relu())
}

// TestForeign loads the files that PyTorch and Flax have written (testdata/foreign.py) by
// tables of names, into a model without tensors, and compares the predictions.
func TestForeign(t *testing.T) {
	for _, c := range []struct {
		program string
		epsilon float64
		opts    []data.LoadOption
		extra   []string
	}{
		{"torch", 1e-5, []data.LoadOption{
			data.Names{
				"Conv.Kernel": "conv.weight", "Conv.Bias": "conv.bias",
				"Norm.Scale": "norm.weight", "Norm.Bias": "norm.bias", "Norm.Mean": "norm.running_mean", "Norm.Var": "norm.running_var",
				"Hidden.Kernel": "fc1.weight", "Hidden.Bias": "fc1.bias", "After.Scale": "ln.weight", "After.Bias": "ln.bias",
				"Out.Kernel": "fc2.weight", "Out.Bias": "fc2.bias",
			},
			data.Axes{"Conv.Kernel": {2, 3, 1, 0}, "Hidden.Kernel": {1, 0}, "Out.Kernel": {1, 0}},
		}, []string{"norm.num_batches_tracked", "x", "y"}},
		{"flax", 1e-6, []data.LoadOption{data.Names{
			"Conv.Kernel": "params.Conv_0.kernel", "Conv.Bias": "params.Conv_0.bias",
			"Norm.Scale": "params.BatchNorm_0.scale", "Norm.Bias": "params.BatchNorm_0.bias",
			"Norm.Mean": "batch_stats.BatchNorm_0.mean", "Norm.Var": "batch_stats.BatchNorm_0.var",
			"Hidden.Kernel": "params.Dense_1.kernel", "Hidden.Bias": "params.Dense_1.bias",
			"After.Scale": "params.LayerNorm_0.scale", "After.Bias": "params.LayerNorm_0.bias",
			"Out.Kernel": "params.Dense_0.kernel", "Out.Bias": "params.Dense_0.bias",
		}}, []string{"x", "y"}},
	} {
		t.Run(c.program, func(t *testing.T) {
			path := "testdata/" + c.program + ".safetensors"
			model := convNet{
				Conv:   nn.Conv{Features: 4, Window: nv.Shape{3, 2}, Padding: []int{0}},
				Hidden: nn.Dense{Features: 5}, After: nn.LayerNorm{Epsilon: c.epsilon}, Out: nn.Dense{Features: 2},
			}
			loaded, report, err := data.Load(path, model, c.opts...)
			if err != nil || !report.Complete() || strings.Join(report.Extra, " ") != strings.Join(c.extra, " ") || report.Cast != nil {
				t.Fatalf("%v, %v", report, err)
			}
			stored := nv.Must(nv.ReadSafetensors(path))
			y := loaded.Apply(stored["x"])
			if d := y.Sub(stored["y"]).Abs().Max().Float(); !(d <= 1e-6) {
				t.Errorf("the prediction differs by %g: %v, want %v", d, y, stored["y"])
			}
		})
	}
}
