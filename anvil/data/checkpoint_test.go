package data_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/data"
	"github.com/goanvil/notebook/anvil/random"
)

type dense struct {
	Features     int
	Kernel, Bias nv.Tensor
}

type model struct {
	In     dense
	Blocks []dense
}

type run struct {
	Model model
	Count nv.Tensor
	Key   random.PRNGKey
	Means map[string]nv.State
}

func newModel(seed int) model {
	r := random.New(seed)
	layer := func() dense {
		return dense{3, r.Normal(nv.Shape{2, 3}), r.Normal(nv.Shape{3}, nv.BF16)}
	}
	return model{layer(), []dense{layer(), {Features: 1, Kernel: r.Normal(nv.Shape{1})}}}
}

// equal reports whether two trees have equal elements and types.
func equal(a, b any) bool {
	xs, ys := nv.TreeLeaves(a), nv.TreeLeaves(b)
	return slices.EqualFunc(xs, ys, func(x, y nv.Tensor) bool {
		if !x.Valid() || !y.Valid() {
			return x.Valid() == y.Valid()
		}
		return x.Type().Equal(y.Type()) && x.Ambiguous() == y.Ambiguous() && nv.ArrayEqual(x, y).Bool()
	})
}

func TestSaveAndLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.safetensors")
	saved := run{newModel(1), nv.Scalar(7), random.Key(3), map[string]nv.State{"mean": {Tensor: nv.New([]float64{1, 2})}}}
	if err := data.Save(path, saved); err != nil {
		t.Fatal(err)
	}
	stored := nv.Must(nv.ReadSafetensors(path))
	want := []string{"Count", "Key.Data", "Means.mean", "Model.Blocks.0.Bias", "Model.Blocks.0.Kernel", "Model.Blocks.1.Kernel",
		"Model.In.Bias", "Model.In.Kernel"}
	if got := slices.Sorted(maps.Keys(stored)); !slices.Equal(got, want) {
		t.Errorf("the file has %q", got)
	}
	other := run{newModel(2), nv.Scalar(0), random.Key(4), map[string]nv.State{"mean": {Tensor: nv.New([]float64{0, 0})}}}
	loaded, report, err := data.Load(path, other)
	if err != nil || report.String() != "all tensors loaded" || !report.Complete() {
		t.Errorf("%v, %v", report, err)
	}
	if !equal(loaded, saved) || equal(other, saved) {
		t.Errorf("loaded %v", loaded)
	}
	empty := run{Model: model{Blocks: make([]dense, 2)}, Means: map[string]nv.State{"mean": {}}} // not initialized
	if loaded, report, err = data.Load(path, empty); err != nil || report.String() != "all tensors loaded" || !equal(loaded, saved) {
		t.Errorf("without tensors: %v, %v, %v", loaded, report, err)
	}
	if _, report, err = data.Load(path+"x", empty); err == nil || report.String() != "no tensors loaded" {
		t.Errorf("a file that does not exist: %v, %v", report, err)
	}
}

// TestSavedPathsDiffer checks that no tensor is lost because another one has the same path.
func TestSavedPathsDiffer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.safetensors")
	err := data.Save(path, map[string]any{"a.b": nv.Scalar(1), "a": map[string]nv.Tensor{"b": nv.Scalar(2)}})
	const want = `data.Save(map[string]any): two tensors have the path "a.b"; give other keys, without dots`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file is written")
	}
}

func TestLoadReports(t *testing.T) {
	t.Chdir(t.TempDir())
	path := "w.safetensors"
	err := nv.WriteSafetensors(path, map[string]nv.Tensor{
		"fc.weight": nv.New([][]float64{{1, 2}, {3, 4}, {5, 6}}, nv.F64), "In.Bias": nv.Ones(nv.Shape{3}), "step": nv.Scalar(1)})
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(1)
	loaded, report, err := data.Load(path, m, data.Names{"In.Kernel": "fc.weight"}, data.Axes{"In.Kernel": {1, 0}})
	want := `missing in the file: Blocks.0.Kernel, Blocks.0.Bias, Blocks.1.Kernel
only in the file: step
cast: In.Kernel (f64 to f32), In.Bias (f32 to bf16)`
	if err != nil || report.String() != want || report.Complete() {
		t.Errorf("%v, %v", report, err)
	}
	if got := nv.Values[int](loaded.In.Kernel); !slices.Equal(got, []int{1, 3, 5, 2, 4, 6}) || !equal(loaded.Blocks, m.Blocks) {
		t.Errorf("loaded %v", loaded)
	}
	for _, test := range []struct {
		opts []data.LoadOption
		want string
	}{
		{[]data.LoadOption{data.Names{"In.Kernel": "fc.weight"}},
			`data.Load("w.safetensors"): In.Kernel is f64{3,2} in the file and f32{2,3} in the tree; give ` +
				"data.Axes to reorder axes of the file"},
		{[]data.LoadOption{data.Names{"In.Kernal": "fc.weight"}},
			`data.Load("w.safetensors"): the tree has no tensor at "In.Kernal"; the paths are In.Kernel, ` +
				"In.Bias, Blocks.0.Kernel, Blocks.0.Bias, Blocks.1.Kernel, Blocks.1.Bias"},
		{[]data.LoadOption{data.Names{"In.Kernel": "fc.w"}},
			`data.Load("w.safetensors"): the file has no tensor "fc.w"; the names are In.Bias, fc.weight, ` +
				"step"},
		{[]data.LoadOption{data.Axes{"Kernel": {1, 0}}},
			`data.Load("w.safetensors"): the tree has no tensor at "Kernel"; the paths are In.Kernel, ` +
				"In.Bias, Blocks.0.Kernel, Blocks.0.Bias, Blocks.1.Kernel, Blocks.1.Bias"},
	} {
		kept, _, err := data.Load(path, m, test.opts...)
		if err == nil || err.Error() != test.want || !equal(kept, m) {
			t.Errorf("%v: %v, want %s", test.opts, err, test.want)
		}
	}
	if _, _, err := data.Load(path+"x", m); err == nil {
		t.Error("a file that is not there is loaded")
	}
	want = "data.Save(data_test.model): the tree has no tensors; make them with model = nn.Init(model, key, x)"
	if err := data.Save(path, model{}); err == nil || err.Error() != want {
		t.Errorf("nothing is saved: %v", err)
	}
	want = "TreePaths(struct { w nv.Tensor }): the tree has tensors in the unexported field .w; rename the field " +
		"to W"
	if err := data.Save(path, struct{ w nv.Tensor }{nv.Scalar(1)}); err == nil || err.Error() != want {
		t.Errorf("a hidden tensor: %v", err)
	}
}
