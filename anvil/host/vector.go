package host

import (
	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// A vectorLoop computes the first n elements of out from those of x and y.
type vectorLoop[T float] func(out, x, y *T, n int)

// vectorKernel returns a kernel that computes n by the processor's vector instructions, or nil if there is
// none. The instructions also flush subnormal operands and results to 0 at no cost; a loop that looks for
// subnormal numbers takes longer than the arithmetic. As in XLA's programs, a result just below the least
// normal number may be flushed, though it would round up to that number.
func vectorKernel(n *ir.Node) kernel {
	switch n.Results[0].Type.DType {
	case dtype.F32:
		return byVectors(vectors32[n.Code])
	case dtype.F64:
		return byVectors(vectors64[n.Code])
	}
	return nil
}

// byVectors returns f as a kernel, or nil if f is nil.
func byVectors[T float](f vectorLoop[T]) kernel {
	if f == nil {
		return nil
	}
	return infallible(func(out []byte, in [][]byte) {
		if o, x, y := array.View[T](out), array.View[T](in[0]), array.View[T](in[1]); len(o) > 0 {
			f(&o[0], &x[0], &y[0], min(len(o), len(x), len(y)))
		}
	})
}
