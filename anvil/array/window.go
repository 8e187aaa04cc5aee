package array

import (
	"context"

	"github.com/goanvil/notebook/anvil/shape"
)

// A Window describes how a window moves along one axis: it has Size elements, Dilation
// positions apart, and moves by Stride positions. The axis has an element at every
// Base-th position, with Low positions of padding before and High after them.
type Window struct {
	Size, Stride, Low, High, Base, Dilation int
	Reverse                                 bool // reverses the window's elements
}

// Span returns the number of positions from the first to the last element of the
// window.
func (w Window) Span() int { return (w.Size-1)*w.Dilation + 1 }

// Padded returns the number of positions of an axis of n elements, with padding.
func (w Window) Padded(n int) int {
	if n > 0 {
		n = (n-1)*w.Base + 1
	}
	return w.Low + n + w.High
}

// Count returns the number of places of the window on an axis of n elements.
func (w Window) Count(n int) int {
	padded := w.Padded(n)
	if padded < w.Span() || padded == 0 {
		return 0
	}
	return (padded-w.Span())/w.Stride + 1
}

// element returns the index of the element that lies under element k of the window at place i, on an axis of
// n elements. ok is false for padding and for a position between elements.
func (w Window) element(i, k, n int) (at int, ok bool) {
	at = i*w.Stride + k*w.Dilation - w.Low
	if at < 0 || at%w.Base != 0 || at/w.Base >= n {
		return 0, false
	}
	return at / w.Base, true
}

// A tap has the index of an element of the window, and the index of the element of the array under it. Both
// count in row-major order over all axes.
type tap struct{ window, under int }

// windows moves a window over an array of shape s; ws[d] describes its move along axis d. It calls visit for
// each place of the window, in row-major order, with the number of the place and the taps there. visit must
// not keep taps.
func windows(ctx context.Context, s shape.Shape, ws []Window, visit func(i int, taps []tap)) error {
	places := make(shape.Shape, len(s))
	for d, n := range s {
		places[d] = ws[d].Count(n)
	}
	strides := Strides(places)
	var taps, next []tap
	return Walk(ctx, places, 0, strides, func(i, _ int) {
		taps = append(taps[:0], tap{})
		for d, n := range s {
			next = next[:0]
			for _, t := range taps {
				for k := range ws[d].Size {
					if at, ok := ws[d].element(i/strides[d]%places[d], k, n); ok {
						next = append(next, tap{t.window*ws[d].Size + ws[d].position(k), t.under*n + at})
					}
				}
			}
			taps, next = next, taps
		}
		visit(i, taps)
	})
}

// position returns the index in memory of element k of the window.
func (w Window) position(k int) int {
	if w.Reverse {
		return w.Size - 1 - k
	}
	return k
}

// FoldWindows returns the array of type t that has, for each place of the window ws on x, the fold of the
// elements of x under it: r = f(r, x[i]) in row-major order, beginning with init. Each r is a T, and is
// rounded to the dtype once, at the end.
func FoldWindows[T Elem](
	ctx context.Context, t shape.Type, x Array, ws []Window, init T, f func(r, x T) T,
) (Array, error) {
	xs, rs := Load[T](x), make([]T, t.Shape.Size())
	err := windows(ctx, x.Type.Shape, ws, func(i int, taps []tap) {
		r := init
		for _, tap := range taps {
			r = f(r, xs[tap.under])
		}
		rs[i] = r
	})
	return Store(New(t), rs), err
}

// Convolve returns the convolution of x with kernel: for each place of the window ws on x, the sum of the
// products of the kernel's elements and the elements of x under them. The axes of x are (batch, input
// feature, spatial...), of kernel (output feature, input feature, window...), and of the result, of type t,
// (batch, output feature, places...). The output features are divided into featureGroups or batchGroups
// groups of equal size; each group depends on its part of the input features or of the batch. Each sum is a
// T, and is rounded to the dtype once, at the end.
func Convolve[T int64 | uint64 | float64 | complex128](
	ctx context.Context, t shape.Type, x, kernel Array, ws []Window, featureGroups, batchGroups int,
) (Array, error) {
	xs, ks, rs := Load[T](x), Load[T](kernel), make([]T, t.Shape.Size())
	in, batch, out := kernel.Type.Shape[1], t.Shape[0], t.Shape[1] // in: input features of a group
	features, field := x.Type.Shape[1], x.Type.Shape[2:].Size()    // field: elements of one feature
	window, places := kernel.Type.Shape[2:].Size(), t.Shape[2:].Size()
	if len(rs) == 0 {
		return New(t), nil
	}
	err := windows(ctx, x.Type.Shape[2:], ws, func(i int, taps []tap) {
		for r := range batch * out {
			b, o := r/out, r%out
			b += o / (out / batchGroups) * batch    // the index along the batch axis of x
			first := o / (out / featureGroups) * in // the first input feature of the group
			var sum T
			for f := range in {
				lhs, rhs := xs[(b*features+first+f)*field:], ks[(o*in+f)*window:]
				for _, tap := range taps {
					sum += lhs[tap.under] * rhs[tap.window]
				}
			}
			rs[r*places+i] = sum
		}
	})
	return Store(New(t), rs), err
}
