package ir

import (
	"strings"
	"unicode"
)

var codeNames = [NumCodes]string{
	Invalid:  "Invalid",
	Constant: "Constant", Iota: "Iota", Convert: "Convert", BitcastConvert: "BitcastConvert", Reshape: "Reshape",
	BroadcastInDim: "BroadcastInDim", Transpose: "Transpose", Slice: "Slice", DynamicSlice: "DynamicSlice",
	DynamicUpdateSlice: "DynamicUpdateSlice", Gather: "Gather", Scatter: "Scatter", Concatenate: "Concatenate", Pad: "Pad", Reverse: "Reverse",
	Neg: "Neg", Abs: "Abs", Sign: "Sign", Exp: "Exp", Expm1: "Expm1", Log: "Log", Log1p: "Log1p", Sqrt: "Sqrt", Rsqrt: "Rsqrt",
	Cbrt: "Cbrt", Sin: "Sin", Cos: "Cos", Tan: "Tan", Tanh: "Tanh", Logistic: "Logistic", Erf: "Erf", Floor: "Floor", Ceil: "Ceil",
	RoundEven: "RoundEven", RoundAway: "RoundAway", Not: "Not", Popcount: "Popcount", Clz: "Clz", IsFinite: "IsFinite",
	Exp2: "Exp2", Log2: "Log2", Log10: "Log10", Asin: "Asin", Acos: "Acos", Atan: "Atan", Sinh: "Sinh", Cosh: "Cosh",
	Asinh: "Asinh", Acosh: "Acosh", Atanh: "Atanh", SinPi: "SinPi", CosPi: "CosPi", TanPi: "TanPi", Erfc: "Erfc",
	Erfcx: "Erfcx", ErfInv: "ErfInv", Lgamma: "Lgamma", Gamma: "Gamma", Digamma: "Digamma", BesselI0e: "BesselI0e",
	BesselI1e: "BesselI1e", NormCDF: "NormCDF", NormLogCDF: "NormLogCDF", NormQuantile: "NormQuantile",
	Real: "Real", Imag: "Imag",
	Add: "Add", Sub: "Sub", Mul: "Mul", Div: "Div", Rem: "Rem", Pow: "Pow", Max: "Max", Min: "Min", Atan2: "Atan2", And: "And",
	Or: "Or", Xor: "Xor", ShiftLeft: "ShiftLeft", ShiftRightArithmetic: "ShiftRightArithmetic", ShiftRightLogical: "ShiftRightLogical", Threefry: "Threefry",
	Complex: "Complex", Compare: "Compare", Select: "Select", Clamp: "Clamp",
	NextAfter: "NextAfter", Polygamma: "Polygamma", Zeta: "Zeta", Hypot: "Hypot",
	ReduceSum: "ReduceSum", ReduceProd: "ReduceProd", ReduceMax: "ReduceMax", ReduceMin: "ReduceMin", ReduceAnd: "ReduceAnd",
	ReduceOr: "ReduceOr", ReduceXor: "ReduceXor", Reduce: "Reduce", ArgMax: "ArgMax", ArgMin: "ArgMin", DotGeneral: "DotGeneral", Sort: "Sort",
	Convolution: "Convolution", ReduceWindowSum: "ReduceWindowSum", ReduceWindowProd: "ReduceWindowProd",
	ReduceWindowMax: "ReduceWindowMax", ReduceWindowMin: "ReduceWindowMin", FFT: "FFT", IFFT: "IFFT", RFFT: "RFFT", IRFFT: "IRFFT",
	Cholesky: "Cholesky", TriangularSolve: "TriangularSolve", LU: "LU", QR: "QR", Eigh: "Eigh", SVD: "SVD",
	If: "If", Case: "Case", While: "While", OptimizationBarrier: "OptimizationBarrier",
}

// String returns the code's name as package anvil spells it: "ReduceSum".
func (c Code) String() string {
	if c == HostCall {
		return "HostCall"
	}
	if c >= NumCodes {
		return "Invalid"
	}
	return codeNames[c]
}

// Mnemonic returns the code's name in printed programs: "reduce_sum".
func (c Code) Mnemonic() string { return snake(c.String()) }

// snake returns name in snake case: "reduce_sum" for "ReduceSum", "dtype" for "DType".
func snake(name string) string {
	var b strings.Builder
	last := 'A'
	for _, r := range name {
		if unicode.IsUpper(r) && !unicode.IsUpper(last) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
		last = r
	}
	return b.String()
}
