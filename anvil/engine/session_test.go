package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
	"github.com/goanvil/notebook/anvil/xla"
)

// floatsOf returns an f64 vector.
func floatsOf(t *testing.T, s *Session, xs ...float64) Array {
	t.Helper()
	return floatsOn(t, s, "", xs...)
}

// floatsOn returns an f64 vector on a device.
func floatsOn(t *testing.T, s *Session, device string, xs ...float64) Array {
	t.Helper()
	a, err := s.Host(shape.Of(dtype.F64, len(xs)), floatBytes(xs...), device)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func floatBytes(xs ...float64) (data []byte) {
	for _, x := range xs {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
	}
	return data
}

// floats reads a.
func floats(t *testing.T, s *Session, a Array) []float64 {
	t.Helper()
	data := make([]byte, a.Type().Bytes())
	if err := s.Read(a, data); err != nil {
		t.Fatal(err)
	}
	var xs []float64
	for i := 0; i < len(data); i += 8 {
		xs = append(xs, math.Float64frombits(binary.LittleEndian.Uint64(data[i:])))
	}
	return xs
}

// wantFloats checks the elements of a.
func wantFloats(t *testing.T, s *Session, a Array, want ...float64) {
	t.Helper()
	if got := floats(t, s, a); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// twoDevices is the reference executor with two devices, whose buffers know where they are.
type twoDevices struct {
	Executor
	copies int
}

func (e *twoDevices) Devices() []string { return []string{"cpu:0", "cpu:1"} }
func (e *twoDevices) Copy(b Buffer, device int) (Buffer, error) {
	e.copies++
	return e.Executor.Copy(b, device)
}

// TestDevices checks where arrays are placed and which operands can be combined.
func TestDevices(t *testing.T) {
	e := &twoDevices{Executor: NewReference()}
	s := New(Options{Executor: e, Device: "cpu:1"})
	free, first, second := floatsOf(t, s, 1, 2), floatsOn(t, s, "cpu", 3, 4), floatsOn(t, s, "cpu:1", 5, 6)
	for _, c := range []struct {
		a      Array
		placed bool
		device int
	}{
		{free, false, 1}, {first, true, 0}, {second, true, 1}, {apply(t, s, ir.Add, free, first), true, 0},
		{apply(t, s, ir.Add, second, free), true, 1}, {apply(t, s, ir.Add, free, free), false, 1},
	} {
		if c.a.Placed() != c.placed || s.DeviceOf(c.a) != c.device {
			t.Errorf("placed %t on %d, want %t on %d", c.a.Placed(), s.DeviceOf(c.a), c.placed, c.device)
		}
	}
	_, err := s.Apply(first.Type(), ir.Add, nil, first, second)
	if want := "the operands are on cpu:0 and cpu:1; nv.ToDevice moves one"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	sum := apply(t, s, ir.Add, free, free)
	if err := s.Force(sum); err != nil || s.DeviceOf(sum) != 1 || sum.Pending() {
		t.Errorf("computed on device %d, %v", s.DeviceOf(sum), err)
	}
	moved, err := s.ToDevice(sum, "cpu:0")
	if err != nil || e.copies != 1 || s.DeviceOf(moved) != 0 || moved.Same(sum) {
		t.Errorf("%v: %d copies, now on %d", err, e.copies, s.DeviceOf(moved))
	}
	wantFloats(t, s, apply(t, s, ir.Add, moved, first), 5, 8)
	if again, err := s.ToDevice(moved, "cpu:0"); err != nil || !again.Same(moved) {
		t.Errorf("an array is moved to its own device: %v", err)
	}
	if other, err := s.ToDevice(first, "cpu:1"); err != nil || s.DeviceOf(other) != 1 || e.copies != 1 {
		t.Errorf("elements in host memory are copied from a device: %v, %d copies", err, e.copies)
	}
	wantFloats(t, s, apply(t, s, ir.Add, moved, sum), 4, 8)
	if e.copies != 2 {
		t.Errorf("%d copies, want 2", e.copies)
	}
	if given, err := s.Donate([]Array{sum, moved}); err != nil || s.DeviceOf(given[0]) != 1 || given[0].Placed() || s.DeviceOf(given[1]) != 0 {
		t.Errorf("Donate moves arrays: %v", err)
	}
	if _, err := s.ToDevice(first, "gpu"); err == nil || err.Error() != `there is no device "gpu"; devices are cpu:0, cpu:1` {
		t.Error(err)
	}
	if _, err := s.Host(first.Type(), nil, "gpu"); err == nil {
		t.Error("elements are put on a device that does not exist")
	}
	if _, err := s.Host(first.Type(), make([]byte, 15), ""); err == nil {
		t.Error("two numbers are made from 15 bytes")
	}
	if s.DeviceName(1) != "cpu:1" || s.DeviceName(2) != "none" || s.DeviceName(-1) != "none" {
		t.Error(s.DeviceName(1), s.DeviceName(2), s.DeviceName(-1))
	}
	if data, ok := free.Known(); !ok || len(data) != 16 {
		t.Errorf("the elements of an array from host memory are %v, %t", data, ok)
	}
	if _, ok := first.Known(); ok {
		t.Error("the elements of an array on a device are known")
	}
	if _, ok := sum.Known(); ok {
		t.Error("the elements of a sum are known")
	}
}

// TestNoExecutor checks the names of a session that has no executor, and its error.
func TestNoExecutor(t *testing.T) {
	t.Setenv("GOANVIL_BACKEND", "")
	s := New(Options{Backend: "abacus"})
	if err := s.Start(); err == nil || err.Error() != `engine: unknown backend "abacus"; give xla or reference` {
		t.Error(err)
	}
	if s.Name() != "none" || s.Platform() != "NONE" || s.DeviceNames() != nil || s.DeviceName(0) != "none" {
		t.Error(s.Name(), s.Platform(), s.DeviceNames(), s.DeviceName(0))
	}
	if _, err := s.Copied(shape.Of(dtype.U8, 1), []byte{1}, ""); err == nil {
		t.Error("elements are copied to no device")
	}
	if s.Close() != nil {
		t.Error(s.Close())
	}
	if st := s.Stats(); st != (Stats{}) {
		t.Errorf("the counters are %+v", st)
	}
	t.Setenv("GOANVIL_BACKEND", "reference")
	s = New(Options{})
	if s.Name() != "reference" || s.Platform() != "REFERENCE" || s.DeviceName(0) != "reference:0" {
		t.Error(s.Name(), s.Platform(), s.DeviceNames())
	}
	for text, want := range map[string]int{"": 0, "3": 3, "0": -1, "x": -1} {
		t.Setenv("GOANVIL_DEVICES", text)
		if n, err := virtualDevices(0); (err != nil) != (want < 0) || err == nil && n != want {
			t.Errorf("GOANVIL_DEVICES=%s: %d, %v", text, n, err)
		}
		if n, err := virtualDevices(2); n != 2 || err != nil {
			t.Errorf("the option Devices: %d, %v", n, err)
		}
	}
}

// TestConcatenationInGroups checks that a concatenation of many arrays is computed in groups, in order.
func TestConcatenationInGroups(t *testing.T) {
	for _, n := range []int{maxConcatenated, maxConcatenated + 1, maxConcatenated*maxConcatenated + 1} {
		e := newGate(func(_ context.Context, g *ir.Graph) error {
			for _, m := range g.Nodes {
				if m.Code == ir.Concatenate && len(m.Args) > maxConcatenated {
					t.Errorf("a concatenation of %d operands", len(m.Args))
				}
			}
			return nil
		})
		s := New(Options{Executor: e})
		as, want := make([]Array, n), make([]float64, n)
		for i := range as {
			as[i], want[i] = floatsOf(t, s, float64(i)), float64(i)
		}
		r, err := s.Apply(shape.Of(dtype.F64, n), ir.Concatenate, ir.AxisAttrs{Axis: 0}, as...)
		if err != nil {
			t.Fatal(err)
		}
		wantFloats(t, s, r, want...)
	}
}

// TestDonate checks that donated arrays and those made from them can be used as long as no program has taken
// their memory, and not afterwards.
func TestDonate(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	computed := apply(t, s, ir.Add, floatsOf(t, s, 0, 1), floatsOf(t, s, 1, 1))
	for _, x := range []Array{floatsOf(t, s, 1, 2), computed} {
		testDonate(t, s, x)
	}
	traced := s.NewTrace().Param(computed.Type())
	if out, err := s.Donate([]Array{traced}); err != nil || !out[0].Same(traced) {
		t.Errorf("a traced array: %v", err)
	}
	if s.Finishing() {
		t.Error("no program runs")
	}
}

// testDonate donates x, whose elements are 1 and 2.
func testDonate(t *testing.T, s *Session, x Array) {
	t.Helper()
	user := apply(t, s, ir.Add, x, x) // computed by Donate
	out, err := s.Donate([]Array{x})
	if err != nil {
		t.Fatal(err)
	}
	if user.Pending() || !x.Donated() || out[0].Donated() {
		t.Errorf("pending %t, given %t, the result given %t", user.Pending(), x.Donated(), out[0].Donated())
	}
	wantFloats(t, s, user, 2, 4)
	wantFloats(t, s, out[0], 1, 2)
	refused := func(name string, err error) {
		t.Helper()
		if !errors.Is(err, errDonated) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = s.Apply(x.Type(), ir.Add, nil, x, x)
	refused("Apply", err)
	_, err = s.Donate([]Array{x})
	refused("Donate", err)
	_, err = s.ToDevice(x, "reference:0")
	refused("ToDevice", err)
	_, err = s.View(x, func([]byte) {})
	refused("View", err)
	refused("Read", s.Read(x, make([]byte, 16)))

	s.Revive()
	if x.Donated() {
		t.Error("an array that no program has taken is not revived")
	}
	wantFloats(t, s, x, 1, 2)

	if out, err = s.Donate([]Array{x}); err != nil {
		t.Fatal(err)
	}
	p := doubling(t, s, shape.Of(dtype.F64, 2))
	if _, err := p.Call(out[0], out[0]); err == nil {
		t.Error("a program of one parameter is called with two")
	}
	results, err := p.Call(out[0])
	if err != nil {
		t.Fatal(err)
	}
	wantFloats(t, s, results[0], 2, 4)
	_, err = p.Call(out[0])
	refused("a second call", err)
	s.Revive()
	refused("after Revive", s.Read(x, make([]byte, 16)))
}

// doubling returns the program x + x.
func doubling(t *testing.T, s *Session, ty shape.Type) *Program {
	t.Helper()
	tr := s.NewTrace()
	x := tr.Param(ty)
	p, err := tr.Finish("main", []Array{apply(t, s, ir.Add, x, x)})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestDonatedIndices checks which leaves are donated, and the results that take their memory: the first of the
// same type that is free.
func TestDonatedIndices(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	large, small := shape.Of(dtype.U8, minDonated), shape.Of(dtype.U8, minDonated-1)
	other := shape.Of(dtype.I8, minDonated)
	g := &ir.Graph{}
	for _, ty := range []shape.Type{large, small, large, other, large} {
		g.Param(ty)
	}
	for _, ty := range []shape.Type{small, other, large, small, large} {
		g.Outputs = append(g.Outputs, &ir.Value{Type: ty})
	}
	got := aliases(g, []int{0, 1, 2, 3, 4})
	want := []stablehlo.Alias{{Param: 0, Result: 2}, {Param: 2, Result: 4}, {Param: 3, Result: 1}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	donor, plain, gone := &node{donor: true}, &node{}, &node{}
	gone.donated.Store(true)
	for _, c := range []struct {
		leaves []*node
		want   []int
		err    error
	}{
		{[]*node{plain, donor, plain, {donor: true}}, []int{1, 3}, nil},
		{[]*node{plain, plain}, nil, nil},
		{[]*node{donor, plain, donor}, nil, errDonatedTwice},
		{[]*node{donor, gone}, nil, errDonated},
	} {
		if at, err := s.donorIndices(c.leaves); !errors.Is(err, c.err) || !slices.Equal(at, c.want) {
			t.Errorf("%v, %v; want %v, %v", at, err, c.want, c.err)
		}
	}
}

// TestTrace checks programs with captured arrays, values of parameters, and the errors of traced arrays.
func TestTrace(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	ty, c := shape.Of(dtype.F64, 2), floatsOf(t, s, 10, 20)
	tr := s.NewTrace()
	x, y := tr.ParamOf(floatsOf(t, s, 1, 2)), tr.Param(ty)
	known, unknown := apply(t, s, ir.Add, x, c), apply(t, s, ir.Mul, x, y)
	if !known.Traced() || known.Trace() != tr || known.Unknown() || !unknown.Unknown() || c.Traced() || !c.OlderThan(tr) || x.OlderThan(tr) {
		t.Error("what depends on which parameter is wrong")
	}
	wantFloats(t, s, known, 11, 22)
	if err := s.Read(unknown, make([]byte, 16)); !errors.Is(err, errTraced) {
		t.Errorf("reading an array without a value: %v", err)
	}
	if _, err := s.ToDevice(x, "reference:0"); err == nil {
		t.Error("a traced array is moved")
	}
	tr.AddFault(Fault{When: known, Err: errTraced})
	if f := tr.Faults(); len(f) != 1 || f[0].Err != errTraced {
		t.Errorf("faults %v", f)
	}
	known.Mark(true)
	p, err := tr.Finish("main", []Array{apply(t, s, ir.Sub, known, y), c, x})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Captured) != 1 || !p.Captured[0].Same(c) || p.Graph.Name != "main" || len(p.Graph.Params) != 3 {
		t.Errorf("%d captured arrays, graph\n%s", len(p.Captured), ir.Print(p.Graph))
	}
	if sub := p.Graph.Outputs[0]; sub.Ambiguous || !sub.Node.Args[0].Ambiguous || sub.Node.Args[1].Ambiguous {
		t.Errorf("the marks of ambiguous values are wrong: %s", ir.Print(p.Graph))
	}
	call := func(captured Array) [][]float64 {
		t.Helper()
		out, err := p.CallWith([]Array{floatsOf(t, s, 5, 6), floatsOf(t, s, 1, 1)}, []Array{captured})
		if err != nil {
			t.Fatal(err)
		}
		return [][]float64{floats(t, s, out[0]), floats(t, s, out[1]), floats(t, s, out[2])}
	}
	for _, want := range [][][]float64{{{14, 25}, {10, 20}, {5, 6}}, {{104, 105}, {100, 100}, {5, 6}}} {
		got := call(floatsOf(t, s, want[1]...))
		for i := range want {
			if !slices.Equal(got[i], want[i]) {
				t.Errorf("result %d is %v, want %v", i, got[i], want[i])
			}
		}
	}
	if _, err := s.Apply(ty, ir.Add, nil, known, c); !errors.Is(err, errEscaped) {
		t.Errorf("using a traced array after the trace: %v", err)
	}

	// Programs with other operations, attributes, orders of operands or results have other keys.
	keys := map[string]int{}
	for i, f := range []func(x, y Array) []Array{
		func(x, y Array) []Array { return []Array{apply(t, s, ir.Add, x, y)} },
		func(x, y Array) []Array { return []Array{apply(t, s, ir.Add, y, x)} },
		func(x, y Array) []Array { return []Array{apply(t, s, ir.Sub, x, y)} },
		func(x, y Array) []Array { return []Array{apply(t, s, ir.Sub, x, y), x} },
		func(x, y Array) []Array { return []Array{x, apply(t, s, ir.Sub, x, y)} },
		func(x, y Array) []Array { return []Array{apply(t, s, ir.Sub, x, x)} },
	} {
		for range 2 {
			tr := s.NewTrace()
			p, err := tr.Finish("f", f(tr.Param(ty), tr.Param(ty)))
			if err != nil {
				t.Fatal(err)
			}
			key := string(p.AppendKey([]byte("k")))
			if j, ok := keys[key]; ok && j != i {
				t.Errorf("programs %d and %d have one key", i, j)
			}
			keys[key] = i
		}
	}
	if len(keys) != 6 {
		t.Errorf("%d keys", len(keys))
	}
}

// TestTracedOperationsAreNotComputed checks that the computation of a value computes recent operations too, but not those
// of a program that has been traced.
func TestTracedOperationsAreNotComputed(t *testing.T) {
	for traced, ops := range map[bool]int64{true: 1, false: 2} {
		s := New(Options{Executor: NewReference()})
		x := floatsOf(t, s, 1, 2)
		tr := s.NewTrace()
		negated := apply(t, s, ir.Neg, x)
		if traced {
			if _, err := tr.Finish("f", []Array{negated}); err != nil {
				t.Fatal(err)
			}
		}
		wantFloats(t, s, apply(t, s, ir.Add, x, x), 2, 4)
		if got := s.Stats().LargestOps; got != ops {
			t.Errorf("traced: %v: the program has %d operations, want %d", traced, got, ops)
		}
	}
}

// TestShare checks that programs get the captured arrays of all.
func TestShare(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	a, b, c := floatsOf(t, s, 1), floatsOf(t, s, 10), floatsOf(t, s, 100)
	program := func(u, v Array) *Program {
		tr := s.NewTrace()
		x := tr.Param(shape.Of(dtype.F64, 1))
		p, err := tr.Finish("f", []Array{apply(t, s, ir.Sub, apply(t, s, ir.Mul, x, u), v)})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p, q := program(a, b), program(c, b)
	all := Share(1, p, q)
	if len(all) != 3 || !all[0].Same(a) || !all[1].Same(b) || !all[2].Same(c) {
		t.Fatalf("%d arrays are shared", len(all))
	}
	for i, want := range map[*Program]float64{p: 2 - 10, q: 200 - 10} {
		for k, v := range i.Graph.Params {
			if v.Index != k || !v.Type.Equal(shape.Of(dtype.F64, 1)) {
				t.Errorf("parameter %d has index %d and type %v", k, v.Index, v.Type)
			}
		}
		out, err := s.Inline(i.Graph, floatsOf(t, s, 2), all[0], all[1], all[2])
		if err != nil {
			t.Fatal(err)
		}
		wantFloats(t, s, out[0], want)
	}
}

// TestCellsEnd checks that the end of a cell computes each array and reports the first failure once.
func TestCellsEnd(t *testing.T) {
	bad := errors.New("bad")
	e := newGate(func(_ context.Context, g *ir.Graph) error {
		for _, n := range g.Nodes {
			if n.Code == ir.Mul {
				return bad
			}
		}
		return nil
	})
	s := New(Options{Executor: e})
	a := floatsOf(t, s, 3)
	sum, product, second := apply(t, s, ir.Add, a, a), apply(t, s, ir.Mul, a, a), apply(t, s, ir.Sub, a, a)
	failed, err := s.EndCell([]Array{sum, product, second})
	if failed != 1 || !errors.Is(err, bad) || sum.Pending() || second.Pending() {
		t.Errorf("array %d failed: %v; pending %t, %t", failed, err, sum.Pending(), second.Pending())
	}
	if failed, err := s.EndCell([]Array{sum, product, second}); failed != 0 || err != nil {
		t.Errorf("the failure is reported again: %d, %v", failed, err)
	}
	if err := s.Read(product, make([]byte, 8)); !errors.Is(err, bad) {
		t.Errorf("reading the product: %v", err)
	}
	if err := s.Wait(sum); err != nil {
		t.Error(err)
	}
	if err := s.Wait(product); !errors.Is(err, bad) {
		t.Errorf("waiting for the product: %v", err)
	}
	seen := 0.0
	ok, err := s.View(sum, func(data []byte) { seen = math.Float64frombits(binary.LittleEndian.Uint64(data)) })
	if !ok || err != nil || seen != 6 {
		t.Errorf("viewed %v: %t, %v", seen, ok, err)
	}
	if ok, err = s.View(a, func(data []byte) { seen = float64(len(data)) }); !ok || err != nil || seen != 8 {
		t.Errorf("viewed %v bytes: %t, %v", seen, ok, err)
	}
	if ok, err := s.View(product, func([]byte) { t.Error("the product is viewed") }); ok || !errors.Is(err, bad) {
		t.Errorf("viewing the product: %t, %v", ok, err)
	}
	for _, a := range []Array{sum, second} {
		if err := s.Look(a); err != nil {
			t.Error(err)
		}
	}
	if err := s.Look(product); !errors.Is(err, bad) {
		t.Errorf("looking at the product: %v", err)
	}
}

// TestScopes checks that operations belong to the innermost scope of their goroutine.
func TestScopes(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	a := floatsOf(t, s, 1)
	scope := func() string { return apply(t, s, ir.Add, a, a).n.scope.String() }
	leave := s.Enter("outer")
	leaveInner := s.Enter("inner")
	other := make(chan string)
	go func() { other <- scope() }()
	if got := scope() + <-other; got != "inner" {
		t.Errorf("%q", got)
	}
	leaveInner()
	if got := scope(); got != "outer" {
		t.Errorf("%q", got)
	}
	leave()
	if got := scope(); got != "" || len(s.scopes.byGoroutine) > 0 {
		t.Errorf("%q, %d goroutines in scopes", got, len(s.scopes.byGoroutine))
	}
	tr := s.NewTrace()
	end := tr.Record()
	inner := s.NewTrace()
	endInner := inner.Record()
	if s.Depth() != 2 || s.recording() != inner {
		t.Errorf("depth %d", s.Depth())
	}
	endInner()
	if s.Depth() != 1 || s.recording() != tr {
		t.Errorf("depth %d", s.Depth())
	}
	end()
	if s.Depth() != 0 || s.recording() != nil || len(s.recordings.byGoroutine) > 0 {
		t.Errorf("depth %d", s.Depth())
	}
}

// TestCompilations checks the reasons for compilations and their texts.
func TestCompilations(t *testing.T) {
	var c compilations
	f32, f64, i32 := shape.Of(dtype.F32, 3), shape.Of(dtype.F64, 3), shape.Of(dtype.I32, 3)
	// graph returns the sum of converted parameters.
	graph := func(to shape.Type, attrs any, params ...shape.Type) *ir.Graph {
		g := &ir.Graph{}
		var args []*ir.Value
		for _, p := range params {
			v := g.Param(p)
			if !p.Equal(to) && p.DType != to.DType {
				v = g.Add(ir.Convert, nil, nil, []*ir.Value{v}, to).Results[0]
			}
			args = append(args, v)
		}
		g.Outputs = g.Add(ir.Concatenate, attrs, nil, args, to).Results
		return g
	}
	four := shape.Of(dtype.F32, 4)
	for i, want := range []struct {
		g      *ir.Graph
		reason string
	}{
		{graph(f32, nil, f32, f32), "its operations are new"},
		{graph(f32, nil, f32, four), "input 2 changed from f32{3} to f32{4}"},
		{graph(f32, nil, f32, four), "the input types are the same as before: an axis, a length or another fixed part " +
			"of an operation, its operands, or the device changed, or the earlier program was dropped from memory"},
		{graph(f32, nil, f64, f32), "a conversion from f64 to f32 is new, input 1 changed from f32{3} to f64{3}, " +
			"input 2 changed from f32{4} to f32{3}"},
		{graph(f32, nil, f32, f64), "input 1 changed from f64{3} to f32{3}, input 2 changed from f32{3} to f64{3}"},
		{graph(f32, nil, i32, f64), "a conversion from i32 to f32 is new, input 1 changed from f32{3} to i32{3}"},
		{graph(f32, nil, f32, f32), "input 2 changed from f32{4} to f32{3}"},
		{graph(f32, nil, i32, i32), "input 2 changed from f64{3} to i32{3}"},
		{graph(f32, nil, f32, i32, f32), "its operations are new"},
		{graph(f32, nil, f32, f32, f32), "a conversion from i32 to f32 is gone, input 2 changed from i32{3} to f32{3}"},
		{graph(f32, nil, f32, f32, f32, f32, f32), "its operations are new"},
		{graph(f32, nil, four, four, four, four, four), "input 1 changed from f32{3} to f32{4}, " +
			"input 2 changed from f32{3} to f32{4}, input 3 changed from f32{3} to f32{4}, 2 more changed"},
		{graph(f32, nil, f32, f32, f32, four, four), "input 1 changed from f32{4} to f32{3}, " +
			"input 2 changed from f32{4} to f32{3}, input 3 changed from f32{4} to f32{3}"},
	} {
		c.add(want.g, 1234567*time.Nanosecond, i%2 == 1)
		last := c.last[len(c.last)-1]
		if last.Reason != want.reason || last.Number != int64(i+1) || last.Operations != len(want.g.Nodes) || last.Disk != (i%2 == 1) {
			t.Errorf("%d: %+v, want %s", i, last, want.reason)
		}
	}
	// chain returns a program of a conversion and a negation, in this order or in the other.
	chain := func(codes ...ir.Code) *ir.Graph {
		g := &ir.Graph{}
		v := g.Param(f64)
		for _, code := range codes {
			ty := v.Type
			if code == ir.Convert {
				ty = f32
			}
			v = g.Add(code, nil, nil, []*ir.Value{v}, ty).Results[0]
		}
		g.Outputs = []*ir.Value{v}
		return g
	}
	isNew := "a conversion from f64 to f32 is new, "
	for _, want := range []struct {
		g      *ir.Graph
		reason string
	}{
		{chain(ir.Convert, ir.Neg), "its operations are new"},
		{chain(ir.Neg, ir.Convert), "a conversion is at another place"},
		{chain(ir.Neg, ir.Convert, ir.Convert), "a conversion from f32 to f32 is new"},
		{chain(ir.Neg), "a conversion from f64 to f32 is gone, a conversion from f32 to f32 is gone"},
		{graph(f32, nil, f32, f32, f32, f32), "its operations are new"},
		{graph(f32, nil, f64, f64, f64, f64), isNew + isNew + isNew + "and 5 more"},
	} {
		if got := c.reason(want.g); got != want.reason {
			t.Errorf("%s, want %s", got, want.reason)
		}
	}
	for _, w := range []struct {
		c    Compilation
		want string
	}{
		{Compilation{}, "nothing was compiled"},
		{Compilation{Number: 3, Operations: 12, Took: 1234567, Reason: "r"}, "program 3, of 12 operations, compiled in 1.23ms: r"},
		{Compilation{Number: 1, Operations: 1, Took: 50000, Disk: true, Reason: "r"},
			"program 1, of 1 operation, loaded from disk in 50µs: r"},
	} {
		if got := w.c.String(); got != w.want {
			t.Errorf("%s, want %s", got, w.want)
		}
	}
	s := New(Options{Executor: NewReference()})
	for range 100 {
		s.compilations.add(graph(f32, nil, f32), 0, false)
	}
	if all := s.Compilations(0); len(all) != 64 || all[0].Number != 37 || all[63].Number != 100 {
		t.Errorf("%d compilations", len(all))
	}
	if late := s.Compilations(98); len(late) != 2 || late[0].Number != 99 {
		t.Errorf("%v", late)
	}
}

// TestStats checks the counters of a session and their text.
func TestStats(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	if st := s.Stats(); st != (Stats{}) {
		t.Errorf("of a new session: %+v", st)
	}
	for range 2 {
		a := floatsOf(t, s, 1, 2)
		wantFloats(t, s, apply(t, s, ir.Mul, apply(t, s, ir.Add, a, a), a), 2, 8)
	}
	s.AddTraceTime(3 * time.Second)
	st := s.Stats()
	if st.Compiles != 1 || st.CacheHits != 1 || st.Launches != 2 || st.LargestOps != 2 || st.Programs != 1 ||
		st.BytesToDevice != 32 || st.BytesToHost != 32 || st.TraceTime != 3*time.Second {
		t.Errorf("%+v", st)
	}
	text := Stats{Compiles: 1, DiskHits: 2, CacheHits: 3, LargestOps: 4, Launches: 5, HostLaunches: 6, BytesToDevice: 7,
		BytesToHost: 8, LiveBytes: 9, LiveBuffers: 10, PeakBytes: 11, TraceTime: 12 * time.Second, CompileTime: 1300}.String()
	want := "programs: 1 compiled, 2 from disk, 3 times found in memory; the largest has 4 operations\n" +
		"launches: 5, of them 6 computed by Go: small programs, sorts, factorizations\n" +
		"bytes: 7 to devices, 8 to the host; 9 live in 10 buffers, 11 at most\n" +
		"time: 12s to trace, 1µs to compile"
	if text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}

// region returns a graph that f builds on parameters of the given types.
func region(f func(g *ir.Graph, x []*ir.Value) []*ir.Value, types ...shape.Type) *ir.Graph {
	g := &ir.Graph{}
	for _, t := range types {
		g.Param(t)
	}
	g.Outputs = f(g, g.Params)
	return g
}

// add appends a node whose result types package ops infers.
func add(t *testing.T, g *ir.Graph, code ir.Code, attrs any, x ...*ir.Value) *ir.Value {
	t.Helper()
	types := make([]shape.Type, len(x))
	for i, v := range x {
		types[i] = v.Type
	}
	results, err := ops.Infer(code, attrs, nil, types...)
	if err != nil {
		t.Fatal(err)
	}
	return g.Add(code, attrs, nil, x, results...).Results[0]
}

// TestHostCalls checks that programs call Go functions, in loops, branches and calls, in order.
func TestHostCalls(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	ty := shape.Of(dtype.F64, 1)
	var seen []float64
	h := &HostCall{Name: "note", Effect: true, Do: func(args []Array) ([]Array, error) {
		x := floats(t, s, args[0])[0]
		seen = append(seen, x)
		return []Array{floatsOf(t, s, x+0.5)}, nil
	}}
	if h.String() != "note" {
		t.Error(h)
	}
	out, err := s.CallHost(h, []shape.Type{ty}, floatsOf(t, s, 1))
	if err != nil {
		t.Fatal(err)
	}
	wantFloats(t, s, out[0], 1.5)

	note := func(g *ir.Graph, x *ir.Value) *ir.Value {
		return g.Add(ir.HostCall, h, nil, []*ir.Value{x}, ty).Results[0]
	}
	below := func(limit float64) *ir.Graph {
		return region(func(g *ir.Graph, x []*ir.Value) []*ir.Value {
			c := add(t, g, ir.Constant, ir.ConstantAttrs{DType: dtype.F64, Shape: shape.DimsOf(1), Data: string(floatBytes(limit))})
			less := add(t, g, ir.Compare, ir.CompareAttrs{Direction: ir.LT}, x[0], c)
			return []*ir.Value{add(t, g, ir.Reshape, ir.ReshapeAttrs{}, less)}
		}, ty)
	}
	step := region(func(g *ir.Graph, x []*ir.Value) []*ir.Value { return []*ir.Value{note(g, x[0])} }, ty)
	negated := region(func(g *ir.Graph, x []*ir.Value) []*ir.Value {
		return []*ir.Value{note(g, add(t, g, ir.Neg, nil, x[0]))}
	}, ty)
	double := region(func(g *ir.Graph, x []*ir.Value) []*ir.Value {
		return []*ir.Value{note(g, add(t, g, ir.Add, nil, x[0], x[0]))}
	}, ty)
	scalar := func(d dtype.DType, v int64) Array {
		data := make([]byte, d.Size())
		dtype.PutInt(data, d, v)
		return s.Scalar(d, data)
	}
	for _, c := range []struct {
		name    string
		code    ir.Code
		attrs   any
		regions []*ir.Graph
		first   Array
		want    float64
		seen    []float64
	}{
		{"While", ir.While, nil, []*ir.Graph{below(3.2), step}, Array{}, 3.5, []float64{2, 2.5, 3}},
		{"If true", ir.If, nil, []*ir.Graph{step, negated}, scalar(dtype.I1, 1), 2.5, []float64{2}},
		{"If false", ir.If, nil, []*ir.Graph{step, negated}, scalar(dtype.I1, 0), -1.5, []float64{-2}},
		{"Case 0", ir.Case, nil, []*ir.Graph{step, negated, double}, scalar(dtype.I32, 0), 2.5, []float64{2}},
		{"Case 1", ir.Case, nil, []*ir.Graph{step, negated, double}, scalar(dtype.I32, 1), -1.5, []float64{-2}},
		{"Case 2", ir.Case, nil, []*ir.Graph{step, negated, double}, scalar(dtype.I32, 2), 4.5, []float64{4}},
		{"Case 3", ir.Case, nil, []*ir.Graph{step, negated, double}, scalar(dtype.I32, 3), 4.5, []float64{4}},
		{"Case -1", ir.Case, nil, []*ir.Graph{step, negated, double}, scalar(dtype.I32, -1), 4.5, []float64{4}},
		{"Call", ir.Call, ir.CallAttrs{}, []*ir.Graph{double}, Array{}, 4.5, []float64{4}},
		{"Scan", ir.Scan, ir.ScanAttrs{Length: 3, Carried: 1}, []*ir.Graph{step}, Array{}, 3.5, []float64{2, 2.5, 3}},
	} {
		x := floatsOf(t, s, 2)
		args := []Array{x}
		if c.first.Valid() {
			args = []Array{c.first, x}
		}
		seen = nil
		out, err := s.ApplyMany([]shape.Type{ty}, c.code, c.attrs, c.regions, args...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		wantFloats(t, s, out[0], c.want)
		if !slices.Equal(seen, c.seen) {
			t.Errorf("%s: the function was called with %v, want %v", c.name, seen, c.seen)
		}

		// The same in a program, whose calls of the host come when it is called.
		seen = nil
		tr := s.NewTrace()
		end := tr.Record()
		p := tr.Param(ty)
		args[len(args)-1] = p
		if out, err = s.ApplyMany([]shape.Type{ty}, c.code, c.attrs, c.regions, args...); err != nil {
			t.Fatal(err)
		}
		end()
		program, err := tr.Finish("f", out)
		if err != nil {
			t.Fatal(err)
		}
		if len(seen) > 0 {
			t.Errorf("%s: the function was called with %v during tracing", c.name, seen)
		}
		if out, err = program.Call(x); err != nil {
			t.Fatal(err)
		}
		wantFloats(t, s, out[0], c.want)
		if !slices.Equal(seen, c.seen) {
			t.Errorf("%s: the program called the function with %v, want %v", c.name, seen, c.seen)
		}
	}

	// A call with an effect stays in a program that does not need its results, also without traced operands.
	tr := s.NewTrace()
	end := tr.Record()
	p := tr.Param(ty)
	for _, a := range []Array{p, floatsOf(t, s, 7)} {
		if _, err := s.CallHost(h, []shape.Type{ty}, a); err != nil {
			t.Fatal(err)
		}
	}
	quiet := &HostCall{Name: "quiet", Do: func([]Array) ([]Array, error) { return nil, errors.New("called") }}
	if _, err := s.CallHost(quiet, []shape.Type{ty}, p); err != nil {
		t.Fatal(err)
	}
	end()
	program, err := tr.Finish("f", []Array{p})
	if err != nil {
		t.Fatal(err)
	}
	seen = nil
	if _, err := program.Call(floatsOf(t, s, 3)); err != nil || !slices.Equal(seen, []float64{3, 7}) {
		t.Errorf("the function was called with %v, %v", seen, err)
	}
	if _, err := s.readScalar(floatsOf(t, s, 1)); err == nil {
		t.Error("a branch is selected by a float")
	}
}

// TestBackendMessages checks what is logged about plugins.
func TestBackendMessages(t *testing.T) {
	skipped := []xla.Skipped{
		{Candidate: xla.Candidate{Path: "/a.so"}, Err: &xla.Error{Reason: "it is old."}},
		{Candidate: xla.Candidate{Path: "/b.so"}, Err: errors.New("no file")},
	}
	want := "passed over " + skipped[0].Candidate.String() + ": it is old; passed over " +
		skipped[1].Candidate.String() + ": no file"
	if got := skippedMessage(skipped); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := whyNoXLA(&xla.UnsupportedError{Reason: "not here"}); got != "not here" {
		t.Error(got)
	}
	if got := whyNoXLA(errors.New("other")); got != "other" {
		t.Error(got)
	}
	want = "computing with /p.so, which is not the plugin that this version is tested with; goanvil setup cpu installs the " +
		"tested one; to keep this one, set " + xla.PluginVariable + "=/p.so in the environment"
	if got := unpinnedMessage("/p.so"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestMemoryOfPrograms checks the bytes of a program's values, and the error of one that needs too many.
func TestMemoryOfPrograms(t *testing.T) {
	small, large := shape.Of(dtype.F32, 3), shape.Of(dtype.F32, 1<<40, 1<<10)
	inner := region(func(g *ir.Graph, x []*ir.Value) []*ir.Value { return []*ir.Value{add(t, g, ir.Neg, nil, x[0])} }, small)
	g := &ir.Graph{}
	x := g.Param(small)
	g.Add(ir.Call, nil, []*ir.Graph{inner, inner}, []*ir.Value{x}, small, shape.Of(dtype.U8, 5))
	if n := valueBytes(g); n != 12+5+2*12 {
		t.Errorf("%d bytes", n)
	}
	if err := checkMemory(g); err != nil {
		t.Error(err)
	}
	g.Add(ir.Neg, nil, nil, []*ir.Value{x}, large)
	if n := valueBytes(g); n != 12+5+2*12+1<<52 || checkMemory(g) == nil {
		t.Errorf("%d bytes, %v", n, checkMemory(g))
	}
	g.Add(ir.Neg, nil, nil, []*ir.Value{x}, shape.Of(dtype.F32, 1<<40, 1<<40))
	if n := valueBytes(g); n != math.MaxInt64 {
		t.Errorf("%d bytes", n)
	}
	for _, c := range [][3]int64{{1, 2, 3}, {math.MaxInt64 - 1, 1, math.MaxInt64}, {math.MaxInt64, 1, math.MaxInt64}} {
		if got := saturatingAdd(c[0], c[1]); got != c[2] {
			t.Errorf("%d + %d is %d", c[0], c[1], got)
		}
	}
	p := &plan{leaves: []*node{{typ: shape.Of(dtype.U8, smallResult)}}}
	for n, want := range map[int]bool{smallResult: false, 2 * smallResult: false, 2*smallResult + 1: true} {
		if got := p.tooLarge(&node{typ: shape.Of(dtype.U8, n)}); got != want {
			t.Errorf("tooLarge of %d bytes is %t", n, got)
		}
	}
	p.leaves = nil
	if p.tooLarge(&node{typ: shape.Of(dtype.U8, smallResult)}) || !p.tooLarge(&node{typ: shape.Of(dtype.U8, smallResult+1)}) {
		t.Error("without parameters a result of smallResult bytes is kept, and no larger one")
	}
}

// TestWorkOfPrograms checks which programs are cheap and which have few elements.
func TestWorkOfPrograms(t *testing.T) {
	program := func(code ir.Code, n int, results shape.Type, regions ...*ir.Graph) *ir.Graph {
		g := &ir.Graph{}
		x := g.Param(shape.Of(dtype.F32, n))
		g.Add(code, nil, regions, []*ir.Value{x, x}, results)
		return g
	}
	one := shape.Of(dtype.F32)
	two := program(ir.Neg, 600, one)
	two.Nodes = append(two.Nodes, two.Nodes...)
	for _, c := range []struct {
		name       string
		g          *ir.Graph
		cheap, few bool
	}{
		{"64", program(ir.Neg, 64, one), true, true},
		{"65", program(ir.Neg, 65, one), true, false},
		{"results of 65", program(ir.Neg, 1, shape.Of(dtype.F32, 65)), true, false},
		{"1000", program(ir.Neg, 1000, one), true, false},
		{"1001", program(ir.Neg, 1001, one), false, false},
		{"results of 1001", program(ir.Neg, 1, shape.Of(dtype.F32, 1001)), false, false},
		{"twice 600", two, false, false},
		{"a slice", program(ir.Slice, 5000, one), true, false},
		{"a dynamic slice", program(ir.DynamicSlice, 5000, one), true, false},
		{"a product of 31", program(ir.DotGeneral, 31, one), true, true},
		{"a product of 32", program(ir.DotGeneral, 32, one), false, true},
		{"regions", program(ir.Call, 1, one, &ir.Graph{}), false, false},
	} {
		if cheap(c.g) != c.cheap || hasFewElements(c.g) != c.few {
			t.Errorf("%s: cheap %t, few elements %t; want %t, %t", c.name, cheap(c.g), hasFewElements(c.g), c.cheap, c.few)
		}
	}
}

// TestNarrowPrograms checks which dtypes are not compiled with the quick options, as a parameter and as a result.
func TestNarrowPrograms(t *testing.T) {
	var params, results []string
	for _, d := range dtype.All() {
		of, into := &ir.Graph{}, &ir.Graph{}
		x := of.Param(shape.Of(d, 2))
		of.Add(ir.Convert, nil, nil, []*ir.Value{x}, shape.Of(dtype.F32, 2))
		if hasNarrow(of) {
			params = append(params, d.String())
		}
		x = into.Param(shape.Of(dtype.F32, 2))
		into.Add(ir.Convert, nil, nil, []*ir.Value{x}, shape.Of(dtype.F32, 2), shape.Of(d, 2))
		if hasNarrow(into) {
			results = append(results, d.String())
		}
	}
	const want = "i2 i4 ui2 ui4 f4e2m1fn f8e3m4 f8e4m3 f8e4m3b11fnuz f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz f8e8m0fnu"
	if got := strings.Join(params, " "); got != want {
		t.Errorf("parameters of %s, want %s", got, want)
	}
	if got := strings.Join(results, " "); got != want {
		t.Errorf("results of %s, want %s", got, want)
	}
}
