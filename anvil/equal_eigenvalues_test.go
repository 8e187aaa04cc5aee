package anvil_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestEqualEigenvalues checks first and second derivatives of functions of matrices with equal eigenvalues and singular
// values, written with the results of Eigh and SVD, against difference quotients.
func TestEqualEigenvalues(t *testing.T) {
	t.Parallel()
	one := func(x any) nv.Tensor { return nv.Sum(nv.Sin(nv.Add(nv.Real(x), nv.Mul(nv.Imag(x), 0.3)))) }
	b := nv.From([]float64{0.5, 1, -2})
	adjoint := func(x nv.Tensor) nv.Tensor { return nv.Conj(nv.Transpose(x)) }
	type function = func(a nv.Tensor) nv.Tensor
	eigh := func(f func(w, v nv.Tensor) nv.Tensor) function {
		return func(a nv.Tensor) nv.Tensor { w, v := nv.Eigh(a); return one(f(w, v)) }
	}
	hermitian := map[string]function{
		"exp":     eigh(func(w, v nv.Tensor) nv.Tensor { return nv.MatMul(v.Mul(nv.Exp(w)), adjoint(v)) }),
		"sqrt":    eigh(func(w, v nv.Tensor) nv.Tensor { return nv.MatMul(v.Mul(nv.Sqrt(w)), adjoint(v)) }),
		"log":     eigh(func(w, v nv.Tensor) nv.Tensor { return nv.MatMul(v.Mul(nv.Log(w)), adjoint(v)) }),
		"itself":  eigh(func(w, v nv.Tensor) nv.Tensor { return nv.MatMul(v.Mul(w), adjoint(v)) }),
		"divided": eigh(func(w, v nv.Tensor) nv.Tensor { return nv.MatMul(v.Div(nv.Add(w, 1)), adjoint(v)) }),
		"of rows": eigh(func(w, v nv.Tensor) nv.Tensor {
			return nv.MatMul(v, nv.Reshape(nv.Pow(w, 3), nv.Shape{-1, 1}).Mul(adjoint(v)))
		}),
		"diagonal matrix":   eigh(func(w, v nv.Tensor) nv.Tensor { return nv.MatMul(nv.MatMul(v, nv.Diag(nv.Exp(w))), adjoint(v)) }),
		"diagonal first":    eigh(func(w, v nv.Tensor) nv.Tensor { return nv.MatMul(v, nv.MatMul(nv.Diag(nv.Exp(w)), adjoint(v))) }),
		"einsum":            eigh(func(w, v nv.Tensor) nv.Tensor { return nv.Einsum("ij,j,kj->ik", v, nv.Exp(w), nv.Conj(v)) }),
		"twice":             eigh(func(w, v nv.Tensor) nv.Tensor { return nv.MatMul(v.Mul(w).Mul(nv.Exp(w)).Mul(0.3), adjoint(v)) }),
		"a square":          eigh(func(w, v nv.Tensor) nv.Tensor { h := v.Mul(nv.Sqrt(nv.Exp(w))); return nv.MatMul(h, adjoint(h)) }),
		"times a vector":    eigh(func(w, v nv.Tensor) nv.Tensor { return nv.MatMul(v, nv.Exp(w).Mul(nv.MatMul(adjoint(v), b))) }),
		"sum":               eigh(func(w, _ nv.Tensor) nv.Tensor { return nv.Sum(nv.Exp(w)) }),
		"sum of logarithms": func(a nv.Tensor) nv.Tensor { return nv.Mean(nv.Log(nv.EigValsH(a))) },
	}
	mixed := nv.New([][]float64{{0.5, 1, -2}, {1.5, -0.5, 1}, {0.3, 2, 1}}, nv.F64)
	maps.Copy(hermitian, map[string]function{
		"of squares": eigh(func(w, v nv.Tensor) nv.Tensor {
			return nv.Sum(nv.Exp(w).Mul(nv.Square(nv.Abs(nv.MatMul(adjoint(v), nv.Mul(b, 0.3))))))
		}),
		"of products": eigh(func(w, v nv.Tensor) nv.Tensor {
			c := nv.MatMul(adjoint(v), b)
			return nv.Sum(nv.Real(c.Mul(nv.Conj(c))).Mul(0.5).Div(w).Mul(nv.Exp(w)))
		}),
		"dot of squares": eigh(func(w, v nv.Tensor) nv.Tensor {
			return nv.MatMul(nv.Exp(w), nv.Neg(nv.Square(nv.Abs(nv.MatMul(adjoint(v), nv.Mul(b, 0.3))))))
		}),
		"diagonal of a product": eigh(func(w, v nv.Tensor) nv.Tensor {
			return nv.Sum(nv.Sum(nv.Conj(v).Mul(nv.MatMul(mixed, v)), nv.Axis(0)).Mul(nv.Exp(w)))
		}),
		"resolvents": eigh(func(w, v nv.Tensor) nv.Tensor {
			squares := nv.Square(nv.Abs(nv.MatMul(adjoint(v), b)))
			return nv.Sum(squares.Div(nv.Sub(nv.New([][]float64{{4}, {5}}, nv.F64), w)), nv.Axis(1))
		}),
	})
	svd := func(f func(u, s, vh nv.Tensor) nv.Tensor) function {
		return func(a nv.Tensor) nv.Tensor { u, s, vh := nv.SVD(a); return one(f(u, s, vh)) }
	}
	general := map[string]function{
		"itself":  svd(func(u, s, vh nv.Tensor) nv.Tensor { return nv.MatMul(u.Mul(s), vh) }),
		"cube":    svd(func(u, s, vh nv.Tensor) nv.Tensor { return nv.MatMul(u.Mul(nv.Pow(s, 3)), vh) }),
		"inverse": svd(func(u, s, vh nv.Tensor) nv.Tensor { return nv.MatMul(adjoint(vh).Div(s), adjoint(u)) }),
		"polar":   svd(func(u, s, vh nv.Tensor) nv.Tensor { return nv.MatMul(u, vh) }),
		"squares": svd(func(u, s, _ nv.Tensor) nv.Tensor {
			return nv.Sum(nv.Sqrt(s).Mul(nv.Square(nv.Abs(nv.MatMul(adjoint(u), b)))))
		}),
		"sum":  func(a nv.Tensor) nv.Tensor { return nv.Sum(nv.Log(nv.SVDVals(a))) },
		"norm": func(a nv.Tensor) nv.Tensor { return nv.Norm(a, nv.Ord("nuc")) },
	}
	q, _ := nv.QR(nv.Sin(nv.Reshape(nv.Iota(nv.Shape{9}, 0, nv.F64), nv.Shape{3, 3})))
	rotated := nv.MatMul(q.Mul(nv.From([]float64{1, 1, 2})), nv.Transpose(q))
	i := nv.From([]complex128{1i})
	qc, _ := nv.QR(nv.Add(q, nv.Mul(nv.Cos(nv.Reshape(nv.Iota(nv.Shape{9}, 0, nv.F64), nv.Shape{3, 3})), i)))
	unitary := nv.MatMul(qc.Mul(nv.From([]float64{1, 1, 2})), adjoint(qc))
	points := map[string]nv.Tensor{
		"identity": nv.Eye(3, nv.F64),
		"diagonal": nv.Diag(nv.From([]float64{1, 1, 2})),
		"rotated":  rotated,
		"complex":  unitary,
	}
	check := func(t *testing.T, f function, x nv.Tensor) {
		if err := nv.CheckGrad(f, x); err != nil {
			t.Error("first order:", err)
		}
		gradient := nv.Grad(f)
		g := func(x nv.Tensor) nv.Tensor { return one(gradient(x)) }
		direction := nv.Cos(nv.Reshape(nv.Iota(nv.Shape{9}, 0, nv.F64).AsType(x.DType()), nv.Shape{3, 3}))
		_, got := nv.JVP(g, x, direction)
		at := func(step float64) float64 { return g(nv.Add(x, nv.Mul(direction, step))).Float() }
		const h = 1e-3 // large, as gradients near equal eigenvalues have rounding errors
		want := (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
		if !(math.Abs(got.Float()-want) <= 1e-6*(1+math.Abs(want))) {
			t.Errorf("second order: the tangent is %v and the difference quotient %v", got, want)
		}
		_, forward := nv.JVP(func(x nv.Tensor) nv.Tensor { _, dy := nv.JVP(f, x, direction); return dy }, x, direction)
		_, back := nv.JVP(func(x nv.Tensor) nv.Tensor { return nv.Sum(nv.Real(nv.Conj(gradient(x)).Mul(direction))) }, x, direction)
		if !nv.AllClose(forward, back, 1e-7, 1e-7).Bool() {
			t.Errorf("the second derivative is %v forward and %v in reverse", forward, back)
		}
		if x.DType() == nv.C128 {
			return
		}
		mapped := nv.Jit(nv.Vmap(gradient))(nv.Stack(0, x, x)).At(1)
		if want := gradient(x); !nv.AllClose(mapped, want, 1e-7, 1e-9).Bool() {
			t.Errorf("the mapped and jitted gradient is\n%s\nwant\n%s", mapped, want)
		}
	}
	for at, x := range points {
		for name, f := range hermitian {
			if x.DType() == nv.C128 && !slices.Contains([]string{"exp", "times a vector", "of squares", "sum"}, name) {
				continue // programs of complex matrices take long to compile
			}
			t.Run("Eigh/"+name+"/"+at, func(t *testing.T) {
				check(t, func(x nv.Tensor) nv.Tensor { return f(nv.Mul(nv.Add(x, adjoint(x)), 0.5)) }, x)
			})
		}
		for name, f := range general {
			if x.DType() == nv.C128 && name != "itself" && name != "squares" {
				continue
			}
			t.Run("SVD/"+name+"/"+at, func(t *testing.T) { check(t, f, x) })
		}
	}
}
