package data

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestJoinedAxes checks which shapes arise from others if neighbouring axes are joined.
func TestJoinedAxes(t *testing.T) {
	for _, c := range []struct {
		from, to nv.Shape
		want     bool
	}{
		{nv.Shape{2, 3, 4}, nv.Shape{6, 4}, true},
		{nv.Shape{2, 3, 4}, nv.Shape{2, 12}, true},
		{nv.Shape{2, 3, 4}, nv.Shape{24}, true},
		{nv.Shape{2, 3, 4}, nv.Shape{8, 3}, false},
		{nv.Shape{2, 3, 4}, nv.Shape{2, 3}, false},
		{nv.Shape{2, 3}, nv.Shape{2, 3, 4}, false},
		{nv.Shape{2, 1, 3}, nv.Shape{2, 3}, true},
		{nv.Shape{2, 3, 1}, nv.Shape{6}, true},
		{nv.Shape{2, 3, 2}, nv.Shape{6}, false},
	} {
		if got := isJoined(c.from, c.to); got != c.want {
			t.Errorf("%v to %v: %t", c.from, c.to, got)
		}
	}
}
