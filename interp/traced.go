package interp

import (
	"errors"
	"reflect"
)

// mustBeUntraced panics if v, which is to be assigned to the variable called name, holds a traced tensor. Such a tensor
// has no value, and the variable remains in use when the trace has ended.
func mustBeUntraced(v any, name string) {
	if isTraced(v) {
		panic(errors.New(name + " = ...: this tensor has a value only inside the traced function, and " + name +
			" is declared outside; return the tensor from the function, and assign it where the function is called"))
	}
}

// maxExamined is the greatest number of elements of a slice or array that isTraced examines. It examines the last ones,
// since append adds elements at the end.
const maxExamined = 64

// isTraced reports whether v is or holds a traced tensor: one that stands for a value in a trace and has no value yet.
func isTraced(v any) bool { return holdsTraced(reflect.ValueOf(v), 0) }

// maxNesting is the greatest depth to which isTraced examines nested values, since values may contain themselves.
const maxNesting = 8

// holdsTraced is isTraced for a value at the given depth in the argument of isTraced.
func holdsTraced(v reflect.Value, depth int) bool {
	if !v.IsValid() || depth > maxNesting || !v.CanInterface() || v.IsZero() {
		return false
	}
	if t, ok := v.Interface().(interface{ Traced() bool }); ok {
		return t.Traced()
	}
	traced := func(part reflect.Value) bool { return holdsTraced(part, depth+1) }
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return traced(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if traced(v.Field(i)) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		for i := v.Len() - 1; i >= max(0, v.Len()-maxExamined); i-- {
			if traced(v.Index(i)) {
				return true
			}
		}
	case reflect.Map:
		for i := v.MapRange(); i.Next(); {
			if traced(i.Value()) {
				return true
			}
		}
	}
	return false
}
