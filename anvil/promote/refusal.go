package promote

import (
	"errors"
	"fmt"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Refusal is the error of the imitated system, such as NumPy: the operation, the kind of
// error, and the reason. Reason may leave out parts of the system's text, such as advice on
// what to write in its language. Then Whole is the complete text, and otherwise "".
type Refusal struct {
	Op, Kind, Reason, Whole string

	cause cause
}

// Error returns the operation and the reason.
func (e *Refusal) Error() string { return e.Op + ": " + e.Reason }

// Foreign returns the error in the system's form: "TypeError: reason".
func (e *Refusal) Foreign() string { return e.Kind + ": " + e.Reason }

// Verbatim returns the error in the system's form, with its complete text.
func (e *Refusal) Verbatim() string {
	if e.Whole != "" {
		return e.Kind + ": " + e.Whole
	}
	return e.Foreign()
}

// withRest returns the refusal err with the rest of the real system's text after
// its reason.
func withRest(err error, rest string) error {
	var refusal *Refusal
	if errors.As(err, &refusal) && rest != "" {
		whole := *refusal
		whole.Whole = refusal.Reason + rest
		return &whole
	}
	return err
}

// A cause is the reason why a system refuses operands.
type cause uint8

// The causes.
const (
	notDefined cause = iota
	noCommonDType
	outOfRange
	notStored
	negativeExponent
)

// causes has the rule of each cause.
var causes = [...]Rule{
	notDefined:       {"not defined", "the operation is not defined for these dtypes"},
	noCommonDType:    {"no common dtype", "the system defines none for these operands"},
	outOfRange:       {"number out of range", "the dtype does not hold the number"},
	notStored:        {"not in place", "the result is stored in the left operand, to whose dtype it cannot be cast"},
	negativeExponent: {"no such value", "an integer to a negative power is not an integer"},
}

// refuse returns a Refusal with a formatted reason, of an operation that is not defined for its operands.
func refuse(op, kind, format string, args ...any) error {
	return notDefined.refuse(op, kind, format, args...)
}

// refuse returns a Refusal with the cause and a formatted reason.
func (c cause) refuse(op, kind, format string, args ...any) error {
	return &Refusal{Op: op, Kind: kind, Reason: fmt.Sprintf(format, args...), cause: c}
}

// storeOrders says, for each framework, to which dtypes an operation in place casts its result.
var storeOrders = map[string]string{
	"numpy":    "a result is cast only within its kind or to a higher one (bool < unsigned < signed < float < complex)",
	"torch":    "a result is cast only within its category or to a higher one (bool < integer < float < complex)",
	"arrayapi": "a result is never cast",
}

// notStoredRule returns the rule of the cause notStored, with the dtypes of the result and of
// the left operand in its sentence.
func (e Explanation) notStoredRule() Rule {
	rule := causes[notStored]
	if order, ok := storeOrders[e.System.Framework()]; ok && len(e.Steps) > 0 {
		rule.Doc = fmt.Sprintf("%s is not stored in %s, the left operand's dtype: %s", e.Steps[len(e.Steps)-1].Result,
			e.Operands[0].DType, order)
	}
	return rule
}

// Refusal returns the rule that says why the operands have no result; ok is false if
// they have one.
func (e Explanation) Refusal() (rule Rule, ok bool) {
	if e.Err == nil {
		return Rule{}, false
	}
	switch c := causeOf(e.Err); c {
	case outOfRange:
		return e.outOfRangeRule(), true
	case notStored:
		return e.notStoredRule(), true
	default:
		return causes[c], true
	}
}

// causeOf returns the cause of err, the error of a system or of package dtype.
func causeOf(err error) cause {
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return refusal.cause
	}
	var dtypeErr *dtype.Error
	if errors.As(err, &dtypeErr) {
		switch dtypeErr.Op {
		case "dtype.Join", "promote":
			return noCommonDType
		case "dtype.Fit":
			return outOfRange
		}
	}
	return notDefined
}
