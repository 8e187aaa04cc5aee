//go:build linux && amd64 && !nopjrt

package xla

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
)

var background = context.Background()

// cpuPlugin returns the plugin for the tests: the first CPU plugin that Discover finds.
func cpuPlugin(tb testing.TB) *Plugin {
	tb.Helper()
	for _, c := range Discover("") {
		if c.Platform == "cpu" {
			p, err := Load(c.Path)
			if err != nil {
				tb.Fatal(err)
			}
			return p
		}
	}
	tb.Fatal("no XLA plugin for the CPU: run goanvil setup, or name one in " + PluginVariable)
	return nil
}

// newClient returns a client of the CPU plugin, which is closed when the test ends.
func newClient(tb testing.TB, devices int) *Client {
	tb.Helper()
	c, err := cpuPlugin(tb).NewClient(ClientOptions{Devices: devices})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { c.Close() })
	return c
}

// f32s returns the bytes of an array of f32.
func f32s(v ...float32) (b []byte) {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// upload uploads a vector of f32.
func upload(tb testing.TB, c *Client, dev *Device, v ...float32) *Buffer {
	tb.Helper()
	b, err := c.Upload(f32s(v...), dtype.F32, []int{len(v)}, dev)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func compile(tb testing.TB, c *Client, program string, o CompileOptions) *Executable {
	tb.Helper()
	e, err := c.Compile([]byte(program), o)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// read returns the values of b.
func read(tb testing.TB, b *Buffer) []byte {
	tb.Helper()
	dst := make([]byte, b.Size())
	if err := b.Read(background, dst); err != nil {
		tb.Fatal(err)
	}
	return dst
}

// addProgram adds two vectors of four f32.
const addProgram = `func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}`

func compileAdd(tb testing.TB, c *Client, dev *Device) *Executable {
	f := vector(dtype.F32, 4)
	return compile(tb, c, addProgram, CompileOptions{Device: dev, Args: []Type{f, f}, Results: []Type{f}, Cheap: true})
}

func TestLoad(t *testing.T) {
	p := cpuPlugin(t)
	if again, err := Load(p.Path()); err != nil || again != p {
		t.Errorf("a path loaded twice gives %v, %v", again, err)
	}
	if major, minor := p.APIVersion(); major != 0 || minor < oldestMinor {
		t.Errorf("PJRT API %d.%d", major, minor)
	}
	current, minimum := p.StableHLO()
	if current[0] != 1 || minimum == [3]int{} {
		t.Errorf("StableHLO %v, at least %v", current, minimum)
	}
	if sum, err := p.Hash(); err != nil || len(sum) != 64 {
		t.Errorf("hash %q, %v", sum, err)
	}
}

func TestLoadRefuses(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text.so")
	if err := os.WriteFile(text, []byte("no library"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{text, filepath.Join(t.TempDir(), "missing.so"), "/lib/x86_64-linux-gnu/libc.so.6"} {
		if p, err := Load(path); err == nil {
			t.Errorf("Load(%s) gives %v", path, p)
		}
	}
}

func TestDevices(t *testing.T) {
	c := newClient(t, 3)
	if n := len(c.Devices()); n != 3 || c.Platform() != "cpu" {
		t.Fatalf("%d devices of %s", n, c.Platform())
	}
	d := c.Devices()[2]
	if d.String() != "cpu:2" || d.Ordinal() != 2 || d.Platform() != "cpu" || !d.HostMemory() || d.Client() != c {
		t.Errorf("%s, ordinal %d, platform %s, host memory %t", d, d.Ordinal(), d.Platform(), d.HostMemory())
	}
	if n := len(newClient(t, 0).Devices()); n != 1 {
		t.Errorf("the zero options give %d devices", n)
	}
}

func TestClientOptionsAreChecked(t *testing.T) {
	p := cpuPlugin(t)
	for _, o := range []ClientOptions{{Devices: -1}, {Devices: maxDevices + 1}, {Options: map[string]any{"cpu_device_count": "two"}},
		{Options: map[string]any{"cpu_device_count": int64(-1)}}, {Options: map[string]any{"x": int64(1)}}} {
		if c, err := p.NewClient(o); err == nil {
			t.Errorf("NewClient(%+v) gives %v", o, c)
		}
	}
}
