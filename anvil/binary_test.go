package anvil_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// TestInto checks that an operand in which a result is stored keeps its dtype,
// shape and flag, and that each system allows what its framework allows. An error
// leaves the destination unchanged; other holders of it are unaffected.
func TestInto(t *testing.T) {
	torch, numpy := nv.With(promote.Torch), nv.With(promote.NumPy)
	i := nv.New([]int32{1, 2})
	other := i
	want(t, torch.AddInto(&i, 5), "i32{2} [6 7]")
	want(t, i, "i32{2} [6 7]")
	want(t, other, "i32{2} [1 2]")
	f := nv.New([]float32{1})
	want(t, torch.AddInto(&f, nv.New([]float64{0.5}, nv.F64)), "f32{1} [1.5]")
	if why := nv.Why(f); why.Op != "AddInto" || why.Steps[len(why.Steps)-1].Rule.Name != "stored" || why.Steps[len(why.Steps)-1].Result != f.Typed() {
		t.Error(why)
	}
	want(t, torch.LtInto(&f, nv.New([]float64{2}, nv.F64)), "f32{1} [1]")
	inside := nv.Jit(func(x nv.Tensor) nv.Tensor { torch.AddInto(&x, 5); return x })
	want(t, inside(nv.New([]int32{1})), "i32{1} [6]")
	for _, c := range []struct {
		f    func()
		want string
	}{
		{func() { torch.AddInto(&i, 5.5) }, "AddInto(i32{2}, float64 5.5): RuntimeError: result type Float can't be cast to the desired output type Int"},
		{func() { torch.DivInto(&i, 5) }, "DivInto(i32{2}, int 5): RuntimeError: result type Float can't be cast " +
			"to the desired output type Int"},
		{func() { torch.Add(1.5, i, nv.Out(&i)) }, "Add(float64 1.5, i32{2}): RuntimeError: result type Float " +
			"can't be cast to the desired output type Int"},
		{func() { torch.AddInto(&i, nv.Ones(nv.Shape{2, 2}, nv.I32)) },
			"AddInto(i32{2}, i32{2,2}): output with shape {2} doesn't match the broadcast shape {2,2}; " +
				"give an output with the shape of the result"},
		{func() { numpy.AddInto(&i, 5.5) }, "AddInto(i32{2}, float64 5.5): UFuncTypeError: Cannot cast ufunc 'add' " +
			"output from dtype('float64') to dtype('int32') with casting rule 'same_kind'"},
		{func() { nv.AddInto(&i, 5.5) }, "AddInto(i32{2}, float64 5.5): the result is f32, which anvil does not " +
			"convert to i32; convert an operand or the result with AsType"},
		{func() { nv.AddInto(nil, 5.5) }, "AddInto(nil): the destination is nil; nv.AddInto(&x, y)"},
		{func() { torch.Mul(i, i, nv.Alpha(2)) }, "Mul(i32{2}, i32{2}): nv.Alpha is not an option of Mul; it takes nv.Out"},
		{func() { torch.Add(i, i, nv.RoundingMode("floor")) },
			"Add(i32{2}, i32{2}): nv.RoundingMode is not an option of Add; it takes nv.Alpha and nv.Out"},
		{func() { torch.Div(i, i, nv.RoundingMode("up")) },
			`Div(i32{2}, i32{2}): unknown rounding mode up; nv.RoundingMode("floor") or ` +
				`nv.RoundingMode("trunc")`},
		{func() { torch.Add(i, i, nv.Alpha(1.5)) }, "Add(i32{2}, i32{2}): For integral input tensors, argument " +
			"alpha must not be a floating point number; convert an operand with AsType, or multiply first"},
		{func() { torch.Add(i, i, nv.Alpha(true)) }, "Add(i32{2}, i32{2}): Boolean alpha only supported for " +
			"Boolean results; nv.Alpha(1)"},
		{func() { torch.Add(f, f, nv.Alpha(1i)) }, "Add(f32{1}, f32{1}): For non-complex input tensors, argument " +
			"alpha must not be a complex number; convert an operand with AsType"},
	} {
		if err := nv.Try(c.f); err == nil || err.Error() != c.want {
			t.Errorf("%v; want %q", err, c.want)
		}
	}
	want(t, i, "i32{2} [6 7]")
}

func TestOut(t *testing.T) {
	torch := nv.With(promote.Torch)
	i, out := nv.New([]int32{1}), nv.Zeros(nv.Shape{1}, nv.F64)
	var undefined nv.Tensor
	want(t, torch.Add(i, i, nv.Out(&out)), "f64{1} [2]")
	want(t, out, "f64{1} [2]")
	torch.Add(i, 5.5, nv.Out(&undefined))
	want(t, undefined, "f32{1} [6.5]")
	amb := nv.Scalar(1.0)
	nv.AddInto(&amb, 1)
	want(t, amb, "f32?{} [2]")
	nv.AddInto(&amb, nv.Scalar(0.5, nv.F32))
	want(t, amb, "f32?{} [2.5]")
	known := nv.Scalar(0.0, nv.F32)
	nv.Add(amb, 1.5, nv.Out(&known))
	want(t, known, "f32{} [4]")
}

func TestAlphaAndRounding(t *testing.T) {
	torch := nv.With(promote.Torch)
	i, f := nv.New([]int32{-7, 7}), nv.New([]float32{-7, 7})
	want(t, torch.Add(i, 2, nv.Alpha(3)), "i32{2} [-1 13]")
	want(t, torch.Sub(f, i, nv.Alpha(0.5)), "f32{2} [-3.5 3.5]")
	want(t, torch.Div(i, 5), "f32{2} [-1.4 1.4]")
	want(t, torch.Div(i, 5, nv.RoundingMode("floor")), "i32{2} [-2 1]")
	want(t, torch.Div(i, 5, nv.RoundingMode("trunc")), "i32{2} [-1 1]")
	want(t, torch.Div(f, 5, nv.RoundingMode("floor")), "f32{2} [-2 1]")
	want(t, torch.Div(f, 5, nv.RoundingMode("trunc")), "f32{2} [-1 1]")
	want(t, nv.Div(f, 5, nv.RoundingMode("floor")), "f32{2} [-2 1]")
}

// TestLiteralsFollowTheSystem checks that the dtype of a literal follows from the
// system that uses it, not from the one under which it was made.
func TestLiteralsFollowTheSystem(t *testing.T) {
	torch := nv.With(promote.Torch)
	five := nv.Lit(5)
	want(t, torch.Add(nv.Ones(nv.Shape{1}, nv.I1), five), "i64{1} [6]")
	want(t, nv.Add(nv.Ones(nv.Shape{1}, nv.I1), five), "i32?{1} [6]")
	want(t, torch.Add(nv.Ones(nv.Shape{1}, nv.I8), torch.Lit(5)), "i8{1} [6]")
}

// TestJitOfAnOperation checks that Jit takes a function with options, such as Add.
func TestJitOfAnOperation(t *testing.T) {
	add := nv.Jit(nv.Add)
	want(t, add(nv.New([]int32{1}), nv.New([]float32{1})), "f32{1} [2]")
}

// halves are the expressions of testdata/torch_halves.txt.
var halves = map[string]func(torch *nv.Lib, h nv.Tensor) nv.Tensor{
	"h * 0.1":                    func(l *nv.Lib, h nv.Tensor) nv.Tensor { return l.Mul(h, 0.1) },
	"0.1 * h":                    func(l *nv.Lib, h nv.Tensor) nv.Tensor { return l.Mul(0.1, h) },
	"h / 0.1":                    func(l *nv.Lib, h nv.Tensor) nv.Tensor { return l.Div(h, 0.1) },
	"0.1 / h":                    func(l *nv.Lib, h nv.Tensor) nv.Tensor { return l.Div(0.1, h) },
	"h + 0.1":                    func(l *nv.Lib, h nv.Tensor) nv.Tensor { return l.Add(h, 0.1) },
	"h - 0.1":                    func(l *nv.Lib, h nv.Tensor) nv.Tensor { return l.Sub(h, 0.1) },
	"h * zero(0.1)":              func(l *nv.Lib, h nv.Tensor) nv.Tensor { return l.Mul(h, nv.Scalar(0.1, nv.F64)) },
	"h / zero(0.1)":              func(l *nv.Lib, h nv.Tensor) nv.Tensor { return l.Div(h, nv.Scalar(0.1, nv.F64)) },
	"h * full(0.1)":              func(l *nv.Lib, h nv.Tensor) nv.Tensor { return l.Mul(h, nv.Full(nv.Shape{4}, 0.1, h.DType())) },
	"h * full64(2049)":           func(l *nv.Lib, h nv.Tensor) nv.Tensor { return l.Mul(h, nv.Full(nv.Shape{4}, 2049, nv.I64)) },
	"h * one64(2049)":            func(l *nv.Lib, h nv.Tensor) nv.Tensor { return l.Mul(h, nv.Full(nv.Shape{1}, 2049, nv.I64)) },
	"torch.add(h, h, alpha=0.1)": func(l *nv.Lib, h nv.Tensor) nv.Tensor { return l.Add(h, h, nv.Alpha(0.1)) },
	"torch.div(h, 0.1, rounding_mode='floor')": func(l *nv.Lib, h nv.Tensor) nv.Tensor {
		return l.Div(h, 0.1, nv.RoundingMode("floor"))
	},
}

// TestHalvesOfTorch compares results of half floats and numbers with the bits of
// PyTorch, which multiplies and divides by the exact number, but rounds a number
// to the dtype before it adds it.
func TestHalvesOfTorch(t *testing.T) {
	data, err := os.ReadFile("testdata/torch_halves.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(data)) {
		part := strings.Split(strings.TrimSpace(line), ": ")
		if len(part) != 3 {
			continue
		}
		rows++
		f := halves[part[1]]
		if f == nil {
			t.Fatal(line)
		}
		h := nv.New([]float64{1.3, 2.7, -0.3, 5.9}, dtype.MustParse(part[0]))
		bits := nv.Values[uint16](nv.BitcastConvert(f(nv.With(promote.Torch), h), nv.U16))
		if got := strings.Trim(fmt.Sprintf("%04x", bits), "[]"); got != part[2] {
			t.Errorf("%s: %s: %s, want %s", part[0], part[1], got, part[2])
		}
	}
	if rows != 2*len(halves) {
		t.Error(rows, "rows")
	}
}
