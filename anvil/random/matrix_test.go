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

// TestMatrices compares with what jax.random draws, within four rounding errors
// of a vector's sum of products, or of a matrix's greatest element.
func TestMatrices(t *testing.T) {
	data, err := os.ReadFile("testdata/matrix.txt")
	if err != nil {
		t.Fatal(err)
	}
	mean, cov := []float64{1, -2, 0.5}, [][]float64{{2, 0.5, 0.25}, {0.5, 1, -0.5}, {0.25, -0.5, 3}}
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		d, eps := nv.F32, 0x1p-23
		if words[1] == "float64" {
			d, eps = nv.F64, 0x1p-52
		}
		seed, _ := strconv.Atoi(words[2])
		s := nv.Shape{}
		for part := range strings.SplitSeq(words[3], "x") {
			if n, err := strconv.Atoi(part); err == nil {
				s = append(s, n)
			}
		}
		var x nv.Tensor
		if words[0] == "normal" {
			x = random.MultivariateNormal(random.Key(seed), nv.New(mean, d), nv.New(cov, d), s)
		} else {
			x = random.Orthogonal(random.Key(seed), 4, s, d)
		}
		if x.DType() != d || x.Size() != len(words)-4 {
			t.Fatalf("%s: %s%s", strings.Join(words[:4], " "), x.Typed(), x.Shape())
		}
		for i, v := range nv.Values[float64](x.AsType(nv.F64).Reshape(nv.Shape{-1})) {
			want, _ := strconv.ParseFloat(words[4+i], 64)
			if !(math.Abs(v-want) <= 4*eps*math.Max(1, math.Abs(want))) {
				t.Errorf("%s: element %d is %v, want %v", strings.Join(words[:4], " "), i, v, want)
			}
		}
	}
}

func TestMatrixErrors(t *testing.T) {
	k := random.Key(0)
	for want, f := range map[string]func(){
		"random.MultivariateNormal(f32{}): mean and cov have shapes {2} and {3,3}; mean is a vector of n elements": func() {
			random.MultivariateNormal(k, nv.Zeros(nv.Shape{2}), nv.Eye(3), nil)
		},
		"batches of shapes {4} and {} do not broadcast to {3}": func() {
			random.MultivariateNormal(k, nv.Zeros(nv.Shape{4, 2}), nv.Eye(2), nv.Shape{3})
		},
		"random.Orthogonal(-1): a negative number of rows": func() { random.Orthogonal(k, -1, nil) },
	} {
		if err := nv.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if x := random.MultivariateNormal(k, nv.Zeros(nv.Shape{4, 2}), nv.Eye(2), nil); !x.Shape().Equal(nv.Shape{4, 2}) {
		t.Errorf("a batch of means gives %s", x.Shape())
	}
	if x := random.MultivariateNormal(k, nv.Zeros(nv.Shape{2}), nv.Eye(2).Neg(), nil); !nv.Values[bool](x.IsNaN().All())[0] {
		t.Errorf("of a covariance that is none: %v", x)
	}
}
