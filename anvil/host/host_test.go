package host_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/host"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
	"pgregory.net/rapid"
)

// A point is one row at one sample, as a graph of one operation.
type point struct {
	name string
	def  *ops.Def
	g    *ir.Graph
	args []array.Array
}

// points returns what is done here of the rows' own samples, and of drawn ones:
// once as they are, and once with subnormal numbers among the floats.
func points(t *testing.T) (all []point) {
	for _, d := range ops.All() {
		done := 0
		for _, ty := range dtype.All() {
			if len(d.Params) > 0 && !slices.ContainsFunc(seq(len(d.Accepts)), func(i int) bool { return d.Takes(i, ty) }) {
				continue
			}
			samples := d.Samples(ty)
			for i := range 4 {
				if d.Draw != nil {
					samples = append(samples, draw(d, ty, i))
				}
			}
			for _, s := range samples {
				for _, low := range []bool{false, true} {
					if p, ok := newPoint(d, s, low); ok && host.Takes(p.g) {
						p.name = fmt.Sprintf("%s/%s/%s/%v", d.Name, ty, s.Name, low)
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

func seq(n int) (xs []int) {
	for i := range n {
		xs = append(xs, i)
	}
	return xs
}

type source struct{ t *rapid.T }

func (s source) Int(low, high int) int { return rapid.IntRange(low, high).Draw(s.t, "int") }
func (s source) Bits() uint64          { return rapid.Uint64().Draw(s.t, "bits") }

func draw(d *ops.Def, t dtype.DType, i int) ops.Sample {
	return rapid.Custom(func(rt *rapid.T) ops.Sample {
		s := d.Draw(source{rt}, t)
		s.Name = fmt.Sprintf("drawn %d", i)
		return s
	}).Example(100*int(d.Code) + 30*i + int(t))
}

func newPoint(d *ops.Def, s ops.Sample, low bool) (point, bool) {
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
	p := host.Compile(g)
	in, out := make([]host.Value, len(args)), make([]host.Value, len(g.Outputs))
	for i, a := range args {
		in[i] = host.Of(a.Type, a.Data)
	}
	if err := p.Run(context.Background(), in, out); err != nil {
		t.Fatal(err)
	}
	results := make([]array.Array, len(out))
	for i, v := range out {
		results[i] = array.Array{Type: g.Outputs[i].Type, Data: v.Data}
		if again := host.Of(results[i].Type, v.Data); v.Normal && !again.Normal {
			t.Errorf("a result of %v has subnormal numbers and does not say so", g.Nodes)
		}
	}
	return results
}

// TestRowsAreTheReferences: every row that is done here gives the bits that the
// reference evaluator gives, on every dtype and at every sample.
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

// same reports whether a and b have equal bits, where any NaN is another's equal.
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
