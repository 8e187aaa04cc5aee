//go:build linux && amd64 && !nopjrt

package xla_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/xla"
	"github.com/goanvil/notebook/anvil/xla/xlatest"
)

// gpu returns a stand-in for a GPU plugin and a client of it, which is closed when the test ends.
func gpu(t *testing.T, o xlatest.Options) (*xlatest.Plugin, *xla.Client) {
	t.Helper()
	p, err := xlatest.New(xlatest.CPU(t), o)
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.NewClient(xla.ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return p, c
}

// TestGPU checks what a client says about devices with memory of their own.
func TestGPU(t *testing.T) {
	p, c := gpu(t, xlatest.Options{})
	if c.Platform() != "cuda" || c.Plugin() != p.Plugin || len(c.Devices()) != 2 {
		t.Errorf("platform %s, %d devices", c.Platform(), len(c.Devices()))
	}
	if got := p.Created(); !maps.Equal(got, map[string]any{"preallocate": false}) {
		t.Errorf("created with %v", got)
	}
	d := c.Devices()[1]
	if d.String() != "cuda:1" || d.Ordinal() != 1 || d.Kind() != "Stand-in GPU" || d.MemoryKind() != "device" ||
		d.HostMemory() || d.Platform() != "cuda" || d.Client() != c {
		t.Errorf("%s: kind %s, memory %s", d, d.Kind(), d.MemoryKind())
	}
	b, err := c.Upload(make([]byte, 100), dtype.U8, []int{100}, d)
	if err != nil {
		t.Fatal(err)
	}
	if inUse, limit, err := d.MemoryStats(); inUse < 100 || limit != 1<<30 || err != nil {
		t.Errorf("%d bytes of %d in use, %v", inUse, limit, err)
	}
	if viewed, err := b.View(context.Background(), func([]byte) {}); viewed || err != nil {
		t.Errorf("device memory is viewed: %t, %v", viewed, err)
	}
	cpu, err := xlatest.CPU(t).NewClient(xla.ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer cpu.Close()
	var e *xla.Error
	if _, _, err := cpu.Devices()[0].MemoryStats(); !errors.As(err, &e) || e.Op != "MemoryStats" || e.Operands != "cpu:0" {
		t.Errorf("statistics of a CPU: %v", err)
	}
}

// TestNoDevice checks the error of a plugin without hardware.
func TestNoDevice(t *testing.T) {
	p, err := xlatest.New(xlatest.CPU(t), xlatest.Options{NoDevice: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.NewClient(xla.ClientOptions{}); !errors.Is(err, xla.ErrNoDevice) {
		t.Error(err)
	}
}

// TestRoomOnTheDevice checks that dropped buffers are freed when a device is full.
func TestRoomOnTheDevice(t *testing.T) {
	_, c := gpu(t, xlatest.Options{Limit: 8 << 20})
	for i := range 10 {
		if _, err := c.Upload(make([]byte, 3<<20), dtype.U8, []int{3 << 20}, nil); err != nil {
			t.Fatalf("upload %d: %v", i, err)
		}
	}
	kept, err := c.Upload(make([]byte, 5<<20), dtype.U8, []int{5 << 20}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Upload(make([]byte, 5<<20), dtype.U8, []int{5 << 20}, nil); !errors.Is(err, xla.ErrOutOfMemory) {
		t.Errorf("10 MiB fit in 8 MiB: %v", err)
	}
	kept.Destroy()
}

// TestNoStopFlagInDeviceMemory checks that a program that reads a stop flag does not run on a device that
// cannot read the host's memory.
func TestNoStopFlagInDeviceMemory(t *testing.T) {
	_, c := gpu(t, xlatest.Options{})
	scalar := xla.Type{DType: dtype.F32}
	e, err := c.Compile([]byte(`func.func @main(%x: tensor<f32>, %stop: tensor<16xi32>) -> tensor<f32> {
  return %x : tensor<f32>
}`), xla.CompileOptions{Args: []xla.Type{scalar}, Results: []xla.Type{scalar}, Stoppable: []bool{true}})
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.Upload(make([]byte, 4), dtype.F32, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Run([]*xla.Buffer{x}, make([]*xla.Buffer, 1)); err == nil ||
		!strings.Contains(err.Error(), "the device cannot read host memory") {
		t.Error(err)
	}
}

// TestInstalled checks that an installed stand-in is found, before the plugin for the CPU, and loaded.
func TestInstalled(t *testing.T) {
	p := xlatest.Install(t, xlatest.Options{})
	var platforms []string
	for _, candidate := range xla.Discover("") {
		platforms = append(platforms, candidate.Platform)
	}
	if !slices.Equal(platforms, []string{"cuda", "cpu"}) {
		t.Errorf("found %v", platforms)
	}
	if loaded, err := xla.Load(p.Path()); loaded != p.Plugin || err != nil {
		t.Errorf("another plugin is loaded: %v", err)
	}
	t.Setenv(xla.PluginVariable, t.TempDir()+"/none.so")
	if _, skipped, err := xla.Open("", xla.ClientOptions{}); !errors.Is(err, xla.ErrNoPlugin) || len(skipped) != 1 {
		t.Errorf("a named plugin that does not exist: skipped %v, %v", skipped, err)
	}
	c, skipped, err := xla.OpenInstalled(xla.ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.Platform() != "cuda" || len(skipped) != 0 {
		t.Errorf("opened %s, skipped %v", c.Platform(), skipped)
	}
}

// TestInstalledWithoutDevice checks that a plugin without hardware is passed over.
func TestInstalledWithoutDevice(t *testing.T) {
	xlatest.Install(t, xlatest.Options{NoDevice: true})
	c, skipped, err := xla.Open("", xla.ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.Platform() != "cpu" || len(skipped) != 1 || !errors.Is(skipped[0].Err, xla.ErrNoDevice) {
		t.Errorf("opened %s, skipped %v", c.Platform(), skipped)
	}
}
