package compile

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"testing"
)

// ended returns which hooks endPackageCall calls, and the results that it returns, for a function with so many
// parameters and results of these types. The hook Failed ends the goroutine if it gets always.
func ended(params int, results []reflect.Type, v any) (got string) {
	s := &Session{Hooks: Hooks{
		Caught: func(v any) { got += fmt.Sprintf("caught %v, ", v) },
		Failed: func(v any, always bool) {
			got += fmt.Sprintf("failed %v, ", v)
			if always {
				got += "always"
				runtime.Goexit()
			}
		},
	}}
	done := make(chan bool)
	go func() {
		defer close(done)
		for _, v := range s.endPackageCall(params, results, v) {
			got += fmt.Sprintf("%v, ", v.Interface())
		}
		got += "returns"
	}()
	<-done
	return got
}

// TestEndPackageCall tests how a function that a package calls ends after a panic: it returns an error if that is its
// last result. Otherwise it does not return, unless it has no results.
func TestEndPackageCall(t *testing.T) {
	number, err, similar := reflect.TypeFor[int](), reflect.TypeFor[error](), reflect.TypeFor[interface{ error }]()
	type list = []reflect.Type
	for _, c := range []struct {
		params  int
		results list
		v       any
		want    string
	}{
		{0, nil, "boom", "caught boom, returns"},
		{1, nil, "boom", "failed boom, returns"},
		{0, list{err}, "boom", "failed boom, panic: boom, returns"},
		{1, list{number, err}, io.EOF, "failed EOF, 0, panic: EOF, returns"},
		{0, list{err, err}, 3, "failed 3, <nil>, panic: 3, returns"},
		{0, list{number}, "boom", "failed boom, always"},
		{2, list{err, number}, "boom", "failed boom, always"},
		{0, list{similar}, "boom", "failed boom, always"},
		{0, nil, nil, "returns"}, // after runtime.Goexit
		{1, nil, nil, "returns"},
		{0, list{number}, nil, "failed <nil>, always"},
		{0, list{err}, nil, "failed <nil>, always"},
	} {
		if got := ended(c.params, c.results, c.v); got != c.want {
			t.Errorf("%d parameters, results %v, panic %v: %s, want %s", c.params, c.results, c.v, got, c.want)
		}
	}
	values, _ := errorResults(list{err}, fmt.Errorf("read: %w", io.EOF))
	if e := values[0].Interface().(error); e.Error() != "panic: read: EOF" || !errors.Is(e, io.EOF) {
		t.Errorf("%v does not wrap the error of the panic", e)
	}
}

// TestEndFinalizer tests that a finalizer with a result returns after a panic, since the other finalizers run in the
// same goroutine.
func TestEndFinalizer(t *testing.T) {
	failed := make(chan bool, 1)
	s := &Session{Hooks: Hooks{Failed: func(_ any, always bool) { failed <- always }}}
	runtime.SetFinalizer(new([64]byte), func(*[64]byte) int {
		s.endPackageCall(1, []reflect.Type{reflect.TypeFor[int]()}, "boom")
		return 0
	})
	for len(failed) == 0 {
		runtime.GC()
		runtime.Gosched()
	}
	if <-failed {
		t.Error("a finalizer does not return")
	}
}
