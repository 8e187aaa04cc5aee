package anvil_test

import (
	"math"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
)

// TestFactorsAreExact checks that the factors of matrices of more than one block, also
// of low rank, multiply to the matrix, and that orthogonal factors are orthogonal, all
// within a few rounding errors of the greatest eigenvalue.
func TestFactorsAreExact(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{})
	off := func(a, b any) nv.Tensor { return c.Max(c.Abs(c.Sub(a, b))) }
	apart := func(q nv.Tensor) nv.Tensor { // how far q is from being orthogonal
		return off(c.MatMul(c.SwapAxes(q, 1, 2), q), c.Eye(q.Shape()[2], q.DType()))
	}
	for d, eps := range map[nv.DType]float64{nv.F32: 0x1p-23, nv.F64: 0x1p-52} {
		n := 40
		i, j := c.Iota(nv.Shape{n, n}, 0, d), c.Iota(nv.Shape{n, n}, 1, d)
		full := c.Sin(c.Add(c.Mul(i, c.Add(j, 3)), c.Mul(j, j)))
		low := c.MatMul(full.At(nv.All, nv.Range(0, 9)), full.At(nv.Range(0, 9), nv.All))
		x := c.Stack(0, full, low, c.Eye(n, d), c.Zeros(nv.Shape{n, n}, d))
		x = c.Add(x, c.SwapAxes(x, 1, 2))
		tall := x.At(nv.All, nv.All, nv.Range(0, 30))
		var errors nv.Tensor
		if d == nv.F32 {
			w, v := c.Eigh(x)
			q, r := c.QR(tall)
			errors = c.Stack(0, off(c.MatMul(x, v), c.Mul(v, c.ExpandDims(w, 1))), apart(v), off(c.MatMul(q, r), tall), apart(q))
		} else {
			u, s, vh := c.SVD(tall)
			p, l, upper := c.LU(x)
			errors = c.Stack(0, off(c.MatMul(c.Mul(u, c.ExpandDims(s, 1)), vh), tall), apart(u), apart(c.SwapAxes(vh, 1, 2)),
				off(c.MatMul(p, c.MatMul(l, upper)), x))
		}
		most := float64(n) // no eigenvalue is much greater
		for k, e := range nv.Values[float64](c.AsType(errors, nv.F64)) {
			if !(e <= 4*eps*most) {
				t.Errorf("%s: number %d is off by %g rounding errors of %g", d, k, e/eps/most, most)
			}
		}
	}
}

func TestLinearUnderSystems(t *testing.T) {
	whole := nv.New([][]int32{{2, 1}, {1, 3}})
	half := nv.New([][]float64{{2, 1}, {1, 3}}, nv.F16)
	for _, c := range []struct {
		f    func() nv.Tensor
		want string
	}{
		{func() nv.Tensor { return nv.Inv(whole) }, "f32?"},
		{func() nv.Tensor { return nv.With(promote.NumPy).Inv(whole) }, "f64"},
		{func() nv.Tensor { return nv.With(promote.JAX).Det(whole) }, "f32"},
		{func() nv.Tensor { return nv.Inv(half) }, "f16"},
		{func() nv.Tensor { return nv.MatrixPower(whole, 2) }, "i32"},
		{func() nv.Tensor { return nv.MatrixPower(whole, -1) }, "f32?"},
		{func() nv.Tensor { return nv.Solve(whole, half) }, "f16"},
		{func() nv.Tensor { return nv.EigValsH(nv.New([][]complex64{{1}})) }, "f32"},
		{func() nv.Tensor { return nv.Norm(whole) }, "f32?"},
		{func() nv.Tensor { return nv.With(promote.NumPy).MatrixRank(whole) }, "i64"},
	} {
		if got := c.f().Typed().String(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestLinearErrors(t *testing.T) {
	wide, x, v := nv.Ones(nv.Shape{2, 3}), nv.Eye(2), nv.New([]float32{1, 2})
	whole, half := nv.Ones(nv.Shape{2, 2}, nv.I32), nv.Ones(nv.Shape{2, 2}, nv.F16)
	torch := nv.With(promote.Torch)
	for _, c := range []struct {
		f    func()
		want string
	}{
		{func() { nv.Inv(wide) }, "Inv(f32{2,3}): the matrix has 2 rows and 3 columns, and must be square; " +
			"nv.Lstsq, nv.PInv, nv.QR and nv.SVD take matrices of any shape"},
		{func() { nv.Eigh(wide) }, "Eigh(f32{2,3}): the matrix has 2 rows and 3 columns, and must be square; " +
			"nv.Lstsq, nv.PInv, nv.QR and nv.SVD take matrices of any shape"},
		{func() { nv.Det(v) }, "Det(f32{2}): an operand has shape {2} and must be a matrix, or a batch of them; " +
			"nv.ExpandDims inserts an axis"},
		{func() { nv.SVD(1.0) }, "SVD(float64 1): an operand has shape {} and must be a matrix, or a batch of " +
			"them; nv.ExpandDims inserts an axis"},
		{func() { nv.Solve(x, nv.Ones(nv.Shape{3})) },
			"Solve(f32{2,2}, f32{3}): a matrix of shape {2,2} does not match a right-hand side of shape " +
				"{3,1}; a*x = b needs as many rows in b as in a; x*a = b as many columns"},
		{func() { nv.Solve(x, 1) }, "Solve(f32{2,2}, int 1): the right-hand side is a scalar; give a vector or a " +
			"matrix; to scale the inverse write nv.Inv(a).Mul(s)"},
		{func() { nv.Solve(nv.Ones(nv.Shape{2, 2, 2}), nv.Ones(nv.Shape{3, 2, 1})) },
			"Solve(f32{2,2,2}, f32{3,2,1}): shapes {2} and {3} do not broadcast; lengths must be equal or " +
				"1, counted from the last axis"},
		{func() { nv.TriangularSolve(x, wide, nv.RightSide) },
			"TriangularSolve(f32{2,2}, f32{2,3}): a matrix of shape {2,2} does not match a right-hand side " +
				"of shape {2,3}; a*x = b needs as many rows in b as in a; x*a = b as many columns"},
		{func() { nv.Lstsq(wide, nv.Ones(nv.Shape{3})) },
			"Lstsq(f32{2,3}, f32{3}): a matrix of shape {2,3} does not match a right-hand side of shape " +
				"{3,1}; a*x = b needs as many rows in b as in a; x*a = b as many columns"},
		{func() { nv.MatrixPower(wide, 2) }, "MatrixPower(f32{2,3}): the matrix has 2 rows and 3 columns, and must " +
			"be square; nv.Lstsq, nv.PInv, nv.QR and nv.SVD take matrices of any shape"},
		{func() { nv.PInv(x, 1, 2) }, "PInv(f32{2,2}): more than one rcond is given; give one number, or none for " +
			"the default, 2.384185791015625e-07"},
		{func() { nv.Norm(x, nv.Ord(uint8(3))) }, "Norm(f32{2,2}): matrices have no norm of order 3; give \"fro\", " +
			`"nuc", 1, -1, 2, -2, math.Inf(1) or math.Inf(-1)`},
		{func() { nv.Norm(x, nv.Ord("max")) }, `Norm(f32{2,2}): matrices have no norm of order "max"; give "fro", ` +
			`"nuc", 1, -1, 2, -2, math.Inf(1) or math.Inf(-1)`},
		{func() { nv.Norm(v, nv.Ord("fro")) }, `Norm(f32{2}): vectors have no norm of order "fro"; give a number; ` +
			"matrix norms need two axes"},
		{func() { nv.Norm(x, nv.Axis(0), nv.Axis(-2)) }, "Norm(f32{2,2}): axis -2 is given twice; give each axis once"},
		{func() { nv.Norm(nv.Ones(nv.Shape{2, 2, 2}), nv.Ord(1)) },
			"Norm(f32{2,2,2}): an order needs a vector or a matrix, and x has 3 axes; give one or two " +
				"axes: nv.Axis(-1)"},
		{func() { nv.Cond(nv.Zeros(nv.Shape{0, 0})) },
			"Cond(f32{0,0}): the matrix is empty; give a matrix with at least one element"},
		{func() { torch.Inv(whole) }, "Inv(i32{2,2}): linalg.inv: Expected a floating point or complex tensor as input. Got Int; convert with AsType(nv.F32)"},
		{func() { torch.Inv(half) }, "Inv(f16{2,2}): linalg.inv: Low precision dtypes not supported. Got Half; " +
			"convert with AsType(nv.F32)"},
		{func() { torch.Eigh(whole) }, `Eigh(i32{2,2}): "linalg_eigh_cpu" not implemented for 'Int'; convert with ` +
			"AsType(nv.F32)"},
		{func() { torch.Solve(half, half) }, `Solve(f16{2,2}, f16{2,2}): "lu_cpu" not implemented for 'Half'; ` +
			"convert with AsType(nv.F32)"},
		{func() { torch.Norm(whole) }, "Norm(i32{2,2}): linalg.vector_norm: Expected a floating point or complex " +
			"tensor as input. Got Int; convert with AsType(nv.F32)"},
		{func() { nv.With(promote.NumPy).Inv(half) }, "Inv(f16{2,2}): numpy has no linear algebra of f16; convert " +
			"with AsType(nv.F32)"},
	} {
		if err := nv.Try(c.f); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestSingular checks the results of elimination for singular and empty matrices,
// eagerly and traced.
func TestSingular(t *testing.T) {
	for _, executor := range []string{"reference", ""} {
		c := nv.NewContext(nv.ContextOptions{Backend: executor})
		x := c.New([][]float64{{1, 2}, {2, 4}})
		sign, logarithm := c.SlogDet(x)
		inverse := nv.Jit(func(x nv.Tensor) nv.Tensor { return x.Inv() })
		for _, r := range []struct {
			got  nv.Tensor
			want string
		}{
			{inverse(c.Ones(nv.Shape{2, 2})), "f32{2,2} [[+Inf -Inf] [-Inf +Inf]]"},
			{c.Inv(c.New([][]float64{{4}})), "f32{1,1} [[0.25]]"},
			{c.Det(x), "f32{} 0"}, {sign, "f32{} 0"}, {logarithm, "f32{} -Inf"},
			{c.MatrixRank(x), "i32{} 1"},
			{c.Det(c.Zeros(nv.Shape{0, 0})), "f32{} 1"},
			{c.Inv(c.Zeros(nv.Shape{2, 0, 0})), "f32{2,0,0} [[] []]"},
			{c.SVDVals(c.Zeros(nv.Shape{0, 3})), "f32{0} []"},
		} {
			if got := r.got.String(); got != r.want {
				t.Errorf("%s: %s, want %s", executor, got, r.want)
			}
		}
	}
}

// TestFactorsOfExtremeMatrices checks that the reference takes matrices whose squares overflow or underflow.
func TestFactorsOfExtremeMatrices(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	for _, scale := range []float64{1e-302, 1e-160, 1e200} {
		_, s, _ := c.SVD(c.Full(nv.Shape{2, 2}, scale, nv.F64))
		w := c.EigValsH(c.Mul(c.New([][]float64{{0, 1}, {1, 0}}, nv.F64), scale))
		got := nv.Values[float64](c.Div(c.Concatenate(0, s, w), scale))
		for i, want := range []float64{2, 0, -1, 1} {
			if !(math.Abs(got[i]-want) < 1e-14) {
				t.Errorf("scale %g: value %d is %g, want %g", scale, i, got[i], want)
			}
		}
	}
}

// TestNormsOfNothing checks that vectors and matrices without elements have the norm 0, as in NumPy and JAX.
func TestNormsOfNothing(t *testing.T) {
	zeros := func(lengths ...int) nv.Tensor { return nv.Zeros(lengths) }
	for _, c := range []struct {
		x   nv.Tensor
		ord any
	}{
		{zeros(0), 1}, {zeros(0), 2}, {zeros(0), 3}, {zeros(0), math.Inf(1)},
		{zeros(0, 3), "fro"}, {zeros(0, 3), "nuc"}, {zeros(0, 3), 2}, {zeros(3, 0), 1}, {zeros(0, 3), math.Inf(1)},
	} {
		if got := nv.Norm(c.x, nv.Ord(c.ord)).Float(); got != 0 {
			t.Errorf("order %v of %v: %v", c.ord, c.x.Shape(), got)
		}
	}
	if got := nv.CDist(zeros(2, 0), zeros(1, 0), math.Inf(1)); !nv.ArrayEqual(got, zeros(2, 1)).Bool() {
		t.Errorf("distances of order inf between vectors of length 0: %v", got)
	}
}
