package compile

import (
	"fmt"
	"net/http"
	"reflect"
	"runtime"
	"slices"
	"unsafe"

	"github.com/goanvil/notebook/anvil/goroutine"
	"github.com/goanvil/notebook/interp/compile/misuse"
)

// endPackageCall ends a call by a package in a goroutine that the package started, after a panic with value v, or
// after runtime.Goexit if v is nil. The package would not recover the panic, and the process would end. params is the
// number of parameters of the function, and results has the types of its results. endPackageCall returns the results.
//
// The panic of a function without parameters and results is handled like that of a go statement. All other panics fail
// the cell that started the goroutine. If the last result of the function is an error, the function returns the panic
// as this error. If it has no results, it just returns. Otherwise it never returns, and the running cell ends.
func (s *Session) endPackageCall(params int, results []reflect.Type, v any) []reflect.Value {
	isPlain := params == 0 && len(results) == 0
	values, returns := errorResults(results, v)
	switch {
	case v == nil:
		if len(results) > 0 {
			s.Hooks.Failed(nil, true)
		}
	case isPlain:
		s.Hooks.Caught(v)
	case calledBy("net/http.serverHandler.ServeHTTP", "net/http.(*timeoutHandler).ServeHTTP.func1"):
		if v != http.ErrAbortHandler {
			s.Hooks.Caught(v)
		}
		panic(http.ErrAbortHandler) // the server recovers it: see http.Handler
	default:
		returns = returns || calledBy("runtime.runFinalizers") // which ignores results
		s.Hooks.Failed(v, !returns)
		switch {
		case !returns:
			select {}
		case calledBy("testing.(*B).runN"):
			runtime.Goexit() // as FailNow does; otherwise the benchmark would go on with more iterations
		}
	}
	return values
}

// errorResults returns the results of a function that panicked with value v: an error for the panic as the last one,
// and zero for the others. It reports whether the function can return. That is not the case if the last result is not
// an error.
func errorResults(results []reflect.Type, v any) (values []reflect.Value, returns bool) {
	for _, t := range results {
		values = append(values, reflect.New(t).Elem())
	}
	last := len(results) - 1
	if last < 0 {
		return values, true
	}
	if results[last] != reflect.TypeFor[error]() {
		return values, false
	}
	values[last].Set(reflect.ValueOf(panicError{v}))
	return values, true
}

// endByPackage is endPackageCall for the call with the frame fr.
func (s *Session) endByPackage(fr *frame, v any) {
	var types []reflect.Type
	for _, r := range fr.code.results {
		types = append(types, r.typ)
	}
	for i, value := range s.endPackageCall(len(fr.code.params), types, v) {
		reflect.NewAt(types[i], unsafe.Add(unsafe.Pointer(fr), fr.code.results[i].off)).Elem().Set(value)
	}
}

// callPromoted makes a call by a package of a method that a type of a cell has from an embedded field. sig is the type
// of the method. If the calling goroutine is not one of the session's, endPackageCall handles a panic, such as that of
// an embedded interface that is nil.
func (s *Session) callPromoted(sig reflect.Type, call func() []reflect.Value) (results []reflect.Value) {
	if _, ok := s.owned.Load(goroutine.Key()); ok {
		return call()
	}
	defer s.Own()()
	done := false
	defer func() {
		if !done {
			results = s.endPackageCall(sig.NumIn(), slices.Collect(sig.Outs()), recover())
		}
	}()
	results = call()
	done = true
	return results
}

// maxByteCount returns the length of the last argument if fr calls a function like Read or Write, which returns a
// number of bytes and an error. The number must not exceed this length. For other calls maxByteCount returns -1.
func (fr *frame) maxByteCount() int {
	p, r := fr.code.params, fr.code.results
	if len(p) == 0 || p[len(p)-1].typ != reflect.TypeFor[[]byte]() {
		return -1
	}
	if len(r) != 2 || r[0].typ != reflect.TypeFor[int]() || r[1].typ != reflect.TypeFor[error]() {
		return -1
	}
	return at[slice](unsafe.Pointer(fr), p[len(p)-1].off).len
}

// checkByteCount sets an error in the results if the number of bytes is not between 0 and most, unless most is
// negative. A wrong number would make packages panic in goroutines of their own, where nothing recovers the panic.
func (fr *frame) checkByteCount(most int) {
	if most < 0 {
		return
	}
	r := fr.code.results
	if n := at[int](unsafe.Pointer(fr), r[0].off); *n < 0 || *n > most {
		*at[error](unsafe.Pointer(fr), r[1].off) = fmt.Errorf("a Read or Write returned the count %d for %d bytes", *n, most)
		*n = 0
	}
}

// A panicError is the error that a function returns to a package in place of a panic.
type panicError struct{ value any }

func (e panicError) Error() string {
	return "panic: " + fmt.Sprint(misuse.Printable([]any{e.value})...)
}

func (e panicError) Unwrap() error {
	err, _ := e.value.(error)
	return err
}

// calledBy reports whether one of the named functions is on the goroutine's stack.
func calledBy(names ...string) bool {
	pcs := make([]uintptr, 10_000)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for {
		f, more := frames.Next()
		if slices.Contains(names, f.Function) {
			return true
		}
		if !more {
			return false
		}
	}
}
