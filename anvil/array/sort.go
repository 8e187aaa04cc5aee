package array

import (
	"context"
	"sort"

	"github.com/goanvil/notebook/anvil/shape"
)

// Order returns the order of elements in which each lane of x along axis is sorted: element i of the sorted
// array is element result[i] of x, both counted in row-major order. The sort is stable.
func Order[T Elem](ctx context.Context, x Array, axis int, less func(x, y T) bool) ([]int, error) {
	s := x.Type.Shape
	if s.Size() == 0 { // s[axis] may still be too large to allocate lane
		return []int{}, nil
	}
	step, n := Strides(s)[axis], s[axis]
	xs, order := Load[T](x), make([]int, x.Size())
	lane := make([]int, n)
	starts := s.Clone()
	starts[axis] = 1
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

// Take returns the array of type t with result[i] = x[at[i]].
func Take(t shape.Type, x Array, at []int) Array {
	out := New(t)
	size := t.DType.Size()
	for i, from := range at {
		copy(out.Data[i*size:(i+1)*size], x.Data[from*size:])
	}
	return out
}
