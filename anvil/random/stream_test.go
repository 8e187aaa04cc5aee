package random_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/random"
)

// TestStreamDraws: a method of Stream draws the same as the function with the stream's next
// key and the same parameters.
func TestStreamDraws(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	s := nv.Shape{4}
	r := random.In(c).New(7)
	_, k := random.In(c).Key(7).Split()
	p := c.New([]float32{0.25, 0.75})
	for name, draws := range map[string][2]nv.Tensor{
		"Wald":             {random.In(c).New(7).Wald(1.5, s), random.Wald(k, 1.5, s)},
		"Ball":             {random.In(c).New(7).Ball(3, 2, s), random.Ball(k, 3, 2, s)},
		"Triangular":       {random.In(c).New(7).Triangular(-1, 0, 2, s, nv.F64), random.Triangular(k, -1, 0, 2, s, nv.F64)},
		"Multinomial":      {random.In(c).New(7).Multinomial(9, p, nil), random.Multinomial(k, 9, p, nil)},
		"TruncatedNormal":  {r.TruncatedNormal(-1, 2, s), random.TruncatedNormal(k, -1, 2, s)},
		"Dropout":          {random.In(c).New(7).Dropout(p, 0.5), random.Dropout(k, p, 0.5)},
		"Categorical":      {random.In(c).New(7).Categorical(p, s), random.Categorical(k, p, s)},
		"Orthogonal":       {random.In(c).New(7).Orthogonal(2, nil), random.Orthogonal(k, 2, nil)},
		"Choice, weighted": {random.In(c).New(7).Choice(2, s, random.Weights(p)), random.Choice(k, 2, s, random.Weights(p))},
	} {
		if got, want := draws[0].String(), draws[1].String(); got != want {
			t.Errorf("%s of a stream is %s, and with its key %s", name, got, want)
		}
	}
}
