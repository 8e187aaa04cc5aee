package data_test

import (
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/data"
	"github.com/goanvil/notebook/anvil/nn"
	"github.com/goanvil/notebook/anvil/random"
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

// TestForeign loads files of PyTorch and Flax (from testdata/foreign.py) by tables of names
// into a model without tensors, and compares the predictions.
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

type bothWays struct{ Forward, Backward nn.RNN }

// TestForeignRecurrent loads an LSTM and a GRU of PyTorch, which has two biases for each
// cell, and compares the results.
func TestForeignRecurrent(t *testing.T) {
	path := "testdata/torch_recurrent.safetensors"
	stored := nv.Must(nv.ReadSafetensors(path))
	cell := func() nn.RNN { return nn.RNN{Cell: nn.LSTM{Features: 4}} }
	check := func(name string, y nv.Tensor, report data.Report, err error) {
		t.Helper()
		if err != nil || !report.Complete() || report.Cast != nil || y.DType() != nv.F64 {
			t.Fatalf("%v, %v, %v", report, err, y.Type())
		}
		for _, extra := range report.Extra {
			if strings.HasPrefix(extra, name) {
				t.Errorf("%s is not used", extra)
			}
		}
		if d := y.Sub(stored["y."+name]).Abs().Max().Float(); !(d <= 1e-10) {
			t.Errorf("%s differs by %g: %v, want %v", name, d, y, stored["y."+name])
		}
	}
	lstm, report, err := data.Load(path, nn.Sequential{cell(), cell()}, data.TorchCells{"0.Cell": "lstm.*_l0", "1.Cell": "lstm.*_l1"})
	check("lstm", lstm.Apply(stored["x"]), report, err)
	gru := nn.RNN{Cell: nn.GRU{Features: 4}}
	both, report, err := data.Load(path, bothWays{gru, nn.RNN{Cell: gru.Cell, Reverse: true}},
		data.TorchCells{"Forward.Cell": "gru.*_l0", "Backward.Cell": "gru.*_l0_reverse"})
	check("gru", nv.Concatenate(-1, both.Forward.Apply(stored["x"]), both.Backward.Apply(stored["x"])), report, err)
	plain, report, err := data.Load(path, cell(), data.TorchCells{"Cell": "plain.*_l0"})
	check("plain", plain.Apply(stored["x"]), report, err)
	one, report, err := data.Load(path, nn.LSTM{Features: 4, ParamDType: nv.F64}, data.TorchCells{"": "plain.*_l0"})
	if y, _ := (nn.RNN{Cell: one}).Run(stored["x"], nil); !nv.ArrayEqual(y, plain.Apply(stored["x"])).Bool() {
		t.Errorf("a cell by itself: %v, %v, %v", y, report, err)
	}
	for _, c := range []struct {
		cells data.TorchCells
		want  string
	}{
		{data.TorchCells{"Cell": "lstm_l0"}, `data.Load("testdata/torch_recurrent.safetensors"): the file has no ` +
			`recurrent layer with parameters called "lstm_l0"; write * in place of weight_ih, ...; the ` +
			"names in the file are gru.bias_hh_l0, gru.bias_hh_l0_reverse, gru.bias_ih_l0, " +
			"gru.bias_ih_l0_reverse, gru.weight_hh_l0, gru.weight_hh_l0_reverse, gru.weight_ih_l0, " +
			"gru.weight_ih_l0_reverse, lstm.bias_hh_l0, lstm.bias_hh_l1, lstm.bias_ih_l0, lstm.bias_ih_l1, " +
			"lstm.weight_hh_l0, lstm.weight_hh_l1, lstm.weight_ih_l0, lstm.weight_ih_l1, " +
			"plain.weight_hh_l0, plain.weight_ih_l0, x, y.gru, y.lstm, y.plain"},
		{data.TorchCells{"Cell": "lstm.*_l2"}, `data.Load("testdata/torch_recurrent.safetensors"): the file has no ` +
			`recurrent layer with parameters called "lstm.*_l2"; write * in place of weight_ih, ...; the ` +
			"names in the file are gru.bias_hh_l0, gru.bias_hh_l0_reverse, gru.bias_ih_l0, " +
			"gru.bias_ih_l0_reverse, gru.weight_hh_l0, gru.weight_hh_l0_reverse, gru.weight_ih_l0, " +
			"gru.weight_ih_l0_reverse, lstm.bias_hh_l0, lstm.bias_hh_l1, lstm.bias_ih_l0, lstm.bias_ih_l1, " +
			"lstm.weight_hh_l0, lstm.weight_hh_l1, lstm.weight_ih_l0, lstm.weight_ih_l1, " +
			"plain.weight_hh_l0, plain.weight_ih_l0, x, y.gru, y.lstm, y.plain"},
		{data.TorchCells{"Cel": "lstm.*_l0"}, `data.Load("testdata/torch_recurrent.safetensors"): the tree has no ` +
			`nn.LSTM and no nn.GRU at "Cel"; the paths are Cell.Kernel, Cell.Recurrent, Cell.Bias`},
		{data.TorchCells{"Cell": "lstm.*_l1"}, `data.Load("testdata/torch_recurrent.safetensors"): Cell.Kernel is ` +
			"f64{4,16} in the file and f32{3,16} in the tree; give data.Axes to reorder axes of the file"},
	} {
		model := nn.Init(cell(), random.Key(0), stored["x"].AsType(nv.F32))
		if _, _, err := data.Load(path, model, c.cells); err == nil || err.Error() != c.want {
			t.Errorf("%v; want %q", err, c.want)
		}
	}
}

// TestForeignFlaxLayers loads Flax's attention, whose kernels have an axis of heads, and its
// LSTM and GRU, which have a matrix for each gate, and compares the results.
func TestForeignFlaxLayers(t *testing.T) {
	path := "testdata/flax_layers.safetensors"
	stored := nv.Must(nv.ReadSafetensors(path))
	x := stored["x"]
	check := func(name string, y nv.Tensor, report data.Report, err error) {
		t.Helper()
		if err != nil || !report.Complete() || report.Cast != nil {
			t.Fatalf("%s: %v, %v", name, report, err)
		}
		for _, extra := range report.Extra {
			if strings.HasPrefix(extra, name) {
				t.Errorf("%s is not used", extra)
			}
		}
		if d := y.Sub(stored["y."+name]).Abs().Max().Float(); !(d <= 1e-12) {
			t.Errorf("%s differs by %g: %v, want %v", name, d, y, stored["y."+name])
		}
	}
	names := data.Names{}
	for ours, theirs := range map[string]string{"Query": "query", "Key": "key", "Value": "value", "Out": "out"} {
		names[ours+".Kernel"], names[ours+".Bias"] = "attention."+theirs+".kernel", "attention."+theirs+".bias"
	}
	attention := nn.MultiHeadAttention{Heads: 2, Features: 6, OutFeatures: 5, ParamDType: nv.F64}.Init(random.Key(0), x)
	loaded, report, err := data.Load(path, attention, names)
	check("attention", loaded.Apply(x), report, err)

	lstm, report, err := data.Load(path, nn.RNN{Cell: nn.LSTM{Features: 4}}, data.FlaxCells{"Cell": "lstm.cell.*"})
	check("lstm", lstm.Apply(x), report, err)
	gru, report, err := data.Load(path, nn.RNN{Cell: nn.GRU{Features: 4}}, data.FlaxCells{"Cell": "gru.cell.*"})
	check("gru", gru.Apply(x), report, err)

	_, _, err = data.Load(path, nn.RNN{Cell: nn.GRU{Features: 4}}, data.FlaxCells{"Cell": "lstm.cell.*"})
	if want := `data.Load("testdata/flax_layers.safetensors"): the file has no recurrent layer with parameters ` +
		`called "lstm.cell.*"; write * in place of ii.kernel, ...; the names in the file are ` +
		"attention.key.bias, attention.key.kernel, attention.out.bias, attention.out.kernel, " +
		"attention.query.bias, attention.query.kernel, attention.value.bias, attention.value.kernel, " +
		"gru.cell.hn.bias, gru.cell.hn.kernel, gru.cell.hr.kernel, gru.cell.hz.kernel, " +
		"gru.cell.in.bias, gru.cell.in.kernel, gru.cell.ir.bias, gru.cell.ir.kernel, gru.cell.iz.bias, " +
		"gru.cell.iz.kernel, lstm.cell.hf.bias, lstm.cell.hf.kernel, lstm.cell.hg.bias, " +
		"lstm.cell.hg.kernel, lstm.cell.hi.bias, lstm.cell.hi.kernel, lstm.cell.ho.bias, " +
		"lstm.cell.ho.kernel, lstm.cell.if.kernel, lstm.cell.ig.kernel, lstm.cell.ii.kernel, " +
		"lstm.cell.io.kernel, x, y.attention, y.gru, y.lstm"; err == nil || err.Error() != want {
		t.Errorf("%v; want %q", err, want)
	}
}
