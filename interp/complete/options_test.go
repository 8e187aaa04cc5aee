package complete_test

import (
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/complete"
	"github.com/goanvil/notebook/interp/universe"
)

// TestInspectOptions: the page of a function with options lists them.
func TestInspectOptions(t *testing.T) {
	u := universe.WithReceivers(nil)
	path, name := u.Tensor()
	env := check.NewEnv(u)
	env.AddImport("nv", path)
	env.AddImport("random", path+"/random")
	s := &complete.Session{Env: env, TensorPath: path, TensorName: name}
	for code, want := range map[string]string{
		"nv.QR":         "options:\nnv.FullMatrices",
		"random.Normal": "options:\nnv.Ambiguous(ambiguous)\nnv.Device(name)\ntype nv.DType",
		"nv.Scan":       "options:\nnv.Exclusive\nnv.Reverse\nnv.Steps(n)\ntype nv.Axis",
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
	code := "nv.Conv2D"
	page, _ := s.Inspect(code, len(code), 0)
	for _, want := range []string{"\nnv.Stride(n...)\n", "\nnv.Same\n", "\nnv.ChannelsFirst\n", "\nnv.Accumulate(d)\n"} {
		if !strings.Contains(page.Text, want) {
			t.Errorf("%s: no %q in\n%s", code, want, page.Text)
		}
	}
	if strings.Contains(page.Text, "CeilMode") || strings.Contains(page.Text, "type ") {
		t.Errorf("%s has options of others:\n%s", code, page.Text)
	}
	if code = "nv.Sin"; strings.Contains(first(s.Inspect(code, len(code), 0)).Text, "options") {
		t.Error("nv.Sin has options")
	}
}

// TestCompleteOptions: in a call, the options that it takes are the first completions.
func TestCompleteOptions(t *testing.T) {
	u := universe.WithReceivers(nil)
	path, name := u.Tensor()
	env := check.NewEnv(u)
	env.AddImport("nv", path)
	env.AddImport("random", path+"/random")
	s := &complete.Session{Env: env, TensorPath: path, TensorName: name}
	for code, want := range map[string]string{
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

func first(p complete.Page, _ bool) complete.Page { return p }
