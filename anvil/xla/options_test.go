package xla

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// TestPlatformOptions checks the options of clients of CPUs and of GPUs, with JAX's environment variables.
func TestPlatformOptions(t *testing.T) {
	for _, c := range []struct {
		path                             string
		devices                          int
		preallocate, fraction, allocator string
		want                             map[string]any
	}{
		{"/p/xla_plugins/cpu/p.so", 0, "", "", "", map[string]any{"cpu_device_count": int64(1)}},
		{"/p/xla_plugins/cpu/p.so", 3, "true", "0.5", "x", map[string]any{"cpu_device_count": int64(3)}},
		{"/p/xla_plugins/xla_cuda13/p.so", 3, "", "", "", map[string]any{"preallocate": false}},
		{"/p/xla_plugins/xla_cuda13/p.so", 0, "true", "0.5", "platform",
			map[string]any{"preallocate": true, "memory_fraction": float32(0.5), "allocator": "platform"}},
		{"/p/xla_plugins/xla_cuda13/p.so", 0, "maybe", "half", "", map[string]any{"preallocate": false}},
	} {
		t.Setenv("XLA_PYTHON_CLIENT_PREALLOCATE", c.preallocate)
		t.Setenv("XLA_PYTHON_CLIENT_MEM_FRACTION", c.fraction)
		t.Setenv("XLA_PYTHON_CLIENT_ALLOCATOR", c.allocator)
		p := &Plugin{path: c.path}
		if got := p.platformOptions(ClientOptions{Devices: c.devices}); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.path, got, c.want)
		}
	}
	merged := mergeOptions(map[string]any{"b": 1, "a": 2}, map[string]any{"c": 3, "b": 4})
	want := []capi.Option{{Name: "a", Value: 2}, {Name: "b", Value: 4}, {Name: "c", Value: 3}}
	if !slices.Equal(merged, want) {
		t.Errorf("%v, want %v", merged, want)
	}
}

// TestOptionsAreChecked checks the names and the types of options of clients.
func TestOptionsAreChecked(t *testing.T) {
	for _, c := range []struct {
		options map[string]any
		want    string
	}{
		{nil, ""},
		{map[string]any{"cpu_device_count": int64(1), "asynchronous": true, "allocator": "a", "memory_fraction": float32(1),
			"preallocate": true, "visible_devices": []int64{1}, "collective_memory_size": int64(5),
			"use_tfrt_gpu_client": true, "should_stage_host_to_device_transfers": true}, ""},
		{map[string]any{"other": true}, "unknown option other"},
		{map[string]any{"preallocate": 1}, "option preallocate takes bool, not int"},
		{map[string]any{"cpu_device_count": int64(0)}, "option cpu_device_count is 0, want 1 to 1000"},
		{map[string]any{"cpu_device_count": int64(1000)}, ""},
		{map[string]any{"cpu_device_count": int64(1001)}, "option cpu_device_count is 1001, want 1 to 1000"},
	} {
		got := ""
		if err := checkOptions(c.options); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v: %s, want %s", c.options, got, c.want)
		}
	}
}

// TestOverrideBytes checks the messages of overrides, as protoc encodes them.
func TestOverrideBytes(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{"ab", "\x0a\x02ab"}, {true, "\x10\x01"}, {false, "\x10\x00"}, {300, "\x18\xac\x02"},
		{-0.5, "\x21\x00\x00\x00\x00\x00\x00\xe0\xbf"},
	} {
		if got, err := override(c.v); string(got) != c.want || err != nil {
			t.Errorf("%v: %x, %v, want %x", c.v, got, err, c.want)
		}
	}
	if _, err := override(int64(1)); err == nil || err.Error() !=
		"unsupported type int64; want string, bool, int or float64" {
		t.Error(err)
	}
}

// TestFailed checks the errors of calls: their texts, their codes and what errors.Is reports.
func TestFailed(t *testing.T) {
	of := func(code int32, message string) error { return &capi.Error{Func: "F", Code: code, Message: message} }
	syntax := "line 1\n Failed to parse using StableHLO v1.20.0, this could indicate\nmore"
	for _, c := range []struct {
		op   string
		err  error
		hint string
		text string
		code Code
		is   error
	}{
		{"Run", of(capi.ErrorCodeINTERNAL, " broken "), "", "xla.Run(x): broken", Internal, nil},
		{"Run", of(capi.ErrorCodeINTERNAL, "broken"), "mend it", "xla.Run(x): broken; mend it", Internal, nil},
		{"Compile", of(capi.ErrorCodeUNKNOWN, syntax), "", "xla.Compile(x): line 1", Unknown, nil},
		{"Run", of(capi.ErrorCodeRESOURCEEXHAUSTED, "full"), "", "xla.Run(x): full", ResourceExhausted, ErrOutOfMemory},
		{"NewClient", of(capi.ErrorCodeINTERNAL, "No visible GPU devices."), "", "xla.NewClient(x): No visible GPU devices.",
			Internal, ErrNoDevice},
		{"Run", fs.ErrNotExist, "", "xla.Run(x): file does not exist", Unknown, fs.ErrNotExist},
		{"Open", &capi.UnsupportedError{Reason: "not here"}, "hint", "not here; --backend=reference needs no plugin", 0, nil},
	} {
		err := failed(c.op, "x", c.err, c.hint)
		var e *Error
		if errors.As(err, &e) != (c.code != 0) || e != nil && e.Code != c.code || err.Error() != c.text {
			t.Errorf("%v: %v", c.err, err)
		}
		for _, is := range []error{ErrNoDevice, ErrOutOfMemory, ErrDestroyed, ErrClosed, fs.ErrNotExist} {
			if errors.Is(err, is) != (is == c.is) {
				t.Errorf("%v is %v: %t", err, is, is != c.is)
			}
		}
	}
	err := failed("Run", "", of(capi.ErrorCodeINTERNAL, "No visible devices"), "")
	if errors.Is(err, ErrNoDevice) {
		t.Errorf("%v is ErrNoDevice, though a client exists", err)
	}
	if !errors.Is(&Error{Code: ResourceExhausted}, ErrOutOfMemory) || errors.Is(&Error{Code: Internal}, ErrOutOfMemory) {
		t.Error("the code decides whether an error without a cause is ErrOutOfMemory")
	}
	full := OutOfMemory("Run", "x", 3<<30, 1<<20)
	want := "xla.Run(x): 3.00 GiB are needed and 1.00 MiB are free; use smaller shapes, or clear variables that " +
		"hold tensors: x = nv.Tensor{}"
	if full.Error() != want || full.Code != ResourceExhausted {
		t.Errorf("%v, want %s", full, want)
	}
}

// TestNoPlugin checks the errors of Open without a plugin that works.
func TestNoPlugin(t *testing.T) {
	end := "; install a plugin with the command goanvil setup, or start with --backend=reference, which needs none"
	a, b := Candidate{Path: "/a.so", Reason: "named"}, Candidate{Path: "/b.so", Reason: "found"}
	for want, skipped := range map[string][]Skipped{
		"is installed": nil,
		fmt.Sprintf("works: %s: old; %s: new", a, b): {{a, errors.New("old")}, {b, errors.New("new")}},
	} {
		want = "xla.Open(): no XLA plugin " + want + end
		err := noPlugin(skipped)
		var e *Error
		if err.Error() != want || !errors.Is(err, ErrNoPlugin) || !errors.As(err, &e) || e.Code != NotFound {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestDrivers checks that a platform needs one of the files of its driver.
func TestDrivers(t *testing.T) {
	was := drivers
	defer func() { drivers = was }()
	here := t.TempDir()
	drivers = map[string][]string{"cuda": {filepath.Join(here, "none"), here}, "rocm": {filepath.Join(here, "none")}}
	for platform, want := range map[string]bool{"cuda": true, "rocm": false, "cpu": true, "other": true} {
		if got := hasDriver(platform); got != want {
			t.Errorf("%s: %t", platform, got)
		}
	}
	drivers["cuda"] = []string{"/none/a", "/none/b"}
	var lacking []string
	for _, target := range targets {
		if text := Lacks(target.name); text != "" {
			lacking = append(lacking, target.name)
			if target.driver == "cuda" && text != "a GPU with its driver: none of /none/a, /none/b exists" {
				t.Errorf("%s: %s", target.name, text)
			}
		} else if target.driver != "" {
			t.Errorf("%s lacks no driver", target.name)
		}
	}
	if len(lacking) == 0 || slices.Contains(lacking, "cpu") || Lacks("other") != "" {
		t.Errorf("%v lack a driver", lacking)
	}
}

// TestElements checks that the dtype of an element type is the one that has it.
func TestElements(t *testing.T) {
	for d, e := range elements {
		if got := dtypeOf(e); got != d {
			t.Errorf("%s has element type %d, which is %s", d, e, got)
		}
	}
	if got := dtypeOf(-1); got != dtype.Invalid {
		t.Errorf("no element type: %s", got)
	}
}
