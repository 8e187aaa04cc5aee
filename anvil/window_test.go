package anvil_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
)

// windowed are the functions of windows.txt, whose words are options.
var windowed = map[string]composition{
	"Conv1D": {convolved((*nv.Lib).Conv1D), 0, 0}, "Conv2D": {convolved((*nv.Lib).Conv2D), 0, 0}, "Conv3D": {convolved((*nv.Lib).Conv3D), 0, 0},
	"ConvTranspose1D": {convolved((*nv.Lib).ConvTranspose1D), 0, 0},
	"ConvTranspose2D": {convolved((*nv.Lib).ConvTranspose2D), 0, 0},
	"ConvTranspose3D": {convolved((*nv.Lib).ConvTranspose3D), 0, 0},
	"MaxPool":         {pooled((*nv.Lib).MaxPool), 0, 0}, "MinPool": {pooled((*nv.Lib).MinPool), 0, 0},
	"SumPool": {pooled((*nv.Lib).SumPool), 0, 0}, "AvgPool": {pooled((*nv.Lib).AvgPool), 0.5, 0},
	"ReduceWindow": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return pooled(func(l *nv.Lib, x any, window nv.Shape, opts ...nv.PoolOption) nv.Tensor {
			return l.ReduceWindow(x, window, strings.TrimPrefix(args[0], "how="), opts...)
		})(l, x, args[1:])
	}, 0, 0},
}

func convolved(f func(l *nv.Lib, x, w any, opts ...nv.ConvOption) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, words []string) nv.Tensor {
		shared, own, _ := windowOptions(words)
		for _, o := range shared {
			own = append(own, o)
		}
		return f(l, x[0], x[1], own...)
	}
}

func pooled(f func(l *nv.Lib, x any, window nv.Shape, opts ...nv.PoolOption) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, words []string) nv.Tensor {
		shared, _, window := windowOptions(words)
		var opts []nv.PoolOption
		for _, o := range shared {
			opts = append(opts, o)
		}
		if slices.Contains(words, "counted") {
			opts = append(opts, nv.CountPadding)
		}
		return f(l, x[0], window, opts...)
	}
}

// windowOptions returns the options and the window that words describe.
func windowOptions(words []string) (shared []nv.WindowOption, own []nv.ConvOption, window nv.Shape) {
	lists := map[string][]int{}
	for _, word := range words {
		name, list, _ := strings.Cut(word, "=")
		for _, f := range floats(strings.FieldsFunc(list, func(r rune) bool { return r == ',' })) {
			lists[name] = append(lists[name], int(f))
		}
		switch n := lists[name]; name {
		case "stride":
			shared = append(shared, nv.Stride(n...))
		case "dilation":
			shared = append(shared, nv.Dilation(n...))
		case "padding":
			shared = append(shared, nv.Padding(n...))
		case "high":
			shared = append(shared, nv.PaddingLowHigh(lists["low"], n))
		case "same":
			shared = append(shared, nv.Same)
		case "valid":
			shared = append(shared, nv.Valid)
		case "first":
			shared = append(shared, nv.ChannelsFirst)
		case "under":
			own = append(own, nv.InputDilation(n...))
		case "behind":
			own = append(own, nv.OutputPadding(n...))
		case "groups":
			own = append(own, nv.Groups(n[0]))
		case "batchgroups":
			own = append(own, nv.BatchGroups(n[0]))
		case "window":
			window = n
		case "low", "counted":
		default:
			panic("no option " + name)
		}
	}
	return shared, own, window
}

// TestWindows compares with the results of JAX, under both executors.
func TestWindows(t *testing.T) { agreeWithFile(t, "testdata/windows.txt", windowed) }

// agreeWithFile compares functions with the rows of a file, under both executors. Each
// function must have rows, and each row a function.
func agreeWithFile(t *testing.T, file string, functions map[string]composition) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{}
	for line := range strings.Lines(string(data)) {
		if name, _, _ := strings.Cut(line, " "); name != "#" {
			rows[name] = append(rows[name], strings.TrimSpace(line))
		}
	}
	if got, want := slices.Sorted(maps.Keys(rows)), slices.Sorted(maps.Keys(functions)); !slices.Equal(got, want) {
		t.Fatalf("%s has rows of %v, and there are the functions %v", file, got, want)
	}
	for _, executor := range []string{"reference", ""} {
		c := nv.NewContext(nv.ContextOptions{Backend: executor})
		for name, f := range functions {
			t.Run(executor+name, func(t *testing.T) { f.agrees(t, c, rows[name]) })
		}
	}
}

// TestHalfConvolutionsAddUpInF32: convolutions and pooling of bf16 and f16 count correctly up
// to numbers that counting in these dtypes does not reach.
func TestHalfConvolutionsAddUpInF32(t *testing.T) {
	for _, executor := range []string{"reference", ""} {
		c := nv.NewContext(nv.ContextOptions{Backend: executor})
		for _, d := range []nv.DType{nv.BF16, nv.F16} {
			x, w := c.Ones(nv.Shape{1, 4, 4, 256}, d), c.Ones(nv.Shape{4, 4, 256, 1}, d)
			if got := c.Conv2D(x, w).Sum().Float(); got != 4096 {
				t.Errorf("%s %v: a convolution of 4096 ones is %v", executor, d, got)
			}
			ones := c.Ones(nv.Shape{64, 64, 1}, d)
			if got := c.SumPool(ones, nv.Shape{64, 64}).Sum().Float(); got != 4096 {
				t.Errorf("%s %v: 4096 ones under a window add up to %v", executor, d, got)
			}
			if got := c.AvgPool(ones, nv.Shape{64, 64}).Sum().Float(); got != 1 {
				t.Errorf("%s %v: 4096 ones under a window are %v on average", executor, d, got)
			}
		}
	}
}

// TestWindowDTypes: dtype and flag follow the system's rule; under PyTorch, convolutions do
// not promote.
func TestWindowDTypes(t *testing.T) {
	i, f := nv.Ones(nv.Shape{1, 2, 1}, nv.I32), nv.Ones(nv.Shape{2, 1, 1})
	want(t, nv.Conv1D(i, f), "f32{1,1,1} [2]")
	want(t, nv.Conv1D(i, i.Reshape(nv.Shape{2, 1, 1})), "i32{1,1,1} [2]")
	want(t, nv.With(promote.NumPy).Conv1D(i, f), "f64{1,1,1} [2]")
	want(t, nv.With(promote.JAX).Conv1D(i, f), "f32{1,1,1} [2]")
	want(t, nv.Conv1D(i, nv.Ones(nv.Shape{2, 1, 1}, nv.I8), nv.Accumulate(nv.I64)), "i64{1,1,1} [2]")
	want(t, nv.AvgPool(i, nv.Shape{2}), "f32?{1,1,1} [1]")
	want(t, nv.MaxPool(i, nv.Shape{2}), "i32{1,1,1} [1]")
	want(t, nv.With(promote.NumPy).SumPool(nv.Ones(nv.Shape{1, 2, 1}, nv.I8), nv.Shape{2}), "i64{1,1,1} [2]")
	if got := errorOf(t, func() { nv.With(promote.Torch).Conv1D(i, f) }); got !=
		"Conv1D(i32{1,2,1}, f32{2,1,1}): under torch input and weights must have one dtype, not i32 "+
			"and f32; convert one with AsType" {
		t.Error(got)
	}
}

func TestWindowErrors(t *testing.T) {
	image, kernel := nv.Ones(nv.Shape{1, 5, 5, 3}), nv.Ones(nv.Shape{2, 2, 3, 4})
	for _, c := range []struct {
		f    func()
		want string
	}{
		{func() { nv.Conv2D(image, nv.Ones(nv.Shape{2, 2, 5, 4})) }, "Conv2D(f32{1,5,5,3}, f32{2,2,5,4}): x has 3 channels on axis 3, but w needs 5 (its axis 2); the channels of x are its last axis, or with the option ChannelsFirst the axis after the batch"},
		{func() { nv.Conv2D(image, kernel, nv.ChannelsFirst) },
			"Conv2D(f32{1,5,5,3}, f32{2,2,3,4}): x has 5 channels on axis 1, but w needs 2 (its axis 1); " +
				"the channels of x are its last axis, or with the option ChannelsFirst the axis after the batch"},
		{func() { nv.Conv2D(nv.Ones(nv.Shape{5}), kernel) },
			"Conv2D(f32{5}, f32{2,2,3,4}): x has rank 1 and must have at least rank 3; give x the axes " +
				"(batch, spatial..., channels); with the option ChannelsFirst they are (batch, channels, spatial...)"},
		{func() { nv.Conv2D(image, nv.Ones(nv.Shape{2, 3, 4})) },
			"Conv2D(f32{1,5,5,3}, f32{2,3,4}): w has rank 3 and must have rank 4; give w the axes " +
				"(window..., input channels, output channels)"},
		{func() { nv.Conv1D(2.0, kernel) }, "Conv1D(float64 2, f32{2,2,3,4}): w has rank 4 and must have rank 3; " +
			"give w the axes (window..., input channels, output channels)"},
		{func() { nv.Conv2D(image, kernel, nv.Groups(2)) },
			"Conv2D(f32{1,5,5,3}, f32{2,2,3,4}): x has 3 channels on axis 3, but w needs 2 groups of 3 " +
				"(its axis 2); the channels of x are its last axis, or with the option ChannelsFirst the axis " +
				"after the batch"},
		{func() { nv.Conv2D(image, nv.Ones(nv.Shape{2, 2, 1, 4}), nv.Groups(3)) },
			"Conv2D(f32{1,5,5,3}, f32{2,2,1,4}): axis 3 of w has 4 output channels, which cannot be split " +
				"into 3 groups; give a multiple of 3"},
		{func() { nv.Conv2D(image, kernel, nv.Groups(0)) },
			"Conv2D(f32{1,5,5,3}, f32{2,2,3,4}): nv.Groups is 0 and nv.BatchGroups is 1; neither may be " +
				"less than 1, and only one may be greater than 1"},
		{func() { nv.Conv2D(image, kernel, nv.BatchGroups(0)) },
			"Conv2D(f32{1,5,5,3}, f32{2,2,3,4}): nv.Groups is 1 and nv.BatchGroups is 0; neither may be " +
				"less than 1, and only one may be greater than 1"},
		{func() { nv.Conv2D(image, kernel, nv.BatchGroups(2)) },
			"Conv2D(f32{1,5,5,3}, f32{2,2,3,4}): a batch of 1 cannot be split into 2 groups; give a " +
				"multiple of 2"},
		{func() { nv.Conv2D(image, kernel, nv.Stride(0)) },
			"Conv2D(f32{1,5,5,3}, f32{2,2,3,4}): the stride is 0; give at least 1"},
		{func() { nv.Conv2D(image, kernel, nv.Stride(1, 2, 3)) },
			"Conv2D(f32{1,5,5,3}, f32{2,2,3,4}): the stride has 3 numbers for 2 spatial axes; give one " +
				"number per axis, or one for all"},
		{func() { nv.Conv2D(image, kernel, nv.Padding(-4)) },
			"Conv2D(f32{1,5,5,3}, f32{2,2,3,4}): axis 0 of length 5 has length -3 with dilation and " +
				"padding, and the window has length 2 with dilation; no length may exceed 2147483647, and " +
				"negative padding must not remove more elements than there are"},
		{func() { nv.Conv2D(image, kernel, nv.Padding(1<<40)) },
			"Conv2D(f32{1,5,5,3}, f32{2,2,3,4}): the low padding is 1099511627776 along axis 0; sizes, " +
				"strides and dilations must be at least 1, and no number may exceed 2147483647 in magnitude"},
		{func() { nv.Conv2D(image, nv.Ones(nv.Shape{0, 2, 3, 4})) },
			"Conv2D(f32{1,5,5,3}, f32{0,2,3,4}): w has length 0 along spatial axis 0; give w at least " +
				"length 1 there"},
		{func() { nv.Conv2D(image, kernel, nv.OutputPadding(1)) },
			"Conv2D(f32{1,5,5,3}, f32{2,2,3,4}): nv.OutputPadding is not an option of Conv2D; it takes " +
				"nv.Stride, nv.Dilation, nv.Padding, nv.PaddingLowHigh, nv.Same, nv.Valid, nv.InputDilation, " +
				"nv.ChannelsFirst, nv.Groups, nv.BatchGroups, nv.Accumulate and nv.Precision"},
		{func() { nv.Conv2D(image, kernel, nv.Accumulate(nv.I32)) },
			"Conv2D(f32{1,5,5,3}, f32{2,2,3,4}): products of f32 cannot be summed in i32; convert the " +
				"operands with AsType first"},
		{func() { nv.ConvTranspose2D(image, kernel) },
			"ConvTranspose2D(f32{1,5,5,3}, f32{2,2,3,4}): x has 3 channels on axis 3, but w needs 4 (its " +
				"axis 3); the channels of x are its last axis, or with the option ChannelsFirst the axis after " +
				"the batch"},
		{func() { nv.ConvTranspose2D(image, nv.Ones(nv.Shape{2, 2, 4, 3}), nv.InputDilation(2)) },
			"ConvTranspose2D(f32{1,5,5,3}, f32{2,2,4,3}): nv.InputDilation is not an option of " +
				"ConvTranspose2D; it takes nv.Stride, nv.Dilation, nv.Padding, nv.PaddingLowHigh, nv.Same, " +
				"nv.Valid, nv.OutputPadding, nv.ChannelsFirst, nv.Groups, nv.Accumulate and nv.Precision"},
		{func() { nv.MaxPool(image, nv.Shape{2, 2, 2, 2}) },
			"MaxPool(f32{1,5,5,3}): a window of 4 axes needs x of rank 5 or more, not 4; give x axes " +
				"(batch..., spatial..., channels); with the option ChannelsFirst (batch..., channels, " +
				"spatial...)"},
		{func() { nv.AvgPool(image, nv.Shape{0, 2}) }, "AvgPool(f32{1,5,5,3}): the window is 0; give at least 1"},
		{func() { nv.ReduceWindow(image, nv.Shape{2}, "sum") },
			"ReduceWindow(f32{1,5,5,3}): the window {2} has 1 length, and x has 4 axes; give one length " +
				"per axis, 1 for no pooling"},
		{func() { nv.ReduceWindow(image, nv.Shape{1, 2, 2, 1}, "median") },
			`ReduceWindow(f32{1,5,5,3}): unknown reduction "median"; give sum, mean, max, min or prod`},
	} {
		if got := errorOf(t, c.f); got != c.want {
			t.Errorf("%s; want %q", got, c.want)
		}
	}
}

// TestWindowsOfNothing: x is empty, or the window does not fit.
func TestWindowsOfNothing(t *testing.T) {
	kernel := nv.Ones(nv.Shape{2, 3, 4})
	want(t, nv.Conv1D(nv.Ones(nv.Shape{0, 5, 3}), kernel), "f32{0,4,4} []")
	want(t, nv.Conv1D(nv.Ones(nv.Shape{1, 1, 3}), kernel), "f32{1,0,4} []")
	want(t, nv.Conv1D(nv.Ones(nv.Shape{1, 2, 0}), nv.Ones(nv.Shape{2, 0, 1})), "f32{1,1,1} [0]")
	want(t, nv.MaxPool(nv.Ones(nv.Shape{1, 0, 2}), nv.Shape{2}), "f32{1,0,2} []")
	want(t, nv.AvgPool(nv.Ones(nv.Shape{1, 2}), nv.Shape{1}, nv.Padding(1)), "f32{3,2} [NaN NaN 1 1 NaN NaN]")
}

// TestLastPadding checks that the last option of padding is used.
func TestLastPadding(t *testing.T) {
	x, w := nv.Ones(nv.Shape{1, 3, 1}), nv.Ones(nv.Shape{2, 1, 1})
	want(t, nv.Conv1D(x, w, nv.Padding(1), nv.Valid), "f32{1,2,1} [2 2]")
	want(t, nv.Conv1D(x, w, nv.Valid, nv.Padding(1)), "f32{1,4,1} [1 2 2 1]")
	want(t, nv.MaxPool(x, nv.Shape{2}, nv.Stride(1), nv.Padding(1), nv.Valid), "f32{1,2,1} [1 1]")
}

// TestConvolutionsUnderJit: a traced convolution has the result of an eager one.
func TestConvolutionsUnderJit(t *testing.T) {
	f := func(x, w nv.Tensor) nv.Tensor { return nv.MaxPool(nv.Conv2D(x, w, nv.Same), nv.Shape{2, 2}) }
	x, w := nv.Arange(32.0).Reshape(nv.Shape{4, 4, 2}), nv.Arange(-4.0, 4.0).Reshape(nv.Shape{2, 2, 2, 1})
	if eager, traced := f(x, w), nv.Jit(f)(x, w); !nv.ArrayEqual(eager, traced).Bool() {
		t.Errorf("eager %v, traced %v", eager, traced)
	}
}

// TestAveragesWithPadding checks the counts of windows of length 1 that lie in the padding, or that padding moves.
func TestAveragesWithPadding(t *testing.T) {
	x := nv.New([]float32{2, 4, 6})
	want(t, nv.AvgPool(x.Reshape(nv.Shape{1, 3, 1}), nv.Shape{1}, nv.Stride(2), nv.Padding(1)).Flatten(), "f32{3} [NaN 4 NaN]")
	want(t, nv.ReduceWindow(x, nv.Shape{1}, "mean", nv.PaddingLowHigh(nv.Shape{-1}, nv.Shape{1})), "f32{3} [4 6 NaN]")
}
