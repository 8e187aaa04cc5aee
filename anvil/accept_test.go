package anvil_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

var scalar = nv.Scalar(1.0)

// everyOption has an option of each kind. Its value changes a result for the operands of
// TestEveryOptionIsUsedOrRefused, or is an error of its own.
var everyOption = map[string][]any{
	"DType": {nv.F64}, "Ambiguous": {nv.Ambiguous(true)}, "Device": {nv.Device("nowhere:9")},
	"Axis": {nv.Axis(0), nv.Axis(1)}, "KeepDims": {nv.KeepDims}, "Only": {nv.Only([]bool{false, true, true}), nv.Only([]bool{true, true, false}), nv.Only([]bool{false, false, false})},
	"Accumulate": {nv.Accumulate(nv.F64)}, "Precision": {nv.Precision("default")}, "Correction": {nv.Correction(2)},
	"Interpolation": {nv.Interpolation("higher")}, "Ord": {nv.Ord(3)},
	"Exclusive": {nv.Exclusive}, "Reverse": {nv.Reverse}, "Steps": {nv.Steps(77)},
	"Size": {nv.Size(2)}, "Weights": {nv.Weights([]float64{1})}, "Within": {nv.Within(-9, 9)},
	"Stride": {nv.Stride(3)}, "Dilation": {nv.Dilation(2)}, "Padding": {nv.Padding(1)},
	"PaddingLowHigh": {nv.PaddingLowHigh(nv.Shape{1}, nv.Shape{0})}, "Same": {nv.Same}, "ChannelsFirst": {nv.ChannelsFirst},
	"Groups": {nv.Groups(9)}, "BatchGroups": {nv.BatchGroups(9)}, "InputDilation": {nv.InputDilation(2)},
	"OutputPadding": {nv.OutputPadding(1)}, "CountPadding": {nv.CountPadding}, "CeilMode": {nv.CeilMode},
	"FFTLength": {nv.FFTLength(2)}, "FFTNorm": {nv.FFTNorm("ortho")}, "Epsilon": {nv.Epsilon(3)},
	"Reduction": {nv.Reduction("sum")}, "Delta": {nv.Delta(0.25)}, "LabelSmoothing": {nv.LabelSmoothing(0.5)},
	"ClassWeights": {nv.ClassWeights([]float64{1, 2, 3, 4, 5})}, "Blank": {nv.Blank(1)},
	"InputLengths": {nv.InputLengths([]int{2})}, "LabelLengths": {nv.LabelLengths([]int{1})},
	"AttentionMask": {nv.AttentionMask(false)}, "AttentionScale": {nv.AttentionScale(3.0)}, "Causal": {nv.Causal},
	"FullMatrices": {nv.FullMatrices}, "Antialias": {nv.Antialias(false)}, "LeastFirst": {nv.LeastFirst},
	"Alpha": {nv.Alpha(3)}, "RoundingMode": {nv.RoundingMode("floor")}, "Out": {nv.Out(new(nv.Tensor)), nv.Out(&scalar)},
	"InAxes": {nv.InAxes(1)}, "OutAxes": {nv.OutAxes(1)},
}

// requiredOption maps an option to another one, without which it has no effect.
var requiredOption = map[string]any{"CountPadding": nv.Padding(1), "CeilMode": nv.Stride(2)}

// TestEveryOptionIsUsedOrRefused calls each function of the library with each option. A
// function that takes the option must use it; another one must fail and name the options
// that it takes.
func TestEveryOptionIsUsedOrRefused(t *testing.T) {
	l := nv.Default()
	x := l.New([][]float32{{1, 2, 5}, {-3, 4, 9}})
	y := l.New([][]float32{{2, 3, -1}, {8, 1, 2}})
	cube := nv.Reshape(nv.Arange(16), nv.Shape{1, 2, 8}).AsType(nv.F32)
	image := func(axes int) nv.Tensor {
		s := append(append(nv.Shape{2}, [][]int{{5}, {5, 5}, {5, 5, 5}}[axes-1]...), 2)
		return nv.Reshape(nv.Arange(s.Size()), s).Mul(7).Rem(11).AsType(nv.F32)
	}
	weights := func(axes int) nv.Tensor {
		s := append(append(nv.Shape{}, [][]int{{2}, {2, 2}, {2, 2, 2}}[axes-1]...), 2, 2)
		return nv.Reshape(nv.Arange(s.Size()), s).AsType(nv.F32)
	}
	ints := l.New([]int32{1, 3, 3, 0})
	signed := l.New([]int32{1, -3, 3, 0})
	gain := l.New([]float32{1, 2, 3})
	square := nv.Reshape(nv.Arange(18), nv.Shape{2, 3, 3}).Mul(7).Rem(11).AsType(nv.F32)
	npy, npz := filepath.Join(t.TempDir(), "x.npy"), filepath.Join(t.TempDir(), "x.npz")
	if err := errors.Join(x.WriteNPY(npy), l.WriteNPZ(npz, map[string]nv.Tensor{"x": x})); err != nil {
		t.Fatal(err)
	}
	add := func(a, b nv.Tensor) nv.Tensor { return a.Add(b) }
	tall := l.New([][]float32{{1, 2}, {3, 5}, {4, 4}})

	arguments := map[string][]any{
		"Scalar": {2.0}, "Full": {nv.Shape{2}, 2.0}, "From": {x}, "New": {x}, "Zeros": {nv.Shape{2}}, "Ones": {nv.Shape{2}},
		"ZerosLike": {x}, "OnesLike": {x}, "FullLike": {x, 2.0}, "Eye": {2}, "Iota": {nv.Shape{2}, nv.Axis(0)},
		"Linspace": {0.0, 1.0, 3}, "Logspace": {0.0, 1.0, 3}, "Geomspace": {1.0, 2.0, 3}, "Indices": {nv.Shape{2}},
		"FromFunction": {nv.Shape{2}, func(i []nv.Tensor) nv.Tensor { return i[0] }}, "Tri": {2, 2, 0}, "OneHot": {ints, 4},
		"Hanning": {4}, "Hamming": {4}, "Blackman": {4}, "Bartlett": {4}, "Kaiser": {4, 2.0}, "FFTFreq": {4, 1.0}, "RFFTFreq": {4, 1.0},
		"ReadNPY": {npy}, "ReadNPZ": {npz},
		"Reduce": {x, 0.0, add}, "Average": {x, y}, "Quantile": {x, 0.3}, "Percentile": {x, 30.0}, "NanQuantile": {x, 0.3},
		"ReduceAnd": {ints.ExpandDims(1)}, "ReduceOr": {ints.ExpandDims(1)}, "ReduceXor": {ints.ExpandDims(1)},
		"Any": {x.Gt(2)}, "All": {x.Gt(2)}, "Histogram": {x, 3}, "BinCount": {ints}, "Union1D": {ints, ints}, "Unique": {x}, "UniqueAll": {x},
		"MaxPool": {image(1), nv.Shape{2}}, "MinPool": {image(1), nv.Shape{2}}, "SumPool": {image(1), nv.Shape{2}}, "AvgPool": {image(1), nv.Shape{2}},
		"ReduceWindow": {cube, nv.Shape{1, 1, 3}, "mean"},
		"LayerNorm":    {x, gain, nil}, "RMSNorm": {x, gain}, "BatchNorm": {square, gain, nil, gain, gain}, "BatchNormTraining": {square, gain, nil},
		"GroupNorm": {square, gain, nil, 1}, "KLDivergenceLoss": {x, nv.Softmax(y)}, "CTCLoss": {nv.Reshape(nv.Arange(12), nv.Shape{1, 4, 3}).AsType(nv.F32), l.New([][]int32{{1, 2}})},
		"CrossEntropyLoss": {l.New([][]float32{{1, 2, 5, 1, 1}, {-3, 4, 9, 0, 0}}), l.New([]int32{1, 2})},
		"Attention":        {x, y, y}, "MatMul": {x, tall}, "QR": {tall}, "SVD": {tall}, "Resize": {x, nv.Shape{2, 2}, "linear"},
		"PackBits": {x.Gt(2)}, "UnpackBits": {l.New([]uint8{1, 200}).ExpandDims(0)}, "Norm": {x},
		"VmapAny":            {func(a nv.Tensor) nv.Tensor { return a.Mul(a.Sum()) }},
		"ScanAny":            {nv.New(0.0), gain, func(c, x nv.Tensor) (nv.Tensor, nv.Tensor) { return c.Mul(2).Add(x), c }},
		"AssociativeScanAny": {add, x},
	}
	for axes := 1; axes <= 3; axes++ {
		arguments[fmt.Sprintf("Conv%dD", axes)] = []any{image(axes), weights(axes)}
		arguments[fmt.Sprintf("ConvTranspose%dD", axes)] = []any{image(axes), weights(axes)}
	}

	v := reflect.ValueOf(l)
	for i := range v.NumMethod() {
		name, f := v.Type().Method(i).Name, v.Method(i)
		ft := f.Type()
		if !ft.IsVariadic() {
			continue
		}
		option := ft.In(ft.NumIn() - 1).Elem()
		if option.Kind() != reflect.Interface || option.NumMethod() == 0 {
			continue
		}
		args, ok := arguments[name]
		switch {
		case ok:
		case option == reflect.TypeFor[nv.BinaryOption]():
			args = []any{signed, l.New([]int32{2, 2, 1, 1})}
			switch strings.TrimSuffix(name, "Into") {
			case "Eq", "Ne", "Lt", "Le", "Gt", "Ge":
				args = []any{x.Gt(2), y.Gt(2)}
			case "TrueDiv", "Atan2":
				args = []any{x, y}
			}
		default:
			args = []any{x, y}[:ft.NumIn()-1]
		}
		for kind, values := range everyOption {
			if !reflect.TypeOf(values[0]).Implements(option) {
				continue
			}
			before := requiredOption[kind]
			if before != nil && !reflect.TypeOf(before).Implements(option) {
				before = nil
			}
			plain := callOutcome(f, args, before)
			if strings.HasPrefix(plain, "error") {
				t.Errorf("%s without an option: %s", name, plain)
				continue
			}
			used := false
			for _, o := range values {
				got := callOutcome(f, args, before, o)
				refused := strings.Contains(got, " is not an option of ")
				if refused && strings.Contains(got[strings.Index(got, "; it takes "):], "nv."+kind+" ") {
					t.Errorf("%s with %s: %s", name, kind, got)
				}
				used = used || refused || got != plain
			}
			if !used {
				t.Errorf("%s with %s: the option is ignored", name, kind)
			}
		}
	}
}

// callOutcome returns the results of f or the value that it panics with, as text. If f
// takes only tensors, the text includes its program, which shows every difference.
func callOutcome(f reflect.Value, args []any, opts ...any) (text string) {
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprint("error: ", p)
		}
	}()
	var in []reflect.Value
	for k, a := range append(args[:len(args):len(args)], opts...) {
		switch x, ok := a.(nv.Tensor); {
		case a == nil && k >= len(args):
		case a == nil:
			in = append(in, reflect.Zero(f.Type().In(k)))
		case ok && f.Type().In(k) == reflect.TypeFor[*nv.Tensor]():
			in = append(in, reflect.ValueOf(&x))
		default:
			in = append(in, reflect.ValueOf(a))
		}
	}
	for _, r := range f.Call(in) {
		v := r.Interface()
		if mapped, ok := v.(func(nv.Tensor) nv.Tensor); ok {
			v = mapped(nv.New([][]float32{{1, 2}, {3, 4}}))
		}
		switch v := v.(type) {
		case nv.Tensor:
			text += fmt.Sprintln(v.Type(), v.Ambiguous(), v, nv.Why(v))
		case error:
			if v != nil {
				panic(v)
			}
		default:
			text += fmt.Sprintln(v)
		}
	}
	if x, ok := args[0].(nv.Tensor); ok && len(opts) > 0 && strings.Contains(fmt.Sprintf("%T", opts[len(opts)-1]), "precision") {
		text += nv.Lower(func(x nv.Tensor) nv.Tensor {
			return f.Call(append([]reflect.Value{reflect.ValueOf(x)}, in[1:]...))[0].Interface().(nv.Tensor)
		}, x).StableHLO()
	}
	return text
}
