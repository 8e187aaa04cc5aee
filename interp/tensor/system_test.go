package tensor_test

import (
	"testing"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/interptest"
	"github.com/goanvil/notebook/interp/universe"
)

// TestSystemOfCell checks that the functions and methods of a cell promote by the system of the cell, in every way of
// writing them: in Torch, a sum of ints is wider than they are, and the default tells floats of Go from others.
func TestSystemOfCell(t *testing.T) {
	declare := `x := nv.New([]int8{1, 2})
type model struct{ x nv.Tensor }
m := &model{x}
p := &x
type derived struct{ nv.Tensor }
d := derived{x}
func sum(x nv.Tensor) nv.Tensor { return nv.Sum(x) }`
	const branches = "nv.Scalar(true), func() nv.Tensor { return nv.Scalar(1.5) }, func() nv.Tensor { return nv.Scalar(1.5, nv.F16) }"
	const list = "func() []nv.Tensor { return []nv.Tensor{x} }"
	rows := []struct{ code, anvil, torch string }{
		{"nv.Sum(x).DType()", "i8", "i64"},
		{"x.Sum().DType()", "i8", "i64"},
		{"(x.Sum)().DType()", "i8", "i64"},
		{"p.Sum().DType()", "i8", "i64"},
		{"m.x.Sum().DType()", "i8", "i64"},
		{"x.Sum(nv.Axis(0)).DType()", "i8", "i64"},
		{"f := nv.Sum\nf(x).DType()", "i8", "i64"},
		{"sum(x).DType()", "i8", "i8"}, // of the cell that declares it
		{"func sum1(x nv.Tensor) nv.Tensor { return nv.Sum(x) }\nsum1(x).DType()", "i8", "i64"},
		{"func(x nv.Tensor) nv.Tensor { return x.Sum() }(x).DType()", "i8", "i64"},
		{"nv.Jit(nv.Sum)(x).DType()", "i8", "i64"},
		{"nv.Jit(func(x nv.Tensor) nv.Tensor { return x.Sum() })(x).DType()", "i8", "i64"},
		{"d.Sum().DType()", "i8", "i8"},
		{"nv.With(promote.NumPy).Sum(x).DType()", "i64", "i64"},
		{"x.At(0).DType()", "i8", "i8"},
		{"x[1].Sum().DType()", "i8", "i64"},
		{"[]nv.Tensor{x}[0].Sum().DType()", "i8", "i64"},
		{"nv.If(" + branches + ").DType()", "f16", "f32"},
		{"nv.If[nv.Tensor](" + branches + ").DType()", "f16", "f32"},
		{"nv.If[[]nv.Tensor](nv.Scalar(true), " + list + ", " + list + ")[0].Sum().DType()", "i8", "i64"},
		{"x += 1\nx.DType()", "i8", "i8"},
	}
	results := func(system string) (got []string) {
		nb := interptest.New(t, interp.Options{})
		nb.MustRun(t, 1, "import \"anvil/promote\"\n"+declare)
		if system != "" {
			nb.Under(universe.Module+"/anvil/promote", system)
		}
		for i, row := range rows {
			got = append(got, nb.MustRun(t, i+2, row.code))
		}
		return got
	}
	anvil, torch := results(""), results("Torch")
	for i, row := range rows {
		if anvil[i] != row.anvil || torch[i] != row.torch {
			t.Errorf("%s\ngives %s, and under Torch %s; want %s and %s", row.code, anvil[i], torch[i], row.anvil, row.torch)
		}
	}
}
