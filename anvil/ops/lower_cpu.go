package ops

import (
	"slices"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// LowerForCPU writes n in the form that is fastest on CPUs if that differs from its row's: factors of
// Cholesky, and the maxima that [SoftmaxMaxima] found in its program. It returns false for all other nodes.
func LowerForCPU(w *stablehlo.Writer, n *ir.Node, maxima []*ir.Node) bool {
	switch {
	case n.Code == ir.Cholesky:
		composed(lowerCholeskyInBlocks)(w, n)
	case slices.Contains(maxima, n):
		foldOf(n.Code).lowerPlainly(w, n)
	default:
		return false
	}
	return true
}
