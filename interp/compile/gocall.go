package compile

import (
	"reflect"
	"unsafe"
)

// Limits on the arguments and results of calls in machine registers.
const (
	maxWords     = 9 // integers and pointers in the arguments
	maxFloats    = 8 // floating-point numbers in the arguments
	maxOut       = 4 // integers and pointers in the results
	maxOutFloats = 2 // floating-point numbers in the results
)

// wordsIn holds the arguments of a call in machine registers.
type wordsIn struct {
	w [maxWords]uintptr // integers and pointers
	f [maxFloats]float64
}

// floatsOut holds the floating-point results of a call in machine registers.
type floatsOut [maxOutFloats]float64

// goCaller returns a function that calls the Go function f of type t. f is the pointer that funcPointer returns. args
// and results are registers of fr.
func (b *builder) goCaller(t reflect.Type) func(fr *frame, f unsafe.Pointer, args, results []*register) {
	if c := inRegisters(t); c != nil {
		return c
	}
	return func(fr *frame, f unsafe.Pointer, args, results []*register) {
		callReflect(t, fr, f, args, results)
	}
}

// callReflect calls the Go function f of type t by reflection; see goCaller.
func callReflect(t reflect.Type, fr *frame, f unsafe.Pointer, args, results []*register) {
	p := reflect.New(t)
	*(*unsafe.Pointer)(p.UnsafePointer()) = f
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		v := reflect.New(t.In(i))
		move(a.class, a.desc, v.UnsafePointer(), unsafe.Add(unsafe.Pointer(fr), a.off))
		in[i] = v.Elem()
	}
	var out []reflect.Value
	if t.IsVariadic() {
		out = p.Elem().CallSlice(in)
	} else {
		out = p.Elem().Call(in)
	}
	for i, r := range results {
		v := reflect.New(t.Out(i))
		v.Elem().Set(out[i])
		move(r.class, r.desc, unsafe.Add(unsafe.Pointer(fr), r.off), v.UnsafePointer())
	}
}
