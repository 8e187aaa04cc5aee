package array_test

import (
	"context"
	"errors"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// TestEveryBitPatternComesBack checks that loading and storing preserves every element of
// the dtypes of at most 16 bits.
func TestEveryBitPatternComesBack(t *testing.T) {
	for _, d := range dtype.All() {
		if d.Bits() > 16 {
			continue
		}
		n := 1 << d.Bits()
		a := array.New(shape.Of(d, n))
		for i := range n {
			dtype.PutUint(a.Data[i*d.Size():], dtype.U8, uint64(i))
			if d.Size() == 2 {
				dtype.PutUint(a.Data[i*2:], dtype.U16, uint64(i))
			}
		}
		b := roundTrip(a)
		for i := range n {
			x, y := dtype.Get(a.Data[i*d.Size():], d), dtype.Get(b.Data[i*d.Size():], d)
			if x != y && x == x {
				t.Errorf("%v: %#x became %v, not %v", d, i, y, x)
			}
		}
	}
}

// TestWideElementsComeBack checks that loading and storing preserves several elements of
// each dtype of more than 16 bits.
func TestWideElementsComeBack(t *testing.T) {
	for _, d := range dtype.All() {
		if d.Bits() <= 16 {
			continue
		}
		a := array.New(shape.Of(d, 5))
		for i := range a.Data {
			a.Data[i] = byte(i + 1)
		}
		if b := roundTrip(a); string(b.Data) != string(a.Data) {
			t.Errorf("%v: % x became % x", d, a.Data, b.Data)
		}
	}
}

func roundTrip(a array.Array) array.Array {
	out := array.New(a.Type)
	switch a.DType().Kind() {
	case dtype.Complex:
		return array.Store(out, array.Load[complex128](a))
	case dtype.Boolean:
		return array.Store(out, array.Load[bool](a))
	case dtype.Signed:
		return array.Store(out, array.Load[int64](a))
	case dtype.Unsigned:
		return array.Store(out, array.Load[uint64](a))
	}
	return array.Store(out, array.Load[float64](a))
}

func TestMapSpansBlocks(t *testing.T) {
	n := 5000
	xs := make([]int64, n)
	for i := range xs {
		xs[i] = int64(i)
	}
	x := array.Store(array.New(shape.Of(dtype.I32, n)), xs)
	y, err := array.Map1(context.Background(), x.Type, x, func(x int64) int64 { return 2 * x })
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range array.Load[int64](y) {
		if got != int64(2*i) {
			t.Fatalf("element %d is %d", i, got)
		}
	}
}

func TestLoopsEndWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x := array.New(shape.Of(dtype.F32, 8))
	neg := func(x float64) float64 { return -x }
	if _, err := array.Map1(ctx, x.Type, x, neg); !errors.Is(err, context.Canceled) {
		t.Errorf("Map1: %v", err)
	}
	if _, err := array.Read(ctx, x.Type.Shape, x, 0, []int{1}); !errors.Is(err, context.Canceled) {
		t.Errorf("Read: %v", err)
	}
	if _, err := array.MatMul[float64](ctx, shape.Of(dtype.F32, 2, 2), x, x, 1, 2, 2, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("MatMul: %v", err)
	}
}

func TestReadAndWriteAreInverse(t *testing.T) {
	x := array.Store(array.New(shape.Of(dtype.U8, 2, 3)), []uint64{1, 2, 3, 4, 5, 6})
	transposed, err := array.Read(context.Background(), shape.Shape{3, 2}, x, 0, []int{1, 3})
	if err != nil {
		t.Fatal(err)
	}
	if want := "\x01\x04\x02\x05\x03\x06"; string(transposed.Data) != want {
		t.Errorf("transposed: %q, want %q", transposed.Data, want)
	}
	back := array.New(x.Type)
	err = array.Write(context.Background(), back, transposed, 0, []int{1, 3})
	if err != nil || string(back.Data) != string(x.Data) {
		t.Errorf("transposed twice: %q, %v", back.Data, err)
	}
}
