package backend_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/backend"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// TestFunctionCalls checks which operations with rules a function calls, by the full names of the functions.
func TestFunctionCalls(t *testing.T) {
	const anvil = "github.com/goanvil/notebook/anvil"
	var s backend.Settings
	only := backend.Rule{Framework: "torch", Unsupported: backend.Versions{"2.2 and below": {"float16"}}}
	s.Declare("helper", only)
	s.Declare("Dense.Apply", only)
	list := func(names ...string) backend.Calls {
		return func(known func(name string) bool) []string {
			if !known("helper") || known("other") {
				t.Error("helper has rules, other has none")
			}
			return names
		}
	}
	f := func() {}
	for _, c := range []struct {
		f     any
		calls []backend.Calls
		want  string // the operations, or the error
	}{
		{"Expm1", nil, "expm1"},
		{"expm1", nil, "expm1"},
		{"AddInto", nil, "add"},
		{"ExpandDims", nil, "expand_dims"},
		{"BroadcastTo", nil, "broadcast_to"},
		{"", nil, ""},
		{f, []backend.Calls{list(anvil+".Expm1", "("+anvil+".Tensor).Log1p", "(*"+anvil+".Lib).Expm1-fm")}, "expm1 log1p"},
		{f, []backend.Calls{list(anvil+"/nn.Relu", "strings.ToUpper", "undeclared")}, ""},
		{f, []backend.Calls{list("helper", "?helper", "Dense.Apply", "Conv.Apply")}, "dense.apply helper"},
		{f, []backend.Calls{list("?other")}, "FunctionCalls(func()): it calls other, " +
			"a value whose source is not available; " +
			`declare other as a function, or say what it supports: backend.Declare("other", ...)`},
		{f, nil, "FunctionCalls(func()): the source of the function is not available; " +
			"give a function that a cell declares, or the name of an operation"},
		{(func())(nil), nil, "FunctionCalls(func()): the source of the function is not available; " +
			"give a function that a cell declares, or the name of an operation"},
		{5, nil, "FunctionCalls(int): the source of the function is not available; " +
			"give a function that a cell declares, or the name of an operation"},
	} {
		var got []string
		text := message(func() { got = s.FunctionCalls(c.f, c.calls...) })
		if text += strings.Join(got, " "); text != c.want {
			t.Errorf("%T: %s, want %s", c.f, text, c.want)
		}
	}
	s.Set("torch")
	if got := names(s.FunctionUnsupported(f, list("helper"))); got != "ui16 ui32 ui64 f16" {
		t.Errorf("a function that calls helper does not take %s", got)
	}
	s.Declare("second", backend.Rule{Framework: "torch", Unsupported: backend.Versions{"2.2 and below": {"bool"}}})
	if got := names(s.FunctionUnsupported(f, list("helper", "second"))); got != "ui16 ui32 ui64 f16 i1" {
		t.Errorf("a function that calls helper and second does not take %s", got)
	}
	supported := s.FunctionSupported(f, list("helper"))
	if len(supported) != 15-4 || slices.Contains(supported, dtype.F16) {
		t.Errorf("a function that calls helper takes %v", supported)
	}
}

// TestNamesOfProfiles checks the texts of profiles and settings, and XLA's names of dtypes.
func TestNamesOfProfiles(t *testing.T) {
	var s backend.Settings
	for name, want := range map[string]string{"torch": "torch 2.2", "xla": "xla"} {
		if p, err := backend.ProfileOf(name); err != nil || p.String() != want {
			t.Errorf("%s is %s, %v", name, p, err)
		}
	}
	if got := (backend.Profile{}).String(); got != "no backend" {
		t.Error(got)
	}
	s.Set("xla")
	for d, want := range map[dtype.DType]string{dtype.I1: "PRED", dtype.I16: "S16", dtype.U64: "U64", dtype.BF16: "BF16",
		dtype.C64: "C64"} {
		if got := s.Native(d).String(); got != want {
			t.Errorf("%s is %s in XLA, want %s", d, got, want)
		}
	}
	rule := backend.Rule{Framework: "paddle",
		SupportedOn:   map[string]backend.Versions{"gpu": {"2.6.0 and below": {"int8"}}},
		UnsupportedOn: map[string]backend.Versions{"cpu": {"2.6.0 and below": {}}}, Note: "a note"}
	want := "paddle: supported on gpu int8 (2.6.0 and below); unsupported on cpu nothing (2.6.0 and below); a note"
	if got := rule.String(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	restore := s.SetPrecise(false)
	if got := restore.String(); got != "set; to undo it, keep this function (restore := ...) and call restore()" {
		t.Error(got)
	}
	restore()
}

// TestFrontends checks the promotion systems of frontends.
func TestFrontends(t *testing.T) {
	for name, want := range map[string]*promote.System{"torch": promote.Torch, "jax": promote.JAX, "numpy": promote.NumPy,
		"tensorflow": promote.TensorFlow} {
		if got := backend.Frontend(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	want := `backend.Frontend("mxnet"): unknown frontend; give jax, numpy, tensorflow or torch`
	if got := message(func() { backend.Frontend("mxnet") }); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
