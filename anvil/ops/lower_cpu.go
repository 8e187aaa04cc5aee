package ops

import (
	"slices"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// LowerForCPU writes n in a form that is faster on CPUs than the lowering of its row, and returns true. If n is neither
// a Cholesky nor one of the maxima, which [SoftmaxMaxima] found in the program, it writes nothing and returns false.
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
