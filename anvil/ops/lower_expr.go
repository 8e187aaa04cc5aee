package ops

import (
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// composed returns a LowerFunc that writes the operations of other rows, which f adds.
func composed(f func(b expr.Builder, n *ir.Node, args []expr.Value) []expr.Value) LowerFunc {
	return func(w *stablehlo.Writer, n *ir.Node) {
		write(w, n, n.Args, func(b expr.Builder, args []expr.Value) []expr.Value { return f(b, n, args) })
	}
}

// write writes the operations that f adds for args. The results of f become the results of n.
func write(w *stablehlo.Writer, n *ir.Node, args []*ir.Value, f expr.Function) {
	for i, v := range inline(w, args, f) {
		w.Rename(n.Results[i], w.NameOf(v))
	}
}

// inline writes the operations that f adds for args, and returns the results of f.
func inline(w *stablehlo.Writer, args []*ir.Value, f expr.Function) []*ir.Value {
	g := expr.Graph(Infer, typesOf(args), f)
	w.Inline(g, w.NamesOf(args))
	return g.Outputs
}
