package array_test

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// ints returns an i32 array of shape s with elements xs, or 0, 1, 2, ... without xs.
func ints(s shape.Shape, xs ...int64) array.Array {
	a := array.New(shape.Type{DType: dtype.I32, Shape: s})
	for i := len(xs); i < a.Size(); i++ {
		xs = append(xs, int64(i))
	}
	return array.Store(a, xs)
}

// wantInts checks that a has the elements want, and that its computation did not fail.
func wantInts(t *testing.T, name string, a array.Array, err error, want ...int64) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", name, err)
	} else if got := array.Load[int64](a); !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", name, got, want)
	}
}

// TestStoreKeepsLowBits checks that storing integers keeps their lowest bits, also next to elements that
// have other bits set, and that loading reads the bits of an element only.
func TestStoreKeepsLowBits(t *testing.T) {
	for _, d := range dtype.All() {
		switch bits := d.Bits(); d.Kind() {
		case dtype.Signed:
			xs := []int64{-1, 1 << (bits - 1), 1<<(bits-1) - 1, 5 << 7, -6, 3}
			got := array.Load[int64](array.Store(array.New(shape.Of(d, len(xs))), xs))
			for i, x := range xs {
				want := new(big.Int).And(big.NewInt(x), new(big.Int).SetUint64(1<<bits-1))
				if want.Bit(bits-1) == 1 {
					want.Sub(want, new(big.Int).Lsh(big.NewInt(1), uint(bits)))
				}
				if got[i] != want.Int64() {
					t.Errorf("%v: %d is stored as %d, want %d", d, x, got[i], want)
				}
			}
		case dtype.Unsigned:
			xs := []uint64{1<<64 - 1, 1 << (bits - 1), 5 << 7, 3}
			got := array.Load[uint64](array.Store(array.New(shape.Of(d, len(xs))), xs))
			for i, x := range xs {
				if want := x & (1<<bits - 1); got[i] != want {
					t.Errorf("%v: %d is stored as %d, want %d", d, x, got[i], want)
				}
			}
		}
	}
	a := array.New(shape.Of(dtype.U2, 1))
	if a.Data[0] = 0xfe; array.Load[uint64](a)[0] != 2 {
		t.Errorf("the byte %#x has the element %v", a.Data[0], array.Load[uint64](a))
	}
	b := array.New(shape.Of(dtype.I1, 2))
	b.Data[0] = 1
	if array.Store(b, []bool{false, true}); b.Data[0] != 0 || b.Data[1] != 1 {
		t.Errorf("bools are stored as %v", b.Data)
	}
}

// TestMapsBroadcastScalars checks each position of a scalar operand, for arrays of several blocks.
func TestMapsBroadcastScalars(t *testing.T) {
	ctx := t.Context()
	for _, n := range []int{0, 1, 5, 1024, 1025, 2500} {
		v, s := ints(shape.Shape{n}), ints(nil, 7)
		want2, want3 := make([]int64, n), make([]int64, n)
		for _, c := range []struct{ x, y, z array.Array }{{v, v, v}, {s, v, v}, {v, s, v}, {v, v, s}, {s, s, s}} {
			at := func(a array.Array, i int) int64 {
				if a.Size() == 1 && len(a.Type.Shape) == 0 {
					return 7
				}
				return int64(i)
			}
			for i := range n {
				want2[i] = at(c.x, i) - 2*at(c.y, i)
				want3[i] = want2[i] + 3*at(c.z, i)
			}
			r, err := array.Map2(ctx, v.Type, c.x, c.y, func(x, y int64) int64 { return x - 2*y })
			wantInts(t, "Map2", r, err, want2...)
			r, err = array.Map3(ctx, v.Type, c.x, c.y, c.z, func(x, y, z int64) int64 { return x - 2*y + 3*z })
			wantInts(t, "Map3", r, err, want3...)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	v := ints(shape.Shape{2})
	if _, err := array.Map2(ended, v.Type, v, v, func(x, y int64) int64 { return x }); err == nil {
		t.Error("Map2 ignores that its context has ended")
	}
	if _, err := array.Map3(ended, v.Type, v, v, v, func(x, y, z int64) int64 { return x }); err == nil {
		t.Error("Map3 ignores that its context has ended")
	}
}

func TestFolds(t *testing.T) {
	ctx, x := t.Context(), ints(shape.Shape{2, 2, 3}) // 0 1 2, 3 4 5 | 6 7 8, 9 10 11
	add := func(r, x int64) int64 { return r + x }
	for _, c := range []struct {
		axes []int
		rest shape.Shape
		want []int64
	}{
		{nil, shape.Shape{2, 2, 3}, []int64{100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111}},
		{[]int{0}, shape.Shape{2, 3}, []int64{106, 108, 110, 112, 114, 116}},
		{[]int{1}, shape.Shape{2, 3}, []int64{103, 105, 107, 115, 117, 119}},
		{[]int{2}, shape.Shape{2, 2}, []int64{103, 112, 121, 130}},
		{[]int{0, 2}, shape.Shape{2}, []int64{124, 142}},
		{[]int{0, 1, 2}, shape.Shape{}, []int64{166}},
	} {
		axes := shape.DimsOf(c.axes...)
		if rest, _ := array.Without(x.Type.Shape, axes); !rest.Equal(c.rest) {
			t.Errorf("without %v: %v, want %v", c.axes, rest, c.rest)
		}
		r, err := array.Fold(ctx, shape.Type{DType: dtype.I32, Shape: c.rest}, x, axes, 100, add)
		wantInts(t, axes.String(), r, err, c.want...)
	}
	// The order is row-major: (((0*3+1)*3+2)*3...
	r, err := array.Fold(ctx, shape.Of(dtype.I32), ints(shape.Shape{2, 2}), shape.DimsOf(0, 1), 0,
		func(r, x int64) int64 { return 3*r + x })
	wantInts(t, "in order", r, err, 18)

	y := ints(shape.Shape{2, 4}, 3, 9, 9, 1, 5, 2, 9, 9)
	greater := func(x, best int64) bool { return x > best }
	r, err = array.ArgFold(ctx, shape.Of(dtype.I32, 2), y, 1, greater)
	wantInts(t, "ArgFold along 1", r, err, 1, 2)
	r, err = array.ArgFold(ctx, shape.Of(dtype.I32, 4), y, 0, greater)
	wantInts(t, "ArgFold along 0", r, err, 1, 0, 0, 1)
	r, err = array.ArgFold(ctx, shape.Of(dtype.I32, 1), ints(shape.Shape{1, 2}, -5, -3), 1, greater)
	wantInts(t, "ArgFold of negative numbers", r, err, 1)
}

func TestMatMul(t *testing.T) {
	x, y := ints(shape.Shape{2, 2, 3}), ints(shape.Shape{2, 3, 4})
	var want []int64
	for b := range 2 {
		for i := range 2 {
			for j := range 4 {
				sum := 0
				for k := range 3 {
					sum += (b*6 + i*3 + k) * (b*12 + k*4 + j)
				}
				want = append(want, int64(sum))
			}
		}
	}
	r, err := array.MatMul[int64](t.Context(), shape.Of(dtype.I32, 2, 2, 4), x, y, 2, 2, 3, 4)
	wantInts(t, "products", r, err, want...)
}

func TestOrder(t *testing.T) {
	ctx, x := t.Context(), ints(shape.Shape{3, 4}, 3, 1, 2, 1, 0, 1, 5, 0, 3, 0, 2, 9)
	less := func(x, y int64) bool { return x < y }
	for _, c := range []struct {
		axis          int
		order, sorted []int64
	}{
		{0, []int64{4, 9, 2, 7, 0, 1, 10, 3, 8, 5, 6, 11}, []int64{0, 0, 2, 0, 3, 1, 2, 1, 3, 1, 5, 9}},
		{1, []int64{1, 3, 2, 0, 4, 7, 5, 6, 9, 10, 8, 11}, []int64{1, 1, 2, 3, 0, 0, 1, 5, 0, 2, 3, 9}},
	} {
		order, err := array.Order(ctx, x, c.axis, less)
		if err != nil {
			t.Fatal(err)
		}
		for i, at := range order {
			if int64(at) != c.order[i] {
				t.Errorf("along axis %d: %v, want %v", c.axis, order, c.order)
				break
			}
		}
		wantInts(t, "sorted", array.Take(x.Type, x, order), nil, c.sorted...)
	}
	order, err := array.Order(ctx, array.New(shape.Of(dtype.I32, 0, 1<<40)), 1, less)
	if err != nil || order == nil || len(order) > 0 {
		t.Errorf("of no elements: %v, %v", order, err)
	}
}

// TestWindow compares the counts of a window with places that are counted one by one.
func TestWindow(t *testing.T) {
	for _, w := range []array.Window{
		{Size: 1, Stride: 1, Base: 1, Dilation: 1},
		{Size: 3, Stride: 2, Low: 1, High: 2, Base: 1, Dilation: 1},
		{Size: 2, Stride: 3, Low: 2, Base: 3, Dilation: 2},
		{Size: 3, Stride: 1, High: 4, Base: 2, Dilation: 3},
		{Size: 2, Stride: 1, Low: -1, High: -1, Base: 1, Dilation: 1},
	} {
		for n := range 7 {
			axis := max(0, n*w.Base-(w.Base-1)) + w.Low + w.High
			last, places := 1+(w.Size-1)*w.Dilation, 0
			for at := 0; at+last <= axis; at += w.Stride {
				places++
			}
			if w.Span() != last || w.Padded(n) != axis || w.Count(n) != places {
				t.Errorf("%+v on %d elements: span %d, padded %d, count %d, want %d, %d, %d",
					w, n, w.Span(), w.Padded(n), w.Count(n), last, axis, places)
			}
		}
	}
}

// laid returns the elements of a row of x where the window w reads them: at every Base-th position, with zeros
// between them and in the padding.
func laid(x []int64, w array.Window) []int64 {
	out := make([]int64, w.Padded(len(x)))
	for i, v := range x {
		if at := w.Low + i*w.Base; at >= 0 && at < len(out) {
			out[at] = v
		}
	}
	return out
}

// TestFoldWindows compares sums over windows of a matrix with sums over its elements, laid out with padding.
func TestFoldWindows(t *testing.T) {
	for _, ws := range [][]array.Window{
		{{Size: 1, Stride: 1, Base: 1, Dilation: 1}, {Size: 2, Stride: 1, Base: 1, Dilation: 1}},
		{{Size: 2, Stride: 1, Low: 1, High: 1, Base: 2, Dilation: 2}, {Size: 2, Stride: 2, Low: 2, Base: 1, Dilation: 1}},
		{{Size: 2, Stride: 2, Base: 1, Dilation: 1}, {Size: 3, Stride: 1, Low: 1, High: 3, Base: 3, Dilation: 1}},
		{{Size: 2, Stride: 1, Base: 1, Dilation: 1}, {Size: 2, Stride: 1, Low: -1, High: -1, Base: 1, Dilation: 1}},
	} {
		x := ints(shape.Shape{3, 4})
		xs := array.Load[int64](x)
		rows, columns := ws[0].Count(3), ws[1].Count(4)
		var want []int64
		for i := range rows {
			for j := range columns {
				sum := int64(10)
				for k := range ws[0].Size {
					for l := range ws[1].Size {
						at := laid([]int64{1, 2, 3}, ws[0])[i*ws[0].Stride+k*ws[0].Dilation]
						if at > 0 {
							sum += laid(xs[(at-1)*4:at*4], ws[1])[j*ws[1].Stride+l*ws[1].Dilation]
						}
					}
				}
				want = append(want, sum)
			}
		}
		r, err := array.FoldWindows(t.Context(), shape.Of(dtype.I32, rows, columns), x, ws, 10,
			func(r, x int64) int64 { return r + x })
		wantInts(t, "sums", r, err, want...)
	}
	w := []array.Window{{Size: 2, Stride: 1, Base: 1, Dilation: 1}}
	r, err := array.FoldWindows(t.Context(), shape.Of(dtype.I32, 2), ints(shape.Shape{3}, 1, 2, 3), w, 0,
		func(r, x int64) int64 { return 10*r + x })
	wantInts(t, "in order", r, err, 12, 23)
}

// TestConvolve compares convolutions along one axis with sums of products of the elements, laid out with padding.
func TestConvolve(t *testing.T) {
	for _, c := range []struct {
		batch, in, out, features, batches int
		w                                 array.Window
	}{
		{1, 1, 1, 1, 1, array.Window{Size: 3, Stride: 1, Base: 1, Dilation: 1}},
		{2, 3, 2, 1, 1, array.Window{Size: 2, Stride: 2, Low: 1, High: 2, Base: 2, Dilation: 2}},
		{2, 4, 6, 2, 1, array.Window{Size: 2, Stride: 1, Base: 1, Dilation: 1, Reverse: true}},
		{4, 2, 6, 1, 2, array.Window{Size: 3, Stride: 1, Low: 1, High: 1, Base: 1, Dilation: 1, Reverse: true}},
	} {
		const n = 5
		w, part, batch := c.w, c.in/c.features, c.batch/c.batches
		x, kernel := ints(shape.Shape{c.batch, c.in, n}), ints(shape.Shape{c.out, part, w.Size})
		xs, ks, places := array.Load[int64](x), array.Load[int64](kernel), w.Count(n)
		var want []int64
		for b := range batch {
			for o := range c.out {
				from := o / (c.out / c.batches) * batch
				for i := range places {
					sum := int64(0)
					for f := range part {
						row := (from+b)*c.in + o/(c.out/c.features)*part + f
						at := laid(xs[row*n:(row+1)*n], w)
						for k := range w.Size {
							tap := k
							if w.Reverse {
								tap = w.Size - 1 - k
							}
							sum += at[i*w.Stride+k*w.Dilation] * ks[(o*part+f)*w.Size+tap]
						}
					}
					want = append(want, sum)
				}
			}
		}
		r, err := array.Convolve[int64](t.Context(), shape.Of(dtype.I32, batch, c.out, places), x, kernel,
			[]array.Window{w}, c.features, c.batches)
		wantInts(t, "convolution", r, err, want...)
	}
	// Along two axes, with elements that have one place each.
	x, kernel := ints(shape.Shape{1, 1, 2, 3}, 1, 2, 3, 4, 5, 6), ints(shape.Shape{1, 1, 2, 2}, 1, 10, 100, 1000)
	one := array.Window{Size: 2, Stride: 1, Base: 1, Dilation: 1}
	r, err := array.Convolve[int64](t.Context(), shape.Of(dtype.I32, 1, 1, 1, 2), x, kernel, []array.Window{one, one}, 1, 1)
	wantInts(t, "two axes", r, err, 1+20+400+5000, 2+30+500+6000)
	r, err = array.Convolve[int64](t.Context(), shape.Of(dtype.I32, 1, 0, 2), ints(shape.Shape{1, 1, 3}),
		ints(shape.Shape{0, 1, 2}), []array.Window{one}, 1, 1)
	wantInts(t, "no features", r, err)
}
