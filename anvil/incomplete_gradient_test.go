package anvil_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestGradientsOfIncompleteIntegrals checks the gradients by every operand, at points for each
// of the methods by which the functions are computed, and the second derivatives.
func TestGradientsOfIncompleteIntegrals(t *testing.T) {
	t.Parallel()
	type operands struct{ A, B, X nv.Tensor }
	functions := map[string]func(operands) nv.Tensor{
		"IGamma":  func(o operands) nv.Tensor { return nv.IGamma(o.A, o.X) },
		"IGammac": func(o operands) nv.Tensor { return nv.IGammac(o.A, o.X) },
		"BetaInc": func(o operands) nv.Tensor { return nv.BetaInc(o.A, o.B, nv.Logistic(nv.Log(o.X))) },
	}
	at := operands{
		A: nv.From([]float64{2.5, 0.5, 1.5, 30, 30, 60, 0.2}),
		B: nv.From([]float64{1.5, 0.5, 3, 2, 40, 55, 0.3}),
		X: nv.From([]float64{2, 0.3, 6, 25, 35, 1.1, 0.9}),
	}
	for name, f := range functions {
		sum := func(o operands) nv.Tensor { return nv.Sum(f(o)) }
		if err := nv.CheckGrad(sum, at); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		g := nv.Grad(sum)
		each := nv.Vmap(func(a nv.Tensor) nv.Tensor { return g(operands{a, at.B.At(0), at.X.At(0)}).A })(at.A)
		if one := g(operands{at.A.At(3), at.B.At(0), at.X.At(0)}).A; !nv.AllClose(each.At(3), one, 1e-12).Bool() {
			t.Errorf("%s under Vmap: %v, alone %v", name, each.At(3), one)
		}

		// The second derivatives by a and then by x, and by x and then by a, are among them.
		slopes := func(o operands) nv.Tensor {
			d := g(o)
			return nv.Sum(d.A.Add(d.B.Mul(2)).Add(d.X.Mul(3)))
		}
		if err := nv.CheckGrad(slopes, at); err != nil {
			t.Errorf("%s, second derivatives: %v", name, err)
		}
		second := nv.Grad(slopes)
		each = nv.Vmap(func(x nv.Tensor) nv.Tensor { return second(operands{at.A.At(0), at.B.At(0), x}).X })(at.X)
		if one := second(operands{at.A.At(0), at.B.At(0), at.X.At(1)}).X; !nv.AllClose(each.At(1), one, 1e-12).Bool() {
			t.Errorf("%s, second derivatives under Vmap: %v, alone %v", name, each.At(1), one)
		}
	}
}
