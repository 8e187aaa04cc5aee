package promote

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
)

// Values are a system's rules for what an operation computes, where real
// systems compute different values from operands of one dtype. The zero rules
// are XLA's arithmetic, which is anvil's own.
type Values struct {
	Zero       ZeroRule                         // integers divided by 0
	Floor      FloorRule                        // floor division and remainder of floats
	Power      PowerRule                        // integers to the power of integers
	Products   int                              // up to which number an exponent makes a product of its base
	Shift      ShiftRule                        // shifts by a negative number, or by the width and more
	Skip       TieRule                          // as Tie, of the functions that skip nan
	Tie        TieRule                          // the greater of 0 and -0
	NaNSign    bool                             // the sign of nan is 0, not nan
	ZeroSign   bool                             // the sign of -0 is 0, not -0
	Cast       CastRule                         // floats beyond the integers they are cast to
	SkipNaN    bool                             // nan is never the greatest or the least, where its position is asked
	Median     MedianRule                       // between the two elements in the middle
	Fold       FoldRule                         // in which dtype a sum and a mean add up
	Freedom    int                              // how many less than the count a variance divides by
	Exact      bool                             // i64 with ui64 are compared as numbers, not as floats
	Truthy     bool                             // a condition may be of any dtype: what is not 0 holds
	RealTruth  bool                             // any and all ask the real parts of complex numbers alone
	Lenient    bool                             // a bound of clamp beyond its dtype bounds nothing
	Stores     bool                             // clamp compares integers with its bounds as numbers, and stores these
	Wraps      bool                             // a number that where chooses wraps
	Defaults   bool                             // a number that where chooses is one of its default dtype first
	Stepwise   bool                             // clamp is a maximum and then a minimum, each of which promotes
	Tensors    bool                             // a number is made a tensor of its common dtype before it is converted to another
	Faults     map[Fault]*Refusal               // where the system has an error instead of a value
	CanConvert func(from, to dtype.DType) error // nil: every cast is defined
}

// A ZeroRule is what an integer divided by 0 gives, where that is no error.
type ZeroRule uint8

// The rules of division by 0.
const (
	ZeroXLA   ZeroRule = iota // the quotient has all bits set, the remainder is the dividend
	ZeroNumPy                 // both are 0
	ZeroJAX                   // XLA's quotient, which floor division may lower by 1; the remainder is 0
)

// A FloorRule is how floats are divided with rounding toward negative infinity.
type FloorRule uint8

// The rules of floor division.
const (
	FloorQuotient  FloorRule = iota // the rounded quotient, rounded down
	FloorRemainder                  // by the exact remainder: -1 / inf is -1
	FloorExact                      // FloorRemainder, where a quotient of 0 has its own sign
	FloorSigned                     // FloorExact in f32 at least, where a remainder of 0 has the sign of the divisor
	FloorPlain                      // the quotient of FloorQuotient, of integers too, and the remainder of FloorSigned
)

// A PowerRule is how an integer is raised to an integer.
type PowerRule uint8

// The rules of powers.
const (
	PowerXLA   PowerRule = iota // modulo the width; a negative power is the truncated reciprocal
	PowerJAX                    // by the lowest six bits of the exponent
	PowerFloat                  // where one of the exponents is negative, all are computed in f64
)

// A ShiftRule is what a shift by more bits than there are gives.
type ShiftRule uint8

// The rules of shifts.
const (
	ShiftXLA   ShiftRule = iota // no bit of the operand remains
	ShiftClamp                  // the shift is taken to be 0 or the width less 1, whichever is nearer
)

// A TieRule is which of two equal floats is their maximum or minimum: it shows
// where one is 0 and the other -0.
type TieRule uint8

// The rules of ties.
const (
	TieXLA    TieRule = iota // -0 is less than 0
	TieFirst                 // the first operand
	TieSecond                // the second operand
	TieOrder                 // the first operand; and the second wherever the first does not come before it, as beside nan
)

// A CastRule is what a float gives as an integer that cannot hold it.
type CastRule uint8

// The rules of casts. Those of C are what x86 does: cvttsd2si gives the least
// integer of its width for whatever does not fit, narrower integers keep the
// low bits of that, and ui32 those of 64.
const (
	CastXLA        CastRule = iota // the nearest integer; nan is 0
	CastNumPy                      // C's, by way of i32; 8-bit floats that are inf or nan as XLA
	CastTorch                      // C's, ui8 by way of i64; what is too great for f8e4m3fn saturates
	CastTensorFlow                 // C's, by way of i32; what is too great for ui64 is 2^63
)

// A MedianRule is what the median of an even number of elements is.
type MedianRule uint8

// The rules of medians.
const (
	MedianMean     MedianRule = iota // the mean of both in the middle
	MedianLower                      // the lesser of both
	MedianMidpoint                   // half their sum, which may overflow
)

// A FoldRule is in which dtype a reduction adds up.
type FoldRule uint8

// The rules of sums.
const (
	FoldXLA        FoldRule = iota // a half in f32; a mean rounds the sum first
	FoldWide                       // a mean and a variance of halves are computed in f32
	FoldNumPy                      // a mean of f16 in f32; bf16 is rounded after each element
	FoldDouble                     // FoldWide, and variances and running sums of f32 in f64
	FoldTensorFlow                 // a mean of bf16 in f32, of integers in 64 bits, of none 0
)

// A Fault is an operation on values for which some systems have an error. Under
// these it waits for the values that it asks.
type Fault uint8

// The faults.
const (
	DivideByZero   Fault = iota // an integer floor-divided by 0, or its remainder
	TruncateByZero              // an integer divided by 0 and truncated
	NegativePower               // an integer to the power of a tensor with negative elements
	NegativeNumber              // an integer to the power of a negative number
	NoMaximum                   // of no elements
	NoMinimum
	NoPosition
	NoMedian
	InfinitePower // some infinite exponent, of several, of a complex number
	NoOrder       // of complex numbers, whose greatest or least one has a position

	// Of matrices. In a reason {batch} stands for which matrix of a batch it is of,
	// and {k} for the row, counted from 1.
	Singular          // no inverse: elimination leaves a 0 on the diagonal
	SingularSystem    // no solution of equations, likewise
	SingularFactors   // likewise, where the factors are asked for
	NotPositive       // no Cholesky factor: the leading minor of k rows is not positive
	NotANumberMinor   // nor is one that is not a number
	NotFinite         // no singular values of infinities and nan
	NotFiniteEquation // no least squares, likewise
	NotFiniteSquare   // no eigenvalues, likewise
)

var xlaValues = &Values{Products: 8, Floor: FloorSigned}

// Values returns the system's rules for values.
func (s *System) Values() *Values {
	if s.rules.Values == nil {
		return xlaValues
	}
	return s.rules.Values
}

// Fault returns the system's error for f in the operation op, nil where f has a
// value.
func (v *Values) Fault(f Fault) error {
	if r, ok := v.Faults[f]; ok {
		return r
	}
	return nil
}

func refusal(op, kind, reason string) *Refusal { return &Refusal{Op: op, Kind: kind, Reason: reason} }

var numpyValues = &Values{Products: 2, Zero: ZeroNumPy, Floor: FloorSigned, Tie: TieSecond, Skip: TieFirst, ZeroSign: true, Cast: CastNumPy,
	Fold: FoldNumPy, Exact: true, Truthy: true, Lenient: true, Wraps: true,
	Faults: map[Fault]*Refusal{
		NegativePower:  refusal("power", "ValueError", "Integers to negative integer powers are not allowed."),
		NegativeNumber: refusal("power", "ValueError", "Integers to negative integer powers are not allowed."),
		NoMaximum:      refusal("max", "ValueError", "zero-size array to reduction operation maximum which has no identity"),
		NoMinimum:      refusal("min", "ValueError", "zero-size array to reduction operation minimum which has no identity"),
		NoPosition:     refusal("argmax", "ValueError", "attempt to get argmax of an empty sequence"),

		Singular:          refusal("inv", "LinAlgError", "Singular matrix"),
		SingularSystem:    refusal("solve", "LinAlgError", "Singular matrix"),
		NotPositive:       refusal("cholesky", "LinAlgError", "Matrix is not positive definite"),
		NotFinite:         refusal("svd", "LinAlgError", "SVD did not converge"),
		NotFiniteEquation: refusal("lstsq", "LinAlgError", "SVD did not converge in Linear Least Squares"),
	}}

var jaxValues = &Values{Products: math.MaxInt, Zero: ZeroJAX, Floor: FloorRemainder, Power: PowerJAX, Skip: TieSecond, Median: MedianMidpoint, Fold: FoldWide, Truthy: true, RealTruth: true, Stepwise: true,
	Faults: map[Fault]*Refusal{
		NegativeNumber: refusal("power", "TypeError", "Integers cannot be raised to negative powers, got integer_pow"),
		NoMaximum:      refusal("max", "ValueError", "zero-size array to reduction operation max which has no identity"),
		NoMinimum:      refusal("min", "ValueError", "zero-size array to reduction operation min which has no identity"),
		NoPosition:     refusal("argmax", "ValueError", "attempt to get argmax of an empty sequence"),
		NoOrder:        refusal("argmax", "TypeError", "gt does not accept a complex dtype at position 0. Accepted dtypes at position 0 are subtypes of integer, floating, bool."),
		NoMedian:       refusal("median", "TypeError", "Slice size at index 0 in gather op is out of range, must be within [0, 0 + 1), got 1."),
	}}

const torchMinor = "linalg.cholesky: {batch}The factorization could not be completed because the input is not positive-definite (the leading minor of order {k} is not positive-definite)."

var torchValues = &Values{Products: 3, Floor: FloorExact, Tie: TieFirst, Skip: TieFirst, NaNSign: true, ZeroSign: true, Cast: CastTorch, Median: MedianLower,
	Fold: FoldDouble, Freedom: 1,
	Faults: map[Fault]*Refusal{
		DivideByZero:   refusal("floor_divide", "RuntimeError", "ZeroDivisionError"),
		TruncateByZero: refusal("div", "RuntimeError", "ZeroDivisionError"),
		NegativeNumber: refusal("pow", "RuntimeError", "Integers to negative integer powers are not allowed."),
		NoMaximum:      refusal("max", "RuntimeError", "max(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument."),
		NoMinimum:      refusal("min", "RuntimeError", "min(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument."),
		NoPosition:     refusal("argmax", "IndexError", "argmax(): Expected reduction dim to be specified for input.numel() == 0."),

		Singular:        refusal("inv", "LinAlgError", "linalg.inv: {batch}The diagonal element {k} is zero, the inversion could not be completed because the input matrix is singular."),
		SingularSystem:  refusal("solve", "LinAlgError", "torch.linalg.solve: {batch}The solver failed because the input matrix is singular."),
		SingularFactors: refusal("lu_factor", "RuntimeError", "torch.linalg.lu_factor: {batch}U[{k},{k}] is zero and using it on lu_solve would result in a division by zero. If you still want to perform the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"),
		NotPositive:     refusal("cholesky", "LinAlgError", torchMinor),
		NotANumberMinor: refusal("cholesky", "LinAlgError", torchMinor),
		NotFinite:       refusal("svd", "LinAlgError", "linalg.svd: {batch}The algorithm failed to converge because the input matrix contained non-finite values."),
	}}

var tensorflowValues = &Values{Products: 1, Shift: ShiftClamp, Tie: TieFirst, ZeroSign: true, Cast: CastTensorFlow, Fold: FoldTensorFlow, SkipNaN: true, Tensors: true, CanConvert: tensorflowConverts,
	Faults: map[Fault]*Refusal{
		DivideByZero:   refusal("floor_divide", "InvalidArgumentError", "Integer division by zero"),
		TruncateByZero: {Op: "truncatediv", Kind: "InternalError", Reason: "Integer division by zero", Whole: "Unexpected error in binary operator (only integer div and mod should have errors)"},
		NegativePower:  refusal("pow", "InvalidArgumentError", "Integers to negative integer powers are not allowed"),
		NegativeNumber: refusal("pow", "InvalidArgumentError", "Integers to negative integer powers are not allowed"),
		NoPosition:     refusal("argmax", "InvalidArgumentError", "Reduction axis 0 is empty in shape [0]"),

		Singular:        refusal("inv", "InvalidArgumentError", "Input is not invertible."),
		SingularSystem:  refusal("solve", "InvalidArgumentError", "Input matrix is not invertible."),
		SingularFactors: refusal("lu", "InvalidArgumentError", "Input is not invertible."),
		NotFiniteSquare: refusal("eigh", "InvalidArgumentError", "Self-adjoint eigen decomposition was not successful. The input might not be valid."),
	}}

// tensorflowConverts: there are casts to 8-bit floats from floats only.
func tensorflowConverts(from, to dtype.DType) error {
	if to.Is(dtype.Floating) && to.Bits() == 8 && !from.Is(dtype.Floating) {
		return refuse("Cast", "UnimplementedError", "Cast %s to %s is not supported", from.Long(), to.Long())
	}
	return nil
}
