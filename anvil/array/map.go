package array

import (
	"context"

	"github.com/goanvil/notebook/anvil/shape"
)

// Map1 returns the array of type t with result[i] = f(x[i]). Like Map2 and Map3 it
// broadcasts operands of rank 0.
func Map1[X, R Elem](ctx context.Context, t shape.Type, x Array, f func(X) R) (Array, error) {
	out := New(t)
	n := out.Size()
	xs, rs := make([]X, min(n, blockSize)), make([]R, min(n, blockSize))
	for from := 0; from < n; from += blockSize {
		if err := ctx.Err(); err != nil {
			return Array{}, err
		}
		m := min(blockSize, n-from)
		load(xs[:m], x, from)
		for i, x := range xs[:m] {
			rs[i] = f(x)
		}
		store(out, from, rs[:m])
	}
	return out, nil
}

// Map2 returns the array of type t with result[i] = f(x[i], y[i]).
func Map2[X, Y, R Elem](ctx context.Context, t shape.Type, x, y Array, f func(X, Y) R) (Array, error) {
	out := New(t)
	n := out.Size()
	xs, ys, rs := make([]X, min(n, blockSize)), make([]Y, min(n, blockSize)), make([]R, min(n, blockSize))
	for from := 0; from < n; from += blockSize {
		if err := ctx.Err(); err != nil {
			return Array{}, err
		}
		m := min(blockSize, n-from)
		load(xs[:m], x, from)
		load(ys[:m], y, from)
		for i, x := range xs[:m] {
			rs[i] = f(x, ys[i])
		}
		store(out, from, rs[:m])
	}
	return out, nil
}

// Map3 returns the array of type t with result[i] = f(x[i], y[i], z[i]).
func Map3[X, Y, Z, R Elem](ctx context.Context, t shape.Type, x, y, z Array, f func(X, Y, Z) R) (Array, error) {
	out := New(t)
	n := out.Size()
	xs, ys, zs := make([]X, min(n, blockSize)), make([]Y, min(n, blockSize)), make([]Z, min(n, blockSize))
	rs := make([]R, min(n, blockSize))
	for from := 0; from < n; from += blockSize {
		if err := ctx.Err(); err != nil {
			return Array{}, err
		}
		m := min(blockSize, n-from)
		load(xs[:m], x, from)
		load(ys[:m], y, from)
		load(zs[:m], z, from)
		for i, x := range xs[:m] {
			rs[i] = f(x, ys[i], zs[i])
		}
		store(out, from, rs[:m])
	}
	return out, nil
}
