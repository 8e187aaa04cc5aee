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

// Kernels returns for which of its operations g is to be compiled with the
// kernels that a plugin for CPUs brings along, beside its compiler: large products
// of f32 matrices, and large sums of f32 parameters. What is small is left to
// the compiler, which makes one program of it. The kernels pass over NaN in a
// maximum: rows write those without floats, but a region of a program may not.
func Kernels(g *ir.Graph) (dots, sums bool) {
	plain := true
	for _, n := range g.Nodes {
		dots = dots || multipliedByKernel(n)
		sums = sums || summedByKernel(n)
		plain = plain && len(n.Regions) == 0 && !Lookup(n.Code).Bound.Norm
	}
	return dots, sums && plain
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
