package anvil_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/random"
)

// TestOptionalParametersAreOnlyRead spreads an empty slice with room for an element as an optional parameter. A
// function that appended its default to the parameter would write into the caller's slice.
func TestOptionalParametersAreOnlyRead(t *testing.T) {
	x, m := nv.From([]float64{3, 1, 2}), nv.Eye(2, nv.F64)
	numbers, integers, axes := []float64{7}, []int{7}, []nv.Axis{7}
	modes, orders := []string{"other"}, []any{"other"}
	nv.PInv(m, numbers[:0]...)
	nv.Diag(x, integers[:0]...)
	nv.Vander(x, integers[:0]...)
	nv.Sort(x, axes[:0]...)
	random.Permutation(random.Key(0), x, axes[:0]...)
	nv.Convolve(x, x, modes[:0]...)
	nv.Cond(m, orders[:0]...)
	if numbers[0] != 7 || integers[0] != 7 || axes[0] != 7 || modes[0] != "other" || orders[0] != "other" {
		t.Error(numbers, integers, axes, modes, orders)
	}
}
