package tensor_test

import (
	"testing"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/interptest"
)

// TestCheckedTwice checks that a cell is checked twice if only a check finds the types of its operands, however deep
// operators and methods nest.
func TestCheckedTwice(t *testing.T) {
	for code, want := range map[string]string{
		"m := maps.Collect(slices.All([]nv.Tensor{x}))\n-((m[0] * 2).Sum() - 1).Exp() + 1": "f32{} -147.41316",
		"m := maps.Collect(slices.All([]nv.Tensor{x}))\ny := (m[0] + 1).Sum()\ny * 2":      "f32{} 10",

		"for _, r := range slices.Backward([]nv.Tensor{x}) {\n" +
			"\ty := (r * 2).Sum()\n\tx = (y + r).Sum() * 2\n}\nx": "f32{} 30",
	} {
		nb := interptest.New(t, interp.Options{})
		nb.MustRun(t, 1, "x := nv.New([]float64{1, 2})")
		before := nb.Env().Checks()
		if got := nb.MustRun(t, 2, code); got != want {
			t.Errorf("%s\ngives %s, want %s", code, got, want)
		}
		if n := nb.Env().Checks() - before; n != 2 {
			t.Errorf("%d checks of\n%s", n, code)
		}
	}
}
