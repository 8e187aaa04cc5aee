package ir_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

var f32 = shape.Of(dtype.F32)

// sum returns a new graph that computes x + x*y.
func sum() *ir.Graph {
	g := &ir.Graph{}
	x, y := g.Param(f32), g.Param(f32)
	m := g.Add(ir.Mul, nil, nil, []*ir.Value{x, y}, f32)
	g.Outputs = g.Add(ir.Add, nil, nil, []*ir.Value{x, m.Results[0]}, f32).Results
	return g
}

func same(n *ir.Node) ([]shape.Type, error) {
	if n.Code == ir.Neg {
		return nil, errors.New("no")
	}
	return []shape.Type{f32}, nil
}

func TestVerify(t *testing.T) {
	if err := ir.Verify(sum(), same); err != nil {
		t.Errorf("a right graph: %v", err)
	}
	for name, spoil := range map[string]func(g *ir.Graph){
		"used before it is defined":          func(g *ir.Graph) { g.Nodes[0], g.Nodes[1] = g.Nodes[1], g.Nodes[0] },
		"is ui8{}, want f32{}":               func(g *ir.Graph) { g.Nodes[0].Results[0].Type = shape.Of(dtype.U8) },
		"output 0 is not a value":            func(g *ir.Graph) { g.Outputs = sum().Outputs },
		"no":                                 func(g *ir.Graph) { g.Nodes[0].Code = ir.Neg },
		"parameter 1 has a node":             func(g *ir.Graph) { g.Params[1].Index = 0 },
		"has 0 results, want 1":              func(g *ir.Graph) { g.Nodes[1].Results = nil },
		"result 0 has a wrong node or index": func(g *ir.Graph) { g.Nodes[1].Results[0].Index = 3 },
		"operand 1 is used befor":            func(g *ir.Graph) { g.Nodes[0].Args[1] = sum().Params[0] },
	} {
		g := sum()
		spoil(g)
		if err := ir.Verify(g, same); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestKey(t *testing.T) {
	key := ir.Key(sum())
	if ir.Key(sum()) != key {
		t.Error("two graphs of one program have two keys")
	}
	flagged := sum()
	flagged.Name = "other"
	flagged.Params[0].Ambiguous = true
	if ir.Key(flagged) != key {
		t.Error("name or flag is part of the key")
	}
	for name, change := range map[string]func(g *ir.Graph){
		"operands": func(g *ir.Graph) { a := g.Nodes[0].Args; a[0], a[1] = a[1], a[0] },
		"code":     func(g *ir.Graph) { g.Nodes[0].Code = ir.Sub },
		"type":     func(g *ir.Graph) { g.Params[0].Type = shape.Of(dtype.F32, 1) },
		"output":   func(g *ir.Graph) { g.Outputs = g.Params },
		"attrs":    func(g *ir.Graph) { g.Nodes[0].Attrs = struct{ Axis int }{1} },
		"region":   func(g *ir.Graph) { g.Nodes[0].Regions = []*ir.Graph{sum()} },
		"order":    func(g *ir.Graph) { g.Outputs = g.Nodes[0].Results },
	} {
		g := sum()
		change(g)
		if ir.Key(g) == key {
			t.Errorf("%s are no part of the key", name)
		}
	}
}

func TestKeyAllocatesNothing(t *testing.T) {
	g, buf := sum(), make([]byte, 0, 256)
	if n := testing.AllocsPerRun(100, func() { buf = ir.AppendKey(buf[:0], g) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkAppendKey(b *testing.B) {
	g, buf := sum(), make([]byte, 0, 256)
	for b.Loop() {
		buf = ir.AppendKey(buf[:0], g)
	}
}
