package ir

// A Code names an operation. The table of package ops has one row for each.
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
	And
	Or
	Xor
	ShiftLeft
	ShiftRightArithmetic
	ShiftRightLogical
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
	ArgMax
	ArgMin
	DotGeneral
	Sort

	// Linear algebra.
	Cholesky
	TriangularSolve
	LU
	QR
	Eigh
	SVD

	// Control flow.
	If
	While
	OptimizationBarrier

	NumCodes // not a code: how many there are
)
