package anvil_test

import (
	"fmt"
	"math"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// mixedOps applies n operations to x: of one, two and three operands, with
// literals, and along an axis.
func mixedOps(x nv.Tensor, n int) nv.Tensor {
	y := x
	for i := range n {
		switch i % 5 {
		case 0:
			y = y.Mul(x)
		case 1:
			y = y.Add(0.5)
		case 2:
			y = y.Tanh()
		case 3:
			y = y.Flip(nv.Axis(0))
		case 4:
			y = nv.Where(x.Gt(0), y, x)
		}
	}
	return y
}

// perOne returns the number of allocations of f for each of n, without a constant
// part: the difference for 2n and n.
func perOne(n int, f func(n int)) float64 {
	allocs := func(n int) float64 { // the least of a few runs, since other goroutines allocate too
		least := math.Inf(1)
		for range 3 {
			least = min(least, testing.AllocsPerRun(2, func() { f(n) }))
		}
		return least
	}
	return (allocs(2*n) - allocs(n)) / float64(n)
}

// flat fails the test if the number of allocations of f for each of n grows with n
// by more than a tenth and a small constant.
func flat(t *testing.T, f func(n int), counts ...int) {
	t.Helper()
	var each []string
	least, most := math.Inf(1), 0.0
	for _, n := range counts {
		a := perOne(n, f)
		each = append(each, fmt.Sprintf("%.2f at %d", a, n))
		least, most = min(least, a), max(most, a)
	}
	if most > 1.1*least+0.3 {
		t.Errorf("allocations for each: %v", each)
	}
}

func TestTracingAndLoweringAreLinear(t *testing.T) {
	c := plainGo(t)
	x := c.New([]float64{1, 2, 3})
	program := func(n int) *nv.Lowered { return c.Lower(func(x nv.Tensor) nv.Tensor { return mixedOps(x, n) }, x) }
	flat(t, func(n int) { program(n) }, 10, 100, 1000, 10_000)
	flat(t, func(n int) { program(n).StableHLO() }, 10, 100, 1000, 10_000)
}

func TestFlushingIsLinear(t *testing.T) {
	c := plainGo(t)
	x := c.New([]float64{1, 2, 3})
	flat(t, func(n int) {
		y := mixedOps(x, n)
		if err := y.Wait(); err != nil {
			t.Fatal(err)
		}
	}, 10, 100, 1000, 5000)
}

func TestCallsAreLinearInArgumentsAndResults(t *testing.T) {
	c := plainGo(t)
	tensors := make([]nv.Tensor, 2000)
	for i := range tensors {
		tensors[i] = c.New([]int{i})
	}
	sum := c.JitAny(func(xs []nv.Tensor) nv.Tensor { return xs[0].Add(xs[len(xs)-1]) }).(func([]nv.Tensor) nv.Tensor)
	same := c.JitAny(func(xs []nv.Tensor) []nv.Tensor { return xs }).(func([]nv.Tensor) []nv.Tensor)
	// strconv allocates nothing for indices below 100.
	flat(t, func(n int) { sum(tensors[:n]) }, 100, 300, 1000)
	flat(t, func(n int) { same(tensors[:n]) }, 100, 300, 1000)
}
