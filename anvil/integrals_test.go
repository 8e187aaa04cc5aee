package anvil_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// integrals are the functions of integrals.txt.
var integrals = map[string]composition{
	"IGamma":  {binary((*nv.Lib).IGamma), 2, 0},
	"IGammac": {binary((*nv.Lib).IGammac), 2, 0},
	"BetaInc": {func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor { return l.BetaInc(x[0], x[1], x[2]) }, 2, 0},

	"IGammaF64":  {binary((*nv.Lib).IGamma), 1024, 0}, // SciPy's result of 1e-293 is 470 ulp off
	"IGammacF64": {binary((*nv.Lib).IGammac), 128, 0}, // SciPy's result of 0.2367 is 122 ulp off
	"BetaIncF64": {func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor { return l.BetaInc(x[0], x[1], x[2]) }, 64, 0},

	"DCT":  {cosine((*nv.Lib).DCT), 4, 16},
	"IDCT": {cosine((*nv.Lib).IDCT), 4, 16},
	"Repeat": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.Repeat(x[0], x[1], axesOf(args)...)
	}, 0, 0},
	"EinopsReduce": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.EinopsReduce(x[0], strings.Join(args[1:], " "), args[0], sizesOfQ(args[1:]))
	}, 0, 0},
	"Rearrange": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.Rearrange(x[0], strings.Join(args, " "), sizesOfQ(args))
	}, 0, 0},
	"CTCLoss": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.CTCLoss(x[0], x[1], nv.InputLengths(x[2]), nv.LabelLengths(x[3]), nv.Reduction(args[0]), nv.Blank(int(axisOf(args[1]))))
	}, 8, 1},
}

// sizesOfQ returns the sizes that give the axis q of a pattern the length 2.
func sizesOfQ(pattern []string) nv.Sizes {
	if strings.Contains(strings.Join(pattern, " "), "q") {
		return nv.Sizes{"q": 2}
	}
	return nil
}

func cosine(f func(l *nv.Lib, x any, opts ...nv.FFTOption) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		opts := []nv.FFTOption{axisOf(args[0]), nv.FFTNorm(args[1])}
		if len(args) > 2 {
			n, _ := strconv.Atoi(args[2])
			opts = append(opts, nv.FFTLength(n))
		}
		return f(l, x[0], opts...)
	}
}

// TestIntegrals compares functions with SciPy, NumPy and einops, as TestCompositions does.
func TestIntegrals(t *testing.T) { checkCompositions(t, "testdata/integrals.txt", integrals, 3) }

func TestIntegralErrors(t *testing.T) {
	x, m := nv.New([]float32{1, 2}), nv.Ones(nv.Shape{2, 3})
	c := nv.Complex(x, x)
	ls := nv.New([][]int32{{1, 2}})
	for want, f := range map[string]func(){
		"IGamma(c64{2}, f32{2}): the operand must be real, not c64; take nv.Real, nv.Imag or nv.Abs first": func() { nv.IGamma(c, x) },
		"BetaInc(f32{2}, int 1, f32{2,3}): shapes {2} and {2,3} do not broadcast; lengths must be equal or 1, " +
			"counted from the last axis; insert axes of length 1, as in b[:, nv.NewAxis]": func() { nv.BetaInc(x, 1, m) },
		"DCT(c64{2}): the operand must be real, not c64; take nv.Real, nv.Imag or nv.Abs first":                  func() { nv.DCT(c) },
		"DCT(f32{2,3}): axis 2 does not exist: the rank is 2; axes are 0 to 1, or -2 to -1":                      func() { nv.DCT(m, nv.Axis(2)) },
		"IDCT(f32{2}): the transform has 0 elements along axis 0; give a length of at least 1 with nv.FFTLength": func() { nv.IDCT(x, nv.FFTLength(0)) },
		"Repeat(f32{2,3}): 2 counts cannot repeat 3 elements along the axis; give one count for each element, or " +
			"one integer for all": func() { nv.Repeat(m, []int{1, 2}, nv.Axis(1)) },
		"Repeat(f32{2,3}): the count -1 is negative; give counts of 0 or more": func() { nv.Repeat(m, []int{1, -1}, nv.Axis(0)) },
		"Repeat(f32{2,3}): the counts are f32{2}; give an integer or a vector of integers: convert with " +
			"AsType(nv.I32), or flatten with nv.Reshape": func() { nv.Repeat(m, x) },
		"Repeat(f32{2,3}): the counts are string; give an int, or a slice or tensor of integers": func() { nv.Repeat(m, "a") },
		"Repeat(f32{2}): the counts are traced, so the length of the result is not known; give an int or a []int, " +
			"or call Repeat outside the traced function": func() {
			nv.Jit(func(n nv.Tensor) nv.Tensor { return nv.Repeat(x, n) })(nv.New([]int32{1, 2}))
		},
		"CTCLoss(f32{2,3}, i32{1,2}): logits of shape {2,3} do not match labels of shape {1,2}; logits have axes " +
			"(batch, steps, classes), labels (batch, labels); ExpandDims(0) makes a batch of one": func() { nv.CTCLoss(m, ls) },
		"CTCLoss(f32{1,2,3}, f32{2,3}): labels are f32 and must be integers; convert them with AsType(nv.I32)":            func() { nv.CTCLoss(m.ExpandDims(0), m) },
		"CTCLoss(f32{1,2,3}, i32{1,2}): the blank class 3 is out of range: there are 3 classes; count from 0 in nv.Blank": func() { nv.CTCLoss(m.ExpandDims(0), ls, nv.Blank(3)) },
		"CTCLoss(f32{1,2,3}, i32{1,2}): InputLengths are i32{2}; give one integer for each sequence: 1 in all":            func() { nv.CTCLoss(m.ExpandDims(0), ls, nv.InputLengths([]int{1, 2})) },
	} {
		if got := errorOf(t, f); got != want {
			t.Errorf("%s; want %q", got, want)
		}
	}
}

// TestRearrangeErrors checks that an axis missing on the right of a pattern is an error.
func TestRearrangeErrors(t *testing.T) {
	x := nv.Arange(24).Reshape(nv.Shape{4, 3, 2})
	if got := errorOf(t, func() { nv.Rearrange(x, "a b c -> a b") }); got !=
		"Rearrange(i32{4,3,2}): axis c is not on the right of the pattern; add it there, or reduce it "+
			"with nv.EinopsReduce" {
		t.Error(got)
	}
}

// TestRepeatCounts checks that a traced tensor can be repeated by Go numbers, which are known while tracing.
func TestRepeatCounts(t *testing.T) {
	f := nv.Jit(func(x nv.Tensor) nv.Tensor { return x.Repeat([]int{2, 0, 1}) })
	if s := f(nv.New([]int32{7, 8, 9})).String(); s != "i32{3} [7 7 9]" {
		t.Error(s)
	}
	if s := nv.Repeat(nv.New([]int32{7, 8}), nv.Scalar(2)).String(); s != "i32{4} [7 7 8 8]" {
		t.Error(s)
	}
}

// TestIntegralsOfSingleElements checks that an element does not depend on how many steps the other elements take.
func TestIntegralsOfSingleElements(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Compiled: true})
	defer c.Close()
	a, b, x := []float64{2.5, 40, 9, 3e6}, []float64{3.25, 8, 0.75, 45}, []float64{0.2, 0.7, 0.8, 0.99998}
	all := nv.Values[float64](c.BetaInc(c.From(a), c.From(b), c.From(x)))
	for i := range a {
		if alone := c.BetaInc(c.From(a[i:i+1]), c.From(b[i:i+1]), c.From(x[i:i+1])); alone.At(0).Float() != all[i] {
			t.Errorf("BetaInc(%v, %v, %v) = %v, among others %v", a[i], b[i], x[i], alone, all[i])
		}
	}
}

// TestLabelsOutOfRange checks that a label that is no class makes the loss of its sequence nan, as in CrossEntropyLoss,
// and that labels past the length of a sequence do not count.
func TestLabelsOutOfRange(t *testing.T) {
	t.Parallel()
	x := nv.Sin(nv.Reshape(nv.Arange(24), nv.Shape{2, 4, 3}).AsType(nv.F32))
	loss := func(labels [][]int) nv.Tensor {
		return nv.CTCLoss(x, nv.New(labels), nv.LabelLengths([]int{1, 2}), nv.Reduction("none"))
	}
	want := nv.Values[float64](loss([][]int{{1, 1}, {1, 2}}))
	for _, past := range []int{-1, -9, 0, 3} {
		if got := nv.Values[float64](loss([][]int{{1, past}, {1, 2}})); !slices.Equal(got, want) {
			t.Errorf("label %d past the length: %v, want %v", past, got, want)
		}
	}
	for _, label := range []int{-1, 3, 9} {
		got := nv.Values[float64](loss([][]int{{1, 1}, {1, label}}))
		if got[0] != want[0] || !math.IsNaN(got[1]) {
			t.Errorf("label %d: %v, want %v and nan", label, got, want[0])
		}
	}
}
