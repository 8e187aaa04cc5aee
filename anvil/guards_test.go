//go:build linux && amd64 && !nopjrt

package anvil_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// This file tests inputs that a user can give and that would end the process if they
// reached a plugin. Package xla tests those that only its own callers can give: empty
// programs, options and buffers, infeed, nesting, wrong arguments of a launch.

func compiledContext() *nv.Context {
	return nv.NewContext(nv.ContextOptions{Compiled: true, NoCache: true})
}

// refusedCalls calls each function, which must fail with an *Error that contains its key.
func refusedCalls(t *testing.T, calls map[string]func()) {
	t.Helper()
	for part, f := range calls {
		err := nv.Try(f)
		var e *nv.Error
		if err == nil || !errors.As(err, &e) || e.Op == "" || !strings.Contains(err.Error(), part) {
			t.Errorf("%v\nwant %s", err, part)
		}
	}
}

func TestGuardOfElementTypes(t *testing.T) {
	c := compiledContext()
	x := c.Ones(nv.Shape{2})
	token := dtype.DType(200)
	refusedCalls(t, map[string]func(){
		"Zeros(": func() { c.Zeros(nv.Shape{2}, dtype.Invalid, token) }, "AsType(": func() { x.AsType(token) },
		"New(": func() { c.New([]float64{1}, token) }, "Full(": func() { c.Full(nv.Shape{2}, 1, token) },
		"Callback(":     func() { nv.Callback(func(...nv.Tensor) nv.Tensor { return x }, nv.Type{DType: token}, x) },
		"AsType(f32{2}": func() { x.AsType(dtype.Invalid) },
	})
}

func TestGuardOfTensorsThatAreGone(t *testing.T) {
	c := compiledContext()
	x := c.Ones(nv.Shape{1 << 15}).Add(1)
	if err := x.Wait(); err != nil {
		t.Fatal(err)
	}
	f := nv.Jit(func(x, y nv.Tensor) nv.Tensor { return x.Add(y) })
	var none nv.Tensor
	given := c.Ones(nv.Shape{1 << 15})
	f(nv.Donate(given), x)
	closed := compiledContext()
	y := closed.Ones(nv.Shape{3}).Add(1)
	if err := y.Wait(); err != nil {
		t.Fatal(err)
	}
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	refusedCalls(t, map[string]func(){
		"Add(Tensor(nil)": func() { none.Add(1) }, "a Tensor that has not been set": func() { f(x, none) }, "the tensors belong to two contexts; make all tensors in one Context": func() { x.Add(y) },
		"given away": func() { f(given, x) }, "closed": func() { nv.Must(0, y.Mul(2).Wait()) },
	})
}

// TestGuardOfDivisionByZero divides integers by constants 0 of different origins. A
// plugin that folds such a division ends the process.
func TestGuardOfDivisionByZero(t *testing.T) {
	c := compiledContext()
	for _, d := range []nv.DType{nv.I8, nv.I32, nv.I64, nv.U8, nv.U64} {
		x := c.New([]int{7, 1}, d)
		program := c.JitAny(func(x nv.Tensor) []nv.Tensor {
			zeros := []nv.Tensor{c.Lit(0), c.Zeros(nv.Shape{2}, d), c.Ones(nv.Shape{2}, d).Sub(1), c.Iota(nv.Shape{2}, 0, d).Mul(0), x.Sub(x), x.Mul(0).Max()}
			var out []nv.Tensor
			for _, zero := range zeros {
				out = append(out, x.Div(zero), x.Rem(zero), zero.Add(x.Mul(0)).Rem(zero))
			}
			inside := nv.ForI(2, x, func(i, y nv.Tensor) nv.Tensor { return y.Div(c.Scalar(0, d)).Add(x.Rem(c.Zeros(nv.Shape{2}, d))) })
			branch := nv.If(x.At(0).Gt(1), func() nv.Tensor { return x.Div(c.Zeros(nv.Shape{2}, d)) }, func() nv.Tensor { return x })
			return append(out, inside, branch)
		}).(func(nv.Tensor) []nv.Tensor)
		out := program(x)
		quotient := out[0].At(0)
		if all := map[bool]string{true: "-1", false: fmt.Sprint(uint64(math.MaxUint64) >> (64 - d.Bits()))}[d.Is(dtype.Signed)]; fmt.Sprint(quotient.Item()) != all {
			t.Errorf("%s: 7/0 is %v, want %s", d, quotient, all)
		}
		for i := 1; i < 18; i += 3 {
			if got := fmt.Sprint(out[i].Values()); got != "[7 1]" {
				t.Errorf("%s: [7 1] %% 0 is %s", d, got)
			}
		}
		if err := out[len(out)-1].Wait(); err != nil {
			t.Error(err)
		}
	}
}

// TestGuardOfDivisionByMinusOne checks that the least integer divided by -1 is itself
// with remainder 0, wherever the -1 comes from. Processors trap at this division.
func TestGuardOfDivisionByMinusOne(t *testing.T) {
	c := compiledContext()
	for d, least := range map[nv.DType]int{nv.I8: math.MinInt8, nv.I32: math.MinInt32, nv.I64: math.MinInt64} {
		x := c.New([]int{least, 6}, d)
		program := c.JitAny(func(x nv.Tensor) (out []nv.Tensor) {
			low := c.Full(nv.Shape{2}, least, d)
			for _, minus := range []nv.Tensor{c.Lit(-1), c.Full(nv.Shape{2}, -1, d), c.Scalar(-1, d).BroadcastTo(nv.Shape{2}), x.Sub(x).Sub(1)} {
				out = append(out, x.Div(minus), x.Rem(minus), low.Div(minus).Add(x.Sub(x)), low.Rem(minus))
			}
			return out
		}).(func(nv.Tensor) []nv.Tensor)
		for i, y := range program(x) {
			want := []string{fmt.Sprintf("[%d -6]", least), "[0 0]", fmt.Sprintf("[%d %d]", least, least), "[0 0]"}[i%4]
			if got := fmt.Sprint(y.Values()); got != want {
				t.Errorf("%s: result %d is %s, want %s", d, i, got, want)
			}
		}
	}
}

func TestGuardOfDevices(t *testing.T) {
	for n, part := range map[int]string{-1: ": -1 devices, want 0 to 1000; install", 1 << 20: ": 1048576 devices, want 0 to 1000; install"} {
		c := nv.NewContext(nv.ContextOptions{Backend: "xla", Devices: n})
		if err := c.Ones(nv.Shape{2}).Add(1).Wait(); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%d devices: %v", n, err)
		}
	}
	c := compiledContext()
	x := c.Ones(nv.Shape{2})
	refusedCalls(t, map[string]func(){
		`ToDevice(f32{2}): there is no device "cpu:9"; devices are cpu:0; set GOANVIL_DEVICES=4 in the environment ` +
			"to use the CPU as four devices": func() { x.ToDevice("cpu:9") },
		`Zeros(): there is no device "gpu"; devices are cpu:0; set GOANVIL_DEVICES=4 in the ` +
			"environment to use the CPU as four devices": func() { c.Zeros(nv.Shape{2}, nv.Device("gpu")) },
	})
}

func TestVirtualDevices(t *testing.T) {
	t.Setenv("GOANVIL_DEVICES", "3")
	c := compiledContext()
	if got := strings.Join(c.Devices(), " "); got != "cpu:0 cpu:1 cpu:2" {
		t.Error(got)
	}
	x := c.New([]float64{1, 2}, nv.Device("cpu:1"))
	y := c.New([]float64{3, 4}, nv.Device("cpu:2"))
	refusedCalls(t, map[string]func(){
		"Add(f32{2}, f32{2}): the operands are on cpu:1 and cpu:2; nv.ToDevice moves one": func() { x.Add(y) },
		"Jit(f32{2}, f32{2}): the operands are on cpu:1 and cpu:2; nv.ToDevice moves one": func() { nv.Jit(func(a, b nv.Tensor) nv.Tensor { return a.Mul(b) })(x, y) },
		"If(bool true): the operands are on cpu:1 and cpu:2; nv.ToDevice moves one": func() {
			c.If(true, func() nv.Tensor { return x }, func() nv.Tensor { return y })
		},
	})
	before := c.Stats().BytesToHost
	z := x.ToDevice("cpu:2").Add(y)
	if z.Wait() != nil || z.Device() != "cpu:2" || c.Stats().BytesToHost != before {
		t.Error(z.Device(), c.Stats())
	}
	want(t, z, "f32{2} [4 6]")
	t.Setenv("GOANVIL_DEVICES", "some")
	if err := nv.NewContext(nv.ContextOptions{Backend: "xla"}).Ones(nv.Shape{2}).Add(1).Wait(); err == nil || err.Error() !=
		`Wait(f32{2}): GOANVIL_DEVICES is "some"; it must be a number of devices, 1 or more` {
		t.Error(err)
	}
}

// TestInterruptLeavesOtherDevices checks that other devices compute while one still
// runs an interrupted program, and that this one computes after the program ends.
func TestInterruptLeavesOtherDevices(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Devices: 2})
	m := c.Full(nv.Shape{64, 64}, 0.01, nv.Device("cpu:1"))
	other := c.Ones(nv.Shape{64, 64}, nv.Device("cpu:0"))
	for _, x := range []nv.Tensor{spin(m, 1), spin(other, 1)} { // compile the programs that follow
		if err := x.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	c.SetInterrupt(ctx)
	launched := c.Stats().Launches
	go func() {
		for c.Stats().Launches == launched {
			runtime.Gosched()
		}
		cancel()
	}()
	if err := spin(m, 200_000).Wait(); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	c.SetInterrupt(context.Background())
	if err := spin(other, 2).Wait(); err != nil {
		t.Error(err)
	}
	if err := spin(m, 2).Wait(); err != nil {
		t.Error(err)
	}
}

func TestGuardOfShapes(t *testing.T) {
	c := compiledContext()
	x := c.Ones(nv.Shape{2})
	ones := func(n int) nv.Shape {
		s := make(nv.Shape, n)
		for i := range s {
			s[i] = 1
		}
		return s
	}
	refusedCalls(t, map[string]func(){
		"the shape has 20000 axes": func() { c.Zeros(ones(20_000)) }, "the shape has 256 axes": func() { c.Scalar(1).Reshape(ones(256)) },
		"the shape has 300 axes": func() { c.Scalar(1).BroadcastTo(ones(300)) }, "negative length": func() { c.Zeros(nv.Shape{-1}) },
		"Zeros(": func() { c.Zeros(nv.Shape{1 << 31, 1 << 31}) }, "Full(": func() { c.Full(nv.Shape{math.MaxInt}, 1) },
		"BroadcastTo(f32{2}": func() { x.BroadcastTo(nv.Shape{1 << 40, 2}) }, "Reshape(f32{2}": func() { x.Reshape(nv.Shape{1 << 31, 1 << 31, 0}) },
	})
	wide := c.Ones(ones(255)).Add(1)
	want(t, wide.Reshape(nv.Shape{}), "f32{} [2]")
	if got := c.Zeros(nv.Shape{0, 1 << 31}).Add(1).Sum(nv.Axis(0)); got.Size() != 1<<31 {
		t.Error(got.Shape())
	}
	for _, y := range []nv.Tensor{c.Zeros(nv.Shape{0}).Add(1), c.Zeros(nv.Shape{3, 0}).MatMul(c.Zeros(nv.Shape{0, 2})), c.Zeros(nv.Shape{0, 3}).Sum()} {
		if err := y.Wait(); err != nil {
			t.Error(err)
		}
	}
}

// TestGuardOfLongAxesBesideEmptyOnes checks that no loop runs over a long axis if the tensor has no elements.
func TestGuardOfLongAxesBesideEmptyOnes(t *testing.T) {
	for _, backend := range []string{"reference", ""} {
		c := nv.NewContext(nv.ContextOptions{Backend: backend})
		x := c.Zeros(nv.Shape{1 << 40, 0, 0})
		for _, y := range []nv.Tensor{nv.Cholesky(x), x.MatMul(x), x.Add(1).Exp(), x.Sort(), x.Sum(nv.Axis(2)), x.Cumsum(nv.Axis(0)), x.Transpose(), nv.Where(x.Gt(0), x, 1), nv.Inv(x), x.Flip(nv.Axis(0))} {
			if err := y.Wait(); err != nil || y.Size() != 0 {
				t.Error(backend, y.Shape(), err)
			}
		}
	}
}

func TestGuardOfFunctionsWithoutResults(t *testing.T) {
	c := compiledContext()
	x := c.Ones(nv.Shape{2})
	nv.Jit(func(nv.Tensor) {})(x)
	if got := nv.Jit(func(nv.Tensor) []nv.Tensor { return nil })(x); len(got) != 0 {
		t.Error(got)
	}
	same := nv.Jit(func(x nv.Tensor) (nv.Tensor, nv.Tensor) { return x, x })
	a, b := same(x)
	want(t, a.Add(b), "f32{2} [2 2]")
}

// TestGuardOfFlags checks unknown flags in XLA_FLAGS, for which XLA ends the process at its first use.
func TestGuardOfFlags(t *testing.T) {
	if os.Getenv("ANVIL_TEST_FLAGS") != "" {
		c := nv.NewContext(nv.ContextOptions{Backend: "xla", Compiled: true, NoCache: true})
		err := c.Ones(nv.Shape{2}).Add(1).Wait()
		fmt.Printf("error: %v\n", err)
		return
	}
	for flags, part := range map[string]string{
		"--xla_no_such_flag=1": "XLA_FLAGS has --xla_no_such_flag", "/no/such/file": "neither flags nor the path of a file", "--xla_cpu_enable_fast_math=false": "error: <nil>",
	} {
		child := exec.Command(os.Args[0], "-test.run=^TestGuardOfFlags$")
		child.Env = append(os.Environ(), "XLA_FLAGS="+flags, "ANVIL_TEST_FLAGS=1")
		out, err := child.CombinedOutput()
		if err != nil || !bytes.Contains(out, []byte(part)) {
			t.Errorf("%s: %v\n%s", flags, err, out)
		}
	}
}

// TestGuardOfNegativeLengths checks that the error for a negative length names it, and not a later consequence.
func TestGuardOfNegativeLengths(t *testing.T) {
	x := compiledContext().Ones(nv.Shape{2, 3})
	refusedCalls(t, map[string]func(){
		"Reshape(f32{2,3}): shape {-7} has a negative length":                   func() { x.Reshape(nv.Shape{-7}) },
		"shape {-1,-7} has a negative length; give lengths of 0 or more, or -1": func() { x.Reshape(nv.Shape{-1, -7}) },
		"shape {-1,-1} has more than one unknown length; one may be -1":         func() { x.Reshape(nv.Shape{-1, -1}) },
	})
}
