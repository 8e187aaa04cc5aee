package interp

import (
	"reflect"

	"github.com/goanvil/notebook/interp/lower"
)

// roots returns the tensors that are held by the names a cell mentions.
func (s *Session) roots(l *lower.Lowered) []reflect.Value {
	var found []reflect.Value
	for _, name := range l.Names {
		if v, ok := s.vars[name]; ok {
			found = s.tensorsIn(v, found)
		}
	}
	return found
}

// maxWalk bounds how many values of a cell are looked at for tensors.
const maxWalk = 100_000

// tensorsIn appends the tensors that v leads to: through pointers, structs,
// slices, arrays, maps and interfaces. They are addressable but for those in
// maps and interfaces.
func (s *Session) tensorsIn(v reflect.Value, found []reflect.Value) []reflect.Value {
	if s.tensor == nil {
		return nil
	}
	w := &walk{tensor: s.tensor, found: found, seen: map[reflect.Value]bool{}, left: maxWalk}
	w.visit(v)
	return w.found
}

type walk struct {
	tensor reflect.Type
	found  []reflect.Value
	seen   map[reflect.Value]bool // pointers and maps
	left   int
}

func (w *walk) visit(v reflect.Value) {
	if w.left--; w.left < 0 || !v.IsValid() {
		return
	}
	if v.Type() == w.tensor {
		w.found = append(w.found, v)
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() && !w.again(v) {
			w.visit(v.Elem())
		}
	case reflect.Struct:
		if mayHold(v.Type()) {
			w.fields(v)
		}
	case reflect.Slice, reflect.Array:
		if mayHold(v.Type().Elem()) {
			for i := range v.Len() {
				w.visit(v.Index(i))
			}
		}
	case reflect.Map:
		if !w.again(v) && mayHold(v.Type().Elem()) {
			for i := v.MapRange(); i.Next(); {
				w.visit(i.Value())
			}
		}
	}
}

// fields visits the fields of a struct. Reflection gives values of those that
// are not exported only by way of their addresses.
func (w *walk) fields(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Field(i)
		if !mayHold(f.Type()) {
			continue
		}
		if !v.Type().Field(i).IsExported() {
			if !f.CanAddr() {
				continue
			}
			f = reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
		}
		w.visit(f)
	}
}

func (w *walk) again(v reflect.Value) bool {
	if v.Kind() == reflect.Interface {
		return false
	}
	if w.seen[v] {
		return true
	}
	w.seen[v] = true
	return false
}

// mayHold reports whether values of type t can lead to tensors: numbers and
// strings do not.
func mayHold(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
		return true
	}
	return false
}
