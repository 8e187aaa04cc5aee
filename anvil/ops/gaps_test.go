package ops_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/xla"
)

// TestGapsAreGaps checks that for each line of testdata/xla_gaps.txt XLA fails or differs from
// the reference. Other lines must be removed.
func TestGapsAreGaps(t *testing.T) {
	client := newClient(t)
	for line := range readLines(t, "testdata/xla_gaps.txt") {
		t.Run(line, func(t *testing.T) {
			if !differ(t, client, pointsAt(line)) {
				t.Error("XLA agrees with the reference, or there is no such row: remove the line from testdata/xla_gaps.txt")
			}
		})
	}
}

// pointsAt returns the points that a line of the list excludes.
func pointsAt(line string) []point {
	i := slices.IndexFunc(ops.All(), func(d *ops.Def) bool { return strings.HasPrefix(line, d.Name+" ") })
	if i < 0 {
		return nil
	}
	d := ops.All()[i]
	others := pointsOf(d, 2, map[string]bool{line: true})
	return slices.DeleteFunc(pointsOf(d, 2, nil), func(p point) bool {
		return slices.ContainsFunc(others, func(k point) bool { return key(k) == key(p) })
	})
}

// differ reports whether XLA fails at the points, or differs from the reference at one.
func differ(t *testing.T, client *xla.Client, points []point) bool {
	g, args := program(points)
	want, err := reference.Run(context.Background(), g, args)
	if err != nil {
		t.Fatal(err)
	}
	got, err := runXLA(client, g, args, nil)
	if err != nil {
		return true
	}
	for _, p := range points {
		n := len(p.types)
		if mismatch(p, got[:n], want[:n]) != "" {
			return true
		}
		got, want = got[n:], want[n:]
	}
	return false
}
