package random_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/internal/extension"
	"github.com/goanvil/notebook/anvil/random"
)

// differentiated are the samplers that have derivatives with respect to their parameters p. Vectors
// are multiplied by the weights of testdata/gradients.py.
var differentiated = map[string]func(k random.PRNGKey, p []nv.Tensor, d nv.DType) nv.Tensor{
	"Gamma":     func(k random.PRNGKey, p []nv.Tensor, d nv.DType) nv.Tensor { return random.Gamma(k, p[0], nil, d) },
	"LogGamma":  func(k random.PRNGKey, p []nv.Tensor, d nv.DType) nv.Tensor { return random.LogGamma(k, p[0], nil, d) },
	"ChiSquare": func(k random.PRNGKey, p []nv.Tensor, d nv.DType) nv.Tensor { return random.ChiSquare(k, p[0], nil, d) },
	"T":         func(k random.PRNGKey, p []nv.Tensor, d nv.DType) nv.Tensor { return random.T(k, p[0], nil, d) },
	"F":         func(k random.PRNGKey, p []nv.Tensor, d nv.DType) nv.Tensor { return random.F(k, p[0], p[1], nil, d) },
	"Beta":      func(k random.PRNGKey, p []nv.Tensor, d nv.DType) nv.Tensor { return random.Beta(k, p[0], p[1], nil, d) },
	"Dirichlet": func(k random.PRNGKey, p []nv.Tensor, d nv.DType) nv.Tensor {
		return random.Dirichlet(k, p[0], nil, d).Mul(nv.From([]float64{1, 2, 3}))
	},
	"GeneralizedNormal": func(k random.PRNGKey, p []nv.Tensor, d nv.DType) nv.Tensor {
		return random.GeneralizedNormal(k, p[0], nil, d)
	},
	"Pareto":    func(k random.PRNGKey, p []nv.Tensor, d nv.DType) nv.Tensor { return random.Pareto(k, p[0], nil, d) },
	"Rayleigh":  func(k random.PRNGKey, p []nv.Tensor, d nv.DType) nv.Tensor { return random.Rayleigh(k, p[0], nil, d) },
	"LogNormal": func(k random.PRNGKey, p []nv.Tensor, d nv.DType) nv.Tensor { return random.LogNormal(k, p[0], nil, d) },
	"WeibullMin": func(k random.PRNGKey, p []nv.Tensor, d nv.DType) nv.Tensor {
		return random.WeibullMin(k, p[0], p[1], nil, d)
	},
	"Triangular": func(k random.PRNGKey, p []nv.Tensor, d nv.DType) nv.Tensor {
		return random.Triangular(k, p[0], p[1], p[2], nil, d)
	},
	"TruncatedNormal": func(k random.PRNGKey, p []nv.Tensor, d nv.DType) nv.Tensor {
		return random.TruncatedNormal(k, p[0], p[1], nil, d)
	},
	"MultivariateNormal": func(k random.PRNGKey, p []nv.Tensor, d nv.DType) nv.Tensor {
		return random.MultivariateNormal(k, p[0], p[1], nil, d).Mul(nv.From([]float64{1, 2, 3}))
	},
}

// TestGradients compares the derivatives of draws with respect to the parameters of their distributions
// with JAX's.
func TestGradients(t *testing.T) {
	data, err := os.ReadFile("testdata/gradients.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Cases []struct {
			Name      string
			Params    []json.RawMessage
			Gradients []json.RawMessage
		}
	}
	if err := json.Unmarshal(data, &table); err != nil {
		t.Fatal(err)
	}
	for _, c := range table.Cases {
		p, want := make([]nv.Tensor, len(c.Params)), make([]nv.Tensor, len(c.Params))
		for i := range c.Params {
			p[i], want[i] = tensorOf(t, c.Params[i]), tensorOf(t, c.Gradients[i])
		}
		sum := func(p []nv.Tensor) nv.Tensor { return nv.Sum(differentiated[c.Name](random.Key(7), p, nv.F64)) }
		for i, g := range nv.Grad(sum)(p) {
			if !nv.AllClose(g, want[i], 1e-9, 1e-9).Bool() {
				t.Errorf("%s by parameter %d: %v, want %v", c.Name, i, g.Values(), want[i].Values())
			}
		}
	}
}

// tensorOf reads nested lists of numbers.
func tensorOf(t *testing.T, data []byte) nv.Tensor {
	var rows [][]float64
	if json.Unmarshal(data, &rows) == nil {
		return nv.New(rows, nv.F64)
	}
	var row []float64
	if err := json.Unmarshal(data, &row); err != nil {
		t.Fatal(err)
	}
	return nv.New(row, nv.F64)
}

// TestGradientsOfMeans checks that derivatives of the mean of many draws are near those of the
// distribution's mean.
func TestGradientsOfMeans(t *testing.T) {
	const n = 20000
	for _, c := range []struct {
		name        string
		f           func(k random.PRNGKey, p nv.Tensor) nv.Tensor
		p           float64
		first, more float64 // the first and the second derivative of the mean
		bound       float64
	}{
		{"Gamma", func(k random.PRNGKey, p nv.Tensor) nv.Tensor { return random.Gamma(k, p, nv.Shape{n}, nv.F64) }, 0.7, 1, 0, 0.03},
		{"Gamma", func(k random.PRNGKey, p nv.Tensor) nv.Tensor { return random.Gamma(k, p, nv.Shape{n}, nv.F64) }, 30, 1, 0, 0.01},
		{"Square of Gamma", func(k random.PRNGKey, p nv.Tensor) nv.Tensor {
			return nv.Square(random.Gamma(k, p, nv.Shape{n}, nv.F64))
		}, 2.5, 6, 2, 0.2},
		{"Beta", func(k random.PRNGKey, p nv.Tensor) nv.Tensor { return random.Beta(k, p, 1.0, nv.Shape{n}, nv.F64) }, 2, 1. / 9, -2. / 27, 0.01},
		{"Wald", func(k random.PRNGKey, p nv.Tensor) nv.Tensor { return random.Wald(k, p, nv.Shape{n}, nv.F64) }, 0.8, 1, 0, 0.05},
		{"Square of Wald", func(k random.PRNGKey, p nv.Tensor) nv.Tensor {
			return nv.Square(random.Wald(k, p, nv.Shape{n}, nv.F64))
		}, 0.8, 2*0.8 + 3*0.64, 2 + 6*0.8, 0.5},
	} {
		mean := func(p nv.Tensor) nv.Tensor { return nv.Mean(c.f(random.Key(3), p)) }
		slope := nv.Grad(mean)
		p := nv.Scalar(c.p, nv.F64)
		first, more := nv.Values[float64](slope(p))[0], nv.Values[float64](nv.Grad(slope)(p))[0]
		if math.Abs(first-c.first) > c.bound || math.Abs(more-c.more) > 3*c.bound {
			t.Errorf("%s at %v: %v and %v, want about %v and %v", c.name, c.p, first, more, c.first, c.more)
		}
	}
}

// TestGradientsOfHalves checks that derivatives in f16 and bf16 are near those in f64.
func TestGradientsOfHalves(t *testing.T) {
	shapes := []float64{0.3, 1, 4, 30}
	for _, d := range []nv.DType{nv.F16, nv.BF16} {
		a := nv.New(shapes, d)
		y := random.LogGamma(random.Key(1), a, nil, d)
		got := nv.Grad(func(a nv.Tensor) nv.Tensor { return nv.Sum(random.LogGamma(random.Key(1), a, nil, d)) })(a)
		want := nv.Grad(func(a nv.Tensor) nv.Tensor {
			return nv.Sum(extension.PathwiseLogGamma(y.AsType(nv.F64), a).(nv.Tensor))
		})(a.AsType(nv.F64))
		if got.DType() != d || !nv.AllClose(got.AsType(nv.F64), want, 0.004, 0).Bool() {
			t.Errorf("%s: %v, want %v", d, got, want)
		}
	}
}

// TestGradientsThatDoNotExist checks the errors of derivatives with respect to parameters of
// discrete draws.
func TestGradientsThatDoNotExist(t *testing.T) {
	k, s := random.Key(0), nv.Shape{4}
	const relaxed = "; or use nv.Softmax of (logits + random.Gumbel) / temperature instead of the draws"
	for _, c := range []struct {
		sampler, name, rest string
		f                   func(p nv.Tensor) nv.Tensor
	}{
		{"Poisson", "lam", "", func(p nv.Tensor) nv.Tensor { return random.Poisson(k, p, s) }},
		{"Binomial", "n", "", func(p nv.Tensor) nv.Tensor { return random.Binomial(k, p, 0.5, s) }},
		{"Binomial", "p", "", func(p nv.Tensor) nv.Tensor { return random.Binomial(k, 5, p, s) }},
		{"Bernoulli", "p", relaxed, func(p nv.Tensor) nv.Tensor { return random.Bernoulli(k, p, s) }},
		{"Geometric", "p", "", func(p nv.Tensor) nv.Tensor { return random.Geometric(k, p, s) }},
		{"Categorical", "logits", relaxed, func(p nv.Tensor) nv.Tensor { return random.Categorical(k, nv.Stack(nv.Axis(0), p, p), nil) }},
		{"Choice", "the tensor of weights", relaxed, func(p nv.Tensor) nv.Tensor {
			return random.Choice(k, 2, s, random.Weights(nv.Stack(nv.Axis(0), p, nv.Sub(1, p))))
		}},
		{"Multinomial", "p", relaxed, func(p nv.Tensor) nv.Tensor {
			return random.Multinomial(k, 5, nv.Stack(nv.Axis(0), p, nv.Sub(1, p)), nil)
		}},
	} {
		p := nv.Scalar(0.25, nv.F64)
		sum := func(p nv.Tensor) nv.Tensor { return nv.Sum(c.f(p).AsType(nv.F64)) }
		err := nv.Try(func() { nv.Grad(sum)(p) })
		want := "Grad(func(nv.Tensor) nv.Tensor): the draws of random." + c.sampler + " jump as " + c.name + " changes, " +
			"so they have no derivative with respect to it; keep it constant with nv.StopGradient, as for a score-function " +
			"estimate" + c.rest
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		err = nv.Try(func() {
			nv.Grad(func(p nv.Tensor) nv.Tensor { return sum(nv.StopGradient(p)).Mul(p) })(p).Values()
		})
		if err != nil {
			t.Errorf("%s of a constant: %v", c.sampler, err)
		}
	}
}
