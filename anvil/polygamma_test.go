package anvil_test

import (
	"math"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestPolygammaBelow compares Polygamma of several orders at negative numbers with SciPy
// 1.17's polygamma.
func TestPolygammaBelow(t *testing.T) {
	rows := []struct{ n, x, want float64 }{
		{1, -0.5, 8.934802200544679}, {2, -0.5, -0.82879664423432}, {2, -1.3, 68.54941347116213}, {2, -2.7, -68.93293902326377},
		{2, -10.25, 124.01647202148709}, {2, -1, math.Inf(-1)}, {2, -1e-3, 1999999997.58938}, {2, -100.5, -9.802720262561968e-05},
		{3, -0.5, 193.40909103400242}, {3, -1.3, 768.7206571990428}, {3, -10.25, 1558.543853536406}, {3, -4, math.Inf(1)},
		{3, -100.5, 194.81818012691969}, {5, -0.5, 15371.11354860244}, {5, -2.7, 165660.11051361315}, {5, -100.5, 15382.22709720259},
		{2, 0.5, -16.82879664423432}, {0, -0.5, 0.03648997397857652},
	}
	for _, executor := range []string{"reference", ""} {
		c := nv.NewContext(nv.ContextOptions{Backend: executor})
		ns, xs := make([]float64, len(rows)), make([]float64, len(rows))
		for i, r := range rows {
			ns[i], xs[i] = r.n, r.x
		}
		for i, got := range nv.Values[float64](c.Polygamma(c.From(ns), c.From(xs))) {
			want := rows[i].want // the terms of the sum may cancel
			if off := math.Abs(got - want); !(off <= 1e-12*max(1, math.Abs(want))) && got != want {
				t.Errorf("%s: polygamma(%v, %v) = %v, want %v", executor, ns[i], xs[i], got, want)
			}
		}
	}
	if got := nv.Polygamma(2, float32(-1.3)).Float(); !(math.Abs(got-68.5494) < 2e-3) {
		t.Errorf("of f32: %v", got)
	}
}
