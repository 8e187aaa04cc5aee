package ops

import (
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// CholeskyInBlocks returns the Cholesky factors of x as LowerForCPU writes them.
func CholeskyInBlocks(b expr.Builder, x expr.Value) expr.Value {
	g := &ir.Graph{}
	n := g.Add(ir.Cholesky, nil, nil, nil, shape.Type{DType: x.DType(), Shape: x.Shape()})
	return lowerCholeskyInBlocks(b, n, []expr.Value{x})[0]
}

// DivideAndConquer returns the eigenvalues and eigenvectors of tridiagonal matrices, in no order.
func DivideAndConquer(b expr.Builder, d, e expr.Value) (w, v expr.Value) {
	return divideAndConquer(b, d, e)
}
