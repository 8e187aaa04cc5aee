//go:build linux && amd64 && !nopjrt

package xla

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"runtime"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/memory"
)

func TestRun(t *testing.T) {
	c := newClient(t, 1)
	e := compileAdd(t, c, nil)
	a, b, out := upload(t, c, nil, 1, 2, 3, 4), upload(t, c, nil, 10, 20, 30, 40), make([]*Buffer, 1)
	if err := e.Run([]*Buffer{a, b}, out); err != nil {
		t.Fatal(err)
	}
	if got := read(t, out[0]); !bytes.Equal(got, f32s(11, 22, 33, 44)) {
		t.Errorf("%x", got)
	}
	if out[0].DType() != dtype.F32 || len(out[0].Dims()) != 1 || out[0].Device() != c.Devices()[0] || !out[0].Ready() {
		t.Errorf("the result is %s", out[0])
	}
}

func TestRunWithoutArgumentsOrResults(t *testing.T) {
	c := newClient(t, 1)
	s := Type{DType: dtype.I32}
	constant := compile(t, c, "func.func @main() -> tensor<i32> { %0 = stablehlo.constant dense<7> : tensor<i32>\n return %0 : tensor<i32> }",
		CompileOptions{Results: []Type{s}})
	out := make([]*Buffer, 1)
	if err := constant.Run(nil, out); err != nil {
		t.Fatal(err)
	}
	if got := read(t, out[0]); got[0] != 7 {
		t.Errorf("%v", got)
	}
	two := compile(t, c, "func.func @main(%a: tensor<i32>) -> (tensor<i32>, tensor<i32>) { return %a, %a : tensor<i32>, tensor<i32> }",
		CompileOptions{Args: []Type{s}, Results: []Type{s, s}})
	pair := make([]*Buffer, 2)
	if err := two.Run(out, pair); err != nil {
		t.Fatal(err)
	}
	pair[0].Destroy()
	if got := read(t, pair[1]); got[0] != 7 {
		t.Errorf("%v", got)
	}
}

func TestRunIsChecked(t *testing.T) {
	c := newClient(t, 2)
	e := compileAdd(t, c, nil)
	a := upload(t, c, nil, 1, 2, 3, 4)
	gone := upload(t, c, nil, 1, 2, 3, 4)
	gone.Destroy()
	ints, err := c.Upload(make([]byte, 16), dtype.I32, []int{4}, nil)
	if err != nil {
		t.Fatal(err)
	}
	square, err := c.Upload(make([]byte, 16), dtype.F32, []int{2, 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := upload(t, c, c.Devices()[1], 1, 2, 3, 4)
	foreign := upload(t, newClient(t, 1), nil, 1, 2, 3, 4)
	destroyed := compileAdd(t, c, nil)
	destroyed.Destroy()
	destroyed.Destroy()
	const add = "xla.Run((f32{4}, f32{4}) -> (f32{4})): "
	for name, test := range map[string]struct {
		e    *Executable
		args []*Buffer
		out  int
		is   error
		want string
	}{
		"too few":              {e, []*Buffer{a}, 1, nil, add + "called with 1 arguments and room for 1 results"},
		"too many":             {e, []*Buffer{a, a, a}, 1, nil, add + "called with 3 arguments and room for 1 results"},
		"no room":              {e, []*Buffer{a, a}, 0, nil, add + "called with 2 arguments and room for 0 results"},
		"nil argument":         {e, []*Buffer{a, nil}, 1, nil, add + "argument 1 is nil"},
		"zero argument":        {e, []*Buffer{a, {}}, 1, nil, add + "argument 1 is nil"},
		"same bytes, dtype":    {e, []*Buffer{a, ints}, 1, nil, add + "argument 1 is i32{4}"},
		"same bytes, shape":    {e, []*Buffer{a, square}, 1, nil, add + "argument 1 is f32{2,2}"},
		"other device":         {e, []*Buffer{a, elsewhere}, 1, nil, add + "argument 1 is on cpu:1, the program on cpu:0; move it with CopyTo"},
		"other client":         {e, []*Buffer{a, foreign}, 1, nil, add + "argument 1 belongs to another client"},
		"destroyed argument":   {e, []*Buffer{a, gone}, 1, ErrDestroyed, add + "argument 1 is destroyed"},
		"destroyed executable": {destroyed, []*Buffer{a, a}, 1, ErrDestroyed, add + "the executable is destroyed"},
		"nil executable":       {nil, []*Buffer{a, a}, 1, nil, "xla.Run(): the executable is nil"},
	} {
		var x *Error
		err := test.e.Run(test.args, make([]*Buffer, test.out))
		if !errors.As(err, &x) || x.Code != InvalidArgument || test.is != nil && !errors.Is(err, test.is) || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
		err = test.e.RunContext(background, test.args, make([]*Buffer, test.out))
		if !errors.As(err, &x) {
			t.Errorf("%s, with a context: %v", name, err)
		}
	}
	if n := a.array.refs.users.Load(); n != 1 {
		t.Errorf("refused launches left %d users of an argument", n)
	}
}

func TestClosedClient(t *testing.T) {
	c := newClient(t, 1)
	e := compileAdd(t, c, nil)
	a := upload(t, c, nil, 1, 2, 3, 4)
	c.Close()
	c.Close()
	if err := e.Run([]*Buffer{a, a}, make([]*Buffer, 1)); !errors.Is(err, ErrClosed) || err.Error() !=
		"xla.Run((f32{4}, f32{4}) -> (f32{4})): the client is closed" {
		t.Errorf("Run: %v", err)
	}
	if _, err := c.Upload(f32s(1), dtype.F32, nil, nil); !errors.Is(err, ErrClosed) || err.Error() !=
		"xla.Upload(f32{}): the client is closed" {
		t.Errorf("Upload: %v", err)
	}
	if _, err := c.Compile([]byte(addProgram), CompileOptions{Args: e.Args(), Results: e.Results()}); !errors.Is(err, ErrClosed) {
		t.Errorf("Compile: %v", err)
	}
	if got := read(t, a); !bytes.Equal(got, f32s(1, 2, 3, 4)) {
		t.Errorf("a buffer that is left reads %x", got)
	}
	e.Destroy()
	a.Destroy()
	if n := c.refs.users.Load(); n != 0 {
		t.Errorf("the client has %d users and was not destroyed", n)
	}
}

func TestCollectorDestroysDroppedBuffers(t *testing.T) {
	c := newClient(t, 1)
	for range 100 {
		upload(t, c, nil, 1, 2, 3, 4)
	}
	for range 1000 {
		if c.collect(); c.Stats().LiveBuffers == 0 {
			return
		}
	}
	t.Errorf("%+v", c.Stats())
}

// TestLiveBytesAreBounded makes buffers of 3 GiB that it does not destroy, and checks that they are collected.
func TestLiveBytesAreBounded(t *testing.T) {
	c := newClient(t, 1)
	data := make([]byte, 16<<20)
	var most int64
	for range 200 {
		if _, err := c.UploadShared(data, dtype.U8, []int{len(data)}, nil); err != nil {
			t.Fatal(err)
		}
		most = max(most, c.Stats().LiveBytes)
	}
	if most > 3*busyThreshold {
		t.Errorf("%s were live at a time", memory.SizeText(most))
	}
}

// TestHostMemoryIsChecked checks that an allocation larger than the free host memory is an error.
func TestHostMemoryIsChecked(t *testing.T) {
	c := newClient(t, 1)
	original := available
	defer func() { available = original }()
	available = func() (int64, bool) { return minMemoryCheck, true }
	data := make([]byte, minMemoryCheck+1)
	if _, err := c.Upload(data, dtype.U8, []int{len(data)}, nil); !errors.Is(err, ErrOutOfMemory) {
		t.Errorf("an upload larger than the free memory: %v", err)
	}
	s, big := Type{DType: dtype.F32}, vector(dtype.F32, minMemoryCheck)
	e := compile(t, c, "func.func @main(%a: tensor<f32>) -> "+big.MLIR()+" { %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> "+big.MLIR()+
		"\n return %0 : "+big.MLIR()+" }", CompileOptions{Args: []Type{s}, Results: []Type{big}})
	a, err := c.Upload(f32s(1), dtype.F32, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Run([]*Buffer{a}, make([]*Buffer, 1)); !errors.Is(err, ErrOutOfMemory) {
		t.Errorf("a result larger than the free memory: %v", err)
	}
	available = original
	if free, known := available(); !known || free <= 0 {
		t.Errorf("%d bytes are free, known %t", free, known)
	}
}

func TestPluginRunsOutOfMemory(t *testing.T) {
	c := newClient(t, 1)
	original := available
	defer func() { available = original }()
	available = func() (int64, bool) { return 0, false }
	s, huge := Type{DType: dtype.F32}, vector(dtype.F32, 1<<40)
	e := compile(t, c, "func.func @main(%a: tensor<f32>) -> "+huge.MLIR()+" { %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> "+huge.MLIR()+
		"\n return %0 : "+huge.MLIR()+" }", CompileOptions{Args: []Type{s}, Results: []Type{huge}})
	a, err := c.Upload(f32s(1), dtype.F32, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]*Buffer, 1)
	if err = e.Run([]*Buffer{a}, out); err == nil {
		err = out[0].Await(background)
	}
	if !errors.Is(err, ErrOutOfMemory) {
		t.Errorf("4 TiB: %v", err)
	}
}

func TestManyAtOnce(t *testing.T) {
	c := newClient(t, 2)
	var wg sync.WaitGroup
	for g := range 8 {
		e := compileAdd(t, c, c.Devices()[g%2])
		wg.Go(func() {
			for i := range 200 {
				a := upload(t, c, e.Device(), float32(i), 0, 0, 0)
				out := make([]*Buffer, 1)
				run := func() error { return e.Run([]*Buffer{a, a}, out) }
				if i%2 == 1 {
					run = func() error { return runAwait(t.Context(), e, []*Buffer{a, a}, out) }
				}
				if err := run(); err != nil {
					t.Error(err)
					return
				}
				a.Destroy()
				if got := read(t, out[0]); !bytes.Equal(got, f32s(float32(2*i), 0, 0, 0)) {
					t.Errorf("%d: %x", i, got)
				}
				if i%50 == 0 {
					runtime.GC()
				}
			}
		})
	}
	wg.Wait()
}

// TestDestroyWhileRunning checks that a launch with a buffer that is destroyed at the same time
// returns ErrDestroyed or a right result.
func TestDestroyWhileRunning(t *testing.T) {
	c := newClient(t, 1)
	e := compileAdd(t, c, nil)
	for range 200 {
		a := upload(t, c, nil, 1, 2, 3, 4)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				out := make([]*Buffer, 1)
				err := e.Run([]*Buffer{a, a}, out)
				if err == nil && !bytes.Equal(read(t, out[0]), f32s(2, 4, 6, 8)) || err != nil && !errors.Is(err, ErrDestroyed) {
					t.Errorf("%v", err)
				}
			})
		}
		wg.Go(a.Destroy)
		wg.Wait()
	}
}

// loopProgram multiplies 64 by 64 matrices n times; 1 << 19 times takes seconds.
const loopProgram = `func.func @main(%n: tensor<i32>, %x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<64x64xf32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.dot %v, %v : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    stablehlo.return %j, %w : tensor<i32>, tensor<64x64xf32>
  }
  return %r#1 : tensor<64x64xf32>
}`

// longProgram returns a program that runs for seconds, and its arguments.
func longProgram(tb testing.TB, c *Client, dev *Device) (*Executable, []*Buffer) {
	m := Type{dtype.F32, []int{64, 64}}
	e := compile(tb, c, loopProgram, CompileOptions{Device: dev, Args: []Type{{DType: dtype.I32}, m}, Results: []Type{m}})
	n, err := c.Upload(binary.LittleEndian.AppendUint32(nil, 1<<19), dtype.I32, nil, dev)
	if err != nil {
		tb.Fatal(err)
	}
	x, err := c.Upload(make([]byte, 64*64*4), dtype.F32, m.Dims, dev)
	if err != nil {
		tb.Fatal(err)
	}
	return e, []*Buffer{n, x}
}

// runAwait launches e and waits for its results.
func runAwait(ctx context.Context, e *Executable, args, out []*Buffer) error {
	if err := e.RunContext(ctx, args, out); err != nil {
		return err
	}
	for _, b := range out {
		if err := b.Await(ctx); err != nil {
			return err
		}
	}
	return nil
}

// cancelOnceLaunched returns a context that is canceled once the client has launched n programs.
func cancelOnceLaunched(c *Client, n int64) context.Context {
	ctx, cancel := context.WithCancel(background)
	go func() {
		for c.Stats().Launches < n {
			runtime.Gosched()
		}
		cancel()
	}()
	return ctx
}

func TestInterrupt(t *testing.T) {
	c := newClient(t, 2)
	busy, free := c.Devices()[0], c.Devices()[1]
	e, args := longProgram(t, c, busy)
	add, a, out := compileAdd(t, c, busy), upload(t, c, busy, 1, 2, 3, 4), make([]*Buffer, 1)
	other, b, results := compileAdd(t, c, free), upload(t, c, free, 1, 2, 3, 4), make([]*Buffer, 1)

	err := runAwait(cancelOnceLaunched(c, 1), e, args, out)
	if !errors.Is(err, context.Canceled) || busy.Abandoned() != 1 || free.Abandoned() != 0 {
		t.Fatalf("interrupted: %v; abandoned %d and %d", err, busy.Abandoned(), free.Abandoned())
	}
	args[1].Destroy() // the program keeps it

	if err := runAwait(background, other, []*Buffer{b, b}, results); err != nil || busy.Abandoned() != 1 {
		t.Fatalf("a program on the other device: %v; abandoned %d", err, busy.Abandoned())
	}
	if err := add.Run([]*Buffer{a, a}, results); err != nil || results[0].Ready() {
		t.Fatalf("a launch on the busy device: %v, ready %t", err, results[0].Ready())
	}
	ended, cancel := context.WithCancel(background)
	cancel()
	if err := busy.Idle(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("Idle with an ended context: %v", err)
	}
	if err := busy.Idle(background); err != nil || busy.Abandoned() != 0 {
		t.Fatalf("idle: %v, abandoned %d", err, busy.Abandoned())
	}
	if got := read(t, results[0]); !bytes.Equal(got, f32s(2, 4, 6, 8)) {
		t.Errorf("%x", got)
	}
}

// TestWaitTakesNoThread checks that a hundred goroutines wait for a program without a thread each.
func TestWaitTakesNoThread(t *testing.T) {
	c := newClient(t, 1)
	e, args := longProgram(t, c, nil)
	out := make([]*Buffer, 1)
	if err := e.Run(args, out); err != nil {
		t.Fatal(err)
	}
	threads := func() int {
		tasks, err := os.ReadDir("/proc/self/task")
		if err != nil {
			t.Fatal(err)
		}
		return len(tasks)
	}
	before := threads()
	var started, ended sync.WaitGroup
	for range 100 {
		started.Add(1)
		ended.Go(func() {
			started.Done()
			if err := out[0].Await(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	started.Wait()
	for range 1000 {
		runtime.Gosched()
	}
	if n := threads(); out[0].Ready() || n > before+20 {
		t.Errorf("%d threads, %d before; the program has ended: %t", n, before, out[0].Ready())
	}
	ended.Wait()
}

// TestWaitWithoutFiles checks that a wait can be interrupted even if no more files can be opened.
func TestWaitWithoutFiles(t *testing.T) {
	c := newClient(t, 1)
	e, args := longProgram(t, c, nil)
	out := make([]*Buffer, 1)
	if err := e.Run(args, out); err != nil {
		t.Fatal(err)
	}
	var original unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &original); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.GC() // the pool of waiters is empty now
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 0, Max: original.Max}); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Setrlimit(unix.RLIMIT_NOFILE, &original) }()
	if err := out[0].Await(cancelOnceLaunched(c, 1)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := out[0].Await(background); err != nil || !out[0].Ready() {
		t.Errorf("%v, ready %t", err, out[0].Ready())
	}
}

// TestResultsAreComputedTogether checks that all results of a launch count as awaited after one
// was awaited, and that each result is freed separately.
func TestResultsAreComputedTogether(t *testing.T) {
	c := newClient(t, 1)
	f := vector(dtype.F32, 4)
	e := compile(t, c, "func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) { %0 = stablehlo.negate %a : tensor<4xf32>\n return %0, %a : tensor<4xf32>, tensor<4xf32> }",
		CompileOptions{Args: []Type{f}, Results: []Type{f, f}})
	a, out := upload(t, c, nil, 1, 2, 3, 4), make([]*Buffer, 2)
	if err := e.Run([]*Buffer{a}, out); err != nil {
		t.Fatal(err)
	}
	if err := out[0].Await(background); err != nil {
		t.Fatal(err)
	}
	c.collect()
	before := c.Stats().LiveBuffers
	out[0] = nil
	c.collect()
	if after := c.Stats().LiveBuffers; after != before-1 {
		t.Errorf("%d buffers live, %d before", after, before)
	}
	out[1].Destroy() // now Await would fail if it had to wait
	if err := out[1].Await(background); err != nil {
		t.Error(err)
	}
}

// TestInterruptBehindARunningProgram checks that a launch can be interrupted while it waits for
// another program: the plugin queues 32 programs and blocks at the next launch.
func TestInterruptBehindARunningProgram(t *testing.T) {
	for _, abandoned := range []bool{false, true} {
		c := newClient(t, 1)
		e, args := longProgram(t, c, nil)
		long, out := make([]*Buffer, 1), make([]*Buffer, 1)
		if err := e.RunContext(background, args, long); err != nil {
			t.Fatal(err)
		}
		if abandoned {
			if err := long[0].Await(cancelOnceLaunched(c, 1)); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		add, x := compileAdd(t, c, nil), upload(t, c, nil, 1, 2, 3, 4)
		ctx := cancelOnceLaunched(c, 1+31)
		launched, err := 0, error(nil)
		for ; err == nil && !long[0].Ready(); launched++ {
			if err = add.RunContext(ctx, []*Buffer{x, x}, out); err == nil {
				x = out[0]
			}
		}
		if !errors.Is(err, context.Canceled) || long[0].Ready() {
			t.Errorf("abandoned %t: after %d launches %v; the program before them has ended: %t", abandoned, launched, err, long[0].Ready())
		}
		if err := c.Devices()[0].Idle(background); err != nil {
			t.Fatal(err)
		}
		if err := long[0].Await(background); err != nil {
			t.Fatal(err)
		}
		if err := runAwait(background, add, []*Buffer{x, x}, out); err != nil || c.Devices()[0].busy() {
			t.Errorf("afterwards: %v, busy %t", err, c.Devices()[0].busy())
		}
	}
}

// TestAbandonedDeviceIsBusy checks that a device counts as busy until its abandoned calls have ended. They may be
// launches that have not returned, whose results the device does not know.
func TestAbandonedDeviceIsBusy(t *testing.T) {
	d := newClient(t, 1).Devices()[0]
	for n := range 3 {
		if d.busy() != (n > 0) || d.Abandoned() != n {
			t.Errorf("%d abandoned calls: %d are counted, busy %t", n, d.Abandoned(), d.busy())
		}
		d.abandon()
	}
	for n := 2; n >= 0; n-- {
		d.unabandon()
		if d.busy() != (n > 0) || d.Abandoned() != n {
			t.Errorf("%d abandoned calls left: %d are counted, busy %t", n, d.Abandoned(), d.busy())
		}
	}
	if err := d.Idle(background); err != nil {
		t.Error(err)
	}
}

func TestCloseWhileRunning(t *testing.T) {
	c := newClient(t, 1)
	dev := c.Devices()[0]
	e, args := longProgram(t, c, dev)
	out := make([]*Buffer, 1)
	if err := runAwait(cancelOnceLaunched(c, 1), e, args, out); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	c.Close()
	e.Destroy()
	for _, b := range append(args, out...) {
		if b != nil { // there is no result if the launch was interrupted
			b.Destroy()
		}
	}
	if c.refs.users.Load() == 0 {
		t.Fatal("the client was destroyed while a program was running")
	}
	if err := dev.Idle(background); err != nil {
		t.Fatal(err)
	}
	if n := c.refs.users.Load(); n != 0 {
		t.Errorf("%d users are left", n)
	}
}

func TestCopyTo(t *testing.T) {
	c := newClient(t, 2)
	a := upload(t, c, nil, 1, 2, 3)
	b, err := a.CopyTo(c.Devices()[1])
	if err != nil {
		t.Fatal(err)
	}
	a.Destroy()
	if got := read(t, b); !bytes.Equal(got, f32s(1, 2, 3)) || b.Device() != c.Devices()[1] {
		t.Errorf("%x on %s", got, b.Device())
	}
	other := newClient(t, 1).Devices()[0]
	want := "xla.CopyTo(" + b.String() + "): " + other.String() + " belongs to another client"
	if _, err := b.CopyTo(other); err == nil || err.Error() != want {
		t.Errorf("a copy to another client's device: %v, want %s", err, want)
	}
}
