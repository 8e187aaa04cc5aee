package anvil_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
)

// networks are the functions of networks.txt. Where terms of a sum cancel, the error of
// the sum may be as large as one unit in the last place of its terms.
var networks = map[string]composition{
	"Standardize": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		opts := normOptions(args[:1])
		for _, axis := range axesOf(args[1:]) {
			opts = append(opts, axis)
		}
		return l.Standardize(x[0], opts...)
	}, 3, 2},
	"LayerNorm": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.LayerNorm(x[0], x[1], x[2], normOptions(args)...)
	}, 3, 4},
	"RMSNorm": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.RMSNorm(x[0], x[1], normOptions(args)...)
	}, 3, 1},
	"BatchNorm": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.BatchNorm(x[0], x[1], x[2], x[3], x[4], normOptions(args)...)
	}, 3, 4},
	"BatchNormTraining": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		y, mean, variance := l.BatchNormTraining(x[0], x[1], x[2], normOptions(args[:1])...)
		return []nv.Tensor{y, mean, variance}[axisOf(args[1])]
	}, 3, 4},
	"GroupNorm": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.GroupNorm(x[0], x[1], x[2], int(axisOf(args[1])), normOptions(append(args[:1:1], args[2:]...))...)
	}, 3, 4},
	"Attention": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		var opts []nv.AttentionOption
		for i, word := range args {
			switch word {
			case "causal":
				opts = append(opts, nv.Causal)
			case "scale":
				opts = append(opts, nv.AttentionScale(floats(args[i+1:])[0]))
			case "mask":
				opts = append(opts, nv.AttentionMask(x[3]))
			}
		}
		return l.Attention(x[0], x[1], x[2], opts...)
	}, 8, 4},
	"MSELoss": {lossOf((*nv.Lib).MSELoss, nil), 2, 0}, "MAELoss": {lossOf((*nv.Lib).MAELoss, nil), 2, 0}, "HuberLoss": {lossOf((*nv.Lib).HuberLoss, nv.Delta), 2, 0},
	"BinaryCrossEntropyLoss": {lossOf((*nv.Lib).BinaryCrossEntropyLoss, nil), 3, 1},
	"CrossEntropyLoss":       {lossOf((*nv.Lib).CrossEntropyLoss, nv.LabelSmoothing), 3, 1},
	"ClassWeights": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.CrossEntropyLoss(x[0], x[1], nv.Reduction(args[0]), nv.LabelSmoothing(floats(args[1:])[0]), nv.ClassWeights(x[2]))
	}, 3, 1},
	"MaxPool":          {ceiled((*nv.Lib).MaxPool), 0, 0},
	"AvgPool":          {ceiled((*nv.Lib).AvgPool), 2, 1},
	"KLDivergenceLoss": {lossOf((*nv.Lib).KLDivergenceLoss, nil), 3, 4},
	"PolyVal":          {binary((*nv.Lib).PolyVal), 1, 64},
}

func normOptions(args []string) []nv.NormOption {
	opts := []nv.NormOption{nv.Epsilon(floats(args[:1])[0])}
	if len(args) > 1 {
		opts = append(opts, nv.ChannelsFirst)
	}
	return opts
}

// lossOf calls a loss with the reduction that the first word names. A second word is
// the number for option.
func lossOf(f func(l *nv.Lib, x, target any, opts ...nv.LossOption) nv.Tensor, option func(float64) nv.LossOption) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		opts := []nv.LossOption{nv.Reduction(args[0])}
		for _, v := range floats(args[1:]) {
			opts = append(opts, option(v))
		}
		return f(l, x[0], x[1], opts...)
	}
}

// ceiled calls a pooling with CeilMode and the given window, stride and padding.
func ceiled(f func(l *nv.Lib, x any, window nv.Shape, opts ...nv.PoolOption) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		n := lengthsOf(args)
		return f(l, x[0], nv.Shape{n[0], n[0]}, nv.Stride(n[1]), nv.Padding(n[2]), nv.CeilMode)
	}
}

// TestNetworks compares with the results of PyTorch and NumPy, under both executors.
func TestNetworks(t *testing.T) { agreeWithFile(t, "testdata/networks.txt", networks) }

// TestNetworkDTypes: parameters may be nil, the result has the dtype and flag of the
// operands, and a traced call has the result of an eager one.
func TestNetworkDTypes(t *testing.T) {
	x, i := nv.New([]float32{1, 3}), nv.New([]int32{1, 3})
	exact := nv.Epsilon(0)
	want(t, nv.LayerNorm(x, nil, nil, exact), "f32{2} [-1 1]")
	want(t, nv.LayerNorm(x, nil, nv.New([]float32{1, 2}), exact), "f32{2} [0 3]")
	want(t, nv.LayerNorm(i, nil, nil, exact), "f32?{2} [-1 1]")
	want(t, nv.LayerNorm(x, nv.Ones(nv.Shape{2}, nv.F64), nil, exact), "f64{2} [-1 1]")
	want(t, nv.With(promote.NumPy).Standardize(i, exact), "f64{2} [-1 1]")
	want(t, nv.MSELoss(i, 1), "f32?{} [2]")
	want(t, nv.MSELoss(x, 1), "f32{} [2]")
	want(t, nv.CrossEntropyLoss(nv.Zeros(nv.Shape{2, 1}), nv.New([]int32{0, 1}), nv.Reduction("none")), "f32{2} [0 NaN]")
	want(t, nv.CrossEntropyLoss(nv.New([]float64{0, -1e30}), 0), "f32{} [0]")
	want(t, nv.PolyVal(nv.New([]float64{1, 0, -1}), 3), "f32{} [8]")
	want(t, nv.Attention(nv.Ones(nv.Shape{2, 1}), nv.Ones(nv.Shape{0, 1}), nv.Ones(nv.Shape{0, 2})), "f32{2,2} [0 0 0 0]")
	f := func(a nv.Tensor) nv.Tensor {
		return nv.MSELoss(nv.Attention(nv.LayerNorm(a, nil, nil), a, a, nv.Causal), 0)
	}
	m := nv.New([][]float32{{1, 2}, {3, 5}})
	if eager, traced := f(m), nv.Jit(f)(m); !nv.AllClose(eager, traced).Bool() {
		t.Errorf("eager %v, traced %v", eager, traced)
	}
}

func TestNetworkErrors(t *testing.T) {
	m, x := nv.Ones(nv.Shape{2, 3}), nv.Ones(nv.Shape{3})
	for _, c := range []struct {
		f    func()
		want string
	}{
		{func() { nv.LayerNorm(m, nv.Ones(nv.Shape{2}), nil) }, "LayerNorm(f32{2,3}, f32{2}): a gain of shape {2} does not match the last axes of {2,3}; give it the shape of the axes that are normalized"},
		{func() { nv.LayerNorm(m, x, nv.Ones(nv.Shape{2, 3})) },
			"LayerNorm(f32{2,3}, f32{3}, f32{2,3}): a gain of shape {3} and a bias of shape {2,3} differ; " +
				"give both the shape of the axes that are normalized"},
		{func() { nv.Default().LayerNorm(nil, x, nil) }, "LayerNorm(f32{3}): x is nil; only gain and bias may be nil"},
		{func() { nv.LayerNorm(m, x, nil, nv.Axis(0)) },
			"LayerNorm(f32{2,3}, f32{3}): nv.Axis is not an option of LayerNorm; it takes nv.Epsilon"},
		{func() { nv.LayerNorm(nv.Scalar(1i), nil, nil) },
			"LayerNorm(c64?{}): the operand must be real, not c64; take nv.Real, nv.Imag or nv.Abs first"},
		{func() { nv.LayerNorm(1.0, nil, nil) }, "LayerNorm(float64 1): axis -1 does not exist: a scalar has no " +
			"axes; x.ExpandDims(0) has one"},
		{func() { nv.With(promote.Torch).LayerNorm(m, x.AsType(nv.F64), nil) },
			"LayerNorm(f32{2,3}, f64{3}): under torch input and weights must have one dtype, not f32 and " +
				"f64; convert one with AsType"},
		{func() { nv.BatchNorm(m, nil, nil, nil, nil) },
			"BatchNorm(f32{2,3}): mean or variance is nil; BatchNormTraining computes them from x"},
		{func() { nv.BatchNorm(m, x, x, nv.Ones(nv.Shape{2}), x) },
			"BatchNorm(f32{2,3}, f32{3}, f32{3}, f32{2}, f32{3}): a parameter of shape {2} does not match " +
				"the 3 channels of axis 1; give a vector with an element per channel; with nv.ChannelsFirst " +
				"the channels are axis 1"},
		{func() { nv.BatchNormTraining(x, nil, nil) },
			"BatchNormTraining(f32{3}): x has no axis besides the channels; give x a batch axis before the " +
				"channels"},
		{func() { nv.GroupNorm(m, nil, nil, 2) }, "GroupNorm(f32{2,3}): axis 1 of shape {2,3} cannot be split into " +
			"2 groups of channels; the number of channels must be a multiple of groups, and the channels " +
			"must be on an axis after the batch"},
		{func() { nv.Attention(m, nv.Ones(nv.Shape{2, 4}), m) },
			"Attention(f32{2,3}, f32{2,4}, f32{2,3}): queries have 3 features, keys 4; make the last axes of " +
				"q and k equally long"},
		{func() { nv.Attention(m, m, nv.Ones(nv.Shape{4, 3})) },
			"Attention(f32{2,3}, f32{2,3}, f32{4,3}): there are 2 keys and 4 values; give a value for each " +
				"key, on the axis before the last"},
		{func() { nv.Attention(x, m, m) }, "Attention(f32{3}, f32{2,3}, f32{2,3}): an operand has 1 axis and needs " +
			"at least 2; queries have axes (batch..., queries, features), keys (batch..., keys, features), " +
			"values (batch..., keys, features of a value)"},
		{func() { nv.Attention(m, m, m, nv.AttentionMask(nv.Ones(nv.Shape{3, 2}).Gt(0))) },
			"Attention(f32{2,3}, f32{2,3}, f32{2,3}, i1{3,2}): shapes {2,2} and {3,2} do not broadcast; " +
				"lengths must be equal or 1, counted from the last axis"},
		{func() { nv.MSELoss(m, x) }, "MSELoss(f32{2,3}, f32{3}): shapes {2,3} and {3} differ, and losses do not broadcast; make the shapes equal with nv.Reshape or nv.BroadcastTo"},
		{func() { nv.HuberLoss(m, m, nv.Delta(0)) }, "HuberLoss(f32{2,3}, f32{2,3}): delta is float64 0; give a " +
			"number greater than 0"},
		{func() { nv.CrossEntropyLoss(m, nv.Ones(nv.Shape{3}, nv.I32)) },
			"CrossEntropyLoss(f32{2,3}, i32{3}): labels of shape {3} do not match logits of shape {2,3}; " +
				"the shape of the labels is that of the logits without the last axis, the classes"},
		{func() { nv.CrossEntropyLoss(m, m, nv.LabelSmoothing(2)) },
			"CrossEntropyLoss(f32{2,3}, f32{2,3}): the label smoothing is float64 2; give a number from 0 " +
				"to 1"},
		{func() { nv.Reduction("all") }, `Reduction("all"): unknown reduction; give "mean", "sum" or "none"`},
		{func() { nv.PolyVal(m, x) }, "PolyVal(f32{2,3}, f32{3}): coefficients of shape {2,3} are not a vector; " +
			"nv.New([]float64{1, 0, -1}) is x^2 - 1"},
	} {
		if got := errorOf(t, c.f); got != c.want {
			t.Errorf("%s; want %q", got, c.want)
		}
	}
}
