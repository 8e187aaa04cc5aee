package emulate

import "github.com/goanvil/notebook/anvil/promote"

// A Fault is a reason for which some frameworks have an error instead of a
// value. Under these an operation waits for the values of its operands.
type Fault uint8

// The faults.
const (
	DivideByZero   Fault = iota // an integer floor-divided by 0, or its remainder
	TruncateByZero              // an integer divided by 0 and truncated
	NegativePower               // an integer to the power of a tensor with negative elements
	NoMaximum                   // of no elements
	NoMinimum
	NoPosition
	NoMedian
	InfinitePower // some infinite exponent, of several, of a complex number
	NoOrder       // of complex numbers, whose greatest or least one has a position

	// Of matrices. In a reason, {batch} is replaced by the index of the matrix in its batch,
	// and {k} by the row, counted from 1.
	Singular          // no inverse: elimination leaves a 0 on the diagonal
	SingularSystem    // no solution of equations, likewise
	SingularFactors   // likewise, where the factors are asked for
	NotPositive       // no Cholesky factor: the leading minor of k rows is not positive
	NotANumberMinor   // nor is one that is not a number
	NotFinite         // no singular values of infinities and nan
	NotFiniteEquation // no least squares, likewise
	NotFiniteSquare   // no eigenvalues, likewise
)

// Hint returns what to write instead.
func (f Fault) Hint() string { return hints[f] }

var hints = map[Fault]string{
	DivideByZero:   "integers are not divided by 0; choose another divisor there: nv.Where(y.Eq(0), 1, y)",
	TruncateByZero: "integers are not divided by 0; choose another divisor there: nv.Where(y.Eq(0), 1, y)",
	NegativePower:  "integers have no negative powers; make the base a float with AsType",
	NoMaximum:      "give at least one element",
	NoMinimum:      "give at least one element",
	NoPosition:     "give at least one element",
	NoMedian:       "give at least one element",
	InfinitePower:  "give one exponent at a time, or nv.Where(y.IsInf(), 0, y)",
	NoOrder:        "complex numbers have no order; take nv.Abs or nv.Real first",

	Singular:          "nv.PInv(x) is the inverse of what there is to invert",
	SingularSystem:    "nv.Lstsq(a, b) gives the shortest x that comes nearest",
	SingularFactors:   "nv.LU(x) has factors of any matrix",
	NotPositive:       "nv.EigValsH(x) shows which eigenvalues are not positive; add a little to the diagonal, or take nv.LU",
	NotANumberMinor:   "nv.IsNaN(x) shows where it is no number",
	NotFinite:         "nv.IsFinite(x) shows where it is not finite",
	NotFiniteEquation: "nv.IsFinite(a) shows where it is not finite",
	NotFiniteSquare:   "nv.IsFinite(x) shows where it is not finite",
}

func refusal(op, kind, reason string) *promote.Refusal {
	return &promote.Refusal{Op: op, Kind: kind, Reason: reason}
}
