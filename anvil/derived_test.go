package anvil_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// derived are the functions of derived.txt.
var derived = map[string]composition{
	"Union1D":     {func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor { return l.Union1D(x[0], x[1]) }, 0, 0},
	"Intersect1D": {binary((*nv.Lib).Intersect1D), 0, 0},
	"SetDiff1D":   {binary((*nv.Lib).SetDiff1D), 0, 0},
	"SetXor1D":    {binary((*nv.Lib).SetXor1D), 0, 0},

	"Gradient": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.Gradient(x[0], x[1], axesOf(args)...)
	}, 2, 1},
	"Unwrap":     {alongAxis((*nv.Lib).Unwrap), 2, 4},
	"NanCumsum":  {runningAlong((*nv.Lib).NanCumsum), 0, 0},
	"NanCumprod": {runningAlong((*nv.Lib).NanCumprod), 0, 0},
	"Kaiser": {func(l *nv.Lib, _ []nv.Tensor, args []string) nv.Tensor {
		return l.Kaiser(int(axisOf(args[0])), floats(args)[1])
	}, 1, 0},

	"BlockDiag": {listed((*nv.Lib).BlockDiag), 0, 0},
	"Toeplitz": {func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor {
		return l.Toeplitz(x[0], anys(x[1:])...)
	}, 0, 0},
	"CDist": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.CDist(x[0], x[1], floats(args)...)
	}, 4, 0},
	"CosineSimilarity": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.CosineSimilarity(x[0], x[1], axesOf(args)...)
	}, 4, 1},
	"PolyDer": {unary((*nv.Lib).PolyDer), 0, 0},
	"PolyInt": {unary((*nv.Lib).PolyInt), 1, 0},

	"LogSigmoid":  {unary((*nv.Lib).LogSigmoid), 3, 0},
	"Softsign":    {unary((*nv.Lib).Softsign), 2, 0},
	"Mish":        {unary((*nv.Lib).Mish), 8, 0},
	"HardSigmoid": {unary((*nv.Lib).HardSigmoid), 2, 0},
	"HardSilu":    {unary((*nv.Lib).HardSilu), 2, 0},
	"Glu":         {alongAxis((*nv.Lib).Glu), 4, 0},
	"Logit":       {unary((*nv.Lib).Logit), 4, 0},
	"BesselI0":    {unary((*nv.Lib).BesselI0), 8, 0},
	"BesselI1":    {unary((*nv.Lib).BesselI1), 8, 0},
}

func runningAlong(f func(l *nv.Lib, x any, opts ...nv.CumsumOption) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor { return f(l, x[0], axisOf(args[0])) }
}

// TestDerived compares functions with NumPy, SciPy and JAX, as TestCompositions does.
func TestDerived(t *testing.T) { checkCompositions(t, "testdata/derived.txt", derived, 3) }

func TestDerivedErrors(t *testing.T) {
	x, m := nv.New([]float32{1, 2}), nv.Ones(nv.Shape{2, 3})
	for want, f := range map[string]func(){
		"Cross(f32{2,3}, f32{1}): y has 1 element along axis -1, and a cross product needs 3; give vectors of 3 " +
			"elements": func() { nv.Cross(m, x.At(nv.Range(0, 1))) },
		"Cross(int 2, f32{2,3}): x has 1 element along axis -1, and a cross product needs 3; give vectors of 3 " +
			"elements": func() { nv.Cross(2, m) },
		"Gradient(f32{1}, int 1): axis 0 has length 1, and a slope needs at least 2 elements; give an axis of at " +
			"least 2 elements": func() { nv.Gradient(x.At(nv.Range(0, 1)), 1) },
		"Gradient(f32{2,3}, f32{2}): points of shape {2} do not match axis 1 of {2,3}; give a number, a vector of " +
			"that length, or a tensor of the shape of y": func() { nv.Gradient(m, x) },
		"Unwrap(c64{2}): the operand must be real, not c64; take nv.Real, nv.Imag or nv.Abs first": func() { nv.Unwrap(nv.Complex(x, x)) },
		"Kaiser(int 3): beta is float64 -1; give 0 to 700, such as 14":                             func() { nv.Kaiser(3, -1) },
		"Kaiser(int -3): the number of elements is negative; give 0 or more":                       func() { nv.Kaiser(-3, 1) },
		"Glu(f32{2,3}): axis 1 of length 3 cannot be halved; give an axis of even length":          func() { nv.Glu(m) },
		"CDist(f32{2}, f32{2,3}): shapes {2} and {2,3} do not have rows of equal length; give x and y the same " +
			"number of columns; x.ExpandDims(0) makes a vector a row": func() { nv.CDist(x, m) },
		"CDist(f32{2,3}, f32{2,3}): p is float64 -1; give a number that is not negative, or math.Inf(1)":        func() { nv.CDist(m, m, -1) },
		"BlockDiag(): no tensor is given; give at least one matrix":                                             func() { nv.BlockDiag() },
		"BlockDiag(f32{1,2,3}): a block has shape {1,2,3} and must be a matrix; nv.Reshape gives it two axes":   func() { nv.BlockDiag(m.ExpandDims(0)) },
		"Toeplitz(f32{2,3}, f32{2,3}): column has shape {2,3} and is not a vector; nv.Flatten makes one":        func() { nv.Toeplitz(m) },
		"PolyDer(f32{2,3}): p has shape {2,3} and is not a vector; nv.Flatten makes one":                        func() { nv.PolyDer(m) },
		"Intersect1D(c64{2}, f32{2}): the operand must be real, not c64; take nv.Real, nv.Imag or nv.Abs first": func() { nv.Intersect1D(nv.Complex(x, x), x) },
		"Intersect1D(f32{2}, f32{2}): an operand is traced, so the length of the result is not known; nv.IsIn(x, " +
			"y) returns a mask of one known shape": func() { nv.Jit(func(x nv.Tensor) nv.Tensor { return nv.Intersect1D(x, x) })(x) },
		"SetDiff1D(f32{2}, f32{2}): y is traced, so the length of the result is not known; nv.IsIn(x, y) returns a " +
			"mask of one known shape": func() { nv.Jit(func(y nv.Tensor) nv.Tensor { return nv.SetDiff1D(nv.Ones(nv.Shape{2}), y) })(x) },
		"Union1D(f32{2}, f32{2}): an operand is traced, so the length of the result is not known; give it with " +
			"nv.Size(n)": func() { nv.Jit(func(x nv.Tensor) nv.Tensor { return nv.Union1D(x, x) })(x) },
		"SetXor1D(f32{2}, f32{2}): an operand is traced, so the length of the result is not known; nv.IsIn(x, y) " +
			"returns a mask of one known shape": func() { nv.Jit(func(y nv.Tensor) nv.Tensor { return nv.SetXor1D(nv.Ones(nv.Shape{2}), y) })(x) },
	} {
		if got := errorOf(t, f); got != want {
			t.Errorf("%s; want %q", got, want)
		}
	}
}

// TestListsOfTensors checks that a []Tensor can be passed in place of several tensors.
func TestListsOfTensors(t *testing.T) {
	steps := []nv.Tensor{nv.New([]float32{1, 2}), nv.New([]float32{3, 4})}
	for name, got := range map[string]nv.Tensor{
		"Stack":       nv.Stack(nv.Axis(0), steps),
		"Concatenate": nv.Concatenate(nv.Axis(0), steps).Reshape(nv.Shape{2, 2}),
		"HStack":      nv.HStack(steps[0], steps[1:]).Reshape(nv.Shape{2, 2}),
		"VStack":      nv.VStack(steps),
		"ColumnStack": nv.ColumnStack(steps).T(),
		"DStack":      nv.DStack(steps).Reshape(nv.Shape{2, 2}).T(),
		"Einsum":      nv.Einsum("ij,jk->ik", []nv.Tensor{nv.Eye(2), nv.New([][]float32{{1, 2}, {3, 4}})}),
		"Union1D":     nv.Union1D(steps[0], steps[1], nv.Size(4)).Reshape(nv.Shape{2, 2}),
	} {
		if s := got.String(); s != "f32{2,2} [[1 2] [3 4]]" {
			t.Error(name, s)
		}
	}
	if got := errorOf(t, func() { nv.Stack(nv.Axis(0), []nv.Tensor{}) }); got !=
		"Stack(): no tensor is given; give at least one tensor" {
		t.Error(got)
	}
}
