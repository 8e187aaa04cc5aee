package compile

import (
	"reflect"
	"unsafe"
)

// These functions of the runtime, which package reflect uses too, work on values of types that are known only at run
// time. typ is the descriptor of a type.

//go:linkname newObject reflect.unsafe_New
func newObject(typ unsafe.Pointer) unsafe.Pointer

//go:linkname newArray reflect.unsafe_NewArray
func newArray(typ unsafe.Pointer, n int) unsafe.Pointer

//go:linkname typedMove reflect.typedmemmove
func typedMove(typ, dst, src unsafe.Pointer)

//go:linkname typedClear reflect.typedmemclr
func typedClear(typ, p unsafe.Pointer)

//go:linkname typedSliceCopy reflect.typedslicecopy
func typedSliceCopy(typ unsafe.Pointer, dst, src slice) int

//go:linkname growSlice reflect.growslice
func growSlice(typ unsafe.Pointer, old slice, more int) slice

//go:linkname mapAccess reflect.mapaccess
func mapAccess(typ, m, key unsafe.Pointer) unsafe.Pointer

//go:linkname mapAssign reflect.mapassign0
func mapAssign(typ, m, key, elem unsafe.Pointer)

//go:linkname mapDelete reflect.mapdelete
func mapDelete(typ, m, key unsafe.Pointer)

//go:linkname mapClear reflect.mapclear
func mapClear(typ, m unsafe.Pointer)

//go:linkname mapLen reflect.maplen
func mapLen(m unsafe.Pointer) int

//go:linkname makeMap reflect.makemap
func makeMap(typ unsafe.Pointer, n int) unsafe.Pointer

//go:linkname makeChan reflect.makechan
func makeChan(typ unsafe.Pointer, n int) unsafe.Pointer

//go:linkname chanSend reflect.chansend0
func chanSend(ch, elem unsafe.Pointer, nonblocking bool) bool

//go:linkname chanRecv reflect.chanrecv
func chanRecv(ch unsafe.Pointer, nonblocking bool, elem unsafe.Pointer) (selected, received bool)

//go:linkname chanLen reflect.chanlen
func chanLen(ch unsafe.Pointer) int

//go:linkname chanCap reflect.chancap
func chanCap(ch unsafe.Pointer) int

//go:linkname chanClose reflect.chanclose
func chanClose(ch unsafe.Pointer)

// slice is the layout of every slice.
type slice struct {
	data     unsafe.Pointer
	len, cap int
}

// iface is the layout of every interface value. word points to the descriptor of the dynamic type if the interface type
// has no methods, and otherwise to a method table.
type iface struct{ word, data unsafe.Pointer }

// table is the beginning of a method table. typ is the descriptor of the dynamic type.
type table struct{ iface, typ unsafe.Pointer }

// descriptor returns the descriptor of t, the runtime's representation of a type.
func descriptor(t reflect.Type) unsafe.Pointer {
	return (*iface)(unsafe.Pointer(&t)).data // the data word of a reflect.Type is its descriptor
}

// typeAt returns the type with descriptor d.
func typeAt(d unsafe.Pointer) reflect.Type {
	v := iface{word: d}
	return reflect.TypeOf(*(*any)(unsafe.Pointer(&v)))
}

// hasPointers reports whether values of type t hold pointers.
func hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && hasPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	}
	return t.Kind() > reflect.Complex128 || t.Kind() == reflect.Invalid
}

// isDirectIface reports whether an interface that holds a value of type t has the value itself as its data word, and
// not a pointer to the value. Such values consist of a single pointer.
func isDirectIface(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return true
	case reflect.Array, reflect.Struct:
		zero := reflect.Zero(t).Interface()
		return (*iface)(unsafe.Pointer(&zero)).data == nil
	}
	return false
}
