package backend

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/typename"
)

// Calls returns the names of the functions that a function calls, directly or through other functions. The name of a
// compiled function is its full name, as in go/types. The name of a function declared in a cell is listed if known
// returns true for it, which means that there are rules for the function; otherwise the functions that it calls are
// listed instead. A function value with the name f whose source is not available is listed as "?f".
//
// Where a cell calls a compiled function with the parameters f any, calls ...Calls, the kernel adds the Calls of f.
type Calls func(known func(name string) bool) []string

// FunctionUnsupported returns the dtypes that f does not accept under the active backend: those that the
// backend lacks, and those that are declared unsupported for f or for an operation that f calls. f is the name of
// an operation, a function of package anvil, or a function or method declared in a cell.
func FunctionUnsupported(f any, calls ...Calls) []dtype.DType {
	return Current().FunctionUnsupported(f, calls...)
}

// FunctionSupported returns the dtypes that f accepts under the active backend (see FunctionUnsupported).
func FunctionSupported(f any, calls ...Calls) []dtype.DType {
	return Current().FunctionSupported(f, calls...)
}

// FunctionCalls returns Ivy's names for the operations that f calls and that have rules. If f is the name of an
// operation, it returns only Ivy's name for this operation. See FunctionUnsupported for f.
func FunctionCalls(f any, calls ...Calls) []string { return Current().FunctionCalls(f, calls...) }

// FunctionUnsupported is the method form of the function FunctionUnsupported.
func (s *Settings) FunctionUnsupported(f any, calls ...Calls) []dtype.DType {
	p := s.Active()
	out := [][]dtype.DType{p.Invalid(dtype.Any)}
	for _, op := range s.FunctionCalls(f, calls...) {
		out = append(out, s.excluded(op, p, s.DefaultDevice(), ""))
	}
	return union(out...)
}

// FunctionSupported is the method form of the function FunctionSupported.
func (s *Settings) FunctionSupported(f any, calls ...Calls) []dtype.DType {
	return without(s.FunctionUnsupported(f, calls...))
}

// FunctionCalls is the method form of the function FunctionCalls.
func (s *Settings) FunctionCalls(f any, calls ...Calls) []string {
	if op, ok := f.(string); ok {
		return []string{opName(op)}
	}
	var ops []string
	for _, name := range s.calls(f, calls) {
		if unknown, ok := strings.CutPrefix(name, "?"); ok {
			if !s.hasOwnRules(opName(unknown)) {
				panic(noSourceError(f, unknown))
			}
			name = unknown
		}
		op, ok := opOfFunction(name)
		if !ok && s.hasOwnRules(opName(name)) { // a method of a type declared in a cell, such as Dense.Apply
			op, ok = opName(name), true
		}
		if ok && !slices.Contains(ops, op) && len(s.rules(op)) > 0 {
			ops = append(ops, op)
		}
	}
	slices.Sort(ops)
	return ops
}

// calls returns the names of the functions that f calls (see Calls). Without a Calls, f must be a function of
// package anvil, and the result is the name of f.
func (s *Settings) calls(f any, calls []Calls) []string {
	if len(calls) > 0 {
		return calls[0](func(name string) bool { return s.hasOwnRules(opName(name)) })
	}
	if v := reflect.ValueOf(f); v.Kind() == reflect.Func && !v.IsNil() {
		name := runtime.FuncForPC(v.Pointer()).Name()
		if _, ok := opOfFunction(name); ok {
			return []string{name}
		}
	}
	panic(noSourceError(f, ""))
}

// noSourceError returns an error for a function f whose source is not available. If inner is not "", the source that
// is not available is that of inner, a function value that f calls.
func noSourceError(f any, inner string) error {
	e := &dtype.Error{Op: "FunctionCalls", Operands: typename.Of(f),
		Reason: "the source of the function is not available",
		Hint:   "give a function that a cell declares, or the name of an operation"}
	if inner != "" {
		e.Reason = fmt.Sprintf("it calls %s, a value whose source is not available", inner)
		e.Hint = fmt.Sprintf("declare %s as a function, or say what it supports: backend.Declare(%q, ...)", inner, inner)
	}
	return e
}

// facadePath is the path of package anvil, whose functions and methods are operations.
const facadePath = "github.com/goanvil/notebook/anvil"

// opOfFunction returns Ivy's name for the operation that a function performs. name is the full name of a function or
// method of package anvil, or the name of a function declared in a cell. For functions of other packages, ok is
// false.
func opOfFunction(name string) (op string, ok bool) {
	plain := strings.NewReplacer("(", "", ")", "", "*", "").Replace(name)
	if !strings.ContainsAny(plain, "/.") {
		return opName(plain), true
	}
	rest, ok := strings.CutPrefix(plain, facadePath+".")
	if !ok {
		return "", false
	}
	// The names of method values have the suffix -fm.
	return opName(strings.TrimSuffix(rest[strings.LastIndex(rest, ".")+1:], "-fm")), true
}
