package array

import (
	"context"

	"github.com/goanvil/notebook/anvil/shape"
)

// Strides returns the strides of the axes of s, in elements.
func Strides(s shape.Shape) []int {
	strides := make([]int, len(s))
	step := 1
	for i := len(s) - 1; i >= 0; i-- {
		strides[i] = step
		step *= s[i]
	}
	return strides
}

// Walk calls visit for each index of s in row-major order. i counts the calls from 0, and at is offset + sum
// over k of index[k]*strides[k]. If ctx ends, Walk returns its error.
func Walk(ctx context.Context, s shape.Shape, offset int, strides []int, visit func(i, at int)) error {
	n := s.Size()
	index := make([]int, len(s))
	at := offset
	for i := range n {
		if i%blockSize == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		visit(i, at)
		for k := len(s) - 1; k >= 0; k-- {
			index[k]++
			at += strides[k]
			if index[k] < s[k] {
				break
			}
			at -= index[k] * strides[k]
			index[k] = 0
		}
	}
	return nil
}

// Read returns the array of shape s with result[index] = x[at], where
// at = offset + sum over k of index[k]*strides[k].
func Read(ctx context.Context, s shape.Shape, x Array, offset int, strides []int) (Array, error) {
	out := New(shape.Type{DType: x.Type.DType, Shape: s})
	size := x.Type.DType.Size()
	err := Walk(ctx, s, offset, strides, func(i, at int) {
		copy(out.Data[i*size:(i+1)*size], x.Data[at*size:])
	})
	return out, err
}

// Write sets out[at] = x[index] for each index of x, where
// at = offset + sum over k of index[k]*strides[k].
func Write(ctx context.Context, out, x Array, offset int, strides []int) error {
	size := x.Type.DType.Size()
	return Walk(ctx, x.Type.Shape, offset, strides, func(i, at int) {
		copy(out.Data[at*size:(at+1)*size], x.Data[i*size:])
	})
}
