package anvil_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestPlantedNaNs plants a NaN in each of 52 programs. In at least 50, the operation and the element at which it
// arose must be named: by WatchNaN, and by WhyNaN for a result that is pending, has been computed, or was computed
// long ago.
func TestPlantedNaNs(t *testing.T) {
	inf := math.Inf(1)
	type planted struct {
		name, operation string
		x               []float64 // 1 but for the element that plants the NaN
		f               func(x nv.Tensor) nv.Tensor
	}
	var all []planted
	at := func(k int, v float64) []float64 {
		x := []float64{1, 1, 1, 1}
		x[k] = v
		return x
	}
	for i, c := range []struct {
		operation string
		bad       float64
		f         func(x nv.Tensor) nv.Tensor
	}{
		{"Sqrt", -1, func(x nv.Tensor) nv.Tensor { return nv.Sqrt(x) }},
		{"Log", -1, func(x nv.Tensor) nv.Tensor { return nv.Log(x) }},
		{"Log1p", -2, func(x nv.Tensor) nv.Tensor { return nv.Log1p(x) }},
		{"Rsqrt", -1, func(x nv.Tensor) nv.Tensor { return nv.Rsqrt(x) }},
		{"Sin", inf, func(x nv.Tensor) nv.Tensor { return nv.Sin(x) }},
		{"Cos", inf, func(x nv.Tensor) nv.Tensor { return nv.Cos(x) }},
		{"Tan", inf, func(x nv.Tensor) nv.Tensor { return nv.Tan(x) }},
		{"Sub", inf, func(x nv.Tensor) nv.Tensor { return nv.Sub(x, x) }},
		{"Div", 0, func(x nv.Tensor) nv.Tensor { return nv.Div(x, x) }},
		{"Div", inf, func(x nv.Tensor) nv.Tensor { return nv.Div(x, x) }},
		{"Mul", inf, func(x nv.Tensor) nv.Tensor { return nv.Mul(x, 0) }},
		{"Pow", -1, func(x nv.Tensor) nv.Tensor { return nv.Pow(x, 0.5) }},
		{"Acos", 2, func(x nv.Tensor) nv.Tensor { return nv.Acos(x) }},
	} {
		all = append(all,
			planted{"alone", c.operation, at(i%4, c.bad), c.f},
			planted{"among others", c.operation, at((i+1)%4, c.bad), func(x nv.Tensor) nv.Tensor {
				return nv.Exp(nv.Neg(nv.Add(c.f(nv.Mul(x, 1)), 2)))
			}},
			planted{"under Grad", c.operation, at((i+2)%4, c.bad), nv.Grad(func(x nv.Tensor) nv.Tensor {
				return nv.Sum(nv.Square(c.f(x)))
			})},
			planted{"jitted", c.operation, at((i+3)%4, c.bad), func(x nv.Tensor) nv.Tensor {
				return nv.Jit(func(x nv.Tensor) nv.Tensor { return nv.Add(c.f(x), 1) })(x)
			}})
	}
	ways := map[string]func(f func() nv.Tensor) string{
		"watched": func(f func() nv.Tensor) string {
			defer nv.Default().WatchNaN()()
			return fmt.Sprint(nv.Try(func() { f().Wait() }))
		},
		"pending":  func(f func() nv.Tensor) string { return nv.WhyNaN(f()) },
		"computed": func(f func() nv.Tensor) string { y := f(); y.Wait(); return nv.WhyNaN(y) },
		"twice":    func(f func() nv.Tensor) string { y := f(); nv.WhyNaN(y); return nv.WhyNaN(y) },
		"in steps": func(f func() nv.Tensor) string {
			y := f()
			for range 20 {
				y = y.Add(1)
				y.Wait()
			}
			return nv.WhyNaN(y)
		},
	}
	for way, found := range ways {
		named := 0
		for i, c := range all {
			element := slices.IndexFunc(c.x, func(v float64) bool { return v != 1 })
			got := found(func() nv.Tensor { return c.f(nv.New(c.x)) })
			if want := fmt.Sprintf("element [%d] of %s ", element, c.operation); strings.Contains(got, want) {
				named++
			} else {
				t.Logf("%s: %d, %s: %s, want %q in it", way, i, c.name, got, want)
			}
		}
		if named < len(all)-2 {
			t.Errorf("%s: %d of %d are named", way, named, len(all))
		}
	}
}
