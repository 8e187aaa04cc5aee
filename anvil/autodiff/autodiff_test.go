package autodiff_test

import (
	"testing"

	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// gradient returns the program of the gradient of g by its only parameter.
func gradient(t *testing.T, g *ir.Graph) *ir.Graph {
	t.Helper()
	d, err := autodiff.Gradient(g, []bool{true})
	if err != nil {
		t.Fatal(err)
	}
	d.Outputs = d.Outputs[len(g.Outputs):]
	if err := ops.Verify(ir.Prune(d)); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestRepeatedDerivativesStaySmall bounds the operations of the sixth derivative of
// tanh, which grow exponentially without simplification.
func TestRepeatedDerivativesStaySmall(t *testing.T) {
	g := expr.Graph(ops.Infer, []shape.Type{shape.Of(dtype.F64)}, func(b expr.Builder, x []expr.Value) []expr.Value {
		return []expr.Value{b.Tanh(x[0])}
	})
	for range 6 {
		g = gradient(t, g)
		t.Log(len(g.Nodes))
	}
	if n := len(g.Nodes); n > 250 {
		t.Errorf("%d operations, want at most 250", n)
	}
}
