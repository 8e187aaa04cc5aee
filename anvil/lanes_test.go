package anvil_test

import (
	"slices"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestSumsInLanes checks sums of rows whose lengths are near those from which XLA
// sums in 64 lanes, and in 64 parts. The elements are small integers, whose sums
// are exact.
func TestSumsInLanes(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{})
	for _, s := range []nv.Shape{{40, 512}, {20, 1000}, {3, 7, 1024}, {2, 65536}, {131072}, {70000}} {
		for _, d := range []nv.DType{nv.F32, nv.F64} {
			if d == nv.F64 && len(s) != 3 {
				continue
			}
			x := c.Iota(nv.Shape{s.Size()}, 0, nv.I32).Rem(13).Sub(5).Reshape(s)
			y := x.AsType(d)
			last := nv.Axis(len(s) - 1)
			for name, pair := range map[string][2]nv.Tensor{
				"the last axis": {x.Sum(last), y.Sum(last)}, "all": {x.Sum(), y.Sum()}, "the first axis": {x.Sum(nv.Axis(0)), y.Sum(nv.Axis(0))},
				"signs": {x.Sign().Prod(last), y.Sign().Prod(last)},
			} {
				want, got := nv.Values[int64](pair[0]), nv.Values[int64](pair[1])
				if !slices.Equal(got, want) || !pair[0].Shape().Equal(pair[1].Shape()) {
					t.Errorf("%v of %v over %s: %v, want %v", d, s, name, got[:min(5, len(got))], want[:min(5, len(want))])
				}
			}
		}
	}
}
