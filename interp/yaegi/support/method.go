package support

import (
	"go/types"
	"reflect"
	"unsafe"
)

// bind makes f the body of a method of row n's named type.
func (s *Support) bind(n int, name string, f any) {
	s.table.Bind(s.table.At(n).Type.(*types.Named), name, f)
}

// method finds the method name of v: it stores a function that takes the
// receiver in front of the arguments where pf points, and returns the receiver.
func (s *Support) method(v any, name string, pf any) *int8 {
	f, recv := s.table.Method(v, name)
	if !f.IsValid() {
		panic(nilDereference)
	}
	dst := reflect.ValueOf(pf).Elem()
	dst.Set(Retype(f, dst.Type()))
	return (*int8)(recv)
}

// Retype returns v as a value of a type with the same layout.
func Retype(v reflect.Value, t reflect.Type) reflect.Value {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return reflect.NewAt(t, unsafe.Pointer(p.Pointer())).Elem()
}
