package ops

import (
	"slices"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// LowerForCPU writes n in the way that is fastest on CPUs, where that differs from
// its row's: Cholesky's factors, and the maxima that [SoftmaxMaxima] found in its
// program. It returns false for anything else.
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
