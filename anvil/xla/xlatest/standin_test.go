//go:build linux && amd64 && !nopjrt

package xlatest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/xla"
)

var background = context.Background()

// standIn returns a new stand-in and a client of it.
func standIn(t *testing.T, o Options) (*Plugin, *xla.Client) {
	t.Helper()
	p, err := New(CPU(t), o)
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

// f32s returns the bytes of an array of f32.
func f32s(v ...float32) (b []byte) {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// compileDouble compiles a program that doubles n f32 numbers.
func compileDouble(t *testing.T, c *xla.Client, dev *xla.Device, n int) *xla.Executable {
	t.Helper()
	typ := xla.Type{DType: dtype.F32, Dims: []int{n}}
	program := "func.func @main(%a: " + typ.MLIR() + ") -> " + typ.MLIR() + " { %0 = stablehlo.add %a, %a : " + typ.MLIR() + "\n return %0 : " + typ.MLIR() + " }"
	e, err := c.Compile([]byte(program), xla.CompileOptions{Device: dev, Args: []xla.Type{typ}, Results: []xla.Type{typ}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// read returns the values of b.
func read(t *testing.T, b *xla.Buffer) []byte {
	t.Helper()
	dst := make([]byte, b.Size())
	if err := b.Read(background, dst); err != nil {
		t.Fatal(err)
	}
	return dst
}

func TestLooksLikeAGPU(t *testing.T) {
	_, c := standIn(t, Options{})
	devices := c.Devices()
	if len(devices) != 2 || c.Platform() != "cuda" || devices[1].String() != "cuda:1" || devices[1].Kind() != "Stand-in GPU" {
		t.Errorf("%v of %s, kind %s", devices, c.Platform(), devices[0].Kind())
	}
	if devices[0].HostMemory() || devices[0].MemoryKind() != "device" {
		t.Errorf("memory %s, host %t", devices[0].MemoryKind(), devices[0].HostMemory())
	}
	if _, limit, err := devices[0].MemoryStats(); err != nil || limit != 1<<30 {
		t.Errorf("limit %d, %v", limit, err)
	}
}

func TestTransfersOnTheSecondDevice(t *testing.T) {
	p, c := standIn(t, Options{})
	dev := c.Devices()[1]
	e := compileDouble(t, c, dev, 4)
	for name, up := range map[string]func([]byte, dtype.DType, []int, *xla.Device) (*xla.Buffer, error){"Upload": c.Upload, "UploadShared": c.UploadShared} {
		a, err := up(f32s(1, 2, 3, 4), dtype.F32, []int{4}, dev)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out := make([]*xla.Buffer, 1)
		if err := e.RunContext(background, []*xla.Buffer{a}, out); err != nil {
			t.Fatal(err)
		}
		if got := read(t, out[0]); !bytes.Equal(got, f32s(2, 4, 6, 8)) || out[0].Device() != dev {
			t.Errorf("%s: %x on %s", name, got, out[0].Device())
		}
	}
	if p.Pointers() != 0 || p.Transfers() != 2 {
		t.Errorf("%d addresses were asked for, %d transfers were made", p.Pointers(), p.Transfers())
	}
}

// TestLargeTransfers uploads more than is staged, and checks that device memory is not shared with the host.
func TestLargeTransfers(t *testing.T) {
	p, c := standIn(t, Options{})
	data := make([]byte, 8<<20)
	for i := range data {
		data[i] = byte(i * 7)
	}
	want := bytes.Clone(data)
	for _, up := range []func([]byte, dtype.DType, []int, *xla.Device) (*xla.Buffer, error){c.Upload, c.UploadShared} {
		b, err := up(data, dtype.U8, []int{len(data)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		clear(data)
		ctx, cancel := context.WithCancel(background)
		got := make([]byte, len(data))
		if err := b.Read(ctx, got); err != nil || !bytes.Equal(got, want) {
			t.Errorf("the values that were read differ from those uploaded, or %v", err)
		}
		cancel()
		copy(data, want)
	}
	if p.Pointers() != 0 {
		t.Errorf("%d addresses were asked for", p.Pointers())
	}
}

func TestCopiesBetweenDevices(t *testing.T) {
	_, c := standIn(t, Options{})
	a, err := c.Upload(f32s(1, 2, 3, 4), dtype.F32, []int{4}, c.Devices()[0])
	if err != nil {
		t.Fatal(err)
	}
	e := compileDouble(t, c, c.Devices()[1], 4)
	out := make([]*xla.Buffer, 1)
	if err := e.Run([]*xla.Buffer{a}, out); err == nil {
		t.Fatal("a program took an argument from another device")
	}
	b, err := a.CopyTo(c.Devices()[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Run([]*xla.Buffer{b}, out); err != nil {
		t.Fatal(err)
	}
	if got := read(t, out[0]); !bytes.Equal(got, f32s(2, 4, 6, 8)) {
		t.Errorf("%x", got)
	}
}

func TestOutOfMemory(t *testing.T) {
	p, c := standIn(t, Options{Limit: 10_000})
	kilo := func() (*xla.Buffer, error) { return c.Upload(make([]byte, 4000), dtype.F32, []int{1000}, nil) }
	a, err := kilo()
	if err != nil {
		t.Fatal(err)
	}
	b, err := kilo()
	if err != nil {
		t.Fatal(err)
	}
	var x *xla.Error
	if _, err := kilo(); !errors.Is(err, xla.ErrOutOfMemory) || !errors.As(err, &x) || x.Code != xla.ResourceExhausted {
		t.Errorf("an upload over the limit: %v", err)
	}
	e, out := compileDouble(t, c, nil, 1000), make([]*xla.Buffer, 1)
	if err := e.Run([]*xla.Buffer{a}, out); !errors.Is(err, xla.ErrOutOfMemory) {
		t.Errorf("a launch over the limit: %v", err)
	}
	if _, err := c.Upload(make([]byte, 4000), dtype.F32, []int{1000}, c.Devices()[1]); err != nil {
		t.Errorf("the other device has room: %v", err)
	}
	b.Destroy()
	if err := e.Run([]*xla.Buffer{a}, out); err != nil {
		t.Errorf("there is room again: %v", err)
	}
	if p.InUse() != 12_000 {
		t.Errorf("%d bytes are in use", p.InUse())
	}
}

// TestDroppedBuffersMakeRoom checks that garbage is collected before an allocation fails.
func TestDroppedBuffersMakeRoom(t *testing.T) {
	_, c := standIn(t, Options{Limit: 100_000})
	for range 100 {
		if _, err := c.Upload(make([]byte, 4000), dtype.F32, []int{1000}, nil); err != nil {
			t.Fatal(err)
		}
	}
}

func TestErrorsOfTheBasePassThrough(t *testing.T) {
	_, c := standIn(t, Options{})
	if _, err := c.Compile([]byte("nonsense"), xla.CompileOptions{}); err == nil {
		t.Error("nonsense compiles")
	}
	data, err := compileDouble(t, c, nil, 4).Serialize()
	if err != nil || len(data) == 0 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

// TestDroppedBuffersMakeRoomBeforeALaunch checks that garbage is collected before a launch, since a launch that has
// succeeded cannot be repeated.
func TestDroppedBuffersMakeRoomBeforeALaunch(t *testing.T) {
	const n = 1 << 20
	_, c := standIn(t, Options{Limit: 16 * n, Late: true})
	e := compileDouble(t, c, nil, n)
	a, err := c.Upload(make([]byte, 4*n), dtype.F32, []int{n}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		out := make([]*xla.Buffer, 1)
		if err := e.Run([]*xla.Buffer{a}, out); err != nil {
			t.Fatal(err)
		}
		if err := out[0].Await(background); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOutOfMemoryAfterTheLaunch checks that a result that fails after its launch returns the error
// when it is awaited, read or used.
func TestOutOfMemoryAfterTheLaunch(t *testing.T) {
	p, c := standIn(t, Options{Limit: 10_000, Late: true})
	a, err := c.Upload(make([]byte, 8000), dtype.F32, []int{2000}, nil)
	if err != nil {
		t.Fatal(err)
	}
	e := compileDouble(t, c, nil, 2000)
	first, second := make([]*xla.Buffer, 1), make([]*xla.Buffer, 1)
	if err := e.Run([]*xla.Buffer{a}, first); err != nil {
		t.Fatal(err)
	}
	if err := e.Run(first, second); err != nil {
		t.Fatal(err)
	}
	if err := second[0].Await(background); !errors.Is(err, xla.ErrOutOfMemory) {
		t.Errorf("the result of a launch with the failed result: %v", err)
	}
	if err := first[0].Read(background, make([]byte, 8000)); !errors.Is(err, xla.ErrOutOfMemory) {
		t.Errorf("the result: %v", err)
	}
	err = e.RunContext(background, []*xla.Buffer{a}, second)
	if err == nil {
		err = second[0].Await(background)
	}
	if !errors.Is(err, xla.ErrOutOfMemory) {
		t.Errorf("launched and awaited: %v", err)
	}
	a.Destroy()
	first[0].Destroy()
	if p.InUse() != 0 {
		t.Errorf("%d bytes are in use", p.InUse())
	}
}

func TestInstalled(t *testing.T) {
	p := Install(t, Options{})
	found := xla.Discover("")
	if len(found) != 2 || found[0].Platform != "cuda" || found[0].Path != p.Path() || found[1].Platform != "cpu" {
		t.Fatalf("found %v", found)
	}
	c, skipped, err := xla.Open("", xla.ClientOptions{})
	if err != nil || len(skipped) > 0 {
		t.Fatal(skipped, err)
	}
	defer c.Close()
	if c.Platform() != "cuda" || c.Plugin() != p.Plugin {
		t.Errorf("%s of %s is opened first", c.Platform(), c.Plugin().Path())
	}
}

// TestClientOptions checks that a GPU's memory is shared with other processes unless environment
// variables say otherwise.
func TestClientOptions(t *testing.T) {
	for _, name := range []string{"XLA_PYTHON_CLIENT_PREALLOCATE", "XLA_PYTHON_CLIENT_MEM_FRACTION", "XLA_PYTHON_CLIENT_ALLOCATOR"} {
		t.Setenv(name, "")
	}
	p, _ := standIn(t, Options{})
	if got := p.Created(); !maps.Equal(got, map[string]any{"preallocate": false}) {
		t.Errorf("made with %v", got)
	}
	t.Setenv("XLA_PYTHON_CLIENT_PREALLOCATE", "true")
	t.Setenv("XLA_PYTHON_CLIENT_MEM_FRACTION", ".5")
	p, _ = standIn(t, Options{})
	if got := p.Created(); !maps.Equal(got, map[string]any{"preallocate": true, "memory_fraction": float32(0.5)}) {
		t.Errorf("made with %v", got)
	}
}

func TestNoDevice(t *testing.T) {
	p := Install(t, Options{NoDevice: true})
	c, skipped, err := xla.Open("", xla.ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if len(skipped) != 1 || skipped[0].Path != p.Path() || !errors.Is(skipped[0].Err, xla.ErrNoDevice) {
		t.Errorf("skipped %v", skipped)
	}
	if c.Platform() != "cpu" {
		t.Errorf("opened %s", c.Platform())
	}
}
