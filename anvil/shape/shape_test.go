package shape_test

import (
	"math"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
	"pgregory.net/rapid"
)

func TestBroadcast(t *testing.T) {
	for _, c := range []struct{ s, t, want shape.Shape }{
		{nil, nil, nil},
		{nil, shape.Shape{2}, shape.Shape{2}},
		{shape.Shape{3}, shape.Shape{2, 3}, shape.Shape{2, 3}},
		{shape.Shape{2, 1}, shape.Shape{3}, shape.Shape{2, 3}},
		{shape.Shape{0, 3}, shape.Shape{1}, shape.Shape{0, 3}},
		{shape.Shape{1}, shape.Shape{0}, shape.Shape{0}},
	} {
		got, err := shape.Broadcast(c.s, c.t)
		if err != nil || !got.Equal(c.want) {
			t.Errorf("Broadcast(%v, %v) = %v, %v, want %v", c.s, c.t, got, err, c.want)
		}
	}
	_, err := shape.Broadcast(shape.Shape{3, 4}, shape.Shape{3})
	if err == nil || err.Error() != "(): shapes {3,4} and {3} do not broadcast: axis 1 has length 4 and 3; Reshape "+
		"one of them so that the lengths agree or one is 1" {
		t.Errorf("{3,4} with {3}: %v", err)
	}
	_, err = shape.Broadcast(shape.Shape{2}, shape.Shape{5, 3, 1, 4})
	if err == nil || err.Error() != "(): shapes {5,3,1,4} and {2} do not broadcast: axis 3 has length 4 and 2; "+
		"Reshape one of them so that the lengths agree or one is 1" {
		t.Errorf("{2} with {5,3,1,4}: %v", err)
	}
}

func TestDims(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Int(), 0, 6).Draw(t, "xs")
		d := shape.DimsOf(xs...)
		got := d.Ints()
		if len(got) != len(xs) || d.Len() != len(xs) {
			t.Fatalf("DimsOf(%v) has %d integers, not %d", xs, d.Len(), len(xs))
		}
		for i := range xs {
			if got[i] != xs[i] || !d.Has(xs[i]) {
				t.Fatalf("DimsOf(%v) has the integers %v", xs, got)
			}
		}
	})
	if a, b := shape.DimsOf(1, 2), shape.DimsOf(1, 2); a != b || a.String() != "[1, 2]" {
		t.Errorf("%v and %v", a, b)
	}
}

func TestAxis(t *testing.T) {
	for _, c := range []struct{ axis, rank, want int }{
		{0, 0, -1}, {-1, 0, -1}, {0, 1, 0}, {-1, 1, 0}, {1, 1, -1}, {-2, 1, -1}, {2, 3, 2}, {-3, 3, 0}, {-4, 3, -1}, {3, 3, -1},
	} {
		if got := shape.Axis(c.axis, c.rank); got != c.want {
			t.Errorf("Axis(%d, %d) = %d, want %d", c.axis, c.rank, got, c.want)
		}
	}
}

func TestShape(t *testing.T) {
	for _, c := range []struct {
		s    shape.Shape
		size int
		text string
	}{
		{nil, 1, "{}"},
		{shape.Shape{7}, 7, "{7}"},
		{shape.Shape{2, 3}, 6, "{2,3}"},
		{shape.Shape{4, 0, 5}, 0, "{4,0,5}"},
	} {
		if c.s.Rank() != len(c.s) || c.s.Size() != c.size || c.s.String() != c.text {
			t.Errorf("%v: rank %d, size %d, text %q", []int(c.s), c.s.Rank(), c.s.Size(), c.s)
		}
		clone := c.s.Clone()
		if !clone.Equal(c.s) || !c.s.Dims().Shape().Equal(c.s) {
			t.Errorf("%v: clone %v, through Dims %v", c.s, clone, c.s.Dims().Shape())
		}
		if len(clone) > 0 {
			if clone[0]++; clone.Equal(c.s) || clone.Equal(c.s[1:]) {
				t.Errorf("%v is equal to %v", clone, c.s)
			}
		}
	}
	d := shape.DimsOf(3, 5, 7)
	for i, x := range d.All() {
		if i > 0 {
			t.Errorf("the iteration continues with %d after it was ended", x)
		}
		break
	}
	if d.Has(4) || shape.DimsOf().Ints() != nil || shape.DimsOf().String() != "[]" {
		t.Errorf("%v has 4, or the empty list is %v", d, shape.DimsOf())
	}
	if len(shape.DimsOf(-64, 63)) != 2 || len(shape.DimsOf(64)) != 2 {
		t.Error("the numbers from -64 to 63 take one byte each, and 64 two")
	}
}

func TestType(t *testing.T) {
	f32, f64 := shape.Of(dtype.F32, 2, 3), shape.Of(dtype.F64, 2, 3)
	if f32.Bytes() != 24 || f64.Bytes() != 48 || f32.String() != "f32{2,3}" {
		t.Errorf("%v has %d bytes, %v %d", f32, f32.Bytes(), f64, f64.Bytes())
	}
	if !f32.Equal(shape.Of(dtype.F32, 2, 3)) || f32.Equal(f64) || f32.Equal(shape.Of(dtype.F32, 3, 2)) {
		t.Error("types are equal if dtype and shape are")
	}
	const huge = 1 << 40
	for _, c := range []struct {
		t     shape.Type
		limit int
		want  bool
	}{
		{f32, 24, true},
		{f32, 23, false},
		{shape.Of(dtype.F64), 8, true},
		{shape.Of(dtype.F64), 7, false},
		{shape.Of(dtype.U8, huge, huge, huge), math.MaxInt, false},
		{shape.Of(dtype.U8, huge, huge, 0), 0, true},
		{shape.Of(dtype.U8, huge, huge, 1), math.MaxInt, false},
		{shape.Of(dtype.U8, 0, huge, huge), 0, true},
		{shape.Of(dtype.U8, huge, 1<<22), 1 << 62, true},
		{shape.Of(dtype.U8, huge, 1<<22+1), 1 << 62, false},
	} {
		if got := c.t.Within(c.limit); got != c.want {
			t.Errorf("%v within %d bytes: %t", c.t, c.limit, got)
		}
	}
}
