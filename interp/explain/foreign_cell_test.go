package explain_test

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/explain"
	"github.com/goanvil/notebook/interp/interptest"
)

// TestForeignNamesInCells checks that the error of a cell that uses a name of another library says what to write
// instead.
func TestForeignNamesInCells(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	nb.MustRun(t, 1, "x := nv.New([]float64{1, 2})\ntable := nv.NewTable([]string{\"a\"}, x)")
	operand := regexp.MustCompile(`\bx\b`)
	n := 1
	for _, c := range []struct{ section, cell, x string }{
		{"tensors", "x.%s(1)", "x"}, {"tensors", "np.%s(x)", "x"}, {"tables", "table.%s(1)", "table"},
		{"charts", "plt.%s(x)", "x"}, {"random", "random.%s(x)", "x"}, {"random", "jax.random.%s(x)", "x"},
		{"words", "%s(x)", "x"}, {"layers", "nn.%s(x)", "x"},
	} {
		for _, foreign := range slices.Sorted(maps.Keys(explain.ForeignNames(c.section))) {
			n++
			cell := fmt.Sprintf(c.cell, foreign)
			res := nb.Run(context.Background(), cell, n)
			if res.Err == nil {
				t.Errorf("%s is no error", cell)
				continue
			}
			found := false
			sections := []string{c.section, "tensors", "words"}
			if c.section == "random" {
				sections = sections[:1]
			}
			for _, section := range sections {
				own := explain.ForeignNames(section)[foreign]
				found = found || own != "" && strings.Contains(res.Err.Text(), operand.ReplaceAllString(own, c.x))
			}
			if !found {
				t.Errorf("%s: want %s in\n%s", cell, explain.ForeignNames(c.section)[foreign], res.Err.Text())
			}
		}
	}
	for _, own := range explain.ForeignNames("layers") {
		n++
		nb.MustRun(t, n, "model := nn.Sequential{"+own+"}")
	}
	for cell, want := range map[string]string{
		"nn.ReLU{}": "undefined: nn.ReLU; write nv.Relu", "nn.MSELoss()": "undefined: nn.MSELoss; write nv.MSELoss",
	} {
		n++
		if res := nb.Run(context.Background(), cell, n); res.Err == nil || res.Err.Message != want {
			t.Errorf("%s: %v, want %s", cell, res.Err, want)
		}
	}
	res := nb.Run(context.Background(), "np.random.gamma(x)", n+1)
	if res.Err == nil || res.Err.Message != "undefined: np; write random.Gamma" {
		t.Errorf("np.random.gamma, which is not nv.Gamma: %v", res.Err)
	}
}
