package array_test

import (
	"slices"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
)

// TestViewsAreHostForm compares views with stored elements.
func TestViewsAreHostForm(t *testing.T) {
	if !array.Native() {
		t.Skip("numbers of this machine are not in host form")
	}
	data := make([]byte, 12)
	for i, x := range []float64{1.5, -2, 0.1} {
		dtype.PutFloat(data[4*i:], dtype.F32, x)
	}
	want := []float32{1.5, -2, 0.1}
	if got := array.View[float32](data); !slices.Equal(got, want) {
		t.Error(got)
	}
	if got := array.Bytes(want); !slices.Equal(got, data) {
		t.Error(got)
	}
	if got := array.Bytes([]int64{1}); !slices.Equal(got, []byte{1, 0, 0, 0, 0, 0, 0, 0}) {
		t.Error(got)
	}
	if len(array.View[uint16](nil)) != 0 || len(array.Bytes[int8](nil)) != 0 {
		t.Error("View or Bytes of nil is not empty")
	}
	if big := array.Make(9<<20 + 1); len(big) != 9<<20+1 || slices.Max(big) != 0 {
		t.Error("Make does not return zeros of the given length")
	}
}
