package anvil_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestLinearAlgebraGradients checks first and second derivatives of functions of matrices at special points against
// difference quotients, and that jitted and mapped gradients are the same.
func TestLinearAlgebraGradients(t *testing.T) {
	t.Parallel()
	diagonal := func(xs ...float64) nv.Tensor { return nv.Diag(nv.From(xs)) }
	rankOne := func(x nv.Tensor) nv.Tensor { return nv.Outer(x, nv.Add(nv.Square(x), 1)) }
	symmetric := func(x nv.Tensor) nv.Tensor { return nv.Add(x, nv.Transpose(x)) }
	one := func(x any) nv.Tensor { return nv.Sum(nv.Sin(nv.Add(nv.Real(x), nv.Mul(nv.Imag(x), 0.3)))) }
	lstsq := func(a, b any) nv.Tensor {
		solution, residuals, _, _ := nv.Lstsq(a, b)
		return nv.Add(one(solution), nv.Sum(nv.Sin(residuals)))
	}
	vector, ones := nv.From([]float64{0.5, 1, -2}), nv.Ones(nv.Shape{3}, nv.F64)
	complexMatrix := nv.From([]complex128{1 + 2i, 3, -1i, 2 - 1i})
	for name, c := range map[string]struct {
		f func(x nv.Tensor) nv.Tensor
		x nv.Tensor
	}{
		"PInv of the identity":       {func(x nv.Tensor) nv.Tensor { return one(nv.PInv(x)) }, nv.Eye(3, nv.F64)},
		"PInv tall":                  {func(x nv.Tensor) nv.Tensor { return one(nv.PInv(x)) }, nv.Eye(4, nv.F64).At(nv.All, nv.Range(0, 2))},
		"PInv wide":                  {func(x nv.Tensor) nv.Tensor { return one(nv.PInv(x)) }, nv.Eye(4, nv.F64).At(nv.Range(0, 2))},
		"PInv of rank 1":             {func(x nv.Tensor) nv.Tensor { return one(nv.PInv(rankOne(x))) }, vector},
		"PInv of a batch":            {func(x nv.Tensor) nv.Tensor { return one(nv.PInv(nv.Stack(0, x, nv.Mul(x, 2)))) }, nv.Eye(2, nv.F64)},
		"PInv of an empty batch":     {func(x nv.Tensor) nv.Tensor { return nv.Sum(nv.PInv(x)) }, nv.Zeros(nv.Shape{0, 2, 2}, nv.F64)},
		"PInv complex":               {func(x nv.Tensor) nv.Tensor { return one(nv.PInv(nv.Reshape(x, nv.Shape{2, 2}))) }, complexMatrix},
		"PInv complex tall":          {func(x nv.Tensor) nv.Tensor { return one(nv.PInv(nv.Reshape(x, nv.Shape{4, 1}))) }, complexMatrix},
		"Lstsq of the identity":      {func(x nv.Tensor) nv.Tensor { return lstsq(x, ones) }, nv.Eye(3, nv.F64)},
		"Lstsq tall":                 {func(x nv.Tensor) nv.Tensor { return lstsq(x, ones) }, nv.Eye(3, nv.F64).At(nv.All, nv.Range(0, 2))},
		"Lstsq of rank 1":            {func(x nv.Tensor) nv.Tensor { return lstsq(rankOne(x), nv.Sin(x)) }, vector},
		"Det":                        {nv.Tensor.Det, nv.Add(diagonal(1, 2, 3, 4), 1)},
		"Det of a number":            {nv.Tensor.Det, diagonal(0)},
		"Det of rank n-1":            {nv.Tensor.Det, diagonal(2, 0, 3)},
		"Det of rank n-2":            {nv.Tensor.Det, diagonal(0, 2, 0, 3)},
		"Det of rank n-3":            {nv.Tensor.Det, nv.Ones(nv.Shape{4, 4}, nv.F64)},
		"Det of zeros":               {nv.Tensor.Det, nv.Zeros(nv.Shape{3, 3}, nv.F64)},
		"Det of many zeros":          {nv.Tensor.Det, nv.Zeros(nv.Shape{7, 7}, nv.F64)},
		"Det of a nilpotent matrix":  {nv.Tensor.Det, nv.Diag(nv.Ones(nv.Shape{4}, nv.F64), 1)},
		"Det of a graded matrix":     {func(x nv.Tensor) nv.Tensor { return nv.Det(nv.Mul(x, diagonal(1e-20, 1, 1e20))) }, nv.Eye(3, nv.F64)},
		"Det of a batch":             {func(x nv.Tensor) nv.Tensor { return one(nv.Det(nv.Stack(0, x, nv.Sub(x, 1)))) }, diagonal(1, 2, 3)},
		"Det complex":                {func(x nv.Tensor) nv.Tensor { return one(nv.Det(nv.Reshape(x, nv.Shape{2, 2}))) }, complexMatrix},
		"Det complex, singular":      {func(x nv.Tensor) nv.Tensor { return one(nv.Det(nv.Outer(x, x))) }, complexMatrix},
		"Norm with a 0":              {func(x nv.Tensor) nv.Tensor { return nv.Norm(x) }, nv.From([]float64{0, 3, 0})},
		"Expm of zeros":              {func(x nv.Tensor) nv.Tensor { return one(nv.Expm(x)) }, nv.Zeros(nv.Shape{3, 3}, nv.F64)},
		"Expm of a nilpotent matrix": {func(x nv.Tensor) nv.Tensor { return one(nv.Expm(x)) }, nv.Diag(nv.Ones(nv.Shape{2}, nv.F64), 1)},
		"MatrixPower of zeros":       {func(x nv.Tensor) nv.Tensor { return one(nv.MatrixPower(x, 3)) }, nv.Zeros(nv.Shape{3, 3}, nv.F64)},
		"MatrixPower -2":             {func(x nv.Tensor) nv.Tensor { return one(nv.MatrixPower(x, -2)) }, nv.Eye(2, nv.F64)},
		"Solve":                      {func(x nv.Tensor) nv.Tensor { return one(nv.Solve(x, nv.MatMul(x, ones))) }, nv.Add(nv.Eye(3, nv.F64), 1)},
		"SlogDet":                    {func(x nv.Tensor) nv.Tensor { s, v := nv.SlogDet(x); return nv.Add(one(s), v) }, nv.Neg(nv.Eye(3, nv.F64))},
		"SlogDet complex": {func(x nv.Tensor) nv.Tensor {
			s, v := nv.SlogDet(nv.Reshape(x, nv.Shape{2, 2}))
			return nv.Add(one(s), v)
		}, complexMatrix},
		"Cholesky of the identity": {func(x nv.Tensor) nv.Tensor { return one(nv.Cholesky(symmetric(x))) }, nv.Eye(3, nv.F64)},
		"QR":                       {func(x nv.Tensor) nv.Tensor { q, r := nv.QR(x); return nv.Add(one(q), one(r)) }, nv.Add(nv.Eye(3, nv.F64), 1)},
		"nuclear norm":             {func(x nv.Tensor) nv.Tensor { return nv.Norm(x, nv.Ord("nuc")) }, nv.Eye(3, nv.F64)},
		"spectral norm":            {func(x nv.Tensor) nv.Tensor { return nv.Norm(x, nv.Ord(2)) }, diagonal(3, 2, 2)},
		"Cond":                     {func(x nv.Tensor) nv.Tensor { return nv.Cond(x) }, diagonal(3, 2, 2, 1)},
		"Kron":                     {func(x nv.Tensor) nv.Tensor { return one(nv.Kron(x, x)) }, nv.Eye(2, nv.F64)},
	} {
		t.Run(name, func(t *testing.T) {
			if err := nv.CheckGrad(c.f, c.x); err != nil {
				t.Error("first order:", err)
			}
			gradient := nv.Grad(c.f)
			if err := nv.CheckGrad(func(x nv.Tensor) nv.Tensor { return one(gradient(x)) }, c.x); err != nil {
				t.Error("second order:", err)
			}
			want := gradient(c.x)
			if got := nv.Jit(nv.Vmap(gradient))(nv.Stack(0, c.x, c.x)).At(1); !nv.AllClose(got, want).Bool() {
				t.Errorf("the mapped and jitted gradient is\n%s\nwant\n%s", got, want)
			}
		})
	}
}
