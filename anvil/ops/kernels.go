package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// From so many products or elements on, a kernel of the plugin is taken.
const (
	leastProducts = 1 << 20
	leastSummed   = 1 << 16
)

// Kernels says which operations of a program are done by the kernels that a plugin
// for CPUs brings along, beside its compiler. What is small is left to the compiler,
// which makes one program of it.
type Kernels struct {
	Products bool       // large products of f32 matrices
	Sums     bool       // large sums of f32 parameters, and Shifts
	Shifts   []*ir.Node // maxima that may pass over NaN, as kernels do
}

// KernelsFor returns which operations of g are done by kernels. Regions may have a
// maximum of their own, which must not pass over NaN, and so may linear algebra.
func KernelsFor(g *ir.Graph) (k Kernels) {
	plain := true
	for _, n := range g.Nodes {
		k.Products = k.Products || multipliedByKernel(n)
		k.Sums = k.Sums || summedByKernel(n)
		plain = plain && len(n.Regions) == 0 && !Lookup(n.Code).Bound.Norm
	}
	if plain {
		k.Shifts = Shifts(g)
	}
	k.Sums = plain && (k.Sums || len(k.Shifts) > 0)
	return k
}

func multipliedByKernel(n *ir.Node) bool {
	if n.Code != ir.DotGeneral || n.Args[0].Type.DType != dtype.F32 || n.Args[1].Type.DType != dtype.F32 || n.Results[0].Type.DType != dtype.F32 {
		return false
	}
	return Products(n) >= leastProducts
}

// Products returns how many products a DotGeneral adds up.
func Products(n *ir.Node) int {
	return n.Results[0].Type.Shape.Size() * lengths(n.Args[0].Type.Shape, n.Attrs.(DotAttrs).LhsContract).Size()
}

func summedByKernel(n *ir.Node) bool {
	x := n.Args
	return n.Code == ir.ReduceSum && x[0].Node == nil && x[0].Type.DType == dtype.F32 && x[0].Type.Shape.Size() >= leastSummed
}
