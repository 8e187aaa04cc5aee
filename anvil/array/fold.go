package array

import (
	"context"

	"github.com/goanvil/notebook/anvil/shape"
)

// Without returns s without the given axes, and for each axis of s its stride in the
// result: 0 for the removed axes.
func Without(s shape.Shape, axes shape.Dims) (shape.Shape, []int) {
	rest := shape.Shape{}
	for i, n := range s {
		if !axes.Has(i) {
			rest = append(rest, n)
		}
	}
	steps, inner := make([]int, len(s)), Strides(rest)
	for i, k := 0, 0; i < len(s); i++ {
		if !axes.Has(i) {
			steps[i] = inner[k]
			k++
		}
	}
	return rest, steps
}

// Fold returns the array of type t that folds x along axes, in row-major order:
// r = f(r, x[i]), beginning with init. Each r is a T, and is rounded to the dtype once,
// at the end.
func Fold[T Elem](
	ctx context.Context, t shape.Type, x Array, axes shape.Dims, init T, f func(r, x T) T,
) (Array, error) {
	_, steps := Without(x.Type.Shape, axes)
	rs := make([]T, t.Shape.Size())
	fill(rs, init)
	xs := Load[T](x)
	err := Walk(ctx, x.Type.Shape, 0, steps, func(i, at int) { rs[at] = f(rs[at], xs[i]) })
	return Store(New(t), rs), err
}

// ArgFold returns, for each lane of x along axis, the position in the lane of the first element that no
// other beats. The result has type t. A lane has the elements along an
// axis at one index of the other axes.
func ArgFold[T Elem](ctx context.Context, t shape.Type, x Array, axis int, beats func(x, best T) bool) (Array, error) {
	_, steps := Without(x.Type.Shape, shape.DimsOf(axis))
	n := t.Shape.Size()
	best, where, count := make([]T, n), make([]int64, n), make([]int64, n)
	xs := Load[T](x)
	err := Walk(ctx, x.Type.Shape, 0, steps, func(i, at int) {
		if count[at] == 0 || beats(xs[i], best[at]) {
			best[at], where[at] = xs[i], count[at]
		}
		count[at]++
	})
	out := New(t)
	storeInts(out.Data, where, t.DType.Bits())
	return out, err
}
