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
		{"Sub", nil, "subtract"}, {"Mul", nil, "multiply"}, {"Div", nil, "divide"},
		{"TrueDiv", nil, "divide"}, {"FloorDiv", nil, "floor_divide"}, {"TruncDiv", nil, "trunc_divide"},
		{"Rem", nil, "remainder"}, {"Neg", nil, "negative"}, {"Clamp", nil, "clip"},
		{"Concatenate", nil, "concat"}, {"Logistic", nil, "sigmoid"}, {"And", nil, "bitwise_and"},
		{"Or", nil, "bitwise_or"}, {"Xor", nil, "bitwise_xor"}, {"Not", nil, "bitwise_invert"},
		{"Shl", nil, "bitwise_left_shift"}, {"Shr", nil, "bitwise_right_shift"}, {"LogicalNot", nil, "logical_not"},
		{"Eq", nil, "equal"}, {"Ne", nil, "not_equal"}, {"Lt", nil, "less"},
		{"Le", nil, "less_equal"}, {"Gt", nil, "greater"}, {"Ge", nil, "greater_equal"},
		{"Transpose", nil, "permute_dims"}, {"EinopsReduce", nil, "einops_reduce"}, {"FullLike", nil, "full_like"},
		{"OnesLike", nil, "ones_like"}, {"ZerosLike", nil, "zeros_like"},
		{"", nil, ""},
		{f, []backend.Calls{list(anvil+".Expm1", "("+anvil+".Tensor).Log1p", "(*"+anvil+".Lib).Tanh-fm")},
			"expm1 log1p tanh"},
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
	for name, want := range map[string]string{"numpy": "numpy 1.26.3 np.dtype", "jax": "jax 0.4.25 jnp.dtype", "torch": "torch 2.2 torch.dtype",
		"tensorflow": "tensorflow 2.15.0 tf.DType", "paddle": "paddle 2.6.0 paddle.dtype", "xla": "xla PrimitiveType"} {
		if p, err := backend.ProfileOf(name); err != nil || p.String()+" "+p.Class() != want {
			t.Errorf("%s is %s %s, %v", name, p, p.Class(), err)
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
	rule = backend.Rule{Frontend: "torch", SupportedDevices: backend.Versions{"any": {"cpu"}}, UnsupportedDevices: backend.Versions{"1.9": {"gpu"}}}
	if got := rule.String(); got != "frontend torch: supported devices cpu; unsupported devices gpu (1.9)" {
		t.Error(got)
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
