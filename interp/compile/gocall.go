package compile

import (
	"reflect"
	"unsafe"
)

// Limits of calls in registers, in words.
const (
	maxWords     = 9 // integers and pointers of the arguments
	maxFloats    = 8 // floating-point numbers of the arguments
	maxOut       = 4 // integers and pointers of the results
	maxOutFloats = 2 // floating-point numbers of the results
)

// wordsIn holds the arguments of a call in registers.
type wordsIn struct {
	w [maxWords]uintptr
	f [maxFloats]float64
}

// floatsOut holds the floating-point results of a call in registers.
type floatsOut [maxOutFloats]float64

// goCaller returns a function that calls Go functions of type t. Its parameter f points to the closure of the
// Go function to call.
func (b *builder) goCaller(t reflect.Type) func(fr *frame, f unsafe.Pointer, args, results []*register) {
	if c := inRegisters(t); c != nil {
		return c
	}
	return func(fr *frame, f unsafe.Pointer, args, results []*register) {
		callReflect(t, fr, f, args, results)
	}
}

// callReflect calls by reflection the function of type t whose closure f points to.
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
