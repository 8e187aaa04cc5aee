package shape_test

import (
	"strings"
	"testing"

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
	if err == nil || !strings.Contains(err.Error(), "axis 1 has length 4 and 3") {
		t.Errorf("{3,4} with {3}: %v", err)
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
