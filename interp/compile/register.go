package compile

import (
	"go/types"
	"reflect"
	"unsafe"
)

// A valueClass is the representation of a value in a register.
type valueClass uint8

const (
	_              valueClass = iota
	word1                     // a bool or a number of one byte
	word2                     // a number of two bytes
	word4                     // a number of four bytes
	word8                     // a number of eight bytes
	pointerClass              // any single pointer
	stringClass               // a string
	sliceClass                // a slice
	interfaceClass            // an interface
	plainClass                // a struct, array or complex number without pointers
	mixedClass                // a struct or array with pointers
)

// classOf returns the class of values of type t.
func classOf(t reflect.Type) valueClass {
	switch t.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return pointerClass
	case reflect.String:
		return stringClass
	case reflect.Slice:
		return sliceClass
	case reflect.Interface:
		return interfaceClass
	case reflect.Struct, reflect.Array, reflect.Complex64, reflect.Complex128:
		if hasPointers(t) {
			return mixedClass
		}
		return plainClass
	}
	switch t.Size() {
	case 1:
		return word1
	case 2:
		return word2
	case 4:
		return word4
	}
	return word8
}

// copyOp returns the step that copies a value of r's type from offset src of the frame to offset dst.
func copyOp(r *register, dst, src uintptr) op {
	switch r.class {
	case word1, word2, word4, word8:
		// Registers of all these classes have eight bytes.
		return func(fr unsafe.Pointer) { *at[uint64](fr, dst) = *at[uint64](fr, src) }
	case pointerClass:
		return func(fr unsafe.Pointer) { *at[unsafe.Pointer](fr, dst) = *at[unsafe.Pointer](fr, src) }
	case stringClass:
		return func(fr unsafe.Pointer) { *at[string](fr, dst) = *at[string](fr, src) }
	case sliceClass:
		return func(fr unsafe.Pointer) { *at[slice](fr, dst) = *at[slice](fr, src) }
	case interfaceClass:
		return func(fr unsafe.Pointer) { *at[iface](fr, dst) = *at[iface](fr, src) }
	}
	t := descriptor(r.typ)
	return func(fr unsafe.Pointer) { typedMove(t, unsafe.Add(fr, dst), unsafe.Add(fr, src)) }
}

// move copies a value of the given class, whose type has descriptor t, from src to dst.
func move(class valueClass, t, dst, src unsafe.Pointer) {
	switch class {
	case word1:
		*(*uint8)(dst) = *(*uint8)(src)
	case word2:
		*(*uint16)(dst) = *(*uint16)(src)
	case word4:
		*(*uint32)(dst) = *(*uint32)(src)
	case word8:
		*(*uint64)(dst) = *(*uint64)(src)
	case pointerClass:
		*(*unsafe.Pointer)(dst) = *(*unsafe.Pointer)(src)
	case stringClass:
		*(*string)(dst) = *(*string)(src)
	case sliceClass:
		*(*slice)(dst) = *(*slice)(src)
	case interfaceClass:
		*(*iface)(dst) = *(*iface)(src)
	default:
		typedMove(t, dst, src)
	}
}

// at returns a pointer to the register at offset off of the frame fr. T is the type of the register.
func at[T any](fr unsafe.Pointer, off uintptr) *T { return (*T)(unsafe.Add(fr, off)) }

// inner returns the inner type of t, which values of type t have in registers and variables; see
// [celltype.Table.Inner].
func (b *builder) inner(t types.Type) reflect.Type {
	if r, ok := b.types[t]; ok {
		return r
	}
	if isDeferStackType(t) {
		return reflect.TypeFor[unsafe.Pointer]()
	}
	if p, ok := t.(*types.Pointer); ok && isDeferStackType(p.Elem()) {
		return reflect.TypeFor[*unsafe.Pointer]()
	}
	r, err := b.s.Table.Inner(t)
	if err != nil {
		b.fail("%v", err)
	}
	b.types[t] = r
	return r
}

// A register is the memory of a value in the frames of a function.
type register struct {
	off   uintptr // the offset in the frame
	typ   reflect.Type
	desc  unsafe.Pointer // the descriptor of typ
	class valueClass
}
