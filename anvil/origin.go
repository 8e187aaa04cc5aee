package anvil

import (
	"reflect"
	"runtime"
	"sync"
	"unsafe"
	"weak"
)

// An origin describes the call op(f, settings...) that made a function, where op is Jit, Grad, Vmap or another
// transformation. The function depends on nothing else.
type origin struct {
	at       weak.Pointer[byte] // the closure of the function
	op       string
	f        reflect.Value
	settings []any
}

// origins holds the origin of each function in use that makeFunc has made, by the address of its closure.
var origins sync.Map // uintptr to *origin

// makeFunc returns a function of type t with the given body, and records that op made it from f and settings.
func makeFunc(t reflect.Type, body func([]reflect.Value) []reflect.Value,
	op string, f reflect.Value, settings ...any) any {
	made := reflect.MakeFunc(t, body)
	p := (*byte)(closureOf(made))
	o := &origin{at: weak.Make(p), op: op, f: f, settings: settings}
	key := uintptr(unsafe.Pointer(p))
	origins.Store(key, o)
	runtime.AddCleanup(p, func(key uintptr) { origins.CompareAndDelete(key, o) }, key)
	return made.Interface()
}

// originOf returns the origin of f, or nil.
func originOf(f reflect.Value) *origin {
	p := closureOf(f)
	o, ok := origins.Load(uintptr(p))
	if !ok || o.(*origin).at.Value() != (*byte)(p) { // the origin may be that of an earlier function at this address
		return nil
	}
	return o.(*origin)
}

// closureOf returns the address of a function value, which differs between closures of the
// same code.
func closureOf(f reflect.Value) unsafe.Pointer {
	p := reflect.New(f.Type())
	p.Elem().Set(f)
	return *(*unsafe.Pointer)(p.UnsafePointer())
}
