package array

import (
	"context"

	"github.com/goanvil/notebook/anvil/shape"
)

// Map1 returns the array of type t with result[i] = f(x[i]).
func Map1[X, R Elem](ctx context.Context, t shape.Type, x Array, f func(X) R) (Array, error) {
	out := New(t)
	n := out.Size()
	xs, rs := make([]X, min(n, block)), make([]R, min(n, block))
	for from := 0; from < n; from += block {
		if err := ctx.Err(); err != nil {
			return Array{}, err
		}
		m := min(block, n-from)
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
	xs, ys, rs := make([]X, min(n, block)), make([]Y, min(n, block)), make([]R, min(n, block))
	for from := 0; from < n; from += block {
		if err := ctx.Err(); err != nil {
			return Array{}, err
		}
		m := min(block, n-from)
		load(xs[:m], x, from)
		load(ys[:m], y, from)
		for i, x := range xs[:m] {
			rs[i] = f(x, ys[i])
		}
		store(out, from, rs[:m])
	}
	return out, nil
}

// Map3 returns the array of type t with result[i] = f(x[i], y[i], z[i]). An
// operand of rank 0 stands for every element.
func Map3[X, Y, Z, R Elem](ctx context.Context, t shape.Type, x, y, z Array, f func(X, Y, Z) R) (Array, error) {
	out := New(t)
	n := out.Size()
	xs, ys, zs := make([]X, min(n, block)), make([]Y, min(n, block)), make([]Z, min(n, block))
	rs := make([]R, min(n, block))
	for from := 0; from < n; from += block {
		if err := ctx.Err(); err != nil {
			return Array{}, err
		}
		m := min(block, n-from)
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
