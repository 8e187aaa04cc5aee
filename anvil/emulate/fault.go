package emulate

import "github.com/goanvil/notebook/anvil/promote"

// A Fault is a case in which some frameworks raise an error instead of returning a value. To find out
// whether to raise it, an operation under such a framework waits for the values of its operands.
type Fault uint8

// The faults.
const (
	DivideByZero    Fault = iota // the floor division or remainder of an integer by 0
	TruncateByZero               // the truncating division of an integer by 0
	NegativePower                // an integer to the power of a tensor with negative elements
	NoMaximum                    // the maximum of an empty tensor
	NoMinimum                    // the minimum of an empty tensor
	NoPosition                   // ArgMax of an empty tensor
	NoLeastPosition              // ArgMin of an empty tensor
	NoMedian                     // the median of an empty tensor
	InfinitePower                // a complex number to the power of a tensor of several elements, one of them infinite
	NoOrder                      // ArgMax or ArgMin of complex numbers

	// Faults of matrices. In the Reason of their errors, {batch} is replaced by the index of the matrix in
	// its batch, and {k} by the number of the row, counted from 1.
	Singular          // for an inverse: elimination leaves a 0 on the diagonal
	SingularSystem    // for a system of equations: as Singular
	SingularFactors   // for an LU factorization: as Singular
	NotPositive       // for a Cholesky factor: the leading minor of k rows is not positive
	NotANumberMinor   // for a Cholesky factor: the leading minor of k rows is nan
	NotFinite         // for singular values: elements are infinite or nan
	NotFiniteEquation // for least squares: as NotFinite
	NotFiniteSquare   // for eigenvalues: as NotFinite
)

// Hint returns advice for avoiding the fault.
func (f Fault) Hint() string { return hints[f] }

// hints has the text of Hint for each fault.
var hints = map[Fault]string{
	DivideByZero:    "integers cannot be divided by 0; select another divisor: nv.Where(y.Eq(0), 1, y)",
	TruncateByZero:  "integers cannot be divided by 0; select another divisor: nv.Where(y.Eq(0), 1, y)",
	NegativePower:   "integers have no negative powers; make the base a float with AsType",
	NoMaximum:       "give at least one element",
	NoMinimum:       "give at least one element",
	NoPosition:      "give at least one element",
	NoLeastPosition: "give at least one element",
	NoMedian:        "give at least one element",
	InfinitePower:   "give one exponent at a time, or nv.Where(y.IsInf(), 0, y)",
	NoOrder:         "complex numbers have no order; take nv.Abs or nv.Real first",

	Singular:        "nv.PInv(x) returns a pseudoinverse of any matrix",
	SingularSystem:  "nv.Lstsq(a, b) returns the least-squares solution of least norm",
	SingularFactors: "nv.LU(x) factorizes any matrix",
	NotPositive: "nv.EigValsH(x) shows which eigenvalues are not positive; " +
		"add a small number to the diagonal, or use nv.LU",
	NotANumberMinor:   "nv.IsNaN(x) shows which elements of x are nan",
	NotFinite:         "nv.IsFinite(x) shows which elements of x are finite",
	NotFiniteEquation: "nv.IsFinite(a) shows which elements of a are finite",
	NotFiniteSquare:   "nv.IsFinite(x) shows which elements of x are finite",
}

// refusal returns the error that a framework's function op raises. kind is the class of the error.
func refusal(op, kind, reason string) *promote.Refusal {
	return &promote.Refusal{Op: op, Kind: kind, Reason: reason}
}
