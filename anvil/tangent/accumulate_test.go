package tangent_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/tangent"
)

// TestAccumulateInPlace tests that a thunk adds to an accumulator with at least one axis in place, without computing
// its value, and that a scalar gets the value.
func TestAccumulateInPlace(t *testing.T) {
	for _, c := range []struct {
		shape   nv.Shape
		inPlace bool
	}{{nv.Shape{}, false}, {nv.Shape{2}, true}, {nv.Shape{2, 2}, true}} {
		acc, added, computed := nv.Ones(c.shape), false, false
		tangent.Accumulate(&acc, tangent.Inplaceable(
			func(acc *nv.Tensor) {
				added = true
				*acc = acc.Add(1)
			},
			func() any {
				computed = true
				return nv.Ones(c.shape)
			}))
		if added != c.inPlace || computed == c.inPlace {
			t.Errorf("%v: added in place: %v, computed: %v", c.shape, added, computed)
		}
		if got := acc.Max().Float(); got != 2 {
			t.Errorf("%v: the sum is %v, want 2", c.shape, got)
		}
	}
}

// TestAccumulateIntegers tests that nothing is added in place to a tensor of integers, whose tangent is None.
func TestAccumulateIntegers(t *testing.T) {
	acc := nv.New([]int{1, 2})
	tangent.Accumulate(&acc, tangent.Inplaceable(func(acc *nv.Tensor) { *acc = acc.Add(1) }, func() any { return tangent.None }))
	if got := acc.Sum().Int(); got != 3 {
		t.Errorf("the sum of the elements is %d, want 3", got)
	}
}

// TestAcceptsComputesNoThunk tests that Accepts decides about a Thunk without its value.
func TestAcceptsComputesNoThunk(t *testing.T) {
	if !tangent.Accepts(tangent.Thunk(func() any { panic("computed") }), 1.0) {
		t.Error("the thunk is not accepted")
	}
	if tangent.Accepts(tangent.New([]float64{1}, tangent.F{"x": 1.0}), 1.0) {
		t.Error("a structural tangent of another primal is accepted")
	}
}
