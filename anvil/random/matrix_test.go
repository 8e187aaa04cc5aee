package random_test

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/random"
)

// A matrixSampler draws f32 or f64 vectors or matrices.
type matrixSampler func(k random.PRNGKey, s nv.Shape, d nv.DType) nv.Tensor

// covariances is the list of the same name in the generator.
func covariances(n int, d nv.DType) nv.Tensor {
	a := nv.Arange(2*n*n, nv.F64).Add(1)
	a = a.Mul(a).Mul(a).Mul(5).Rem(101).Sub(50).Div(32).Reshape(nv.Shape{2, n, n})
	return nv.MatMul(a, nv.SwapAxes(a, -1, -2)).Add(nv.Eye(n, nv.F64).Mul(0.25)).AsType(d)
}

// multivariate returns a sampler of vectors of n elements. cov selects the covariances of the
// batch from covariances.
func multivariate(n int, cov func(nv.Tensor) nv.Tensor, batch ...int) matrixSampler {
	return func(k random.PRNGKey, s nv.Shape, d nv.DType) nv.Tensor {
		return random.MultivariateNormal(k, nv.Arange(n, nv.F64).Div(4).AsType(d), cov(covariances(n, d)), append(s.Clone(), batch...))
	}
}

// first returns the first matrix of a batch.
func first(cov nv.Tensor) nv.Tensor { return cov.At(0) }

// matrixSamplers has the samplers by their names in the generator.
var matrixSamplers = map[string]matrixSampler{
	"normal": func(k random.PRNGKey, s nv.Shape, d nv.DType) nv.Tensor {
		cov := [][]float64{{2, 0.5, 0.25}, {0.5, 1, -0.5}, {0.25, -0.5, 3}}
		return random.MultivariateNormal(k, nv.New([]float64{1, -2, 0.5}, d), nv.New(cov, d), s)
	},
	"normal2": multivariate(2, first), "normal3": multivariate(3, first), "normal4": multivariate(4, first),
	"normal3-batch": multivariate(3, func(cov nv.Tensor) nv.Tensor { return cov }, 2),
	"orthogonal":    func(k random.PRNGKey, s nv.Shape, d nv.DType) nv.Tensor { return random.Orthogonal(k, 4, s, d) },
	"orthogonal-wide": func(k random.PRNGKey, s nv.Shape, d nv.DType) nv.Tensor {
		return random.SemiOrthogonal(k, 2, 3, s, d)
	},
	"orthogonal-tall": func(k random.PRNGKey, s nv.Shape, d nv.DType) nv.Tensor {
		return random.SemiOrthogonal(k, 3, 2, s, d)
	},
}

// TestMatrices compares with what jax.random draws: vectors within two units in the last place
// or two rounding errors of their terms, which are of the size of 1, and matrices within eight.
// XLA and LAPACK round differently on each processor (see testdata/matrix.py).
func TestMatrices(t *testing.T) {
	data, err := os.ReadFile("testdata/matrix.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		name, d, bits, eps := words[0], nv.F32, 32, 0x1p-23
		if words[1] == "float64" {
			d, bits, eps = nv.F64, 64, 0x1p-52
		}
		seed, _ := strconv.Atoi(words[2])
		s := nv.Shape{}
		for part := range strings.SplitSeq(words[3], "x") {
			if n, err := strconv.Atoi(part); err == nil {
				s = append(s, n)
			}
		}
		x := matrixSamplers[name](random.Key(seed), s, d)
		if x.DType() != d || x.Size() != len(words)-4 {
			t.Fatalf("%s: %s%s", strings.Join(words[:4], " "), x.Typed(), x.Shape())
		}
		for i, v := range nv.Values[float64](x.AsType(nv.F64).Reshape(nv.Shape{-1})) {
			want, _ := strconv.ParseFloat(words[4+i], bits)
			limit := 8 * eps
			if strings.HasPrefix(name, "normal") {
				limit = ulps * eps * max(1, math.Ldexp(1, math.Ilogb(want)))
			}
			if !(math.Abs(v-want) <= limit) {
				t.Errorf("%s: element %d is %v, want %v", strings.Join(words[:4], " "), i, v, want)
			}
		}
	}
}

func TestMatrixErrors(t *testing.T) {
	k := random.Key(0)
	for want, f := range map[string]func(){
		"random.MultivariateNormal(f32{}): mean and cov have shapes {2} and {3,3}; the last axis of mean and the " +
			"last two axes of cov must have the same length": func() {
			random.MultivariateNormal(k, nv.Zeros(nv.Shape{2}), nv.Eye(3), nil)
		},
		"random.MultivariateNormal(f32{}): the batch shapes {4} of the mean and {} of the covariance do not " +
			"broadcast to {3}; give the shape that they broadcast to, or nil": func() {
			random.MultivariateNormal(k, nv.Zeros(nv.Shape{4, 2}), nv.Eye(2), nv.Shape{3})
		},
		"random.Orthogonal(-1): the number of rows or columns is negative; use numbers of 0 or more": func() { random.Orthogonal(k, -1, nil) },
	} {
		if err := nv.Try(f); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if x := random.MultivariateNormal(k, nv.Zeros(nv.Shape{4, 2}), nv.Eye(2), nil); !x.Shape().Equal(nv.Shape{4, 2}) {
		t.Errorf("a batch of means gives %s", x.Shape())
	}
	if x := random.MultivariateNormal(k, nv.Zeros(nv.Shape{2}), nv.Eye(2).Neg(), nil); !nv.Values[bool](x.IsNaN().All())[0] {
		t.Errorf("a covariance that is not positive definite gives %v, want NaN", x)
	}
}
