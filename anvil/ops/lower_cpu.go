package ops

import (
	"slices"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// LowerForCPU writes n as compilers for CPUs like it, where that is different from
// how its row does: Cholesky's factors, and the shifts of its program. It returns
// false for anything else.
func LowerForCPU(w *stablehlo.Writer, n *ir.Node, shifts []*ir.Node) bool {
	switch {
	case n.Code == ir.Cholesky:
		composed(lowerCholeskyInBlocks)(w, n)
	case slices.Contains(shifts, n):
		foldOf(n.Code).lowerPlainly(w, n)
	default:
		return false
	}
	return true
}

// foldOf returns the row of a reduction.
func foldOf(c ir.Code) (r fold) {
	for _, f := range folds {
		if f.code == c {
			r = f
		}
	}
	return r
}
