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

// same infers that every result is f32, and returns an error for Neg.
func same(n *ir.Node) ([]shape.Type, error) {
	if n.Code == ir.Neg {
		return nil, errors.New("no")
	}
	return []shape.Type{f32}, nil
}

func TestVerify(t *testing.T) {
	if err := ir.Verify(sum(), same); err != nil {
		t.Errorf("a well-formed graph: %v", err)
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
