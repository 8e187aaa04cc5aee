package promote

import (
	"fmt"

	"github.com/goanvil/notebook/anvil/dtype"
)

// AnvilRData implements the promotion rules of anvl, R anvil's successor. A plain number
// takes the dtype of an array of the same or a higher kind, and must fit it. Results are
// never ambiguous, and ui64 with a signed integer is an error.
// Source: R/rdata.R and the article on type promotion of r-xla/anvl.
var AnvilRData = New("rdata",
	"R anvil's successor: R numbers take the array's dtype and must fit it; ui64 with signed is an error",
	anvilDTypes, Rules{
		Literal: dtype.OfLiteral,
		Convert: dtype.Fit,
		Join:    rdataJoin,
		Divide:  anvilDivide,
		Reduce:  rdataReduce,
	})

var (
	rdataArray = Rule{"takes the array's dtype",
		"an R number of the same or a lower kind (bool < integer < float < complex) takes the array's dtype"}
	rdataDefault = Rule{"takes the default dtype",
		"an R number of a higher kind than the array has the default dtype of its kind"}
)

// rdataJoin returns the common dtype of two operands, always known, and the rule that gives
// it. For two arrays or two numbers the dtype is that of anvilJoin, but ui64 with a signed
// integer is an error.
func rdataJoin(a, b Operand) (dtype.Typed, Rule, error) {
	a, b = knownFirst(a, b)
	switch {
	case b.Ambiguous && !a.Ambiguous && kindRank(b.DType) <= kindRank(a.DType):
		return Known(a.DType), rdataArray, nil
	case b.Ambiguous && !a.Ambiguous:
		t, err := dtype.Join(Known(a.DType), Known(b.DType))
		return t, rdataDefault, err
	case u64WithSigned(a.DType, b.DType) || u64WithSigned(b.DType, a.DType):
		return dtype.Typed{}, Rule{}, &dtype.Error{Op: "promote", Operands: fmt.Sprintf("%s, %s", a.DType, b.DType),
			Reason: "no integer dtype holds both", Hint: "convert one of them"}
	}
	t, r, err := anvilJoin(Operand{Typed: Known(a.DType)}, Operand{Typed: Known(b.DType)})
	if a.Ambiguous { // both are ambiguous; the result is known
		r.Name, r.Doc = r.Name+", known", r.Doc+"; the result is known"
	}
	return t, r, err
}

// u64WithSigned reports whether a is ui64 and b is a signed integer.
func u64WithSigned(a, b dtype.DType) bool { return a == dtype.U64 && b.Is(dtype.Signed) }

// rdataReduce is anvilReduce with known results.
func rdataReduce(r Reduction, t dtype.Typed) (dtype.Typed, Rule) {
	t, rule := anvilReduce(r, t)
	return Known(t.DType), rule
}
