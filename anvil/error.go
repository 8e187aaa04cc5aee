package anvil

import (
	"errors"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/xla"
)

// An Error says what is wrong with an operation and what to write instead. Its text is
// "op(operands): reason; hint". Operations panic with an *Error, so that methods can be
// chained; Try returns it as a value.
type Error struct {
	Op       string // "Add"
	Operands string // "f32{3,4}, f32{3}"
	Reason   string // what is wrong
	Hint     string // what to do, or ""
	Err      error  // the cause, or nil
}

// Error returns "op(operands): reason; hint".
func (e *Error) Error() string {
	s := e.Op + "(" + e.Operands + "): " + e.Reason
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// Unwrap returns the cause of e.
func (e *Error) Unwrap() error { return e.Err }

// Try calls f and returns an *Error, *dtype.Error or *promote.Refusal that f panics with.
// Other panics continue.
func Try(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			err = r
		case *dtype.Error:
			err = r
		case *promote.Refusal:
			err = r
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// Must returns v, or panics with err as an *Error.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(asError("Must", "", err))
	}
	return v
}

// MustAny is Must for callers that cannot instantiate it.
func MustAny(v any, err error) any { return Must(v, err) }

// asError returns the *Error that err wraps. If err wraps no *Error, asError returns err as an *Error of the operation
// op.
func asError(op, operands string, err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	var r *promote.Refusal
	if errors.As(err, &r) {
		return &Error{Op: op, Operands: operands, Reason: r.Foreign(), Err: err}
	}
	var x *xla.Error
	if errors.As(err, &x) {
		switch {
		case errors.Is(err, xla.ErrOutOfMemory):
			return &Error{Op: op, Operands: operands, Reason: "out of memory: " + x.Reason, Hint: x.Hint, Err: err}
		case errors.Is(err, xla.ErrInterrupted):
			return &Error{Op: op, Operands: operands, Reason: x.Reason, Hint: x.Hint, Err: err}
		}
	}
	var d *dtype.Error
	if errors.As(err, &d) {
		if op == "" { // the caller names no operation: name the one of package dtype
			op, operands = d.Op, d.Operands
		}
		return &Error{Op: op, Operands: operands, Reason: d.Reason, Hint: d.Hint, Err: err}
	}
	return &Error{Op: op, Operands: operands, Reason: err.Error(), Err: err}
}

// failed returns err, the error of computing t for op, as an *Error of op. If memory ran out or the computation was
// interrupted, failed returns an *Error of the operation that made t.
func (t *tensor) failed(op string, err error) error {
	described := describe(Tensor{t: t})
	memory, interrupted := errors.Is(err, xla.ErrOutOfMemory), errors.Is(err, xla.ErrInterrupted)
	if !memory && !interrupted || !t.explained() {
		return asError(op, described, err)
	}
	if interrupted {
		return asError(t.why.op, t.why.operandTypes(), err)
	}
	e := *asError(t.why.op, t.why.operandTypes(), err)
	e.Reason += ", for " + described
	return &e
}

// operandTypes returns the types of the recorded operands, for errors.
func (r *record) operandTypes() string {
	words := make([]string, 0, r.count)
	for _, o := range r.operands[:min(r.count, len(r.operands))] {
		words = append(words, o.typed.String())
	}
	if r.count > len(r.operands) {
		words = append(words, "...")
	}
	return strings.Join(words, ", ")
}

// operands returns the types of xs, for errors.
func operands(xs ...any) string {
	texts := make([]string, len(xs))
	for i, x := range xs {
		texts[i] = describe(x)
	}
	return strings.Join(texts, ", ")
}

// itoa returns n as text, for errors.
func itoa(n int) string { return strconv.Itoa(n) }

// plural returns n followed by one or many, the singular and the plural of a noun: "1 axis", "2 axes".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return itoa(n) + " " + many
}
