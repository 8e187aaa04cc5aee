package ops_test

import (
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/ops/opstest"
	"github.com/goanvil/notebook/anvil/shape"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// add adds a node whose results have the types that Infer returns.
func add(t testing.TB, g *ir.Graph, c ir.Code, attrs any, regions []*ir.Graph, args ...*ir.Value) *ir.Node {
	types := make([]shape.Type, len(args))
	for i, a := range args {
		types[i] = a.Type
	}
	results, err := ops.Infer(c, attrs, regions, types...)
	if err != nil {
		t.Fatal(err)
	}
	return g.Add(c, attrs, regions, args, results...)
}

// sampler returns a program with an operation of each kind that is printed
// differently.
func sampler(t testing.TB) *ir.Graph {
	g := &ir.Graph{}
	x, i := g.Param(shape.Of(dtype.F32, 2, 3)), g.Param(shape.Of(dtype.I32))
	x.Ambiguous = true
	scale := add(t, g, ir.Constant, ir.ConstantAttrs{DType: dtype.F32, Data: "\x00\x00\x00\x40"}, nil).Results[0]
	wide := add(t, g, ir.BroadcastInDim, ir.BroadcastAttrs{Shape: shape.DimsOf(2, 3)}, nil, scale).Results[0]
	y := add(t, g, ir.Mul, nil, nil, x, wide).Results[0]
	y.Ambiguous = true
	sum := add(t, g, ir.ReduceSum, ir.AxesAttrs{Axes: shape.DimsOf(1)}, nil, y).Results[0]
	best := add(t, g, ir.ArgMax, ir.ArgAttrs{Axis: 1, DType: dtype.I32}, nil, y).Results[0]
	dot := add(t, g, ir.DotGeneral, ir.DotAttrs{LhsContract: shape.DimsOf(0), RhsContract: shape.DimsOf(0)}, nil, sum, y).Results[0]
	positive := add(t, g, ir.Compare, ir.CompareAttrs{Direction: ir.GT}, nil, dot, dot).Results[0]
	pair := add(t, g, ir.Sort, ir.SortAttrs{Axis: 0}, nil, dot, positive)
	last := add(t, g, ir.While, nil, countdown(t), i)
	half := add(t, g, ir.Div, nil, nil, i, last.Results[0])
	g.Outputs = append(pair.Results, best, half.Results[0])
	return g
}

// countdown returns the regions of a loop that subtracts 1 until the value is 0.
func countdown(t testing.TB) []*ir.Graph {
	cond, body := &ir.Graph{}, &ir.Graph{}
	one := ir.ConstantAttrs{DType: dtype.I32, Data: "\x01\x00\x00\x00"}
	i := cond.Param(shape.Of(dtype.I32))
	cond.Outputs = add(t, cond, ir.Compare, ir.CompareAttrs{Direction: ir.GE}, nil, i, add(t, cond, ir.Constant, one, nil).Results[0]).Results
	j := body.Param(shape.Of(dtype.I32))
	body.Outputs = add(t, body, ir.Sub, nil, nil, j, add(t, body, ir.Constant, one, nil).Results[0]).Results
	return []*ir.Graph{cond, body}
}

func TestGoldens(t *testing.T) {
	g := sampler(t)
	if err := ops.Verify(g); err != nil {
		t.Error(err)
	}
	golden(t, "testdata/sampler.mlir", ops.StableHLO(g))
	golden(t, "testdata/sampler.txt", ops.Print(g))
	if ops.StableHLO(sampler(t)) != ops.StableHLO(g) {
		t.Error("two graphs of one program have two texts")
	}
}

// golden compares text with a file; -update rewrites it.
func golden(t *testing.T, path, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("%s is stale: run go test ./anvil/ops -update; now\n%s", path, text)
	}
}

// TestDivisorsAreGuarded checks that an integer divisor that a compiler could fold to 0
// is behind a barrier, and that parameters and floats are not.
func TestDivisorsAreGuarded(t *testing.T) {
	zero := ir.ConstantAttrs{DType: dtype.I32, Data: "\x00\x00\x00\x00"}
	for _, c := range []struct {
		name    string
		dtype   dtype.DType
		divisor func(g *ir.Graph, p *ir.Value) *ir.Value
		guarded bool
	}{
		{"parameter", dtype.I32, func(_ *ir.Graph, p *ir.Value) *ir.Value { return p }, false},
		{"constant", dtype.I32, func(g *ir.Graph, _ *ir.Value) *ir.Value { return add(t, g, ir.Constant, zero, nil).Results[0] }, true},
		{"computed", dtype.I32, func(g *ir.Graph, p *ir.Value) *ir.Value { return add(t, g, ir.Sub, nil, nil, p, p).Results[0] }, true},
		{"float", dtype.F32, func(g *ir.Graph, p *ir.Value) *ir.Value { return add(t, g, ir.Sub, nil, nil, p, p).Results[0] }, false},
	} {
		for _, code := range []ir.Code{ir.Div, ir.Rem} {
			g := &ir.Graph{}
			p := g.Param(shape.Of(c.dtype))
			g.Outputs = add(t, g, code, nil, nil, p, c.divisor(g, p)).Results
			if got := strings.Contains(ops.StableHLO(g), "optimization_barrier"); got != c.guarded {
				t.Errorf("%v by a %s: guarded %v", code, c.name, got)
			}
		}
	}
}

// TestAttrsAreComparable checks that attributes can be keys of maps, as which caches of
// programs use them.
func TestAttrsAreComparable(t *testing.T) {
	for _, d := range ops.All() {
		for _, s := range opstest.Samples(d, dtype.F32) {
			if s.Attrs != nil && !reflect.TypeOf(s.Attrs).Comparable() {
				t.Errorf("%v: %T is not comparable", d.Code, s.Attrs)
			}
		}
	}
}

func BenchmarkLower(b *testing.B) {
	g := &ir.Graph{}
	x := g.Param(shape.Of(dtype.F32, 2, 3))
	for range 100 {
		x = add(b, g, ir.Mul, nil, nil, x, x).Results[0]
	}
	g.Outputs = []*ir.Value{x}
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = ops.AppendStableHLO(buf[:0], g)
	}
}

func BenchmarkInfer(b *testing.B) {
	t := shape.Of(dtype.F32, 2, 3)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ops.Infer(ir.Mul, nil, nil, t, t); err != nil {
			b.Fatal(err)
		}
	}
}
