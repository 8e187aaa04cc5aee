package promote

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Refusal is the error of a real system: the operation, the kind of error, and the
// reason. Whole is the real system's complete text, or "" if Reason is complete. Reason
// leaves out such parts as advice in the real system's language.
type Refusal struct{ Op, Kind, Reason, Whole string }

// Error returns the operation and the reason.
func (e *Refusal) Error() string { return e.Op + ": " + e.Reason }

// Foreign returns the error in the real system's form: "TypeError: reason".
func (e *Refusal) Foreign() string { return e.Kind + ": " + e.Reason }

// Verbatim returns the error in the real system's form, with its complete text.
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

// refuse returns a Refusal with a formatted reason.
func refuse(op, kind, format string, args ...any) error {
	return &Refusal{Op: op, Kind: kind, Reason: fmt.Sprintf(format, args...)}
}

// The rules that say why a system has no result.
var (
	refusedJoin   = Rule{"no common dtype", "none is defined for these operands"}
	refusedKernel = Rule{"not defined", "the operation is not defined for these dtypes"}
	refusedNumber = Rule{"number out of range", "the dtype does not hold the number"}
	refusedStore  = Rule{"not in place", "the result is not cast to the dtype of the left operand, in which it is stored"}
	refusedValue  = Rule{"no such value", "the operation has no value for the number"}
)

// storeOrders tells, for each framework, to which dtypes an operation in place casts its result.
var storeOrders = map[string]string{
	"numpy":    "a result is cast only within its kind or to a higher one (bool < unsigned < signed < float < complex)",
	"torch":    "a result is cast only within its category or to a higher one (bool < integer < float < complex)",
	"arrayapi": "a result is never cast",
}

// whyNotStored returns the rule that says why the result is not stored in the left operand.
func (e Explanation) whyNotStored() Rule {
	rule := refusedStore
	if order, ok := storeOrders[e.System.Framework()]; ok && len(e.Steps) > 0 {
		rule.Doc = fmt.Sprintf("%s is not stored in %s, the left operand's dtype: %s", e.Steps[len(e.Steps)-1].Result,
			e.Operands[0].DType, order)
	}
	return rule
}

// joinOps are the operations that the errors of joins name.
var joinOps = []string{"promote_types", "result_type", "promote", "promote_type", "convert", "dtype.Join"}

// Refusal returns the rule that says why the operands have no result; ok is false if
// they have one.
func (e Explanation) Refusal() (rule Rule, ok bool) {
	if e.Err == nil {
		return Rule{}, false
	}
	var refusal *Refusal
	op, kind, reason := "", "", ""
	if errors.As(e.Err, &refusal) {
		op, kind, reason = refusal.Op, refusal.Kind, refusal.Reason
	}
	var dtypeErr *dtype.Error
	if errors.As(e.Err, &dtypeErr) {
		op = dtypeErr.Op
	}
	negative := func(x Operand) bool { n, ok := x.Literal.(int); return ok && n < 0 }
	switch { // the real systems' errors are told apart by their texts
	case slices.Contains(joinOps, op) || kind == "ArrowTypeError" || kind == "SchemaError":
		return refusedJoin, true
	case kind == "OverflowError" || op == "dtype.Fit" || strings.Contains(reason, "out of bounds for") ||
		strings.Contains(reason, "without overflow"):
		return e.outOfRangeRule(), true
	case strings.Contains(reason, "negative") && slices.ContainsFunc(e.Operands, negative):
		return refusedValue, true
	case len(e.Operands) > 1 && (strings.Contains(reason, "can't be cast") ||
		strings.Contains(reason, "Cannot cast ufunc") || strings.Contains(reason, "Cannot perform")):
		return e.whyNotStored(), true
	}
	return refusedKernel, true
}
