package backend

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// Calls tells what a function calls, itself or by way of others: full names of
// compiled functions, as go/types has them; names of functions of cells for
// which known holds, into which it then does not look; and "?name" where it
// cannot tell. A compiled function whose last parameter is ...Calls gets one
// for the function that it is called with: the kernel adds it to calls in
// cells.
type Calls func(known func(name string) bool) []string

// FunctionUnsupported returns the dtypes that f does not take under the active
// backend: those that the backend lacks, and those that are declared not to be
// supported by f or, where f is composed, by any operation it calls. f is the
// name of an operation, one of package anvil's functions, or a function or
// method of a cell, whose source tells what it calls.
func FunctionUnsupported(f any, calls ...Calls) []dtype.DType {
	return Current().FunctionUnsupported(f, calls...)
}

// FunctionSupported returns the dtypes that f takes under the active backend
// (see FunctionUnsupported).
func FunctionSupported(f any, calls ...Calls) []dtype.DType {
	return Current().FunctionSupported(f, calls...)
}

// FunctionCalls returns the names of the operations that f is composed of, as
// Ivy writes them, as far as something is declared of them for any framework;
// of one operation its own (see FunctionUnsupported).
func FunctionCalls(f any, calls ...Calls) []string { return Current().FunctionCalls(f, calls...) }

// FunctionUnsupported is the function FunctionUnsupported.
func (s *Settings) FunctionUnsupported(f any, calls ...Calls) []dtype.DType {
	p := s.Active()
	out := [][]dtype.DType{p.Invalid(dtype.Any)}
	for _, op := range s.FunctionCalls(f, calls...) {
		out = append(out, s.excluded(op, p, s.DefaultDevice(), ""))
	}
	return union(out...)
}

// FunctionSupported is the function FunctionSupported.
func (s *Settings) FunctionSupported(f any, calls ...Calls) []dtype.DType {
	return without(s.FunctionUnsupported(f, calls...))
}

// FunctionCalls is the function FunctionCalls.
func (s *Settings) FunctionCalls(f any, calls ...Calls) []string {
	if op, ok := f.(string); ok {
		return []string{opName(op)}
	}
	var ops []string
	for _, name := range s.calls(f, calls) {
		if unknown, ok := strings.CutPrefix(name, "?"); ok {
			if !s.declares(opName(unknown)) {
				panic(unreadable(f, unknown))
			}
			name = unknown
		}
		op, ok := operationName(name)
		if !ok && s.declares(opName(name)) { // Dense.Apply, of a cell
			op, ok = opName(name), true
		}
		if ok && !slices.Contains(ops, op) && len(s.rules(op)) > 0 {
			ops = append(ops, op)
		}
	}
	slices.Sort(ops)
	return ops
}

// calls returns the names of what f calls.
func (s *Settings) calls(f any, calls []Calls) []string {
	if len(calls) > 0 {
		return calls[0](func(name string) bool { return s.declares(opName(name)) })
	}
	if v := reflect.ValueOf(f); v.Kind() == reflect.Func && !v.IsNil() {
		name := runtime.FuncForPC(v.Pointer()).Name()
		if _, ok := operationName(name); ok {
			return []string{name}
		}
	}
	panic(unreadable(f, ""))
}

func unreadable(f any, inner string) error {
	e := &dtype.Error{Op: "FunctionCalls", Operands: strings.ReplaceAll(fmt.Sprintf("%T", f), "anvil.", "nv."), Reason: "the source of the function is not at hand",
		Hint: "give a function that a cell declares, or the name of an operation"}
	if inner != "" {
		e.Reason = fmt.Sprintf("it calls %s, a value whose source is not at hand", inner)
		e.Hint = fmt.Sprintf("declare %s as a function, or say what it supports: backend.Declare(%q, ...)", inner, inner)
	}
	return e
}

// facade is the package whose functions and methods are operations, in the
// full names of functions.
const facade = "github.com/goanvil/notebook/anvil"

// operationName returns Ivy's name of the operation that a full name stands
// for. ok is false for functions of other packages; a name without one is a
// function of a cell.
func operationName(name string) (op string, ok bool) {
	plain := strings.NewReplacer("(", "", ")", "", "*", "").Replace(name)
	if !strings.ContainsAny(plain, "/.") {
		return opName(plain), true
	}
	rest, ok := strings.CutPrefix(plain, facade+".")
	if !ok {
		return "", false
	}
	return opName(strings.TrimSuffix(rest[strings.LastIndex(rest, ".")+1:], "-fm")), true
}
