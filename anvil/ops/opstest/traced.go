package opstest

import (
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// Traced returns a Builder that adds nodes to g as if the derivative of g were needed: functions with a rule for their
// derivative become calls that have the rule.
func Traced(g *ir.Graph) expr.Builder { return expr.New(traced{g}, ops.Infer) }

// traced is the Emitter of Traced.
type traced struct{ to *ir.Graph }

// Traced implements expr.Tracer.
func (traced) Traced([]expr.Value) bool { return true }

// Emit implements expr.Emitter.
func (t traced) Emit(c ir.Code, attrs any, regions []*ir.Graph, args []expr.Value) []expr.Value {
	nodes, types := make([]*ir.Value, len(args)), make([]shape.Type, len(args))
	for i, a := range args {
		nodes[i] = a.(*ir.Value)
		types[i] = nodes[i].Type
	}
	results, err := ops.Infer(c, attrs, regions, types...)
	if err != nil {
		panic(err)
	}
	values := make([]expr.Value, len(results))
	for i, v := range t.to.Add(c, attrs, regions, nodes, results...).Results {
		values[i] = v
	}
	return values
}
