package random_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/backend"
	"github.com/goanvil/notebook/anvil/random"
)

// TestNumbersDoNotDependOnSettings checks that neither a backend without the dtype of random
// words nor other default dtypes change the numbers.
func TestNumbersDoNotDependOnSettings(t *testing.T) {
	draw := func(set func(*backend.Settings)) (shown []string) {
		c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
		set(c.Settings())
		r := random.In(c).New(42)
		k, _ := r.Key().Split()
		drawn := []nv.Tensor{r.Normal(nv.Shape{2}), r.Uniform(nv.Shape{2}, nv.BF16), r.RandInt(nv.Shape{3}, 0, 10), r.Permutation(5),
			random.Bernoulli(k, 0.5, nv.Shape{3}), random.Choice(k, c.New([]float64{1, 2, 3}, nv.F32), nv.Shape{2}), random.Exponential(k.FoldIn(1), nv.Shape{1}),
			random.Categorical(k, c.New([]float64{1, 2}, nv.F32), nil), random.Beta(k, 2, 0.5, nv.Shape{2}), random.Poisson(k, 20, nv.Shape{2}),
			random.Binomial(k, 100, 0.5, nv.Shape{2})}
		sum := c.JitAny(func(k random.PRNGKey, x nv.Tensor) (nv.Tensor, random.PRNGKey) {
			a, b := k.Split()
			return random.Uniform(a, x.Shape()).Add(x), b
		}).(func(random.PRNGKey, nv.Tensor) (nv.Tensor, random.PRNGKey))
		total, next := sum(k, c.New([]float64{1, 2}, nv.F32))
		drawn = append(drawn, total, random.Normal(next, nv.Shape{1}))
		for _, x := range drawn {
			shown = append(shown, x.String())
		}
		return shown
	}
	want := draw(func(*backend.Settings) {})
	for name, set := range map[string]func(*backend.Settings){
		"torch":  func(s *backend.Settings) { s.Set("torch") },
		"i16":    func(s *backend.Settings) { s.SetDefault(backend.Int, nv.I16) },
		"f16":    func(s *backend.Settings) { s.SetDefault(backend.Float, nv.F16) },
		"torch,": func(s *backend.Settings) { s.Set("torch"); s.CastDataTypes() },
	} {
		got := draw(set)
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: %s, want %s", name, got[i], want[i])
			}
		}
	}
}

// TestDrawnNumbersAreChecked: results are checked against the backend.
func TestDrawnNumbersAreChecked(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	c.Settings().Set("torch")
	x := random.In(c).New(1).Normal(nv.Shape{2}, nv.F16)
	if err := nv.Try(func() { x.Expm1() }); err == nil {
		t.Error("f16 went into expm1")
	}
	if err := nv.Try(func() { x.AsType(nv.U16) }); err == nil {
		t.Error("a dtype that the backend lacks was made")
	}
}
