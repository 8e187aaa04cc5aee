package chart

import (
	"math"
	"strings"
	"testing"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{0.1, 3.08, "0.5 1.0 1.5 2.0 2.5 3.0"},
		{-2.774, 3.311, "-2 -1 0 1 2 3"},
		{-1.43, 6.97, "0 2 4 6"},
		{0, 15, "0.0 2.5 5.0 7.5 10.0 12.5 15.0"},
		{0, 40.99, "0 10 20 30 40"},
		{1e9, 1e9 + 1, "1000000000 1000000000.2 1000000000.4 1000000000.6 1000000000.8 1000000001"},
		{0, 5e-9, "0 1e-09 2e-09 3e-09 4e-09 5e-09"},
		{7, 7, "7"},
		{-math.MaxFloat64, math.MaxFloat64, "-1e+308 0 1e+308"},
		{math.Inf(1), math.Inf(-1), "+Inf"},
	} {
		var labels []string
		for _, m := range (ticks{}).Ticks(c.lo, c.hi) {
			labels = append(labels, m.Label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("from %g to %g: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
}

// TestBoundsOfNothing checks that a matrix without finite values has the bounds 0 and 0.
func TestBoundsOfNothing(t *testing.T) {
	if lo, hi := (grid{values: []float64{math.NaN(), math.Inf(1)}}).bounds(); lo != 0 || hi != 0 {
		t.Errorf("bounds %v to %v", lo, hi)
	}
	if lo, hi := (grid{values: []float64{math.NaN(), 3, -1}}).bounds(); lo != -1 || hi != 3 {
		t.Errorf("bounds %v to %v", lo, hi)
	}
}
