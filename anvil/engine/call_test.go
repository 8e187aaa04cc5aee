package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// TestObserveMixedOperands checks operations some of whose operands are not inexact: a NaN that Select takes from one of
// the others is not lost in it, and a conversion of an integer may overflow.
func TestObserveMixedOperands(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	truth, err := s.Host(shape.Of(dtype.I1, 2), []byte{1, 0}, "")
	if err != nil {
		t.Fatal(err)
	}
	large := s.Scalar(dtype.I32, []byte{0x70, 0x11, 1, 0}) // 70000
	for _, c := range []struct {
		name string
		typ  shape.Type
		code ir.Code
		attr any
		args []Array
		want Observation
	}{
		{"a NaN", pair, ir.Select, nil, []Array{truth, floatsOf(t, s, nan, 1), floatsOf(t, s, 2, 3)}, Observation{}},
		{"a NaN in the last", pair, ir.Select, nil, []Array{truth, floatsOf(t, s, 1, 1), floatsOf(t, s, 2, nan)}, Observation{}},
		{"an infinity", pair, ir.Select, nil, []Array{truth, floatsOf(t, s, inf, 1), floatsOf(t, s, 2, 3)}, Observation{}},
		{"a conversion", shape.Of(dtype.F16), ir.Convert, ir.DTypeAttrs{DType: dtype.F16}, []Array{large},
			Observation{Overflow: "Convert of 7e+04", Products: 1}},
		{"integers", shape.Of(dtype.I32), ir.Add, nil, []Array{large, large}, Observation{}},
	} {
		end := s.Observe(time.Hour)
		_, err := s.Apply(c.typ, c.code, c.attr, c.args...)
		got := end()
		got.deadline = time.Time{}
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v; want %+v", c.name, got, err, c.want)
		}
	}
}

// TestFindNaNInPrograms checks that a NaN in a result of a traced program is found in the operations of the program.
func TestFindNaNInPrograms(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	tr := s.NewTrace()
	x := tr.Param(pair)
	p, err := tr.Finish("f", []Array{apply(t, s, ir.Exp, x), apply(t, s, ir.Log, apply(t, s, ir.Neg, x))})
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Call(floatsOf(t, s, -1, 2))
	if err != nil {
		t.Fatal(err)
	}
	var e *NaNError
	if err := s.FindNaN(out[1]); !errors.As(err, &e) || e.Code != ir.Log || e.Element != "[1]" {
		t.Errorf("the second result: %v", err)
	}
}

// TestForcedTwice checks that an array that is requested twice is one result of the program.
func TestForcedTwice(t *testing.T) {
	results := 0
	s := New(Options{Executor: newGate(func(_ context.Context, g *ir.Graph) error {
		results += len(g.Outputs)
		return nil
	})})
	a := floatsOf(t, s, 3)
	sum, product := apply(t, s, ir.Add, a, a), apply(t, s, ir.Mul, a, a)
	if err := s.Force(sum, product, sum, sum, product); err != nil {
		t.Fatal(err)
	}
	wantFloats(t, s, sum, 6)
	wantFloats(t, s, product, 9)
	if results != 2 {
		t.Errorf("%d results are computed", results)
	}
}

// TestFailuresAreReportedOnce checks that a failure that EndCell has reported does not hide that of another array.
func TestFailuresAreReportedOnce(t *testing.T) {
	s := New(Options{Executor: newGate(func(_ context.Context, g *ir.Graph) error {
		for _, n := range g.Nodes {
			if n.Code == ir.Mul || n.Code == ir.Div {
				return fmt.Errorf("no %v", n.Code)
			}
		}
		return nil
	})})
	a := floatsOf(t, s, 3)
	product := apply(t, s, ir.Mul, a, a)
	if failed, err := s.EndCell([]Array{product}); failed != 0 || err == nil || err.Error() != "no Mul" {
		t.Errorf("array %d: %v", failed, err)
	}
	sum, quotient := apply(t, s, ir.Add, a, a), apply(t, s, ir.Div, a, a)
	if failed, err := s.EndCell([]Array{product, sum, quotient}); failed != 2 || err == nil || err.Error() != "no Div" || sum.Pending() {
		t.Errorf("array %d: %v; the sum is pending: %t", failed, err, sum.Pending())
	}
}

// TestRegionsOfRegions checks that programs that differ only in a region of a region are different programs, and that a
// traced array with such regions has the value of its parameter.
func TestRegionsOfRegions(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	one := shape.Of(dtype.F64, 1)
	nested := func(code ir.Code) []*ir.Graph {
		inner := region(func(g *ir.Graph, x []*ir.Value) []*ir.Value { return []*ir.Value{add(t, g, code, nil, x[0], x[0])} }, one)
		return []*ir.Graph{region(func(g *ir.Graph, x []*ir.Value) []*ir.Value {
			return g.Add(ir.Call, ir.CallAttrs{}, []*ir.Graph{inner}, x, one).Results
		}, one)}
	}
	for code, want := range map[ir.Code]float64{ir.Add: 6, ir.Mul: 9, ir.Sub: 0} {
		for _, traced := range []bool{false, true} {
			x := floatsOf(t, s, 3)
			if traced {
				x = s.NewTrace().ParamOf(x)
			}
			out, err := s.ApplyMany([]shape.Type{one}, ir.Call, ir.CallAttrs{}, nested(code), x)
			if err != nil {
				t.Fatal(err)
			}
			wantFloats(t, s, out[0], want)
		}
	}
}

// TestAttributesAreInKeys checks that programs that differ only in the attributes of an operation are different
// programs, also if one has no attributes, and that equal ones are compiled once.
func TestAttributesAreInKeys(t *testing.T) {
	two := shape.Of(dtype.F64, 2)
	for _, inRegion := range []bool{false, true} {
		s := New(Options{Executor: NewReference()})
		for range 2 {
			for _, c := range []struct {
				code  ir.Code
				attrs any
				want  []float64
			}{
				{ir.Log1p, ir.CompilerAttrs{}, []float64{math.Ln2, 0}}, {ir.Log1p, nil, []float64{math.Ln2, 0}},
				{ir.CumSum, ir.CumulativeAttrs{}, []float64{1, 1}}, {ir.CumSum, ir.CumulativeAttrs{Reverse: true}, []float64{1, 0}},
			} {
				code, attrs, regions := c.code, c.attrs, []*ir.Graph(nil)
				if inRegion {
					code, attrs, regions = ir.Call, ir.CallAttrs{}, []*ir.Graph{region(func(g *ir.Graph, x []*ir.Value) []*ir.Value {
						return []*ir.Value{add(t, g, c.code, c.attrs, x[0])}
					}, two)}
				}
				out, err := s.ApplyMany([]shape.Type{two}, code, attrs, regions, floatsOf(t, s, 1, 0))
				if err != nil {
					t.Fatal(err)
				}
				wantFloats(t, s, out[0], c.want...)
			}
		}
		if st := s.Stats(); st.Compiles != 4 || st.CacheHits != 4 {
			t.Errorf("in a region %t: %d programs are compiled and %d found, want 4 and 4", inRegion, st.Compiles, st.CacheHits)
		}
	}
}

// TestInlineKeepsScopes checks that operations of a graph that is inlined belong to their scopes, and that those with
// several results give all of them.
func TestInlineKeepsScopes(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	one := shape.Of(dtype.F64, 1)
	both := region(func(g *ir.Graph, x []*ir.Value) []*ir.Value {
		return []*ir.Value{add(t, g, ir.Add, nil, x[0], x[0]), add(t, g, ir.Log, nil, x[0])}
	}, one)
	g := region(func(g *ir.Graph, x []*ir.Value) []*ir.Value {
		out := g.Add(ir.Call, ir.CallAttrs{}, []*ir.Graph{both}, x, one, one).Results
		root := add(t, g, ir.Sqrt, nil, out[0])
		g.Nodes[len(g.Nodes)-1].Scope = ir.ScopeOf("root")
		return []*ir.Value{out[0], out[1], root}
	}, one)
	out, err := s.Inline(g, floatsOf(t, s, 8))
	if err != nil || len(out) != 3 {
		t.Fatalf("%d results, %v", len(out), err)
	}
	wantFloats(t, s, out[0], 16)
	wantFloats(t, s, out[2], 4)
	if got := apply(t, s, ir.Neg, out[2]).n.scope.String(); got != "" {
		t.Errorf("afterwards the scope is %q", got)
	}
	s.Watch(true)
	var e *NaNError
	if _, err = s.Inline(g, floatsOf(t, s, -8)); !errors.As(err, &e) {
		t.Errorf("of a negative number: %v", err)
	}
	only := region(func(g *ir.Graph, x []*ir.Value) []*ir.Value {
		root := add(t, g, ir.Sqrt, nil, add(t, g, ir.Add, nil, x[0], x[0]))
		g.Nodes[1].Scope = ir.ScopeOf("root")
		return []*ir.Value{root}
	}, one)
	if _, err = s.Inline(only, floatsOf(t, s, -8)); err == nil || err.Error() !=
		"element [0] of Sqrt in the layer root is NaN, computed from -16" {
		t.Errorf("the root of a negative number: %v", err)
	}
}

// TestDonateComputesUsers checks that Donate computes an operation of several results that uses the donated array.
func TestDonateComputesUsers(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	one := shape.Of(dtype.F64, 1)
	both := region(func(g *ir.Graph, x []*ir.Value) []*ir.Value {
		return []*ir.Value{add(t, g, ir.Add, nil, x[0], x[0]), add(t, g, ir.Neg, nil, x[0])}
	}, one)
	x, other := floatsOf(t, s, 8), floatsOf(t, s, 9)
	users, err := s.ApplyMany([]shape.Type{one, one}, ir.Call, ir.CallAttrs{}, []*ir.Graph{both}, x)
	if err != nil {
		t.Fatal(err)
	}
	unrelated := apply(t, s, ir.Add, other, other)
	if _, err := s.Donate([]Array{x}); err != nil {
		t.Fatal(err)
	}
	if users[0].Pending() || users[1].Pending() || !unrelated.Pending() {
		t.Errorf("pending: %t, %t, an operation on another array %t", users[0].Pending(), users[1].Pending(), unrelated.Pending())
	}
	wantFloats(t, s, users[0], 16)
	wantFloats(t, s, users[1], -8)
}

// TestDonatedPrograms checks that a program that may reuse the memory of an argument is compiled apart from the same
// program without, once.
func TestDonatedPrograms(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	ty := shape.Of(dtype.U8, minDonated)
	p := doubling(t, s, ty)
	for i, donated := range []bool{false, true, true, false} {
		x := bytesOf(t, s, minDonated)
		want := 2 * firstByte(t, s, x)
		args := []Array{x}
		if donated {
			var err error
			if args, err = s.Donate(args); err != nil {
				t.Fatal(err)
			}
		}
		out, err := p.Call(args...)
		if err != nil {
			t.Fatal(err)
		}
		if got := firstByte(t, s, out[0]); got != want || x.Donated() != donated || s.Finishing() {
			t.Errorf("call %d: %d, want %d; given away: %t; it runs: %t", i, got, want, x.Donated(), s.Finishing())
		}
		if got, want := s.Stats().Compiles, int64(min(i+1, 2)); got != want {
			t.Errorf("after call %d: %d programs are compiled, want %d", i, got, want)
		}
	}
}

// TestTraces checks which trace lies within which, and which program calls the host.
func TestTraces(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	outer := s.NewTrace()
	inner := s.NewTrace()
	if !inner.Within(outer) || outer.Within(inner) || !outer.Within(outer) {
		t.Errorf("inner within outer %t, outer within inner %t, outer within itself %t", inner.Within(outer), outer.Within(inner), outer.Within(outer))
	}
	h := &HostCall{Name: "h", Do: func(args []Array) ([]Array, error) { return args, nil }}
	for _, calls := range []bool{false, true} {
		tr := s.NewTrace()
		x := tr.Param(pair)
		out := []Array{apply(t, s, ir.Add, x, x)}
		if calls {
			var err error
			if out, err = s.CallHost(h, []shape.Type{pair}, x); err != nil { // not called, since x is traced
				t.Fatal(err)
			}
		}
		p, err := tr.Finish("f", out)
		if err != nil || p.CallsHost() != calls {
			t.Errorf("the program calls the host: %t, want %t; %v", p.CallsHost(), calls, err)
		}
	}
}

// platform is an executor of one device with a given platform.
type platform struct {
	Executor
	name string
}

func (p platform) Platform() string  { return p.name }
func (p platform) Devices() []string { return []string{"dev:0"} }

// TestNoSuchDevice checks that the error of a device that does not exist says how a CPU gets several.
func TestNoSuchDevice(t *testing.T) {
	for name, hint := range map[string]bool{"CPU": true, "CUDA": false} {
		s := New(Options{Executor: platform{NewReference(), name}})
		_, err := s.Host(pair, floatBytes(1, 2), "dev:1")
		if err == nil || strings.Contains(err.Error(), devicesVariable) != hint || !strings.Contains(err.Error(), `"dev:1"; devices are dev:0`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCollector checks that garbage is collected after every collectEvery results, but not while the heap is large.
func TestCollector(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	collections := func(f func()) uint32 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		return after.NumGC - before.NumGC
	}
	var c collector
	runtime.GC()
	for i, step := range []struct {
		results int
		want    uint32
	}{{collectEvery - 1, 0}, {1, 1}, {collectEvery - 1, 0}, {collectEvery, 1}, {1, 0}} {
		if got := collections(func() { c.add(step.results) }); got != step.want {
			t.Errorf("step %d: %d collections after %d results, want %d", i, got, step.results, step.want)
		}
	}
	large := make([]*int, smallHeap/4)
	for i := range large {
		large[i] = new(int)
	}
	runtime.GC()
	if got := collections(func() { c.add(collectEvery) }); got != 0 {
		t.Errorf("a large heap is collected %d times", got)
	}
	runtime.KeepAlive(large)
}

// TestInfinityOfTheLatestSearch checks that FindNaN forgets the infinity that an earlier call has found.
func TestInfinityOfTheLatestSearch(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	x := floatsOf(t, s, 0, 1)
	for _, c := range []struct {
		code ir.Code
		want string
	}{{ir.Log, "Log at element [0], computed from 0"}, {ir.Neg, ""}, {ir.Log, "Log at element [0], computed from 0"}} {
		if err := s.FindNaN(apply(t, s, c.code, x)); err != nil || s.Infinity() != c.want {
			t.Errorf("%v: %v; the infinity came from %q, want %q", c.code, err, s.Infinity(), c.want)
		}
	}
}

// TestOperationsOfRegions checks that the operations of regions within regions are counted.
func TestOperationsOfRegions(t *testing.T) {
	ty := shape.Of(dtype.F64)
	g := region(func(g *ir.Graph, x []*ir.Value) []*ir.Value { return []*ir.Value{add(t, g, ir.Neg, nil, x[0])} }, ty)
	for _, want := range []int{1, 3, 7} {
		if got := count(g); got != want {
			t.Errorf("%d operations, want %d", got, want)
		}
		body := g
		g = region(func(g *ir.Graph, x []*ir.Value) []*ir.Value {
			return g.Add(ir.Call, ir.CallAttrs{}, []*ir.Graph{body, body}, x, ty).Results
		}, ty)
	}
}

// TestProgramsHaveNoMoreOperations checks that two arrays that need too many operations together are computed by two
// programs.
func TestProgramsHaveNoMoreOperations(t *testing.T) {
	var sizes []int
	s := New(Options{Executor: newGate(func(_ context.Context, g *ir.Graph) error {
		sizes = append(sizes, len(g.Nodes))
		return nil
	})})
	const most = MaxOps*3/4 + 1
	a, b := floatsOf(t, s, 1), floatsOf(t, s, 2)
	for range most {
		a = apply(t, s, ir.Neg, a)
		b = apply(t, s, ir.Abs, b)
	}
	if err := s.Force(a, b); err != nil {
		t.Fatal(err)
	}
	for _, n := range sizes {
		if n > MaxOps {
			t.Errorf("a program of %d operations", n)
		}
	}
	if a.Pending() || b.Pending() {
		t.Error("an array is not computed")
	}
}

// TestEnvironment checks that environment variables switch on the same modes as options.
func TestEnvironment(t *testing.T) {
	for _, text := range []string{"", "0", "1"} {
		t.Setenv("GOANVIL_COMPILED", text)
		t.Setenv("GOANVIL_EAGER", text)
		for _, on := range []bool{false, true} {
			want := on || text == "1"
			if s := New(Options{Compiled: on, Eager: on}); s.options.Compiled != want || s.eager != want {
				t.Errorf("with %q and the option %t: compiled %t, eager %t", text, on, s.options.Compiled, s.eager)
			}
		}
	}
	t.Setenv("GOANVIL_COMPILED", "1")
	t.Setenv("GOANVIL_EAGER", "")
	if s := New(Options{}); !s.options.Compiled || s.eager {
		t.Errorf("compiled %t, eager %t", s.options.Compiled, s.eager)
	}
}

// TestSearchesInARow checks that each of several searches looks for a NaN in regions, and that operations are not
// watched between them.
func TestSearchesInARow(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	one := shape.Of(dtype.F64, 1)
	logarithm := region(func(g *ir.Graph, x []*ir.Value) []*ir.Value { return []*ir.Value{add(t, g, ir.Log, nil, x[0])} }, one)
	for i := range 4 {
		out, err := s.ApplyMany([]shape.Type{one}, ir.Call, ir.CallAttrs{}, []*ir.Graph{logarithm}, floatsOf(t, s, -1))
		if err != nil {
			t.Fatal(err)
		}
		var e *NaNError
		if err := s.FindNaN(out[0]); !errors.As(err, &e) || e.Code != ir.Log || s.Watching() {
			t.Errorf("search %d: %v; operations are watched: %t", i, err, s.Watching())
		}
	}
}
