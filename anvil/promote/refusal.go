package promote

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Refusal is the error of a system that has no result: the operation, the
// kind of error that the real system raises, and its reason. Whole is all that
// the real system says, where that is more than the reason: advice in its own
// language, what its program was at.
type Refusal struct{ Op, Kind, Reason, Whole string }

// Error returns the operation and the reason.
func (e *Refusal) Error() string { return e.Op + ": " + e.Reason }

// Foreign returns the error as the real system says it: "TypeError: reason".
func (e *Refusal) Foreign() string { return e.Kind + ": " + e.Reason }

// Verbatim returns the error as the real system says it, with all its words.
func (e *Refusal) Verbatim() string {
	if e.Whole != "" {
		return e.Kind + ": " + e.Whole
	}
	return e.Foreign()
}

// goingOn returns the refusal err with what the real system says after its reason.
func goingOn(err error, rest string) error {
	var no *Refusal
	if errors.As(err, &no) && rest != "" {
		said := *no
		said.Whole = no.Reason + rest
		return &said
	}
	return err
}

func refuse(op, kind, format string, args ...any) error {
	return &Refusal{Op: op, Kind: kind, Reason: fmt.Sprintf(format, args...)}
}

// The rules by which a system has no result.
var (
	refusedJoin   = Rule{"no common dtype", "no dtype of the system is there for these together"}
	refusedKernel = Rule{"not defined", "the operation is not defined at that dtype"}
	refusedNumber = Rule{"number out of range", "the dtype does not hold the number"}
	refusedStore  = Rule{"may not be stored", "the result is not cast to the dtype that it is stored in"}
	refusedValue  = Rule{"no such value", "the operation has no value for the number"}
)

// joining are the operations by which refusals to join name themselves.
var joining = []string{"promote_types", "result_type", "promote", "promote_type", "convert", "dtype.Join"}

func isNegative(x Operand) bool {
	n, ok := x.Literal.(int)
	return ok && n < 0
}

// Refusal returns the rule by which the operands have no result; ok is false
// where they have one.
func (e Explanation) Refusal() (rule Rule, ok bool) {
	if e.Err == nil {
		return Rule{}, false
	}
	var no *Refusal
	op, kind, reason := "", "", ""
	if errors.As(e.Err, &no) {
		op, kind, reason = no.Op, no.Kind, no.Reason
	}
	var own *dtype.Error
	if errors.As(e.Err, &own) {
		op = own.Op
	}
	switch {
	case slices.Contains(joining, op) || kind == "ArrowTypeError" || kind == "SchemaError":
		return refusedJoin, true
	case kind == "OverflowError" || op == "dtype.Fit" || strings.Contains(reason, "out of bounds for") || strings.Contains(reason, "without overflow"):
		return e.outOfRange(), true
	case strings.Contains(reason, "negative") && slices.ContainsFunc(e.Operands, isNegative):
		return refusedValue, true
	case len(e.Operands) > 1 && (strings.Contains(reason, "can't be cast") || strings.Contains(reason, "Cannot cast ufunc")):
		return refusedStore, true
	}
	return refusedKernel, true
}
