package array

import (
	"context"

	"github.com/goanvil/notebook/anvil/shape"
)

// MatMul returns the matrix products of a batch of m x k matrices x and a batch of
// k x n matrices y: result[b,i,j] = sum over k of x[b,i,k]*y[b,k,j]. Each sum is a T, and
// is rounded to the dtype once, at the end.
func MatMul[T int64 | uint64 | float64 | complex128](
	ctx context.Context, t shape.Type, x, y Array, batch, m, k, n int,
) (Array, error) {
	xs, ys, rs := Load[T](x), Load[T](y), make([]T, batch*m*n)
	for row := range batch * m {
		if err := ctx.Err(); err != nil {
			return Array{}, err
		}
		r, b := rs[row*n:(row+1)*n], row/m
		for l := range k {
			v := xs[row*k+l]
			for j, w := range ys[(b*k+l)*n : (b*k+l+1)*n] {
				r[j] += v * w
			}
		}
	}
	return Store(New(t), rs), nil
}
