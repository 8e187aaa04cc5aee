package anvil_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

func TestGradOfElementwise(t *testing.T) {
	x := nv.New([]float64{0.5, -1, 2})
	f := func(x nv.Tensor) nv.Tensor { return nv.Sum(nv.Mul(nv.Tanh(x), nv.Exp(x))) }
	t.Log(nv.Grad(f)(x))
	v, g := nv.ValueAndGrad(f)(x)
	t.Log(v, g)
	h := nv.Grad(func(x nv.Tensor) nv.Tensor { return nv.Sum(nv.Grad(f)(x)) })
	t.Log(h(x))
	t.Log(nv.Jit(h)(x))
	w := nv.New([][]float64{{1, 2, 3}, {4, 5, 6}})
	g2 := nv.GradAny(func(w, x nv.Tensor) nv.Tensor { return nv.Sum(nv.Square(nv.MatMul(w, x))) }, nv.Wrt(0, 1)).(func(w, x nv.Tensor) (nv.Tensor, nv.Tensor))
	a, b := g2(w, x)
	t.Log(a, b)
	t.Log(nv.Grad(func(x nv.Tensor) nv.Tensor { return nv.Sum(nv.Where(nv.Gt(x, 0), nv.Sqrt(x), 0)) })(nv.New([]float64{-1, 0, 4})))
	t.Log(nv.Grad(func(x nv.Tensor) nv.Tensor { return nv.Add(nv.Max(x), nv.Prod(x)) })(nv.New([]float64{-1, 0, 4, 4})))
}
