package complete_test

import (
	"go/types"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/options"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/complete"
	"github.com/goanvil/notebook/interp/universe"
)

// TestInspectOptions checks that the page of a function lists its options.
func TestInspectOptions(t *testing.T) {
	u := universe.WithReceivers(nil)
	path, name := u.Tensor()
	env := check.NewEnv(u)
	env.AddImport("nv", path)
	env.AddImport("random", path+"/random")
	env.AddImport("chart", universe.Module+"/display/chart")
	s := &complete.Session{Env: env, TensorPath: path, TensorName: name}
	for code, want := range map[string]string{
		"nv.Conv2D": "options:\nnv.Accumulate(d)\nnv.BatchGroups(n)\nnv.ChannelsFirst\nnv.Dilation(n...)\nnv.Groups(n)\n" +
			"nv.InputDilation(n...)\nnv.Padding(n...)\nnv.PaddingLowHigh(low, high)\nnv.Precision(name)\nnv.Same\nnv.Stride(n...)\nnv.Valid",
		"nv.QR":         "options:\nnv.FullMatrices",
		"random.Normal": "options:\nnv.Ambiguous(ambiguous)\nnv.Device(name)\ntype nv.DType",
		"chart.Image":   "options:\nchart.Title(text)",
		"nv.Scan":       "options:\nnv.Reverse\nnv.Steps(n)",
		"nv.Attention":  "options:\nnv.AttentionMask(mask)\nnv.AttentionScale(v)\nnv.Causal",
	} {
		page, ok := s.Inspect(code, len(code), 0)
		if !ok {
			t.Errorf("nothing is known of %s", code)
		}
		if _, got, _ := strings.Cut(page.Text, "\n\n"); strings.TrimSpace(got) != want {
			t.Errorf("%s:\n%s\nwant:\n%s", code, got, want)
		}
	}
	if code := "nv.Sin"; strings.Contains(first(s.Inspect(code, len(code), 0)).Text, "options") {
		t.Error("nv.Sin has options")
	}
}

// TestCompleteOptions checks that in the arguments of a call, the options of the function are the first completions.
func TestCompleteOptions(t *testing.T) {
	u := universe.WithReceivers(nil)
	path, name := u.Tensor()
	env := check.NewEnv(u)
	env.AddImport("nv", path)
	env.AddImport("random", path+"/random")
	env.AddImport("chart", universe.Module+"/display/chart")
	s := &complete.Session{Env: env, TensorPath: path, TensorName: name}
	for code, want := range map[string]string{
		"chart.Line([]int{1}, chart.":            "Labels",
		"chart.Hist([]int{1}, ":                  "chart.Bins",
		"nv.QR(nv.Ones(nv.Shape{2, 2}), ":        "nv.FullMatrices",
		"nv.QR(nv.Ones(nv.Shape{2, 2}), nv":      "nv.FullMatrices",
		"nv.QR(nv.Ones(nv.Shape{2, 2}), nv.":     "FullMatrices",
		"nv.Ones(nv.Shape{2, 2}).SVD(nv.":        "FullMatrices",
		"random.Normal(random.New(1).Key(), nv.": "Ambiguous",
	} {
		matches, _, _ := s.Complete(code, len(code))
		if len(matches) == 0 || matches[0].Text != want {
			t.Errorf("%s: the first completions are %v, want %s", code, matches[:min(len(matches), 3)], want)
		}
	}
}

// TestOptionsOfOtherPackages checks that behind the name of a package only options of that package are offered, and none
// in an argument that is no option.
func TestOptionsOfOtherPackages(t *testing.T) {
	u := universe.WithReceivers(nil)
	path, name := u.Tensor()
	env := check.NewEnv(u)
	env.AddImport("nv", path)
	env.AddImport("chart", universe.Module+"/display/chart")
	env.AddImport("fmt", "fmt")
	s := &complete.Session{Env: env, TensorPath: path, TensorName: name}
	for code, not := range map[string]string{
		"chart.Line([]int{1}, nv.": "Labels", "chart.Line([]int{1}, fmt.": "Labels", "chart.Line([]int{1}, missing.": "Labels",
		"nv.QR(nv.Ones(nv.Shape{2, 2}), chart.": "FullMatrices", "_ = chart.": "chart.Labels", "chart.Line(chart.Line(": "chart.Bins",
	} {
		matches, _, _ := s.Complete(code, len(code))
		for _, m := range matches {
			if m.Text == not {
				t.Errorf("%s: %s is offered", code, not)
			}
		}
	}
}

func first(p complete.Page, _ bool) complete.Page { return p }

// TestOptionsTaken checks that completion offers for each function and method of package anvil the options that it
// takes.
func TestOptionsTaken(t *testing.T) {
	u := universe.WithReceivers(nil)
	path, _ := u.Tensor()
	pkg, err := u.Import(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []*types.Func
	for _, name := range pkg.Scope().Names() {
		switch o := pkg.Scope().Lookup(name).(type) {
		case *types.Func:
			all = append(all, o)
		case *types.TypeName:
			for m := range types.NewMethodSet(types.NewPointer(o.Type())).Methods() {
				if f, ok := m.Obj().(*types.Func); ok && f.Exported() {
					all = append(all, f)
				}
			}
		}
	}
	for _, f := range all {
		offered := check.Options(f, pkg)
		if len(offered) == 0 {
			continue
		}
		last := f.Signature().Params().At(f.Signature().Params().Len() - 1).Type().(*types.Slice).Elem()
		takes := options.Of(path, f.Name())
		if generic, ok := strings.CutSuffix(f.Name(), "Any"); ok && takes == nil {
			takes = options.Of(path, generic) // which the interpreter calls by reflection
		}
		if types.IsInterface(last) && takes == nil {
			t.Errorf("%s: package options does not list it", f.FullName())
		}
		for _, name := range takes {
			if offered[name] == "" {
				t.Errorf("%s takes %s, which is not offered", f.FullName(), name)
			}
		}
	}
}
