package support

import (
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
)

// A RuntimeError is what the interpreter reports of a failure that compiled
// code reports as a runtime.Error.
type RuntimeError string

func (e RuntimeError) Error() string { return "runtime error: " + string(e) }

// RuntimeError marks the error as one of the run time's own.
func (RuntimeError) RuntimeError() {}

const nilDereference = RuntimeError("invalid memory address or nil pointer dereference")

// failures are the texts by which package reflect, which the interpreter works
// with, panics where compiled code has a runtime error.
var failures = map[string]RuntimeError{
	"reflect.Value.Call: call of nil function":              nilDereference,
	"reflect: Call using zero Value argument":               nilDereference,
	"reflect: Method on nil interface value":                nilDereference,
	"reflect: slice index out of range":                     "index out of range",
	"reflect: array index out of range":                     "index out of range",
	"reflect: string index out of range":                    "index out of range",
	"reflect.Value.Slice: slice index out of bounds":        "slice bounds out of range",
	"reflect.Value.Slice: string slice index out of bounds": "slice bounds out of range",
	"reflect.Value.Slice3: slice index out of bounds":       "slice bounds out of range",
	"reflect.MakeSlice: negative len":                       "makeslice: len out of range",
	"reflect.MakeSlice: negative cap":                       "makeslice: cap out of range",
	"reflect.MakeSlice: len > cap":                          "makeslice: cap out of range",
}

// Recovered returns the value of a panic as compiled code would recover it.
func Recovered(v any) any {
	v = plain(v)
	switch e := v.(type) {
	case *reflect.ValueError:
		return nilDereference
	case string:
		if r, ok := failures[e]; ok {
			return r
		}
		if strings.HasPrefix(e, "reflect: call of ") && strings.HasSuffix(e, "on zero Value") {
			return nilDereference
		}
	}
	return v
}

// NilCheck panics as a method call through a nil interface does.
func NilCheck(v any) {
	if v == nil {
		panic(nilDereference)
	}
}

// goroutine starts f. A panic of it is reported, it does not end the process.
func (s *Support) goroutine(f func()) {
	go func() {
		defer func() {
			if v := recover(); v != nil && s.Failed != nil {
				s.Failed(Recovered(v), debug.Stack())
			}
		}()
		f()
	}()
}

// MaxFrames is the number of frames on a goroutine's stack from which on a
// cell is told that its recursion is endless. A call in a cell takes about ten
// frames and 2 kB, the run time ends the process at 1 GB.
const MaxFrames = 1 << 20

// Depth panics when the calling goroutine is MaxFrames deep.
func Depth() {
	var pc [1]uintptr
	if runtime.Callers(MaxFrames, pc[:]) > 0 {
		panic(RuntimeError("stack overflow: a function calls itself without end"))
	}
}
