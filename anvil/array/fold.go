package array

import (
	"context"
	"sort"

	"github.com/goanvil/notebook/anvil/shape"
)

// Without returns s less the given axes, and how far a step along each axis of s
// moves in it: 0 along those axes.
func Without(s shape.Shape, axes shape.Dims) (shape.Shape, []int) {
	kept := shape.Shape{}
	for i, n := range s {
		if !axes.Has(i) {
			kept = append(kept, n)
		}
	}
	steps, inner := make([]int, len(s)), Strides(kept)
	for i, k := 0, 0; i < len(s); i++ {
		if !axes.Has(i) {
			steps[i] = inner[k]
			k++
		}
	}
	return kept, steps
}

// Fold returns the array of type t whose elements are folded from those of x
// along axes, in row-major order: r = f(r, x[i]), beginning with init. Each r is
// kept as T and rounded to the dtype once, at the end.
func Fold[T Elem](ctx context.Context, t shape.Type, x Array, axes shape.Dims, init T, f func(r, x T) T) (Array, error) {
	_, steps := Without(x.Type.Shape, axes)
	rs := make([]T, t.Shape.Size())
	fill(rs, init)
	xs := Load[T](x)
	err := Walk(ctx, x.Type.Shape, 0, steps, func(i, at int) { rs[at] = f(rs[at], xs[i]) })
	return Store(New(t), rs), err
}

// ArgFold returns the array of type t that holds, for each lane of x along axis,
// the position of the element that beats all others, the first of equals.
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

// Matrices returns the product of each pair of an m x k and a k x n matrix of x
// and y, which hold so many of them: result[b,i,j] = sum over k of
// x[b,i,k]*y[b,k,j]. Sums are kept as T and rounded to the dtype once.
func Matrices[T int64 | uint64 | float64 | complex128](ctx context.Context, t shape.Type, x, y Array, batch, m, k, n int) (Array, error) {
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

// Order returns, for each lane of x along axis, the positions of its elements in
// ascending order: an array of positions of x's own shape. Equals keep their
// order.
func Order[T Elem](ctx context.Context, x Array, axis int, less func(x, y T) bool) ([]int, error) {
	s := x.Type.Shape
	if s.Size() == 0 { // an axis may be long even so
		return []int{}, nil
	}
	step, n := Strides(s)[axis], s[axis]
	xs, order := Load[T](x), make([]int, x.Size())
	lane := make([]int, n)
	starts := s.Clone()
	starts[axis] = min(n, 1)
	err := Walk(ctx, starts, 0, Strides(s), func(_, at int) {
		for i := range lane {
			lane[i] = i
		}
		sort.SliceStable(lane, func(i, j int) bool { return less(xs[at+lane[i]*step], xs[at+lane[j]*step]) })
		for i, from := range lane {
			order[at+i*step] = at + from*step
		}
	})
	return order, err
}

// Take returns the array of type t with result[i] = the element of x at at[i].
func Take(t shape.Type, x Array, at []int) Array {
	out := New(t)
	size := t.DType.Size()
	for i, from := range at {
		copy(out.Data[i*size:(i+1)*size], x.Data[from*size:])
	}
	return out
}
