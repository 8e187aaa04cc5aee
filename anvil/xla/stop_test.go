//go:build linux && amd64 && !nopjrt

package xla

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
)

// stoppableProgram adds x to a sum in each step of a loop of n steps, which also ends when an element of stop is
// not 0. It returns the sum, x and the number of steps. The product in each step, of x and 0, makes a step take
// long enough: the plugin runs short programs on the calling thread.
const stoppableProgram = `func.func @main(%n: tensor<i32>, %x: tensor<64x64xf32>, %stop: tensor<16xi32>)
    -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %mask = stablehlo.constant dense<15> : tensor<i32>
  %nothing = stablehlo.constant dense<0.0> : tensor<64x64xf32>
  %r:2 = stablehlo.while(%i = %zero, %v = %nothing) : tensor<i32>, tensor<64x64xf32>
  cond {
    %at = stablehlo.and %i, %mask : tensor<i32>
    %slice = stablehlo.dynamic_slice %stop, %at, sizes = [1] : (tensor<16xi32>, tensor<i32>) -> tensor<1xi32>
    %flag = stablehlo.reshape %slice : (tensor<1xi32>) -> tensor<i32>
    %go = stablehlo.compare EQ, %flag, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %both = stablehlo.and %go, %more : tensor<i1>
    stablehlo.return %both : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %none = stablehlo.dot_general %v, %nothing, contracting_dims = [1] x [0]
        : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %w = stablehlo.add %v, %x : tensor<64x64xf32>
    %u = stablehlo.add %w, %none : tensor<64x64xf32>
    stablehlo.return %j, %u : tensor<i32>, tensor<64x64xf32>
  }
  return %r#1, %x, %r#0 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<i32>
}`

// TestInterruptOfALoop checks that an interrupt ends a stoppable loop, after which its result, and what was
// computed from that, cannot be used. The device and the program can.
func TestInterruptOfALoop(t *testing.T) {
	c := newClient(t, 1)
	dev, matrix := c.Devices()[0], Type{dtype.F32, []int{64, 64}}
	matrixOf := func(v float32) []byte { return bytes.Repeat(f32s(v), 64*64) }
	count := Type{DType: dtype.I32}
	// The number of steps is said not to be computed by the loop, so that it can be read after an interrupt.
	e := compile(t, c, stoppableProgram, CompileOptions{Args: []Type{count, matrix},
		Results: []Type{matrix, matrix, count}, Stoppable: []bool{true, false, false}})
	double := compile(t, c, `func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.add %x, %x : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}`, CompileOptions{Args: []Type{matrix}, Results: []Type{matrix}})
	arguments := func(n int32) []*Buffer {
		steps, err := c.Upload(binary.LittleEndian.AppendUint32(nil, uint32(n)), dtype.I32, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := c.Upload(matrixOf(5), dtype.F32, matrix.Dims, nil)
		if err != nil {
			t.Fatal(err)
		}
		return []*Buffer{steps, x}
	}
	for range 2 { // the second time with a new flag
		const steps = 1 << 18
		out, twice, again := make([]*Buffer, 3), make([]*Buffer, 1), make([]*Buffer, 1)
		if err := e.RunContext(background, arguments(steps), out); err != nil {
			t.Fatal(err)
		}
		if err := double.RunContext(background, out[:1], twice); err != nil {
			t.Fatal(err)
		}
		if out[0].Ready() || twice[0].Ready() {
			t.Error("computed before the loop has ended")
		}
		ended, end := context.WithCancel(background)
		end()
		if err := twice[0].Await(ended); !errors.Is(err, context.Canceled) {
			t.Fatalf("interrupted: %v", err)
		}
		for _, b := range []*Buffer{out[0], twice[0]} {
			if err := b.Read(background, make([]byte, 64*64*4)); !errors.Is(err, ErrInterrupted) {
				t.Errorf("read: %v", err)
			}
			if err := b.Await(background); !errors.Is(err, ErrInterrupted) {
				t.Errorf("awaited: %v", err)
			}
			if _, err := b.CopyTo(dev); !errors.Is(err, ErrInterrupted) {
				t.Errorf("copied: %v", err)
			}
			if err := double.Run([]*Buffer{b}, again); !errors.Is(err, ErrInterrupted) {
				t.Errorf("used as an argument: %v", err)
			}
		}
		// A launch whose argument is stopped after the check of its arguments:
		late, _ := dev.beginLaunch(double, out[:1])
		dev.endLaunch(late, out[1].array.ptr)
		if !late.stopped.Load() || len(dev.launches) != 0 {
			t.Errorf("a launch of a stopped argument: stopped %v; %d launches left", late.stopped.Load(), len(dev.launches))
		}
		if got := read(t, out[1]); !bytes.Equal(got, matrixOf(5)) {
			t.Errorf("the result that is not computed by the loop is %x", got[:4])
		}
		if n := binary.LittleEndian.Uint32(read(t, out[2])); n >= steps {
			t.Errorf("the loop ended after all of its %d steps", n)
		}
		if err := dev.Idle(background); err != nil || dev.Abandoned() != 0 {
			t.Fatalf("%v, abandoned %d", err, dev.Abandoned())
		}
		if err := runAwait(background, e, arguments(3), out); err != nil {
			t.Fatal(err)
		}
		if err := runAwait(background, double, out[:1], twice); err != nil {
			t.Fatal(err)
		}
		if got := read(t, twice[0]); !bytes.Equal(got, matrixOf(30)) { // 2 * 3 * 5
			t.Errorf("after an interrupt %x", got[:4])
		}
	}
	if dev.stop() {
		t.Error("a finished program is interrupted")
	}
	users := c.refs.users.Load()
	if c.Close(); users == 0 || dev.flag == nil {
		t.Errorf("%d users, flag %v: the client is destroyed while it has programs", users, dev.flag)
	}
}
