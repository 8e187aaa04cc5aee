package anvil

import (
	"reflect"
	"slices"
	"strings"
)

// taken lists functions by the options that they take. "..." follows an option that may be given more than
// once. Every function whose options are an interface is listed.
var taken = functionOptions(map[string]string{
	"DType Ambiguous Device": "Scalar Full From New Zeros Ones ZerosLike OnesLike FullLike Eye Iota Arange Linspace " +
		"Logspace Geomspace Indices FromFunction Tri OneHot Hanning Hamming Blackman Bartlett Kaiser FFTFreq " +
		"RFFTFreq ReadNPY ReadNPZ Tensor",

	"Out":              "Mul TrueDiv FloorDiv Rem Pow Maximum Minimum Atan2 And Or Xor AndNot Shl Shr Eq Ne Lt Le Gt Ge",
	"Alpha Out":        "Add Sub",
	"RoundingMode Out": "Div",

	"Axis... KeepDims Only... Accumulate":            "Sum Prod Mean NanSum NanProd NanMean",
	"Axis... KeepDims Only... Accumulate Correction": "Var Std NanVar NanStd",
	"Axis... KeepDims Only...":                       "Max Min Any All NanMax NanMin Ptp CountNonzero ReduceAnd ReduceOr ReduceXor LogSumExp",
	"Axis... KeepDims":                               "Average Reduce",
	"Axis KeepDims":                                  "ArgMax ArgMin NanArgMax NanArgMin",
	"Correction":                                     "Cov",
	"Axis... KeepDims Interpolation":                 "Quantile Percentile NanQuantile NanMedian",
	"Axis... KeepDims Ord":                           "Norm",

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

func functionOptions(functionsOf map[string]string) map[string][]string {
	byFunction := map[string][]string{}
	for options, functions := range functionsOf {
		for _, f := range strings.Fields(functions) {
			byFunction[f] = strings.Fields(options)
		}
	}
	return byFunction
}

// accepted returns opts without nil options, which are ignored, as in Sum(x, nil). It panics with an *Error
// if op does not take an option, or takes it only once and it is given twice.
func accepted[O any](op string, opts []O, operandsOf ...any) []O {
	opts = nonNil(opts)
	var given []string
	for _, o := range opts {
		for _, name := range optionNames(o) {
			fail := func(reason, hint string) {
				panic(&Error{Op: op, Operands: operands(operandsOf...), Reason: reason, Hint: hint})
			}
			several := slices.Contains(taken[op], name+"...")
			if !several && !slices.Contains(taken[op], name) {
				fail(optionWord(name)+" is not an option of "+op, "it takes "+optionWords(op))
			}
			if !several && slices.Contains(given, name) {
				fail(optionWord(name)+" is given twice", "give it once")
			}
			given = append(given, name)
		}
	}
	return opts
}

// optionNames returns the names in this package of the properties that o sets, or none for an option of
// another package.
func optionNames(o any) []string {
	switch o := o.(type) {
	case interface{ optionName() string }:
		return []string{o.optionName()}
	case CumsumFlag:
		return o.names()
	case padding:
		return []string{map[padding]string{Valid: "Valid", Same: "Same"}[o]}
	}
	if name, ok := optionTypes[reflect.TypeOf(o)]; ok {
		return []string{name}
	}
	return nil
}

// optionTypes are the options that have a type of their own.
var optionTypes = map[reflect.Type]string{
	reflect.TypeFor[DType]():           "DType",
	reflect.TypeFor[ambiguousOption](): "Ambiguous",
	reflect.TypeFor[deviceOption]():    "Device",
	reflect.TypeFor[alphaOption]():     "Alpha",
	reflect.TypeFor[roundingOption]():  "RoundingMode",
	reflect.TypeFor[outOption]():       "Out",
	reflect.TypeFor[Axis]():            "Axis",
	reflect.TypeFor[keepDims]():        "KeepDims",
	reflect.TypeFor[only]():            "Only",
	reflect.TypeFor[accumulate]():      "Accumulate",
	reflect.TypeFor[precision]():       "Precision",
	reflect.TypeFor[correction]():      "Correction",
	reflect.TypeFor[Interpolation]():   "Interpolation",
	reflect.TypeFor[ordOption]():       "Ord",
	reflect.TypeFor[steps]():           "Steps",
	reflect.TypeFor[Size]():            "Size",
	reflect.TypeFor[weighted]():        "Weights",
	reflect.TypeFor[bounds]():          "Within",
	reflect.TypeFor[channelsFirst]():   "ChannelsFirst",
	reflect.TypeFor[countPadding]():    "CountPadding",
	reflect.TypeFor[ceilMode]():        "CeilMode",
	reflect.TypeFor[epsilon]():         "Epsilon",
	reflect.TypeFor[causal]():          "Causal",
	reflect.TypeFor[fullMatrices]():    "FullMatrices",
	reflect.TypeFor[fullOption]():      "FullMatrices",
	reflect.TypeFor[antialias]():       "Antialias",
	reflect.TypeFor[leastFirst]():      "LeastFirst",
	reflect.TypeFor[inAxes]():          "InAxes",
	reflect.TypeFor[outAxes]():         "OutAxes",
}

func (f CumsumFlag) names() (names []string) {
	if f&Exclusive != 0 {
		names = append(names, "Exclusive")
	}
	if f&Reverse != 0 {
		names = append(names, "Reverse")
	}
	return names
}

// optionWord returns an option as it is written in code.
func optionWord(name string) string {
	if name == "DType" {
		return "a dtype"
	}
	return "nv." + strings.TrimSuffix(name, "...")
}

// optionWords returns the options that op takes, as a list for a sentence.
func optionWords(op string) string {
	var words []string
	for _, name := range taken[op] {
		words = append(words, optionWord(name))
	}
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
