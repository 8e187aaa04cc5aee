package expr_test

import (
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// TestGraph writes an expression into a graph: numbers take the dtype of the other
// operand, operands are broadcast, and a loop has regions.
func TestGraph(t *testing.T) {
	types := []shape.Type{shape.Of(dtype.F32, 2, 3), shape.Of(dtype.F32, 3)}
	g := expr.Graph(ops.Infer, types, func(b expr.Builder, args []expr.Value) []expr.Value {
		x, y := args[0], args[1]
		r := b.Where(b.Gt(x, 0), b.Mul(2, x), y)
		n := b.Number(3, dtype.I32)
		return b.For(b.Scalar(n, 0), n, []expr.Value{r}, nil, func(b expr.Builder, i expr.Value, carried, _ []expr.Value) []expr.Value {
			return []expr.Value{b.Add(carried[0], 1)}
		})
	})
	if got := g.Outputs[0].Type; got.String() != "f32{2,3}" {
		t.Errorf("the result is %s, want f32{2,3}", got)
	}
	var codes []string
	for _, n := range g.Nodes {
		codes = append(codes, n.Code.String())
	}
	want := "Constant Compare Constant Mul BroadcastInDim Select Constant Constant While"
	if got := strings.Join(codes, " "); got != want {
		t.Errorf("nodes are %s, want %s", got, want)
	}
	if err := ops.Verify(g); err != nil {
		t.Error(err)
	}
}

// TestIf checks that one region has the function, and that the other returns the first
// argument.
func TestIf(t *testing.T) {
	types := []shape.Type{shape.Of(dtype.I1), shape.Of(dtype.F32), shape.Of(dtype.F32)}
	g := expr.Graph(ops.Infer, types, func(b expr.Builder, args []expr.Value) []expr.Value {
		return []expr.Value{b.If(args[0], args[1:], func(b expr.Builder, args []expr.Value) expr.Value { return b.Mul(args[0], args[1]) })}
	})
	if err := ops.Verify(g); err != nil || len(g.Nodes) != 1 || len(g.Nodes[0].Args) != 3 {
		t.Fatal(g.Nodes, err)
	}
	yes, no := g.Nodes[0].Regions[0], g.Nodes[0].Regions[1]
	if len(yes.Nodes) != 1 || yes.Outputs[0] != yes.Nodes[0].Results[0] || len(yes.Outputs) != 1 {
		t.Error("the first region is not the function")
	}
	if len(no.Nodes) != 0 || len(no.Outputs) != 1 || no.Outputs[0] != no.Params[0] {
		t.Error("the second region does not return the first argument")
	}
}
