package promote

import "fmt"

// A Refusal is the error of a system that has no result: the operation, the
// kind of error that the real system raises, and its reason.
type Refusal struct{ Op, Kind, Reason string }

// Error returns the operation and the reason.
func (e *Refusal) Error() string { return e.Op + ": " + e.Reason }

// Foreign returns the error as the real system says it: "TypeError: reason".
func (e *Refusal) Foreign() string { return e.Kind + ": " + e.Reason }

func refuse(op, kind, format string, args ...any) error {
	return &Refusal{op, kind, fmt.Sprintf(format, args...)}
}
