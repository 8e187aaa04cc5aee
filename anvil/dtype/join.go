package dtype

import (
	"slices"
	"strings"
)

// A Rule is the rule of anvil's join that decides the common dtype of two dtypes. The
// zero Rule means that they have no common dtype.
type Rule uint8

// The rules of anvil's join, in the order in which they are tried: first those
// for an ambiguous and a known operand, then those for two known or two
// ambiguous ones.
const (
	NoRule Rule = iota
	RuleAmbiguousComplex
	RuleAmbiguousFloat
	RuleAmbiguousInteger
	RuleAmbiguousYields
	RuleSame
	RuleBoolLowest
	RuleComplex
	RuleFloatOverInteger
	RuleWiderFloat
	RuleHalves
	RuleWiderInteger
	RuleSignedHolds
	RuleSignedDoubles
	numRules
)

var ruleTexts = [numRules]struct{ name, doc string }{
	NoRule: {"none", "the two have no common dtype"},
	RuleAmbiguousComplex: {"ambiguous complex, known float",
		"the literal makes the result complex, and the known float decides how wide"},
	RuleAmbiguousFloat: {"ambiguous of a higher kind",
		"the known dtype is of a lower kind (bool < integer < float < complex): the ambiguous one wins, and stays " +
			"ambiguous"},
	RuleAmbiguousInteger: {"ambiguous over bool", "a known bool gives way to the ambiguous dtype, which stays ambiguous"},
	RuleAmbiguousYields: {"ambiguous yields",
		"a known dtype of the same or a higher kind wins, even where it is narrower"},
	RuleSame:       {"same dtype", "both operands have this dtype; the result is ambiguous (?) only if both are"},
	RuleBoolLowest: {"bool is lowest", "a bool takes on the other's dtype"},
	RuleComplex: {"complex",
		"the result is complex, with parts as wide as the wider float of the operands; integers do not count"},
	RuleFloatOverInteger: {"float over integer", "an integer of any width takes on the float's dtype"},
	RuleWiderFloat:       {"wider float", "the wider of two floats"},
	RuleHalves:           {"two halves", "neither bf16 nor f16 holds the other's values; f32 holds both"},
	RuleWiderInteger:     {"wider integer", "the wider of two signed integers, or of two unsigned ones"},
	RuleSignedHolds: {"signed holds unsigned",
		"the signed dtype, which is wider and holds all values of the unsigned one"},
	RuleSignedDoubles: {"signed of twice the width", "a signed dtype of twice the unsigned one's width, at most i64"},
}

// String returns the rule's name.
func (r Rule) String() string { return ruleTexts[min(r, numRules-1)].name }

// Doc returns the explanation of the rule.
func (r Rule) Doc() string { return ruleTexts[min(r, numRules-1)].doc }

// Rules returns every rule of the join, in the order in which they are tried.
func Rules() []Rule {
	rs := make([]Rule, 0, numRules-1)
	for r := NoRule + 1; r < numRules; r++ {
		rs = append(rs, r)
	}
	return rs
}

// Common returns the common dtype of a and b and whether it is ambiguous, as R
// anvil's common_dtype does. The optional arguments ambiguous say whether a, and whether
// b, is ambiguous. Common panics with an *Error if there is no common dtype; Join returns
// that error.
func Common(a, b DType, ambiguous ...bool) Typed {
	var flags [2]bool
	if copy(flags[:], ambiguous) < len(ambiguous) {
		panic(&Error{"dtype.Common", a.String() + ", " + b.String(), "more than two flags",
			"give at most one for each dtype"})
	}
	t, err := Join(Typed{a, flags[0]}, Typed{b, flags[1]})
	if err != nil {
		panic(err)
	}
	return t
}

// Join returns the common dtype of a and b under anvil's rules. It is commutative, and
// associative if both groupings have a result: some pairs of narrow floats have none. The
// error is an *Error.
func Join(a, b Typed) (Typed, error) {
	t, r := JoinRule(a, b)
	if r == NoRule {
		return Typed{}, joinError(a, b)
	}
	return t, nil
}

// JoinRule returns the result of Join and the rule that decided it, or NoRule if
// there is no common dtype.
func JoinRule(a, b Typed) (Typed, Rule) {
	if a.DType >= numDTypes || b.DType >= numDTypes {
		return Typed{}, NoRule
	}
	c := &joinTable[joinIndex(a)][joinIndex(b)]
	return c.Typed, c.rule
}

// JoinAll returns the common dtype of all of ts, folded from the left. An
// empty list is an error.
func JoinAll(ts ...Typed) (Typed, error) {
	if len(ts) == 0 {
		return Typed{}, &Error{"dtype.JoinAll", "", "nothing to join", "give at least one dtype"}
	}
	acc := ts[0]
	for _, t := range ts[1:] {
		var err error
		if acc, err = Join(acc, t); err != nil {
			return Typed{}, err
		}
	}
	return acc, nil
}

// joinError returns the error of Join for two dtypes without a common one.
func joinError(a, b Typed) error {
	e := &Error{Op: "dtype.Join", Operands: a.String() + ", " + b.String(),
		Reason: "these two narrow floats have no common dtype", Hint: "convert both to bf16, f16 or f32"}
	if !a.DType.Valid() || !b.DType.Valid() {
		e.Reason, e.Hint = "not a dtype", "the dtypes are "+names(All())
	}
	return e
}

// names returns the names of ds, with spaces between them.
func names(ds []DType) string {
	words := make([]string, len(ds))
	for i, d := range ds {
		words[i] = d.String()
	}
	return strings.Join(words, " ")
}

// joinTable holds the result of JoinRule for every pair of operands, by their joinIndex.
var joinTable = func() (t [2 * numDTypes][2 * numDTypes]joinResult) {
	for a := Invalid + 1; a < numDTypes; a++ {
		for b := Invalid + 1; b < numDTypes; b++ {
			aKnown, aAmbiguous := joinIndex(Typed{a, false}), joinIndex(Typed{a, true})
			bKnown, bAmbiguous := joinIndex(Typed{b, false}), joinIndex(Typed{b, true})
			same, mixed := joinKnown(a, b), joinAmbiguous(a, b)
			t[aKnown][bKnown] = same
			t[aAmbiguous][bKnown], t[bKnown][aAmbiguous] = mixed, mixed
			same.Ambiguous = same.rule != NoRule
			t[aAmbiguous][bAmbiguous] = same
		}
	}
	return t
}()

// A joinResult is the result of JoinRule.
type joinResult struct {
	Typed
	rule Rule
}

// joinIndex returns the index of t in joinTable.
func joinIndex(t Typed) int {
	s := int(t.DType) << 1
	if t.Ambiguous {
		s++
	}
	return s
}

// joinAmbiguous joins an ambiguous dtype a with a known dtype k. If the result is a, it is
// ambiguous. An ambiguous complex dtype with a known float gives a known complex dtype as wide
// as the float, so that f64, c64? and c64 give c128 in every grouping.
func joinAmbiguous(a, k DType) joinResult {
	switch {
	case a.Is(Complex) && k.Is(Floating):
		return joinResult{Typed{complexFor(k), false}, RuleAmbiguousComplex}
	case a.Is(Inexact) && !k.Is(Inexact):
		return joinResult{Typed{a, true}, RuleAmbiguousFloat}
	case a != I1 && k == I1:
		return joinResult{Typed{a, true}, RuleAmbiguousInteger}
	case a == k:
		return joinResult{Typed{k, false}, RuleSame}
	}
	return joinResult{Typed{k, false}, RuleAmbiguousYields}
}

// joinKnown joins two known dtypes. Two ambiguous dtypes have the same result, but ambiguous.
func joinKnown(a, b DType) joinResult {
	if rank(a) > rank(b) {
		a, b = b, a
	}
	switch {
	case a == b:
		return joinResult{Typed{a, false}, RuleSame}
	case a == I1:
		return joinResult{Typed{b, false}, RuleBoolLowest}
	case b.Is(Complex):
		return joinResult{Typed{max(b, complexFor(a)), false}, RuleComplex}
	case b.Is(Floating) && !a.Is(Floating):
		return joinResult{Typed{b, false}, RuleFloatOverInteger}
	case b.Is(Floating):
		return joinFloats(a, b)
	}
	return joinIntegers(a, b)
}

// rank returns the kind of d, but Signed for unsigned integers, so that ranks are in the order
// of promotion: bool < integer < float < complex.
func rank(d DType) Kind {
	if d.Is(Unsigned) {
		return Signed
	}
	return d.Kind()
}

// complexFor returns c128 for f64 and c128, and c64 for all other dtypes.
func complexFor(d DType) DType {
	if d == F64 || d == C128 {
		return C128
	}
	return C64
}

// joinFloats joins two different floats to the wider one. Two floats of 16 bits give f32; two
// floats of 8 bits have no common dtype. Nor have f4e2m1fn and f8e8m0fnu, since f8e8m0fnu has
// no sign and no zero.
func joinFloats(a, b DType) joinResult {
	if a.Bits() > b.Bits() {
		a, b = b, a
	}
	switch {
	case a.Bits() == 16 && b.Bits() == 16:
		return joinResult{Typed{F32, false}, RuleHalves}
	case a.Bits() == b.Bits(), a == F4E2M1FN && b == F8E8M0FNU:
		return joinResult{}
	}
	return joinResult{Typed{b, false}, RuleWiderFloat}
}

// joinIntegers joins two different integer dtypes.
func joinIntegers(a, b DType) joinResult {
	if a.Bits() > b.Bits() || a.Bits() == b.Bits() && a.Is(Unsigned) {
		a, b = b, a // b is the wider dtype, or the unsigned one if the widths are equal
	}
	switch {
	case a.Kind() == b.Kind():
		return joinResult{Typed{b, false}, RuleWiderInteger}
	case b.Is(Signed):
		return joinResult{Typed{b, false}, RuleSignedHolds}
	}
	bits := min(64, 2*b.Bits())
	ds := Signed.DTypes()
	i := slices.IndexFunc(ds, func(d DType) bool { return d.Bits() == bits })
	return joinResult{Typed{ds[i], false}, RuleSignedDoubles}
}
