package host

import (
	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// flushing returns a kernel for n that itself flushes subnormal operands and results
// to 0, or nil. The processor does so at no cost, whereas looking for them takes longer
// than the arithmetic. It flushes after rounding, as XLA's programs do.
func flushing(n *ir.Node) kernel {
	switch n.Results[0].Type.DType {
	case dtype.F32:
		return byVectors(vectors32[n.Code])
	case dtype.F64:
		return byVectors(vectors64[n.Code])
	}
	return nil
}

// byVectors returns f, which computes n elements, as a kernel, or nil if f is nil.
func byVectors[T float](f func(out, x, y *T, n int)) kernel {
	if f == nil {
		return nil
	}
	return infallible(func(out []byte, in [][]byte) {
		if o, x, y := array.View[T](out), array.View[T](in[0]), array.View[T](in[1]); len(o) > 0 {
			f(&o[0], &x[0], &y[0], min(len(o), len(x), len(y)))
		}
	})
}
