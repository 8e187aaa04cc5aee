// Package enginetest is a conformance test suite for executors. The tests of each executor
// call Run.
package enginetest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Run tests e on each of its devices.
func Run(t *testing.T, e engine.Executor) {
	if len(e.Devices()) == 0 || e.Name() == "" || e.Platform() == "" {
		t.Fatalf("executor %q on platform %q has devices %v", e.Name(), e.Platform(), e.Devices())
	}
	for i, name := range e.Devices() {
		if want := fmt.Sprintf("%s:%d", strings.ToLower(e.Platform()), i); name != want {
			t.Errorf("device %d is %s, want %s", i, name, want)
		}
		s := suite{e, i}
		t.Run(name, func(t *testing.T) {
			t.Run("upload and read of every dtype", s.roundTrip)
			t.Run("upload of a copy", s.uploadCopied)
			t.Run("a copy on each device", s.copied)
			t.Run("view of elements", s.viewed)
			t.Run("order of results", s.order)
			t.Run("a parameter as a result", s.identity)
			t.Run("narrow numbers, compiled fast", s.narrow)
			t.Run("an empty tensor", s.empty)
			t.Run("a loop", s.while)
			t.Run("a canceled context", s.interrupted)
			t.Run("concurrent use", s.concurrent)
			t.Run("counters", s.counters)
			t.Run("origins", s.origins)
			t.Run("a released argument", s.released)
		})
	}
}

// A suite tests one device of an executor.
type suite struct {
	e      engine.Executor
	device int
}

var background = context.Background()

func (s suite) compile(t *testing.T, g *ir.Graph) engine.Executable {
	t.Helper()
	exe, err := s.e.Compile(background, g, engine.Mode{Device: s.device})
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

func (s suite) upload(t *testing.T, ty shape.Type, data []byte) engine.Buffer {
	t.Helper()
	b, err := s.e.Upload(ty, data, s.device)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func read(t *testing.T, b engine.Buffer, n int) []byte {
	t.Helper()
	data := make([]byte, n)
	if err := b.Read(background, data); err != nil {
		t.Fatal(err)
	}
	return data
}

// roundTrip checks that uploaded elements of every dtype are read unchanged.
func (s suite) roundTrip(t *testing.T) {
	for _, d := range dtype.All() {
		ty := shape.Of(d, 3)
		data := make([]byte, ty.Bytes())
		for i := range 3 {
			dtype.PutFloat(data[i*d.Size():], d, float64(i%2))
		}
		if got := read(t, s.upload(t, ty, append([]byte(nil), data...)), len(data)); string(got) != string(data) {
			t.Errorf("%s: uploaded %x, read %x", ty, data, got)
		}
	}
}

// uploadCopied checks that changing data after UploadCopied does not change the buffer, for a small
// and a large tensor.
func (s suite) uploadCopied(t *testing.T) {
	for _, n := range []int{3, engine.Large} {
		data := make([]byte, n)
		data[0], data[n-1] = 1, 2
		b, err := s.e.UploadCopied(shape.Of(dtype.U8, n), data, s.device)
		if err != nil {
			t.Fatal(err)
		}
		clear(data)
		if got := read(t, b, n); got[0] != 1 || got[n-1] != 2 {
			t.Errorf("the first and the last of %d bytes are %d and %d, want 1 and 2", n, got[0], got[n-1])
		}
	}
}

// copied checks that a copy on each device has the right elements and can be the argument of a program.
func (s suite) copied(t *testing.T) {
	ty := shape.Of(dtype.F32, 2)
	for device := range s.e.Devices() {
		b, err := s.e.Copy(s.upload(t, ty, floats(3, 5)), device)
		if err != nil {
			t.Fatal(err)
		}
		if got := read(t, b, 8); string(got) != string(floats(3, 5)) {
			t.Errorf("the copy on device %d is %x", device, got)
		}
		exe, err := s.e.Compile(background, doubling(), engine.Mode{Device: device})
		if err != nil {
			t.Fatal(err)
		}
		if b, err = s.e.Copy(s.upload(t, shape.Of(dtype.F32), floats(7)), device); err != nil {
			t.Fatal(err)
		}
		if got := read(t, s.run(t, exe, 1, b, b)[0], 4); string(got) != string(floats(7)) {
			t.Errorf("the result of a program on device %d is %x", device, got)
		}
	}
}

// viewed checks that View passes the elements on if it returns true, and nothing otherwise. It must return true for
// host memory.
func (s suite) viewed(t *testing.T) {
	ty := shape.Of(dtype.F32)
	x, y := s.upload(t, ty, floats(3)), s.upload(t, ty, floats(20))
	for _, b := range []engine.Buffer{x, s.run(t, s.compile(t, doubling()), 1, x, y)[0]} {
		var seen []byte
		ok, err := b.View(background, func(data []byte) { seen = append(seen, data...) })
		if err != nil || ok && string(seen) != string(read(t, b, 4)) || !ok && seen != nil {
			t.Errorf("View returns %t and %v, and passes on %x", ok, err, seen)
		}
		if !ok && s.e.HostMemory(s.device) {
			t.Error("View returns false although buffers lie in host memory")
		}
	}
}

// floats returns xs as f32 elements in host form.
func floats(xs ...float32) (data []byte) {
	for _, x := range xs {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	return data
}

// run runs exe, which has n results, waits for the results and returns them.
func (s suite) run(t *testing.T, exe engine.Executable, n int, args ...engine.Buffer) []engine.Buffer {
	t.Helper()
	out := make([]engine.Buffer, n)
	if err := exe.Run(background, args, out); err != nil {
		t.Fatal(err)
	}
	for _, b := range out {
		if err := b.Await(background); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// order checks that results are in the order of the graph's outputs.
func (s suite) order(t *testing.T) {
	g, ty := &ir.Graph{}, shape.Of(dtype.F32, 2)
	x, y := g.Param(ty), g.Param(ty)
	sub := g.Add(ir.Sub, nil, nil, []*ir.Value{x, y}, ty).Results[0]
	neg := g.Add(ir.Neg, nil, nil, []*ir.Value{sub}, ty).Results[0]
	g.Outputs = []*ir.Value{neg, sub}
	out := s.run(t, s.compile(t, g), 2, s.upload(t, ty, floats(3, 5)), s.upload(t, ty, floats(1, 1)))
	if a, b := read(t, out[0], 8), read(t, out[1], 8); string(a) != string(floats(-2, -4)) || string(b) != string(floats(2, 4)) {
		t.Errorf("the results are %x and %x", a, b)
	}
}

// identity checks a program whose two results are its parameter.
func (s suite) identity(t *testing.T) {
	g, ty := &ir.Graph{}, shape.Of(dtype.F32, 1)
	x := g.Param(ty)
	g.Outputs = []*ir.Value{x, x}
	out := s.run(t, s.compile(t, g), 2, s.upload(t, ty, floats(7)))
	for _, b := range out {
		if got := read(t, b, 4); string(got) != string(floats(7)) {
			t.Errorf("the result is %x", got)
		}
	}
}

// narrow checks the results of a program compiled with Mode.Quick, for a float dtype without -0 and
// for integers and bools narrower than a byte.
func (s suite) narrow(t *testing.T) {
	g, float, short, truth := &ir.Graph{}, shape.Of(dtype.F8E4M3FNUZ), shape.Of(dtype.I2), shape.Of(dtype.I1)
	x, y, n, m, b := g.Param(float), g.Param(float), g.Param(short), g.Param(short), g.Param(truth)
	g.Outputs = []*ir.Value{
		g.Add(ir.Mul, nil, nil, []*ir.Value{x, y}, float).Results[0],
		g.Add(ir.Pow, nil, nil, []*ir.Value{n, m}, short).Results[0],
		g.Add(ir.Clamp, nil, nil, []*ir.Value{b, b, b}, truth).Results[0],
	}
	exe, err := s.e.Compile(background, g, engine.Mode{Device: s.device, Quick: true})
	if err != nil {
		t.Fatal(err)
	}
	value := func(d dtype.DType, v float64) engine.Buffer { return s.upload(t, shape.Of(d), packed(d, v)) }
	out := s.run(t, exe, 3, value(float.DType, 0.0009765625), value(float.DType, -0.5),
		value(dtype.I2, -1), value(dtype.I2, -2), value(dtype.I1, 1))
	for i, want := range []float64{0, 1, 1} {
		d := g.Outputs[i].Type.DType
		if got := read(t, out[i], 1); dtype.Get(got, d) != dtype.Get(packed(d, want), d) {
			t.Errorf("result %d is %v, want %v", i, dtype.Get(got, d), want)
		}
	}
}

// packed returns v as an element of d, a dtype whose elements take one byte.
func packed(d dtype.DType, v float64) []byte {
	b := make([]byte, 1)
	dtype.PutFloat(b, d, v)
	return b
}

// empty checks a program on a tensor without elements.
func (s suite) empty(t *testing.T) {
	g, ty := &ir.Graph{}, shape.Of(dtype.F32, 0, 3)
	x := g.Param(ty)
	g.Outputs = []*ir.Value{g.Add(ir.Neg, nil, nil, []*ir.Value{x}, ty).Results[0]}
	out := s.run(t, s.compile(t, g), 1, s.upload(t, ty, nil))
	read(t, out[0], 0)
}

// doubling returns a graph with parameters x and y that doubles x while x is less than y.
func doubling() *ir.Graph {
	ty := shape.Of(dtype.F32)
	cond, body, g := &ir.Graph{}, &ir.Graph{}, &ir.Graph{}
	x, y := cond.Param(ty), cond.Param(ty)
	cond.Outputs = cond.Add(ir.Compare, ir.CompareAttrs{Direction: ir.LT}, nil, []*ir.Value{x, y}, shape.Of(dtype.I1)).Results
	x, y = body.Param(ty), body.Param(ty)
	body.Outputs = []*ir.Value{body.Add(ir.Add, nil, nil, []*ir.Value{x, x}, ty).Results[0], y}
	x, y = g.Param(ty), g.Param(ty)
	g.Outputs = g.Add(ir.While, nil, []*ir.Graph{cond, body}, []*ir.Value{x, y}, ty, ty).Results[:1]
	return g
}

// while checks a program with a loop.
func (s suite) while(t *testing.T) {
	ty := shape.Of(dtype.F32)
	out := s.run(t, s.compile(t, doubling()), 1, s.upload(t, ty, floats(3)), s.upload(t, ty, floats(20)))
	if got := read(t, out[0], 4); string(got) != string(floats(24)) {
		t.Errorf("the result is %x", got)
	}
}

// interrupted checks that a Run with a canceled context fails, and that a later Run succeeds.
func (s suite) interrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	cancel()
	ty := shape.Of(dtype.F32)
	exe := s.compile(t, doubling())
	args := []engine.Buffer{s.upload(t, ty, floats(1)), s.upload(t, ty, floats(2))}
	if err := exe.Run(ctx, args, make([]engine.Buffer, 1)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if got := read(t, s.run(t, exe, 1, args...)[0], 4); string(got) != string(floats(2)) {
		t.Errorf("the result of the later Run is %x, want %x", got, floats(2))
	}
}

// concurrent checks that several goroutines can compile, upload, run and read at the same time.
func (s suite) concurrent(t *testing.T) {
	ty := shape.Of(dtype.F32)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			exe, err := s.e.Compile(background, doubling(), engine.Mode{Device: s.device})
			if err != nil {
				t.Error(err)
				return
			}
			x, err := s.e.Upload(ty, floats(float32(i+1)), s.device)
			if err != nil {
				t.Error(err)
				return
			}
			for range 20 {
				out := make([]engine.Buffer, 1)
				if err := exe.Run(background, []engine.Buffer{x, x}, out); err != nil {
					t.Error(err)
					return
				}
				data := make([]byte, 4)
				if err := out[0].Read(background, data); err != nil || string(data) != string(floats(float32(i+1))) {
					t.Errorf("read %x, %v, want %x", data, err, floats(float32(i+1)))
				}
			}
		})
	}
	wg.Wait()
}

// counters checks that a compilation, a launch and transfers are counted.
func (s suite) counters(t *testing.T) {
	before := s.e.Counters()
	ty := shape.Of(dtype.F32)
	x := s.upload(t, ty, floats(1))
	read(t, s.run(t, s.compile(t, doubling()), 1, x, x)[0], 4)
	after := s.e.Counters()
	if after.Launches != before.Launches+1 || after.Compiles+after.DiskHits != before.Compiles+before.DiskHits+1 ||
		after.BytesToDevice < before.BytesToDevice+4 || after.BytesToHost < before.BytesToHost+4 {
		t.Errorf("before %+v, after %+v", before, after)
	}
}

// origins checks that an executable's Origin agrees with the counters.
func (s suite) origins(t *testing.T) {
	g, ty := &ir.Graph{}, shape.Of(dtype.F32)
	x := g.Param(ty)
	g.Outputs = g.Add(ir.Neg, nil, nil, []*ir.Value{x}, ty).Results
	exe := s.compile(t, g)
	small, launched := exe.Origin(), s.e.Counters()
	if small == engine.InHost != s.e.HostPrograms() {
		t.Errorf("a small program has origin %d; HostPrograms is %t", small, s.e.HostPrograms())
	}
	read(t, s.run(t, exe, 1, s.upload(t, ty, floats(1)))[0], 4)
	inHost := s.e.Counters().HostLaunches - launched.HostLaunches
	if inHost != 0 && small != engine.InHost || inHost != 1 && small == engine.InHost {
		t.Errorf("HostLaunches counts %d launches for one launch of a program with origin %d", inHost, small)
	}
	before := s.e.Counters()
	origin := s.compile(t, doubling()).Origin()
	after := s.e.Counters()
	if compiled := after.Compiles > before.Compiles; origin == engine.InHost || compiled != (origin == engine.Compiled) {
		t.Errorf("a program with a loop has origin %d; before %+v, after %+v", origin, before, after)
	}
}

// released checks that the result of a program is right even if an argument is released after the launch,
// before the result is awaited.
func (s suite) released(t *testing.T) {
	ty := shape.Of(dtype.F32)
	exe := s.compile(t, doubling())
	x, y := s.upload(t, ty, floats(3)), s.upload(t, ty, floats(20))
	out := make([]engine.Buffer, 1)
	if err := exe.Run(background, []engine.Buffer{x, y}, out); err != nil {
		t.Fatal(err)
	}
	x.Release()
	if got := read(t, out[0], 4); string(got) != string(floats(24)) {
		t.Errorf("the result is %x", got)
	}
}
