package xla

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// TestTryFlags checks that flags are tried only if there are any.
func TestTryFlags(t *testing.T) {
	if !capi.Supported {
		t.Skip("this build loads no plugins")
	}
	defer flagTrial.Store(nil)
	t.Setenv("XLA_FLAGS", "--xla_a=1")
	if err := tryFlags("/p.so"); err != nil {
		t.Errorf("nothing tries flags: %v", err)
	}
	var tried []string
	broken := errors.New("the flag is broken")
	TryFlags(func(plugin string) error { tried = append(tried, plugin); return broken })
	if err := tryFlags("/p.so"); err != broken || len(tried) != 1 || tried[0] != "/p.so" {
		t.Errorf("%v, tried %v", err, tried)
	}
	t.Setenv("XLA_FLAGS", " ")
	if err := tryFlags("/p.so"); err != nil || len(tried) != 1 {
		t.Errorf("no flags: %v, tried %v", err, tried)
	}
}

// TestToolkit checks where CUDA's device library is found beside a plugin.
func TestToolkit(t *testing.T) {
	site := t.TempDir()
	plugin := filepath.Join(site, "jax_plugins", "xla_cuda12", "p.so")
	if got := toolkit(plugin); got != "" {
		t.Errorf("found %s", got)
	}
	for _, name := range []string{"cuda_nvcc", "cu13"} { // the second is preferred
		want := filepath.Join(site, "nvidia", name)
		if err := os.MkdirAll(filepath.Join(want, "nvvm", "libdevice"), 0o700); err != nil {
			t.Fatal(err)
		}
		if got := toolkit(plugin); got != want {
			t.Errorf("found %q, want %s", got, want)
		}
	}
	p := &Plugin{toolkit: "/cuda", options: map[string]bool{fastMinMax: false, excessPrecision: true}}
	all := p.defaultOverrides()
	if len(all) != 2 || all[excessPrecision] != false || all["xla_gpu_cuda_data_dir"] != "/cuda" {
		t.Errorf("overrides %v", all)
	}
	err := errors.New("x: No such compile option: 'a'")
	if !isUnknownOption(err, "a") || isUnknownOption(err, "b") || isUnknownOption(nil, "a") {
		t.Error("which option is unknown")
	}
}

func vector(d dtype.DType, n int) Type { return Type{d, []int{n}} }

// TestProgramTexts checks what is read in the text of a program: sizes, calls and signatures.
func TestProgramTexts(t *testing.T) {
	for typ, want := range map[string]bool{"f32>": true, "2x3xf32>": true, "0x99999999999xi8>": true, "x": true, "": true,
		"99999999999x0xi8>": true, "99999999999x99999999999xi8>": false,
		"8796093022208xi8>": true, "8796093022209xi8>": false} {
		if got := fits([]byte(typ)); got != want {
			t.Errorf("%q fits: %t", typ, got)
		}
	}
	for text, want := range map[string]string{
		"func.func @a() { call @b() } func.func @b() { }":                                    "",
		"func.func @a() { call @a() }":                                                       "a",
		"func.func @a() { call @b() } func.func private @b() { call @c() call @a() }":        "a",
		"func.func @a() { call @b() call @b() } func.func @b() { call @c() } func.func @c()": "",
		"func.func @a() { call @b() } func.func @b() { call @c() } func.func @c() { call @b": "b",
	} {
		if got := recursive([]byte(text)); got != want {
			t.Errorf("%s: %q is recursive, want %q", text, got, want)
		}
	}
	f, i := vector(dtype.F32, 2), Type{DType: dtype.I32}
	head := "func.func @main(%a: tensor<2xf32>, %b: tensor<i32> {" + aliasing + " = 0 : i32}) -> tensor<i32> {"
	for _, c := range []struct {
		text    string
		args    []Type
		donated []int
		want    string
	}{
		{head, []Type{f, i}, []int{1}, ""},
		{strings.Replace(head, "func.func @", "func.func public @", 1), []Type{f, i}, []int{1}, ""},
		{head, []Type{f, i}, nil, "argument 1 of @main is donated, but not described as donated"},
		{head, []Type{f, i}, []int{0, 1}, "argument 0 of @main is described as donated, but is not"},
		{head, []Type{f}, nil, "@main takes 2 arguments, but 1 are described"},
		{"func.func @other()", nil, nil, "the program does not declare func.func @main(...); write @main in this form, or as func.func public @main(...)"},
	} {
		got := ""
		if err := checkSignature(c.text, c.args, c.donated); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s with %v: %s, want %s", c.text, c.args, got, c.want)
		}
	}
	err := checkSignature(head, []Type{f, f}, []int{1})
	if err == nil || err.Error() != "argument 1 of @main is tensor<i32>, but described as tensor<2xf32>" {
		t.Errorf("another type: %v", err)
	}
}
