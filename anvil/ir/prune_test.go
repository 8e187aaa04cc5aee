package ir_test

import (
	"testing"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

func codes(g *ir.Graph) (out []ir.Code) {
	for _, n := range g.Nodes {
		out = append(out, n.Code)
	}
	return out
}

// equalCodes checks that the nodes of g have the wanted codes, and that g is well formed.
func equalCodes(t *testing.T, g *ir.Graph, want ...ir.Code) {
	t.Helper()
	got := codes(g)
	if len(got) != len(want) {
		t.Fatalf("nodes %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("nodes %v, want %v", got, want)
		}
	}
	if err := ir.Verify(g, func(*ir.Node) ([]shape.Type, error) { return []shape.Type{f32}, nil }); err != nil {
		t.Error(err)
	}
}

// TestPrune checks that Prune keeps the nodes that an output needs, directly or not, and host
// calls with their operands, also host calls in a region.
func TestPrune(t *testing.T) {
	g := sum()
	x := g.Params[0]
	unused := g.Add(ir.Exp, nil, nil, []*ir.Value{x}, f32).Results[0]
	g.Add(ir.Neg, nil, nil, []*ir.Value{unused}, f32)
	equalCodes(t, ir.Prune(g), ir.Mul, ir.Add)

	g = sum()
	given := g.Add(ir.Exp, nil, nil, g.Params[:1], f32).Results[0]
	g.Add(ir.HostCall, nil, nil, []*ir.Value{given}, f32)
	equalCodes(t, ir.Prune(g), ir.Mul, ir.Add, ir.Exp, ir.HostCall)

	g = sum()
	inner := &ir.Graph{}
	p := inner.Param(f32)
	inner.Outputs = inner.Add(ir.HostCall, nil, nil, []*ir.Value{p}, f32).Results
	g.Add(ir.If, nil, []*ir.Graph{inner}, g.Params[:1], f32)
	equalCodes(t, ir.Prune(g), ir.Mul, ir.Add, ir.If)
}

// TestInline checks that Inline replaces calls by the nodes of their bodies, and leaves out
// nodes that no output needs.
func TestInline(t *testing.T) {
	if g := sum(); ir.Inline(g) != g {
		t.Error("a graph without calls is copied")
	}
	g := &ir.Graph{Name: "g"}
	x := g.Param(f32)
	twice := g.Add(ir.Call, nil, []*ir.Graph{sum()}, []*ir.Value{x, x}, f32).Results[0]
	g.Add(ir.Call, nil, []*ir.Graph{sum()}, []*ir.Value{x, twice}, f32)
	g.Outputs = g.Add(ir.Neg, nil, nil, []*ir.Value{twice}, f32).Results
	out := ir.Inline(g)
	equalCodes(t, out, ir.Mul, ir.Add, ir.Neg)
	if out.Name != "g" || len(out.Params) != 1 || out.Nodes[1].Args[0] != out.Params[0] || out.Nodes[2].Args[0] != out.Nodes[1].Results[0] {
		t.Errorf("the nodes have wrong operands:\n%s", ir.Print(out))
	}
}

// TestInlineInRegions checks that Inline replaces calls in regions and in calls, and keeps the attributes,
// types and scopes of the other nodes and the order of their results.
func TestInlineInRegions(t *testing.T) {
	outer := &ir.Graph{}
	a, b := outer.Param(f32), outer.Param(f32)
	outer.Outputs = outer.Add(ir.Call, nil, []*ir.Graph{sum()}, []*ir.Value{b, a}, f32).Results
	region := &ir.Graph{}
	p, q := region.Param(f32), region.Param(f32)
	p.Ambiguous = true
	called := region.Add(ir.Call, nil, []*ir.Graph{outer}, []*ir.Value{p, q}, f32).Results[0]
	region.Outputs = []*ir.Value{called, p}

	g := &ir.Graph{}
	x := g.Param(f32)
	x.Ambiguous = true
	n := g.Add(ir.If, ir.AxisAttrs{Axis: 3}, []*ir.Graph{region}, []*ir.Value{x, x}, f32, f32)
	n.Scope, n.Of = ir.ScopeOf("layer"), ir.Abs
	n.Results[1].Ambiguous = true
	g.Outputs = []*ir.Value{n.Results[1], n.Results[0]}
	out := ir.Inline(g)
	m := out.Nodes[0]
	if m == n || m.Attrs != n.Attrs || m.Scope != n.Scope || m.Of != n.Of || out.Outputs[0] != m.Results[1] ||
		out.Outputs[1] != m.Results[0] || !out.Params[0].Ambiguous || m.Results[0].Ambiguous || !m.Results[1].Ambiguous {
		t.Errorf("the node is %+v", m)
	}
	r := m.Regions[0]
	equalCodes(t, r, ir.Mul, ir.Add)
	if r.Nodes[0].Args[0] != r.Params[1] || r.Nodes[0].Args[1] != r.Params[0] || r.Outputs[0] != r.Nodes[1].Results[0] ||
		r.Outputs[1] != r.Params[0] || !r.Params[0].Ambiguous {
		t.Errorf("the region is\n%s", ir.Print(r))
	}
}

// TestPrintsRegions checks that the text of a graph has regions below their node, indented.
func TestPrintsRegions(t *testing.T) {
	g := &ir.Graph{Name: "g"}
	x := g.Param(f32)
	g.Outputs = g.Add(ir.If, nil, []*ir.Graph{sum()}, []*ir.Value{x}, f32).Results
	want := `<AnvilGraph>
  Inputs:
    %x1: f32[]
  Body:
    %1: f32[] = if(%x1)
      region 1 (%x1: f32[], %x2: f32[])
        %1: f32[] = mul(%x1, %x2)
        %2: f32[] = add(%x1, %1)
        return %2
  Outputs:
    %1: f32[]
`
	if got := ir.Print(g); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
