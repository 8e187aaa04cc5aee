// Package options lists the options that each function of packages anvil and chart takes.
// Cells cannot import it.
package options

import (
	"slices"
	"strings"
)

// The import paths of packages anvil and chart.
const (
	Anvil = "github.com/goanvil/notebook/anvil"
	Chart = "github.com/goanvil/notebook/display/chart"
)

// chartOptions maps the functions of package chart to their options.
var chartOptions = functionOptions(map[string]string{
	"Title Labels Legend LogX LogY": "Line Scatter Stem ErrorBars Func",
	"Title Labels Legend":           "Bar",
	"Title Labels Legend LogY Bins": "Hist",
	"Title Labels Legend LogY":      "Box",
	"Title Labels":                  "Heat",
	"Title Labels LogX LogY Bins":   "Contour",
	"Title":                         "Image",
})

// anvilOptions maps the functions of package anvil to their options. "..." follows an option that may be given more
// than once. Every function whose options have an interface type is listed.
var anvilOptions = functionOptions(map[string]string{
	"DType Ambiguous Device": "Scalar Full From New Zeros Ones ZerosLike OnesLike FullLike Eye Iota Arange Linspace " +
		"Logspace Geomspace Indices FromFunction Tri OneHot Hanning Hamming Blackman Bartlett Kaiser FFTFreq " +
		"RFFTFreq ReadNPY ReadNPZ Tensor",

	"Out":              "Mul TrueDiv FloorDiv Rem Pow Maximum Minimum Atan2 And Or Xor AndNot Shl Shr Eq Ne Lt Le Gt Ge",
	"Alpha Out":        "Add Sub",
	"RoundingMode Out": "Div",

	"Axis... KeepDims Only... Accumulate":            "Sum Prod Mean NanSum NanProd NanMean",
	"Axis... KeepDims Only... Accumulate Correction": "Var Std NanVar NanStd",
	"Axis... KeepDims Only...": "Max Min Any All NanMax NanMin Ptp CountNonzero ReduceAnd ReduceOr ReduceXor " +
		"LogSumExp",
	"Axis... KeepDims":               "Average Reduce",
	"Axis KeepDims":                  "ArgMax ArgMin NanArgMax NanArgMin",
	"Correction":                     "Cov",
	"Axis... KeepDims Interpolation": "Quantile Percentile NanQuantile NanMedian",
	"Axis... KeepDims Ord":           "Norm",

	"Axis Exclusive Reverse Accumulate": "Cumsum Cumprod NanCumsum NanCumprod",
	"Axis Reverse":                      "Cummax Cummin LogCumsumExp AssociativeScan",
	"Reverse Steps":                     "Scan",

	"Weights Within": "Histogram",
	"Weights Size":   "BinCount",
	"Size":           "Nonzero ArgWhere Union1D",
	"Axis Size":      "Unique UniqueAll",

	"Stride Dilation Padding PaddingLowHigh Same Valid InputDilation ChannelsFirst Groups BatchGroups " +
		"Accumulate Precision": "Conv1D Conv2D Conv3D",
	"Stride Dilation Padding PaddingLowHigh Same Valid OutputPadding ChannelsFirst Groups " +
		"Accumulate Precision": "ConvTranspose1D ConvTranspose2D ConvTranspose3D",
	"Stride Dilation Padding PaddingLowHigh Same Valid CeilMode ChannelsFirst":              "MaxPool MinPool SumPool",
	"Stride Dilation Padding PaddingLowHigh Same Valid CeilMode ChannelsFirst CountPadding": "AvgPool",
	"Stride Dilation Padding PaddingLowHigh Same Valid CeilMode CountPadding":               "ReduceWindow",

	"Axis... FFTLength FFTNorm": "FFT IFFT RFFT IRFFT FFT2 IFFT2 RFFT2 IRFFT2 FFTN IFFTN RFFTN IRFFTN DCT IDCT",

	"Epsilon Axis...":       "Standardize",
	"Epsilon":               "LayerNorm RMSNorm",
	"Epsilon ChannelsFirst": "BatchNorm BatchNormTraining GroupNorm",

	"Reduction":                                 "MSELoss MAELoss BinaryCrossEntropyLoss KLDivergenceLoss",
	"Reduction Delta":                           "HuberLoss",
	"Reduction LabelSmoothing ClassWeights":     "CrossEntropyLoss",
	"Reduction Blank InputLengths LabelLengths": "CTCLoss",
	"AttentionMask AttentionScale Causal":       "Attention",
	"Accumulate Precision":                      "MatMul",
	"FullMatrices":                              "QR SVD",
	"Antialias":                                 "Resize",
	"Axis LeastFirst":                           "PackBits UnpackBits",
	"InAxes OutAxes":                            "Vmap",
})

// functionOptions returns the options of each function. functionsOf maps lists of options to the
// lists of functions that take these options; both lists are separated by spaces.
func functionOptions(functionsOf map[string]string) map[string][]string {
	byFunction := map[string][]string{}
	for options, functions := range functionsOf {
		for _, f := range strings.Fields(functions) {
			byFunction[f] = strings.Fields(options)
		}
	}
	return byFunction
}

// Of returns the names of the options that a function or method of a package takes, or nil if it is not listed.
// The caller must not change them.
func Of(pkg, function string) []string {
	switch pkg {
	case Anvil:
		return anvilNames[function]
	case Chart:
		return chartOptions[function]
	}
	return nil
}

// anvilNames is anvilOptions without "...". For each function that takes Out, such as Add, it also has AddInto, which
// takes the other options.
var anvilNames = func() map[string][]string {
	all := map[string][]string{}
	for f, options := range anvilOptions {
		for _, o := range options {
			all[f] = append(all[f], strings.TrimSuffix(o, "..."))
		}
		if out := slices.Index(all[f], "Out"); out >= 0 {
			all[f+"Into"] = slices.Delete(slices.Clone(all[f]), out, out+1)
		}
	}
	return all
}()

// Repeats reports whether a function of package anvil takes an option more than once.
func Repeats(function, option string) bool {
	return slices.Contains(anvilOptions[function], option+"...")
}
