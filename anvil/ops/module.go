package ops

import (
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// StableHLO returns g as the text of a StableHLO module.
func StableHLO(g *ir.Graph) string { return string(AppendStableHLO(nil, g)) }

// AppendStableHLO appends g as the text of a StableHLO module to dst.
func AppendStableHLO(dst []byte, g *ir.Graph) []byte { return stablehlo.Module(dst, g, lowerNode) }

// lowerNode writes n by the lowering of its row.
func lowerNode(w *stablehlo.Writer, n *ir.Node) { table[n.Code].Lower(w, n) }

// Verify returns an error if g is invalid: each value must be defined before its use and have the type that
// Infer returns.
func Verify(g *ir.Graph) error {
	return ir.Verify(g, func(n *ir.Node) ([]shape.Type, error) {
		args := make([]shape.Type, len(n.Args))
		for i, a := range n.Args {
			args[i] = a.Type
		}
		return Infer(n.Code, n.Attrs, n.Regions, args...)
	})
}

// Print returns g as text, one operation per line.
func Print(g *ir.Graph) string { return ir.Print(g) }
