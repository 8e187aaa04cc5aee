package promote

import (
	"fmt"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
)

// beyond returns the number among the operands that a dtype which it meets does
// not hold: that of the result, or of what it stands beside.
func (e Explanation) beyond() (x Operand, d dtype.DType, ok bool) {
	meets := []dtype.DType{e.Result.DType}
	for _, o := range e.Operands {
		if o.Literal == nil {
			meets = append(meets, o.DType)
		}
	}
	for _, x := range e.Operands {
		for _, d := range meets {
			if misfits(x, d) {
				return x, d, true
			}
		}
	}
	return x, d, false
}

// misfits reports whether x is a whole number or a float that d, of its kind,
// does not hold.
func misfits(x Operand, d dtype.DType) bool {
	switch x.Literal.(type) {
	case int:
		if !d.Is(dtype.Integral) {
			return false
		}
	case float64:
		if !d.Is(dtype.Floating) {
			return false
		}
	default:
		return false
	}
	if !d.Valid() {
		return false
	}
	_, err := dtype.Fit(x.Literal, d)
	return err != nil
}

// bounds are what d holds, in words: "i8 holds -128 to 127".
func bounds(d dtype.DType) string {
	if d.Is(dtype.Integral) {
		return fmt.Sprintf("%s holds %s", d, d.Range())
	}
	return fmt.Sprintf("%s holds up to %s", d, d.Range())
}

// outOfRange is refusedNumber with the number, what the dtype holds and what
// happens.
func (e Explanation) outOfRange() Rule {
	rule := refusedNumber
	if x, d, ok := e.beyond(); ok {
		rule.Doc = fmt.Sprintf("%s, and %s is beyond: an error under %s", bounds(d), literalText(x.Literal), e.System.Name())
	}
	return rule
}

const beyondName = "number beyond the dtype"

// wrapped returns the step of the number that becomes another one at the dtype
// of the result, which does not hold it; none where every number fits.
func (e Explanation) wrapped(op string) []Step {
	if e.Err != nil || OnlyTable(e.System) || slices.Contains(anyNumber, op) {
		return nil
	}
	for _, x := range e.Operands {
		if !x.Ambiguous || !misfits(x, e.Result.DType) {
			continue
		}
		v, err := e.System.Convert(x.Literal, e.Result.DType)
		if err != nil {
			continue
		}
		return []Step{{x.String() + " at " + e.Result.String(), e.Result, Rule{beyondName,
			fmt.Sprintf("%s: %s becomes %v there, without an error", bounds(e.Result.DType), literalText(x.Literal), v)}}}
	}
	return nil
}
