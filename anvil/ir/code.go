package ir

// A Code identifies an operation. The table of package ops has a row for each.
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

	NumCodes // the number of codes
)

// HostCall is the code of a call of a Go function from a program. It has no row in the
// table of package ops.
const HostCall Code = 1 << 15
