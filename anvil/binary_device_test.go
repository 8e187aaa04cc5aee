//go:build linux && amd64 && !nopjrt

package anvil_test

import (
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/xla/xlatest"
)

// TestNumbersAreConstantsOfTheKernel checks that an operation on a tensor and a
// number, on either side, runs on the tensor's device. The number is one element
// that the program broadcasts; no tensor is filled with it.
func TestNumbersAreConstantsOfTheKernel(t *testing.T) {
	c := gpus(t, xlatest.Options{})
	torch := c.With(promote.Torch)
	x := c.Full(nv.Shape{1 << 16}, 7, nv.I32, nv.Device("cuda:1"))
	if err := x.Wait(); err != nil {
		t.Fatal(err)
	}
	for _, f := range []func() nv.Tensor{
		func() nv.Tensor { return torch.And(6, x) },
		func() nv.Tensor { return torch.And(x, 6) },
	} {
		before := c.Stats()
		y := f()
		if err := y.Wait(); err != nil {
			t.Fatal(err)
		}
		after := c.Stats()
		if moved := after.BytesToDevice - before.BytesToDevice; moved > 4 {
			t.Error(moved, "bytes went to the device")
		}
		if grown := after.LiveBytes - before.LiveBytes; grown > 5<<16 {
			t.Error(grown, "bytes more are live: the result has", 4<<16)
		}
		if y.Device() != "cuda:1" || y.At(0).Int() != 6 {
			t.Error(y.Device(), y.At(0))
		}
	}
	program := nv.Lower(func(x nv.Tensor) nv.Tensor { return torch.And(6, x) }, x).StableHLO()
	if !strings.Contains(program, "%arg1: tensor<i32>") || !strings.Contains(program, "stablehlo.broadcast_in_dim %arg1") {
		t.Error(program)
	}
}
