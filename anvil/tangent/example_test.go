package tangent_test

import (
	"fmt"
	"time"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/tangent"
)

type reading struct {
	At    time.Time
	Value float64
	Note  string
}

func ExampleAdd() {
	r := reading{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), 2, "ok"}
	t := tangent.New(r, tangent.F{"At": time.Hour, "Value": 0.5})
	sum := tangent.Add(t, tangent.New(r, tangent.F{"Value": tangent.Thunk(func() any { return 1.0 })}))
	fmt.Println(sum)
	fmt.Println(tangent.AddTo(r, sum))
	// Output:
	// Tangent{reading}(At = 1h0m0s, Value = 1.5)
	// {2026-01-01 01:00:00 +0000 UTC 3.5 ok}
}

func ExampleVJP() {
	f := func(x, y nv.Tensor, name string) nv.Tensor { return nv.Sum(nv.Mul(x, x)) }
	_, pullback := tangent.VJP(f, nv.New([]float64{1, 2}), nv.New([]float64{3, 4}), "squares")
	fmt.Println(pullback(1.0))
	// Output: [f32{2} [2 4] ZeroTangent() NoTangent()]
}

func ExampleCheckRule() {
	wrong := tangent.RegisterRule("square", func(x float64) float64 { return x * x },
		func(x float64) (float64, func(ct any) []any) {
			return x * x, func(ct any) []any { return []any{tangent.None, tangent.Mul(ct, x)} }
		})
	fmt.Println(tangent.CheckRule(wrong, 3.0) != nil)
	// Output: true
}
