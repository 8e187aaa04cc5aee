//go:build linux && amd64 && !nopjrt

package xlatest

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/xla"
	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// TestOptions checks that a stand-in follows its options and counts launches.
func TestOptions(t *testing.T) {
	launches := 0
	o := Options{Platform: "rocm", Kind: "Small GPU", Devices: 3, Limit: 20_000, Launching: func() { launches++ }}
	p, c := standIn(t, o)
	devices := c.Devices()
	if len(devices) != 3 || c.Platform() != "rocm" || devices[2].String() != "rocm:2" || devices[2].Kind() != "Small GPU" || p.Path() != "stand-in rocm" {
		t.Errorf("%v of %s at %s, kind %s", devices, c.Platform(), p.Path(), devices[0].Kind())
	}
	before := launches
	a, err := c.Upload(f32s(1, 2), dtype.F32, []int{2}, devices[1])
	if err != nil {
		t.Fatal(err)
	}
	e := compileDouble(t, c, devices[1], 2)
	kept := []*xla.Buffer{a} // collected buffers would not be in use
	for range 2 {
		out := make([]*xla.Buffer, 1)
		if err := e.Run([]*xla.Buffer{a}, out); err != nil {
			t.Fatal(err)
		}
		kept = append(kept, out...)
	}
	if launches-before != 2 {
		t.Errorf("%d launches, want 2", launches-before)
	}
	for i, want := range []int64{0, 24, 0} { // an argument and two results
		if used, limit, err := devices[i].MemoryStats(); err != nil || used != want || limit != 20_000 {
			t.Errorf("device %d has %d bytes of %d in use, %v; want %d", i, used, limit, err, want)
		}
	}
	b, err := c.Upload(f32s(1), dtype.F32, []int{1}, devices[2])
	if err != nil || p.InUse() != 28 {
		t.Errorf("%d bytes are in use on all devices, %v", p.InUse(), err)
	}
	b.Destroy()
	if p.InUse() != 24 {
		t.Errorf("%d bytes are in use after a buffer was destroyed", p.InUse())
	}
	runtime.KeepAlive(kept)
}

// TestDefaults checks the defaults of options, and that options that are set keep their values.
func TestDefaults(t *testing.T) {
	var o Options
	o.fill()
	o.Launching()
	if o.Platform != "cuda" || o.Kind != "Stand-in GPU" || o.Devices != 2 || o.Limit != 1<<30 || o.Late || o.NoDevice {
		t.Errorf("%+v", o)
	}
	o = Options{Platform: "p", Kind: "k", Devices: 1, Limit: 1, Late: true, NoDevice: true}
	o.fill()
	if o.Platform != "p" || o.Kind != "k" || o.Devices != 1 || o.Limit != 1 || !o.Late || !o.NoDevice {
		t.Errorf("%+v", o)
	}
}

// TestLimit checks that the memory of a device can be used to the last byte, by uploads, copies and results.
func TestLimit(t *testing.T) {
	p, c := standIn(t, Options{Limit: 8000})
	up := func(n int, dev *xla.Device) (*xla.Buffer, error) {
		return c.Upload(make([]byte, 4*n), dtype.F32, []int{n}, dev)
	}
	first, second := c.Devices()[0], c.Devices()[1]
	a, err := up(1000, first)
	if err != nil {
		t.Fatal(err)
	}
	b, err := up(1000, second)
	if err != nil {
		t.Fatal(err)
	}
	copied, err := a.CopyTo(second)
	if err != nil || p.InUse() != 12_000 {
		t.Fatalf("%d bytes are in use, %v", p.InUse(), err)
	}
	if _, err := a.CopyTo(second); !errors.Is(err, xla.ErrOutOfMemory) {
		t.Errorf("a copy to a full device: %v", err)
	}
	if _, err := up(1, second); !errors.Is(err, xla.ErrOutOfMemory) {
		t.Errorf("an upload to a full device: %v", err)
	}
	if p.InUse() != 12_000 {
		t.Errorf("%d bytes are in use after the refused ones", p.InUse())
	}
	out := make([]*xla.Buffer, 1)
	if err := compileDouble(t, c, first, 1000).Run([]*xla.Buffer{a}, out); err != nil || p.InUse() != 16_000 {
		t.Errorf("the results fill the device: %v, %d bytes are in use", err, p.InUse())
	}
	for _, x := range []*xla.Buffer{a, b, copied, out[0]} {
		x.Destroy()
	}
	if p.InUse() != 0 {
		t.Errorf("%d bytes are in use", p.InUse())
	}
}

// compileTwice compiles a program of n numbers with two results, x+x and x*x.
func compileTwice(t *testing.T, c *xla.Client, n int) *xla.Executable {
	t.Helper()
	typ := xla.Type{DType: dtype.F32, Dims: []int{n}}
	m := typ.MLIR()
	program := "func.func @main(%a: " + m + ") -> (" + m + ", " + m + ") { %0 = stablehlo.add %a, %a : " + m +
		"\n %1 = stablehlo.multiply %a, %a : " + m + "\n return %0, %1 : " + m + ", " + m + " }"
	e, err := c.Compile([]byte(program), xla.CompileOptions{Args: []xla.Type{typ}, Results: []xla.Type{typ, typ}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestRefusedLaunch checks that a launch whose second result does not fit leaves no memory in use, and that with Late
// only that result fails.
func TestRefusedLaunch(t *testing.T) {
	for _, late := range []bool{false, true} {
		p, c := standIn(t, Options{Limit: 10_000, Late: late})
		a, err := c.Upload(bytes.Repeat(f32s(3), 1000), dtype.F32, []int{1000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		out := make([]*xla.Buffer, 2)
		err = compileTwice(t, c, 1000).Run([]*xla.Buffer{a}, out)
		if !late {
			if !errors.Is(err, xla.ErrOutOfMemory) || p.InUse() != 4000 {
				t.Errorf("%v, %d bytes are in use", err, p.InUse())
			}
			if got := read(t, a); !bytes.Equal(got[:4], f32s(3)) {
				t.Errorf("the argument begins with %x", got[:4])
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := out[1].Await(background); !errors.Is(err, xla.ErrOutOfMemory) || p.InUse() != 8000 {
			t.Errorf("the second result: %v, %d bytes are in use", err, p.InUse())
		}
		b, err := out[1].CopyTo(c.Devices()[1])
		if err == nil {
			err = b.Await(background)
		}
		if !errors.Is(err, xla.ErrOutOfMemory) {
			t.Errorf("a copy of the second result: %v", err)
		}
		out[1].Destroy()
		if used := p.InUse(); used != 8000 {
			t.Errorf("%d bytes are in use after the failed result was destroyed", used)
		}
		runtime.KeepAlive(a)
		runtime.KeepAlive(out)
	}
}

// TestUploadsInHostMemory checks that a device does not keep arrays in host memory, and that errors of the CPU plugin
// pass through.
func TestUploadsInHostMemory(t *testing.T) {
	p, _ := standIn(t, Options{})
	failure := errors.New("the CPU plugin fails")
	for semantics, want := range map[int32]bool{
		capi.HostBufferSemanticsKImmutableOnlyDuringCall: true, capi.HostBufferSemanticsKImmutableUntilTransferCompletes: true,
		capi.HostBufferSemanticsKImmutableZeroCopy: false,
	} {
		forwarded := false
		a := &capi.ClientBufferFromHostBufferArgs{HostBufferSemantics: semantics}
		err := p.upload(a, func() error { forwarded = true; return failure })
		if forwarded != want || errors.Is(err, failure) != want || err == nil {
			t.Errorf("semantics %d: %v, forwarded: %t", semantics, err, forwarded)
		}
	}
}

// TestPointers checks that the address of a buffer in device memory is Poison, and that calls for it are counted.
func TestPointers(t *testing.T) {
	p, _ := standIn(t, Options{})
	before := p.Pointers()
	a := &capi.BufferUnsafePointerArgs{}
	if err := p.Table().CallBufferUnsafePointer(a); err != nil || a.BufferPointer != Poison || p.Pointers() != before+1 {
		t.Errorf("%#x, %v, %d calls", a.BufferPointer, err, p.Pointers()-before)
	}
	const unmapped = 64 << 10
	if Poison <= 0 || Poison >= unmapped {
		t.Errorf("memory at %#x may be mapped", Poison)
	}
}

// TestEventsOfFailures checks that only events of failures are recorded, and that a destroyed event is forgotten.
func TestEventsOfFailures(t *testing.T) {
	p, c := standIn(t, Options{Limit: 8000, Late: true})
	p.failEvent(nil, xla.ErrOutOfMemory)
	p.failEvent(&capi.Event{}, nil)
	if len(p.events) != 0 {
		t.Errorf("%d events are recorded", len(p.events))
	}
	a, err := c.Upload(make([]byte, 4000), dtype.F32, []int{1000}, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]*xla.Buffer, 2)
	if err := compileTwice(t, c, 1000).RunContext(background, []*xla.Buffer{a}, out); err != nil && !errors.Is(err, xla.ErrOutOfMemory) {
		t.Fatal(err)
	}
	if err := out[1].Await(background); !errors.Is(err, xla.ErrOutOfMemory) {
		t.Errorf("%v", err)
	}
	if err := out[0].Await(background); err != nil {
		t.Errorf("the first result: %v", err)
	}
	p.mu.Lock()
	failed, buffers := len(p.failed), len(p.buffers)
	p.mu.Unlock()
	if failed != 1 || buffers != 2 {
		t.Errorf("%d failed buffers and %d others", failed, buffers)
	}
	for _, b := range append(out, a) {
		b.Destroy()
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if len(p.failed) != 0 || len(p.buffers) != 0 || len(p.events) != 0 || p.InUse() != 0 {
		t.Errorf("recorded are %d failed buffers, %d others, %d events, %d bytes", len(p.failed), len(p.buffers), len(p.events), p.InUse())
	}
}

// TestFailureOfACheapLaunch checks that the event of a launch, for which a cheap program asks, returns the error of its
// failed result.
func TestFailureOfACheapLaunch(t *testing.T) {
	_, c := standIn(t, Options{Limit: 8000, Late: true})
	typ := xla.Type{DType: dtype.F32, Dims: []int{1500}}
	program := "func.func @main(%a: " + typ.MLIR() + ") -> " + typ.MLIR() + " { %0 = stablehlo.add %a, %a : " + typ.MLIR() +
		"\n return %0 : " + typ.MLIR() + " }"
	e, err := c.Compile([]byte(program), xla.CompileOptions{Cheap: true, Args: []xla.Type{typ}, Results: []xla.Type{typ}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := c.Upload(make([]byte, 6000), dtype.F32, []int{1500}, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]*xla.Buffer, 1)
	if err := e.Run([]*xla.Buffer{a}, out); err != nil {
		t.Fatal(err)
	}
	if err := out[0].Await(background); !errors.Is(err, xla.ErrOutOfMemory) {
		t.Errorf("%v", err)
	}
	runtime.KeepAlive(a)
}

// TestUninstalled checks that a stand-in is gone when its test ends.
func TestUninstalled(t *testing.T) {
	before := xla.Discover("")
	t.Run("installed", func(t *testing.T) {
		p := Install(t, Options{Platform: "rocm"})
		found := xla.Discover("")
		if len(found) != 2 || found[0].Platform != "rocm" || found[0].Path != p.Path() {
			t.Errorf("found %v", found)
		}
		if data, err := os.ReadFile(p.Path()); err != nil || !strings.HasPrefix(string(data), "stand-in for ") {
			t.Errorf("the plugin's file has %q, %v", data, err)
		}
		for _, name := range []string{xla.PluginVariable, "GOANVIL_BACKEND", "VIRTUAL_ENV", "CONDA_PREFIX"} {
			if value := os.Getenv(name); value != "" {
				t.Errorf("%s is %s", name, value)
			}
		}
	})
	if after := xla.Discover(""); len(after) != len(before) {
		t.Errorf("found %v before and %v after", before, after)
	}
}

// TestWithoutPlugin fails where TestFailuresAreSeen runs it.
func TestWithoutPlugin(t *testing.T) {
	switch os.Getenv("GOANVIL_TEST_FAILURE") {
	case "no plugin":
		CPU(t)
	case "an error":
		check(t, errors.New("it does not work"))
	case "no error":
		check(t, nil)
	default:
		return
	}
	t.Log("it goes on")
}

// TestFailuresAreSeen checks that a test without a plugin for the CPU fails, and says what to do.
func TestFailuresAreSeen(t *testing.T) {
	for name, want := range map[string]string{"no plugin": "run goanvil setup", "an error": "it does not work", "no error": "it goes on"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestWithoutPlugin$", "-test.v")
		cmd.Env = append(os.Environ(), "GOANVIL_TEST_FAILURE="+name)
		if name == "no plugin" {
			cmd.Env = append(cmd.Env, "GOANVIL_DATA="+t.TempDir(), "HOME="+t.TempDir(), xla.PluginVariable+"=", "VIRTUAL_ENV=", "CONDA_PREFIX=", "PATH=")
		}
		out, err := cmd.CombinedOutput()
		text := string(out)
		if (err == nil) != (name == "no error") || !strings.Contains(text, want) || strings.Contains(text, "it goes on") != (name == "no error") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
}
