package host_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/host"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/ops/opstest"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// A point is one row at one sample, as a graph of one operation.
type point struct {
	name, sample string
	dtype        dtype.DType
	def          *ops.Def
	g            *ir.Graph
	args         []array.Array
}

// points returns the rows' own samples and drawn ones that package host runs: once as they
// are, and once with subnormal numbers among the floats.
func points(t *testing.T) (all []point) {
	for _, d := range ops.All() {
		done := 0
		for _, ty := range dtype.All() {
			if len(d.Params) > 0 && !slices.ContainsFunc(seq(len(d.Accepts)), func(i int) bool { return d.Takes(i, ty) }) {
				continue
			}
			for _, s := range append(opstest.Samples(d, ty), opstest.Drawn(d, ty, 2, 100)...) {
				for _, low := range []bool{false, true} {
					if p, ok := newPoint(d, s, low); ok && host.Takes(p.g) && !linear[d.Code] {
						p.name, p.sample, p.dtype = fmt.Sprintf("%s/%s/%s/%v", d.Name, ty, s.Name, low), s.Name, ty
						all = append(all, p)
						done++
					}
				}
			}
		}
		if host.Done(d.Code) && done == 0 {
			t.Errorf("%s is not tested", d.Name)
		}
	}
	return all
}

// seq returns 0 to n-1.
func seq(n int) (xs []int) {
	for i := range n {
		xs = append(xs, i)
	}
	return xs
}

// newPoint returns the point of row d at sample s, with subnormal numbers if low is true. It
// reports false if the sample is not valid or has several results.
func newPoint(d *ops.Def, s opstest.Sample, low bool) (point, bool) {
	g := &ir.Graph{Name: "point"}
	var args []array.Array
	var in []*ir.Value
	var types []shape.Type
	for _, a := range s.Args {
		if low {
			a = lowered(a)
		}
		args, types = append(args, a), append(types, a.Type)
		in = append(in, g.Param(a.Type))
	}
	out, err := ops.Infer(d.Code, s.Attrs, s.Regions, types...)
	if err != nil || len(out) != 1 {
		return point{}, false
	}
	g.Outputs = g.Add(d.Code, s.Attrs, s.Regions, in, out...).Results
	return point{def: d, g: g, args: args}, true
}

// lowered returns a with every third float made subnormal.
func lowered(a array.Array) array.Array {
	d, data := a.DType(), slices.Clone(a.Data)
	if !d.Is(dtype.Floating) || d.Bits() < 16 {
		return a
	}
	for i := 0; i < a.Size(); i += 3 {
		data[(i+1)*d.Size()-1] &= 0x80
		data[(i+1)*d.Size()-2] &= 0x01 << (d.Size() / 3)
	}
	return array.Array{Type: a.Type, Data: data}
}

func run(t *testing.T, g *ir.Graph, args []array.Array) []array.Array {
	t.Helper()
	return runProgram(t, host.Compile(g), g, args)
}

func runProgram(t *testing.T, p *host.Program, g *ir.Graph, args []array.Array) []array.Array {
	t.Helper()
	in, out := make([]host.Value, len(args)), make([]host.Value, len(g.Outputs))
	for i, a := range args {
		in[i] = host.Of(a.Type, a.Data)
	}
	if err := p.Run(context.Background(), in, out); err != nil {
		t.Error(err)
		return nil
	}
	results := make([]array.Array, len(out))
	for i, v := range out {
		results[i] = array.Array{Type: g.Outputs[i].Type, Data: v.Data}
		if again := host.Of(results[i].Type, v.Data); v.Normal && !again.Normal {
			t.Errorf("a result of %v has subnormal numbers, but is marked as Normal", g.Nodes)
		}
	}
	return results
}

// TestRowsAreTheReferences checks that every row that package host runs gives the bits of
// the reference evaluator, on every dtype and at every sample.
func TestRowsAreTheReferences(t *testing.T) {
	ps := points(t)
	t.Logf("%d points", len(ps))
	for _, p := range ps {
		want, err := reference.RunFlushing(context.Background(), p.g, p.args)
		if err != nil {
			t.Errorf("%s: %v", p.name, err)
			continue
		}
		if got := run(t, p.g, p.args); !same(got[0], want[0]) {
			t.Errorf("%s of %v: %v, reference %v", p.name, p.args, got[0], want[0])
		}
	}
}

// same reports whether a and b have equal bits. All NaNs count as equal.
func same(a, b array.Array) bool {
	d := a.DType()
	for i := 0; i < len(a.Data); i += d.Size() {
		x, y := a.Data[i:i+d.Size()], b.Data[i:i+d.Size()]
		if string(x) == string(y) {
			continue
		}
		if !d.Is(dtype.Floating) || dtype.GetFloat(x, d) == dtype.GetFloat(x, d) || dtype.GetFloat(y, d) == dtype.GetFloat(y, d) {
			return false
		}
	}
	return len(a.Data) == len(b.Data)
}

// TestGraphsAreTheReferences compares random graphs, whose values are used once, often, late
// or never, with the reference evaluator. Each program runs on several goroutines.
func TestGraphsAreTheReferences(t *testing.T) {
	for seed := range uint64(200) {
		g, args := randomGraph(rand.New(rand.NewPCG(seed, 1)))
		want, err := reference.RunFlushing(context.Background(), g, args)
		if err != nil {
			t.Fatal(err)
		}
		p := host.Compile(g)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for i, got := range runProgram(t, p, g, args) {
					if !same(got, want[i]) {
						t.Errorf("seed %d, result %d: %v, reference %v", seed, i, got, want[i])
					}
				}
			})
		}
		wg.Wait()
	}
}

// randomGraph returns a graph of 30 operations on f32 vectors and bools.
func randomGraph(r *rand.Rand) (*ir.Graph, []array.Array) {
	g, vector := &ir.Graph{Name: "random"}, shape.Of(dtype.F32, 5)
	var args []array.Array
	var values []*ir.Value
	for range 3 {
		x := array.New(vector)
		for i := range 5 {
			dtype.PutFloat(x.Data[4*i:], dtype.F32, math.Ldexp(r.NormFloat64(), r.IntN(200)-140))
		}
		args, values = append(args, x), append(values, g.Param(vector))
	}
	pick := func() *ir.Value { return values[r.IntN(len(values))] }
	for range 30 {
		x, y := pick(), pick()
		var v *ir.Value
		switch r.IntN(4) {
		case 0:
			v = g.Add(ir.Neg, nil, nil, []*ir.Value{x}, vector).Results[0]
		case 1:
			less := g.Add(ir.Compare, ir.CompareAttrs{Direction: ir.LT}, nil, []*ir.Value{x, y}, shape.Of(dtype.I1, 5)).Results[0]
			v = g.Add(ir.Select, nil, nil, []*ir.Value{less, pick(), x}, vector).Results[0]
		default:
			code := []ir.Code{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Max}[r.IntN(5)]
			v = g.Add(code, nil, nil, []*ir.Value{x, y}, vector).Results[0]
		}
		values = append(values, v)
	}
	g.Outputs = []*ir.Value{pick(), pick(), values[len(values)-1], values[0]}
	return g, args
}

// TestStartsOfSlices checks that the starts of a dynamic slice are clamped into the operand, also those that no signed
// integer holds.
func TestStartsOfSlices(t *testing.T) {
	x := array.Store(array.New(shape.Of(dtype.F32, 5)), []float64{0, 1, 2, 3, 4})
	for _, c := range []struct {
		start dtype.DType
		bytes []byte
		want  float64
	}{
		{dtype.U64, []byte{0, 0, 0, 0, 0, 0, 0, 0}, 0}, {dtype.U64, []byte{1, 0, 0, 0, 0, 0, 0, 0}, 1},
		{dtype.U64, []byte{2, 0, 0, 0, 0, 0, 0, 0}, 2}, {dtype.U64, []byte{3, 0, 0, 0, 0, 0, 0, 0}, 3},
		{dtype.U64, []byte{4, 0, 0, 0, 0, 0, 0, 0}, 3}, {dtype.U64, []byte{1, 0, 0, 0, 0, 0, 0, 0x80}, 3},
		{dtype.I64, []byte{1, 0, 0, 0, 0, 0, 0, 0x80}, 0}, {dtype.U8, []byte{0xff}, 3}, {dtype.I8, []byte{0xff}, 0},
		{dtype.I8, []byte{0}, 0}, {dtype.U8, []byte{0x80}, 3},
	} {
		g := &ir.Graph{}
		in := []*ir.Value{g.Param(x.Type), g.Param(shape.Of(c.start))}
		g.Outputs = g.Add(ir.DynamicSlice, ir.DynamicSliceAttrs{Sizes: shape.DimsOf(2)}, nil, in, shape.Of(dtype.F32, 2)).Results
		got := array.Load[float64](run(t, g, []array.Array{x, {Type: in[1].Type, Data: c.bytes}})[0])
		if got[0] != c.want || got[1] != c.want+1 {
			t.Errorf("from %s % x: %v", c.start, c.bytes, got)
		}
	}
}

// TestCancelledRuns checks that a run whose context has ended returns its error.
func TestCancelledRuns(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	matrix, many := shape.Of(dtype.F64, 2, 30, 30), shape.Of(dtype.F64, 5000)
	dot := ir.DotAttrs{LhsBatch: shape.DimsOf(0), RhsBatch: shape.DimsOf(0), LhsContract: shape.DimsOf(2), RhsContract: shape.DimsOf(1)}
	for _, c := range []struct {
		code  ir.Code
		attrs any
		args  []shape.Type
	}{
		{ir.DotGeneral, dot, []shape.Type{matrix, matrix}}, {ir.QR, ir.FullAttrs{}, []shape.Type{matrix}},
		{ir.Sort, ir.SortAttrs{Axis: 0}, []shape.Type{many}}, {ir.Sort, ir.SortAttrs{Axis: 0}, []shape.Type{many, many}},
	} {
		g := &ir.Graph{}
		var args []*ir.Value
		var in []host.Value
		for _, ty := range c.args {
			args, in = append(args, g.Param(ty)), append(in, host.Of(ty, make([]byte, ty.Bytes())))
		}
		results, err := ops.Infer(c.code, c.attrs, nil, c.args...)
		if err != nil {
			t.Fatal(err)
		}
		g.Outputs = g.Add(c.code, c.attrs, nil, args, results...).Results
		p := host.Compile(g)
		if p == nil {
			t.Fatalf("%v of %v is not run here", c.code, c.args)
		}
		if err := p.Run(ctx, in, make([]host.Value, len(results))); err != context.Canceled {
			t.Errorf("%v of %d operands: %v", c.code, len(args), err)
		}
	}
}
