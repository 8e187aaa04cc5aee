package anvil_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestLargeSortIsAProgramOfItsOwn: a large sort is compiled as a separate program, whatever
// operations precede and follow it, and however it is computed.
func TestLargeSortIsAProgramOfItsOwn(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	xs := make([]float32, 50_000)
	for i := range xs {
		xs[i] = r.Float32()
	}
	want := slices.Clone(xs)
	for i := range want {
		want[i] = want[i]*2 + 1
	}
	slices.Sort(want)
	for name, c := range map[string]*nv.Context{
		"in host memory": nv.NewContext(nv.ContextOptions{}), "compiled": nv.NewContext(nv.ContextOptions{Compiled: true}),
		"reference": nv.NewContext(nv.ContextOptions{Backend: "reference"}),
	} {
		sort := func(x nv.Tensor) nv.Tensor { return x.Mul(2).Add(1).Sort().Neg() }
		for way, f := range map[string]func(nv.Tensor) nv.Tensor{"eager": sort, "jit": nv.Jit(sort)} {
			got := nv.Values[float32](f(c.New(xs)).Neg())
			if !slices.Equal(got, want) {
				t.Errorf("%s, %s: %v... and not %v...", name, way, got[:5], want[:5])
			}
		}
		down := nv.Values[float32](c.New(xs).Sort(nv.Axis(0)).At(nv.Slice(49_990, 50_000, 1)))
		if name == "in host memory" && (c.Stats().HostLaunches == 0) != (c.Stats().Launches == 0 || c.Backend() == "reference") {
			t.Errorf("%+v", c.Stats())
		}
		if !slices.IsSorted(down) || len(down) != 10 {
			t.Error(down)
		}
	}
}
