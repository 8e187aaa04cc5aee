package anvil_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestPseudoinverseAtEqualSingularValues checks derivatives of first and second order where
// those of the singular vectors do not exist, and at a matrix of deficient rank along a
// direction that keeps the rank.
func TestPseudoinverseAtEqualSingularValues(t *testing.T) {
	c := nv.Default()
	weights := c.New([][]float64{{1, -2, 3}, {0.5, 1, -1}, {2, 0, 1}})
	points := map[string]nv.Tensor{
		"identity":   c.Eye(3, nv.F64),
		"orthogonal": c.New([][]float64{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}),
		"distinct":   c.New([][]float64{{2, 1, 0}, {0, 1, 3}, {1, 0, 1}}),
		"tall":       c.New([][]float64{{1, 0}, {0, 1}, {0, 0}}),
		"wide":       c.New([][]float64{{0, 1, 0}, {1, 0, 0}}),
	}
	for name, x := range points {
		pinv := func(x nv.Tensor) nv.Tensor {
			p := nv.PInv(x)
			return nv.Sum(nv.Mul(nv.MatMul(p, nv.Transpose(p)), weights.At(nv.Range(0, p.Shape()[0]), nv.Range(0, p.Shape()[0]))))
		}
		lstsq := func(x nv.Tensor) nv.Tensor {
			y, _, _, _ := nv.Lstsq(x, weights.At(nv.Range(0, x.Shape()[0]), 0))
			return nv.Sum(nv.Exp(y))
		}
		for which, f := range map[string]func(nv.Tensor) nv.Tensor{"PInv": pinv, "Lstsq": lstsq} {
			if err := nv.CheckGrad(f, x); err != nil {
				t.Errorf("%s, %s: %v", name, which, err)
			}
			if err := nv.CheckGrad(func(x nv.Tensor) nv.Tensor { return nv.Sum(nv.Sin(nv.Grad(f)(x))) }, x); err != nil {
				t.Errorf("%s, %s, second order: %v", name, which, err)
			}
		}
	}
	flat := c.New([][]float64{{1, 2, 0}, {2, 4, 0}, {0, 0, 3}}) // of rank 2
	along := func(s nv.Tensor) nv.Tensor {
		turn := nv.Expm(nv.Mul(s, c.New([][]float64{{0, -1, 0.5}, {1, 0, -2}, {-0.5, 2, 0}})))
		return nv.Sum(nv.Mul(nv.PInv(nv.MatMul(turn, flat)), weights))
	}
	if err := nv.CheckGrad(along, c.New(0.3)); err != nil {
		t.Errorf("rank 2: %v", err)
	}
}

func TestPseudoinverseUnderVmap(t *testing.T) {
	c := nv.Default()
	xs := c.New([][][]float64{{{1, 0}, {0, 1}}, {{2, 1}, {0, 1}}})
	g := nv.Grad(func(x nv.Tensor) nv.Tensor { return nv.Sum(nv.Sin(nv.PInv(x))) })
	all := nv.Vmap(g)(xs)
	for i := range 2 {
		if one := g(xs.At(i)); !nv.AllClose(all.At(i), one).Bool() {
			t.Errorf("element %d: %v, alone %v", i, all.At(i), one)
		}
	}
}
