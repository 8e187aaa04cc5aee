package anvil_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestRunsOfMany: along each axis of shapes with many and with few columns, running results
// computed by rows and by blocks are those computed one element after the other.
func TestRunsOfMany(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{})
	defer c.Close()
	r := rand.New(rand.NewPCG(7, 8))
	for _, s := range []nv.Shape{{70_001}, {26_000, 3}, {2, 700, 50}} {
		xs := make([]int32, s.Size())
		floats := make([]float64, len(xs))
		for i := range xs {
			xs[i] = int32(r.Uint32()) >> 8
			floats[i] = float64(xs[i])
		}
		floats[len(xs)/3], floats[len(xs)/2] = math.NaN(), math.Inf(1)
		x, y := c.New(xs).Reshape(s), c.New(floats).Reshape(s)
		for axis := range s {
			inner := 1
			for _, n := range s[axis+1:] {
				inner *= n
			}
			reverse := (len(s)+axis)%2 == 0
			opts := []nv.CumsumOption{nv.Axis(axis)}
			if reverse {
				opts = append(opts, nv.Reverse)
			}
			name := fmt.Sprint(s, " along ", axis, ", reverse ", reverse)
			equalRuns(t, name+": sums", nv.Values[int32](x.Cumsum(opts...)), oneByOne(xs, inner, s[axis], reverse, func(before, next int32) int32 { return before + next }))
			equalRuns(t, name+": products", nv.Values[int32](x.Cumprod(opts...)), oneByOne(xs, inner, s[axis], reverse, func(before, next int32) int32 { return before * next }))
			best, at := y.Cummax(opts...)
			greater := func(before, next float64) float64 {
				if next >= before || next != next {
					return next
				}
				return before
			}
			equalRuns(t, name+": greatest", nv.Values[float64](best), oneByOne(floats, inner, s[axis], reverse, greater))
			equalRuns(t, name+": what stands there", nv.Values[float64](y.TakeAlongAxis(at, nv.Axis(axis))), nv.Values[float64](best))
		}
	}
}

// oneByOne returns the running results of f along an axis of length n, where inner elements
// of xs lie between neighbours on the axis.
func oneByOne[T any](xs []T, inner, n int, reverse bool, f func(before, next T) T) []T {
	out := slices.Clone(xs)
	for i := range out {
		k := i
		if reverse {
			k = len(out) - 1 - i
		}
		place, step := k/inner%n, -inner
		if reverse {
			place, step = n-1-place, inner
		}
		if place > 0 {
			out[k] = f(out[k+step], out[k])
		}
	}
	return out
}

func equalRuns[T int32 | float64](t *testing.T, name string, got, want []T) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] && (got[i] == got[i] || want[i] == want[i]) {
			t.Errorf("%s: element %d is %v and not %v", name, i, got[i], want[i])
			return
		}
	}
}

// TestRunsKeepTheLastOfEquals: if many elements are the greatest, the position is that of the last.
func TestRunsKeepTheLastOfEquals(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{})
	defer c.Close()
	const n = 70_001
	xs, want := make([]int32, n), make([]int32, n)
	best := 0
	for i := range xs {
		if xs[i] = int32(i * i % 7); xs[i] >= xs[best] {
			best = i
		}
		want[i] = int32(best)
	}
	_, at := c.New(xs).Cummax()
	equalRuns(t, "positions", nv.Values[int32](at.AsType(nv.I32)), want)
}
