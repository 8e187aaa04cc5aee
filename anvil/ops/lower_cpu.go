package ops

import (
	"slices"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// LowerForCPU writes n in a form that is faster on CPUs than that of its row, if there is one: for Cholesky, and
// for the maxima that [SoftmaxMaxima] found in the program. Otherwise it returns false.
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
