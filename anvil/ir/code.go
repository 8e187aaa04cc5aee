package ir

import (
	"strings"
	"unicode"
)

//go:generate go run golang.org/x/tools/cmd/stringer -type Code -output code_gen.go

// A Code identifies an operation. The table of package ops has a row for each but Invalid and HostCall.
type Code uint16

// The codes, by family.
const (
	Invalid Code = iota

	// Constants and layout.
	Constant
	Iota
	Convert
	BitcastConvert
	Reshape
	BroadcastInDim
	Transpose
	Slice
	DynamicSlice
	DynamicUpdateSlice
	Gather
	Scatter
	Concatenate
	Pad
	Reverse

	// Elementwise, one operand.
	Neg
	Abs
	Sign
	Exp
	Expm1
	Log
	Log1p
	Sqrt
	Rsqrt
	Cbrt
	Sin
	Cos
	Tan
	Tanh
	Logistic
	Erf
	Exp2
	Log2
	Log10
	Asin
	Acos
	Atan
	Sinh
	Cosh
	Asinh
	Acosh
	Atanh
	SinPi
	CosPi
	TanPi
	Erfc
	Erfcx
	ErfInv
	Lgamma
	Gamma
	Digamma
	BesselI0e
	BesselI1e
	NormCDF
	NormLogCDF
	NormQuantile
	Floor
	Ceil
	RoundEven
	RoundAway
	Not
	Popcount
	Clz
	IsFinite
	Real
	Imag

	// Elementwise, two and three operands.
	Add
	Sub
	Mul
	MulNoNaN
	Div
	Rem
	Pow
	Max
	Min
	Atan2
	NextAfter
	Polygamma
	Zeta
	Hypot
	And
	Or
	Xor
	ShiftLeft
	ShiftRightArithmetic
	ShiftRightLogical
	Threefry
	Complex
	Compare
	Select
	Clamp

	// Reductions and contraction.
	ReduceSum
	ReduceProd
	ReduceMax
	ReduceMin
	ReduceAnd
	ReduceOr
	ReduceXor
	Reduce
	ArgMax
	ArgMin
	DotGeneral
	Sort

	// Windows and Fourier transforms.
	Convolution
	ReduceWindowSum
	ReduceWindowProd
	ReduceWindowMax
	ReduceWindowMin
	FFT
	IFFT
	RFFT
	IRFFT

	// Linear algebra.
	Cholesky
	TriangularSolve
	LU
	QR
	Eigh
	SVD

	// Control flow.
	If
	Case
	While
	OptimizationBarrier
	Call
	Scan

	// Running sums, products and extremes.
	CumSum
	CumProd
	CumMax
	CumMin

	NumCodes // the number of codes
)

// HostCall is the code of a call of a Go function from a program. It has no row in the
// table of package ops.
const HostCall Code = 1 << 15

// Mnemonic returns the code's name in printed programs: "reduce_sum".
func (c Code) Mnemonic() string { return snake(c.String()) }

// snake returns name in snake case: "reduce_sum" for "ReduceSum", "dtype" for "DType",
// "mul_no_nan" for "MulNoNaN".
func snake(name string) string {
	name = strings.ReplaceAll(name, "NaN", "Nan")
	var b strings.Builder
	last := 'A' // an upper-case letter, so that no underscore comes first
	for _, r := range name {
		if unicode.IsUpper(r) && !unicode.IsUpper(last) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
		last = r
	}
	return b.String()
}
