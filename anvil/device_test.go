//go:build linux && amd64 && !nopjrt

package anvil_test

import (
	"errors"
	"slices"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/xla"
	"github.com/goanvil/notebook/anvil/xla/xlatest"
)

func newStandIn(t *testing.T, o xlatest.Options) (*xlatest.Plugin, *xla.Client) {
	t.Helper()
	p, err := xlatest.New(xlatest.CPU(t), o)
	if err != nil {
		t.Fatal(err)
	}
	client, err := p.NewClient(xla.ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return p, client
}

// gpus returns a Context on a stand-in for two GPUs.
func gpus(t *testing.T, o xlatest.Options) *nv.Context {
	t.Helper()
	_, client := newStandIn(t, o)
	return nv.NewContext(nv.ContextOptions{Executor: engine.NewXLA(client, false)})
}

func inUse(t *testing.T, client *xla.Client, device int) int64 {
	t.Helper()
	n, _, err := client.Devices()[device].MemoryStats()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestTwoDevices(t *testing.T) {
	c := gpus(t, xlatest.Options{})
	x := c.New([]float64{1, 2}, nv.Device("cuda:1"))
	y := x.Add(1)
	want(t, y, "f32{2} [2 3]")
	for got, want := range map[string]string{y.Device(): "cuda:1", c.Zeros(nv.Shape{2}).Device(): "cuda:0", y.Platform(): "CUDA", c.Backend(): "xla:cuda"} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	z := c.New([]float64{3, 4}, nv.Device("cuda:0"))
	if s := errorOf(t, func() { y.Mul(z) }); s != "Mul(f32{2}, f32{2}): the operands are on cuda:1 and cuda:0; nv.ToDevice moves one" {
		t.Error(s)
	}
	want(t, y.ToDevice("cuda").Mul(z), "f32{2} [6 12]")
	w := c.Arange(2) // on no device in particular: goes along
	want(t, w.Add(1).Add(y), "f32{2} [3 5]")
	want(t, w.Add(z), "f32{2} [3 5]")
	if s := errorOf(t, func() { c.Zeros(nv.Shape{2}, nv.Device("cuda:7")) }); s !=
		`Zeros(): there is no device "cuda:7"; devices are cuda:0, cuda:1` {
		t.Error(s)
	}
	f := nv.Jit(func(x nv.Tensor) nv.Tensor { return x.Mul(2) })
	if got := f(x).Device(); got != "cuda:1" {
		t.Error(got)
	}
}

func TestDeviceMemoryIsOut(t *testing.T) {
	c := gpus(t, xlatest.Options{Limit: 1 << 20})
	err := c.Zeros(nv.Shape{1 << 19}).Add(1).Wait()
	var e *nv.Error
	if !errors.Is(err, xla.ErrOutOfMemory) || !errors.As(err, &e) {
		t.Error(err)
	}
	if got := c.Scalar(1).Add(1).Int(); got != 2 {
		t.Error(got)
	}
}

// TestDefaultDevice checks that a tensor stays on the device where it was made if another device is the default.
func TestDefaultDevice(t *testing.T) {
	_, client := newStandIn(t, xlatest.Options{})
	c := nv.NewContext(nv.ContextOptions{Executor: engine.NewXLA(client, false), Device: "cuda:1"})
	x, y := c.New([]float64{1, 2}), c.New([]float64{1, 2}, nv.Device("cuda:0"))
	for _, pair := range []struct{ got, want string }{
		{x.Device(), "cuda:1"}, {x.Add(1).Device(), "cuda:1"}, {y.Device(), "cuda:0"}, {y.Add(1).Device(), "cuda:0"},
	} {
		if pair.got != pair.want {
			t.Errorf("%s, want %s", pair.got, pair.want)
		}
	}
	want(t, y.Add(1), "f32{2} [2 3]")
	want(t, y.Add(1).Add(x), "f32{2} [3 5]")
	if err := y.Mul(3).Wait(); err != nil {
		t.Error(err)
	}
	if n := inUse(t, client, 1); n != 0 {
		t.Errorf("%d bytes on cuda:1", n)
	}
}

// TestDeviceOfUnplacedTensors checks that a tensor made without a device is
// computed on the default one, whatever else is computed at the same time.
func TestDeviceOfUnplacedTensors(t *testing.T) {
	c := gpus(t, xlatest.Options{})
	x, y := c.New([]float64{1, 2}).Add(1), c.New([]float64{1, 2}, nv.Device("cuda:1")).Add(1)
	before := x.Device()
	if err := c.EndCell([]nv.Tensor{x, y}); err != nil {
		t.Fatal(err)
	}
	if x.Device() != "cuda:0" || before != "cuda:0" || y.Device() != "cuda:1" {
		t.Errorf("%s, then %s; %s", before, x.Device(), y.Device())
	}
	want(t, x.Add(y), "f32{2} [4 6]")
}

// TestMaskedElementsKeepTheirDevice checks that the elements taken by a mask are on the device of the tensor.
func TestMaskedElementsKeepTheirDevice(t *testing.T) {
	c := gpus(t, xlatest.Options{})
	x := c.New([]float64{0, 2, 3}, nv.Device("cuda:1"))
	for i, y := range []nv.Tensor{x.At(x.Gt(1)), c.Nonzero(x)[0], c.ArgWhere(x), x.At(c.New([]bool{true, false, true}))} {
		if y.Device() != "cuda:1" {
			t.Errorf("%d: on %s", i, y.Device())
		}
	}
	if y := c.Arange(3).At(c.New([]bool{true, false, true})).Add(c.New([]int{1, 2}, nv.Device("cuda:1"))); y.Device() != "cuda:1" {
		t.Error("a tensor made without a device stays on", y.Device())
	}
}

func TestJitChoosesADevice(t *testing.T) {
	c := gpus(t, xlatest.Options{})
	x, y := c.New([]float64{1, 2}, nv.Device("cuda:0")), c.New([]float64{1, 2}, nv.Device("cuda:1"))
	double := nv.Jit(func(x nv.Tensor) nv.Tensor { return x.Mul(2) })
	add := nv.Jit(func(x, y nv.Tensor) nv.Tensor { return x.Add(y) })
	for _, x := range []nv.Tensor{x, y} {
		got := double(x)
		want(t, got, "f32{2} [2 4]")
		if got.Device() != x.Device() {
			t.Errorf("the result for a tensor on %s is on %s", x.Device(), got.Device())
		}
	}
	free := double(c.New([]float64{1, 2})) // from no device in particular: goes along
	want(t, add(free, y), "f32{2} [3 6]")
	want(t, free.Add(x), "f32{2} [3 6]")
	if s := errorOf(t, func() { add(x, y) }); s != "Jit(f32{2}, f32{2}): the operands are on cuda:0 and cuda:1; "+
		"nv.ToDevice moves one" {
		t.Error(s)
	}
}

// TestDeviceMemoryIsOutLate checks that each reader of a tensor gets an error that occurs after the launch.
func TestDeviceMemoryIsOutLate(t *testing.T) {
	c := gpus(t, xlatest.Options{Limit: 1 << 20, Late: true})
	x := c.Zeros(nv.Shape{1 << 19}).Add(1)
	for what, err := range map[string]error{"Wait": x.Wait(), "Sum": x.Sum().Wait(), "Item": nv.Try(func() { x.Sum().Float() })} {
		if !errors.Is(err, xla.ErrOutOfMemory) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if got := c.Scalar(1).Add(1).Int(); got != 2 {
		t.Error(got)
	}
}

// TestEndOfCellReportsOnce checks that EndCell reports a tensor that cannot be
// computed once, with its operation, and computes all others.
func TestEndOfCellReportsOnce(t *testing.T) {
	c := gpus(t, xlatest.Options{Limit: 1 << 20})
	small, big := c.New([]float64{1, 2}).Add(1), c.Zeros(nv.Shape{1 << 19}).Add(1)
	err := c.EndCell([]nv.Tensor{small, big})
	var root *nv.RootError
	if !errors.As(err, &root) || root.Failed() != 1 || !errors.Is(err, xla.ErrOutOfMemory) || err.Error() !=
		"Add(f32, i32?): out of memory: Out of memory allocating 2097152 bytes., for f32{524288}" {
		t.Error(err)
	}
	before := c.Stats().Launches
	want(t, small, "f32{2} [2 3]")
	if n := c.Stats().Launches - before; n != 0 {
		t.Error(n, "launches to read the results of the cell")
	}
	if err := c.EndCell([]nv.Tensor{small, big}); err != nil {
		t.Error("reported again:", err)
	}
	if err := big.Wait(); !errors.Is(err, xla.ErrOutOfMemory) {
		t.Error("the reader gets another error:", err)
	}
	want(t, big.Sum(), "f32{} [524288]") // big is never stored as a whole
}

// TestTransfersOfEveryDType checks that only the plugin accesses a device's memory.
func TestTransfersOfEveryDType(t *testing.T) {
	p, client := newStandIn(t, xlatest.Options{})
	c := nv.NewContext(nv.ContextOptions{Executor: engine.NewXLA(client, false)})
	for _, d := range dtype.All() {
		if d == dtype.F8E8M0FNU { // has no 0
			continue
		}
		x := c.New([]int{0, 1, 1, 0, 1}, d, nv.Device("cuda:1"))
		moved := x.ToDevice("cuda:0")
		if got := nv.Values[int](moved.ToDevice("cuda:1").Reshape(nv.Shape{5, 1})); !slices.Equal(got, []int{0, 1, 1, 0, 1}) {
			t.Errorf("%s: %v", d, got)
		}
	}
	big := c.Arange(3 << 20).AsType(nv.F64)
	if got := nv.Values[float64](big); got[3<<20-1] != 3<<20-1 {
		t.Error(got[3<<20-1])
	}
	if p.Pointers() != 0 || p.Transfers() == 0 {
		t.Errorf("%d addresses were asked for, %d transfers were made", p.Pointers(), p.Transfers())
	}
}

func TestFailureOfAnUnreadResult(t *testing.T) {
	c := gpus(t, xlatest.Options{Limit: 1 << 20})
	x := c.New([]float64{1, 2}, nv.Device("cuda:0"))
	y := x.Add(1)
	big := y.Sum().Add(c.Zeros(nv.Shape{1 << 20})) // does not fit into memory, and is not read
	want(t, y, "f32{2} [2 3]")
	if err := big.Wait(); !errors.Is(err, xla.ErrOutOfMemory) {
		t.Error(err)
	}
}
