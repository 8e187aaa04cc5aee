package autodiff_test

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/ops/opstest"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// tangentAt returns the tangent of an elementwise operation on scalars of dtype d if the tangent of one operand
// is 1 and the others have none.
func tangentAt(
	t *testing.T, code ir.Code, d dtype.DType, c *autodiff.Conventions, operand int, x []complex128,
) complex128 {
	t.Helper()
	types := make([]shape.Type, len(x))
	active := make([]bool, len(x))
	active[operand] = true
	args := make([]array.Array, len(x))
	for i := range x {
		types[i] = shape.Of(d)
		args[i] = arrayOf(types[i], func(int) complex128 { return x[i] })
	}
	g := expr.Graph(ops.Infer, types, func(b expr.Builder, x []expr.Value) []expr.Value {
		return b.All(code, nil, nil, x...)
	})
	jvp, err := autodiff.JVP(g, active, c)
	if err != nil {
		t.Fatal(code, err)
	}
	out, err := reference.Run(t.Context(), jvp, append(args, arrayOf(types[0], func(int) complex128 { return 1 })))
	if err != nil {
		t.Fatal(code, err)
	}
	return opstest.Complexes(out[1])[0]
}

// TestConventions checks the derivatives of each library where they are a matter of convention, and at points
// where all libraries have the same.
func TestConventions(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	half := math.Sqrt2 / 2
	for _, c := range []struct {
		code                          ir.Code
		operand                       int
		x                             []float64
		anvil, jax, torch, tensorFlow float64
	}{
		{ir.Abs, 0, []float64{0}, 0, 1, 0, 0},
		{ir.Abs, 0, []float64{-2}, -1, -1, -1, -1},
		{ir.Abs, 0, []float64{2}, 1, 1, 1, 1},

		{ir.Max, 0, []float64{1, 1}, 0.5, 0.5, 0.5, 1},
		{ir.Max, 1, []float64{1, 1}, 0.5, 0.5, 0.5, 0},
		{ir.Max, 0, []float64{2, 1}, 1, 1, 1, 1},
		{ir.Max, 1, []float64{2, 1}, 0, 0, 0, 0},
		{ir.Max, 0, []float64{1, 2}, 0, 0, 0, 0},
		{ir.Max, 1, []float64{1, 2}, 1, 1, 1, 1},
		{ir.Min, 0, []float64{1, 1}, 0.5, 0.5, 0.5, 1},
		{ir.Min, 1, []float64{1, 1}, 0.5, 0.5, 0.5, 0},
		{ir.Min, 0, []float64{2, 1}, 0, 0, 0, 0},
		{ir.Min, 1, []float64{2, 1}, 1, 1, 1, 1},
		{ir.Min, 0, []float64{1, 2}, 1, 1, 1, 1},
		{ir.Min, 1, []float64{1, 2}, 0, 0, 0, 0},

		// The operands of Clamp are the lower bound, the number and the upper bound.
		{ir.Clamp, 0, []float64{1, 2, 3}, 0, 0, 0, 0},
		{ir.Clamp, 1, []float64{1, 2, 3}, 1, 1, 1, 1},
		{ir.Clamp, 2, []float64{1, 2, 3}, 0, 0, 0, 0},
		{ir.Clamp, 0, []float64{1, 0, 3}, 1, 1, 1, 1},
		{ir.Clamp, 1, []float64{1, 0, 3}, 0, 0, 0, 0},
		{ir.Clamp, 2, []float64{1, 0, 3}, 0, 0, 0, 0},
		{ir.Clamp, 0, []float64{1, 4, 3}, 0, 0, 0, 0},
		{ir.Clamp, 1, []float64{1, 4, 3}, 0, 0, 0, 0},
		{ir.Clamp, 2, []float64{1, 4, 3}, 1, 1, 1, 1},
		{ir.Clamp, 1, []float64{1, 1, 3}, 1, 0.5, 0, 1},
		{ir.Clamp, 0, []float64{1, 1, 3}, 0, 0.5, 0, 0},
		{ir.Clamp, 1, []float64{1, 3, 3}, 1, 0.5, 0, 1},
		{ir.Clamp, 2, []float64{1, 3, 3}, 0, 0.5, 0, 0},
		{ir.Clamp, 2, []float64{1, 0, 0.5}, 1, 1, 1, 0},
		{ir.Clamp, 0, []float64{1, 0, 0.5}, 0, 0, 0, 1},

		{ir.Hypot, 0, []float64{3, 4}, 0.6, 0.6, 0.6, 0.6},
		{ir.Hypot, 1, []float64{3, 4}, 0.8, 0.8, 0.8, 0.8},
		{ir.Hypot, 0, []float64{0, 0}, 0, 0.5, nan, nan},
		{ir.Hypot, 1, []float64{0, 0}, 0, 0.5, nan, nan},
		{ir.Hypot, 1, []float64{1, 1}, half, half, half, half},

		{ir.Atan2, 0, []float64{3, 4}, 0.16, 0.16, 0.16, 0.16},
		{ir.Atan2, 1, []float64{3, 4}, -0.12, -0.12, -0.12, -0.12},
		{ir.Atan2, 0, []float64{0, 0}, 0, nan, 0, nan},
		{ir.Atan2, 1, []float64{0, 0}, 0, nan, 0, nan},

		{ir.Pow, 0, []float64{3, 2}, 6, 6, 6, 6},
		{ir.Pow, 0, []float64{0, 0}, 0, nan, 0, nan},
		{ir.Pow, 1, []float64{math.E, 2}, math.E * math.E, math.E * math.E, math.E * math.E, math.E * math.E},
		{ir.Pow, 1, []float64{0, 2}, 0, 0, 0, 0},
		{ir.Pow, 1, []float64{0, -1}, -inf, nan, -inf, nan},
		{ir.Pow, 1, []float64{-2, 2}, nan, nan, nan, 0},
	} {
		x := make([]complex128, len(c.x))
		for i, v := range c.x {
			x[i] = complex(v, 0)
		}
		for conventions, want := range map[*autodiff.Conventions]float64{
			nil: c.anvil, autodiff.Anvil: c.anvil, autodiff.JAX: c.jax, autodiff.Torch: c.torch,
			autodiff.TensorFlow: c.tensorFlow,
		} {
			name := "none"
			if conventions != nil {
				name = conventions.Name
			}
			got := real(tangentAt(t, c.code, dtype.F64, conventions, c.operand, x))
			if !(math.Abs(got-want) <= 1e-14*math.Abs(want)) && !(got == want) && !(got != got && want != want) {
				t.Errorf("%s: the derivative of %v%v with respect to operand %d is %v, want %v",
					name, c.code, c.x, c.operand, got, want)
			}
		}
	}
}

// TestComplexConventions checks that conventions for real numbers do not change the derivatives of complex
// functions, and that JAX has the conjugate gradient.
func TestComplexConventions(t *testing.T) {
	z, p := complex(0.6, -0.8), complex(1.5, 0.25)
	for _, c := range autodiff.AllConventions() {
		for operand, want := range []complex128{p * cmplx.Pow(z, p-1), cmplx.Pow(z, p) * cmplx.Log(z)} {
			if got := tangentAt(t, ir.Pow, dtype.C128, c, operand, []complex128{z, p}); cmplx.Abs(got-want) > 1e-14 {
				t.Errorf("%s: the derivative of Pow with respect to operand %d is %v, want %v", c.Name, operand, got, want)
			}
		}
		if got := tangentAt(t, ir.Abs, dtype.C128, c, 0, []complex128{z}); cmplx.Abs(got-0.6) > 1e-15 {
			t.Errorf("%s: the tangent of Abs is %v, want 0.6", c.Name, got)
		}

		// The real part of (2+3i)x has the gradient 2-3i.
		ty := shape.Of(dtype.C128)
		g := expr.Graph(ops.Infer, []shape.Type{ty, shape.Of(dtype.F64)}, func(b expr.Builder, x []expr.Value) []expr.Value {
			y := b.Mul(x[0], b.Complex(b.Number(2, dtype.F64), b.Number(3, dtype.F64)))
			return []expr.Value{b.Mul(b.Real(y), x[1]), y}
		})
		d, err := autodiff.Gradient(g, []bool{true, true}, c)
		if err != nil {
			t.Fatal(err)
		}
		out, err := reference.Run(t.Context(), d, []array.Array{
			arrayOf(ty, func(int) complex128 { return 1 }), arrayOf(shape.Of(dtype.F64), func(int) complex128 { return 5 }),
		})
		if err != nil {
			t.Fatal(err)
		}
		want := []complex128{10, 2 + 3i, 10 - 15i, 2}
		if c == autodiff.JAX {
			want[2] = 10 + 15i
		}
		for i, w := range want {
			if got := opstest.Complexes(out[i])[0]; got != w {
				t.Errorf("%s: output %d is %v, want %v", c.Name, i, got, w)
			}
		}
	}
	if all := autodiff.AllConventions(); len(all) != 4 || all[0].Name != "jax" || all[1].Name != "torch" ||
		all[2].Name != "tensorflow" || all[3].Name != "anvil" {
		t.Errorf("%v", all)
	}
}

// TestZeroTangents checks that a tangent of 0 gives 0 at a pole, except for libraries that multiply in IEEE arithmetic.
func TestZeroTangents(t *testing.T) {
	ty := shape.Of(dtype.F64)
	g := expr.Graph(ops.Infer, []shape.Type{ty}, func(b expr.Builder, x []expr.Value) []expr.Value {
		return []expr.Value{b.Sqrt(x[0])}
	})
	for _, c := range autodiff.AllConventions() {
		jvp, err := autodiff.JVP(g, []bool{true}, c)
		if err != nil {
			t.Fatal(err)
		}
		zero := array.New(ty)
		out, err := reference.Run(t.Context(), jvp, []array.Array{zero, zero})
		if err != nil {
			t.Fatal(err)
		}
		if got := real(opstest.Complexes(out[1])[0]); math.IsNaN(got) != (c != autodiff.Anvil) || got == got && got != 0 {
			t.Errorf("%s: the tangent of the square root at 0 is %v", c.Name, got)
		}
	}
}
