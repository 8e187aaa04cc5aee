package array

import (
	"context"

	"github.com/goanvil/notebook/anvil/shape"
)

// A Window is how a window moves along one axis: Size elements, Dilation apart,
// that step by Stride over an axis whose elements are Base apart and that has
// Low positions before and High behind it.
type Window struct {
	Size, Stride, Low, High, Base, Dilation int
	Reverse                                 bool // the last element of the window is the first
}

// Span returns how many positions the window covers.
func (w Window) Span() int { return (w.Size-1)*w.Dilation + 1 }

// Padded returns how many positions an axis of n elements has.
func (w Window) Padded(n int) int {
	if n > 0 {
		n = (n-1)*w.Base + 1
	}
	return w.Low + n + w.High
}

// Count returns how many places the window has on an axis of n elements.
func (w Window) Count(n int) int {
	padded := w.Padded(n)
	if padded < w.Span() || padded == 0 {
		return 0
	}
	return (padded-w.Span())/w.Stride + 1
}

// element returns which of n elements lies under element k of the window at its
// place i; ok is false where it is padding.
func (w Window) element(i, k, n int) (at int, ok bool) {
	at = i*w.Stride + k*w.Dilation - w.Low
	if at < 0 || at%w.Base != 0 || at/w.Base >= n {
		return 0, false
	}
	return at / w.Base, true
}

// A tap is an element of a window with the one that lies under it.
type tap struct{ window, under int }

// windows calls visit for each place of windows on the axes s, in row-major
// order, with its number and its taps, which visit must not keep.
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

// position returns which element of what is laid into the window is element k.
func (w Window) position(k int) int {
	if w.Reverse {
		return w.Size - 1 - k
	}
	return k
}

// FoldWindows returns the array of type t whose elements are folded from those
// of x under each place of a window, in row-major order, beginning with init.
// Each is kept as T and rounded to the dtype once.
func FoldWindows[T Elem](ctx context.Context, t shape.Type, x Array, ws []Window, init T, f func(r, x T) T) (Array, error) {
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

// Convolve returns the array of type t with axes (batch, output feature,
// places...): the sum of the products of kernel, with axes (output feature,
// input feature, window...), and the elements of x, with axes (batch, input
// feature, spatial...), that lie under it. The output features fall into so many
// groups of equal size, each of a part of the input features or of the batch.
// Sums are kept as T and rounded to the dtype once.
func Convolve[T int64 | uint64 | float64 | complex128](ctx context.Context, t shape.Type, x, kernel Array, ws []Window, featureGroups, batchGroups int) (Array, error) {
	xs, ks, rs := Load[T](x), Load[T](kernel), make([]T, t.Shape.Size())
	in, batch, out := kernel.Type.Shape[1], t.Shape[0], t.Shape[1]
	features, field := x.Type.Shape[1], x.Type.Shape[2:].Size()
	window, places := kernel.Type.Shape[2:].Size(), t.Shape[2:].Size()
	if len(rs) == 0 {
		return New(t), nil
	}
	err := windows(ctx, x.Type.Shape[2:], ws, func(i int, taps []tap) {
		for r := range batch * out {
			b, o := r/out, r%out
			b += o / (out / batchGroups) * batch
			first := o / (out / featureGroups) * in
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
