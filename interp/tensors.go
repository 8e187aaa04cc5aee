package interp

import (
	"reflect"
	"unsafe"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/lower"
)

// tensorsNamed returns the tensors in the variables that a cell mentions. names has the author's name of the variable
// of each tensor.
func (s *Session) tensorsNamed(l *lower.Lowered) (found []reflect.Value, names []string) {
	for _, name := range l.TensorVariables {
		if v, ok := s.vars[name]; ok {
			_ = s.WithMaps([]any{v}, func() { found = s.tensorsIn(v, found) })
		}
		for len(names) < len(found) {
			names = append(names, check.AuthorName(name))
		}
	}
	return found, names
}

// maxWalk is the greatest number of values that tensorsIn visits.
const maxWalk = 100_000

// tensorsIn appends to found the tensors that can be reached from v through pointers, structs, slices, arrays, maps and
// interfaces. If v is a pointer, the tensors are addressable, except those in maps and interfaces.
func (s *Session) tensorsIn(v reflect.Value, found []reflect.Value) []reflect.Value {
	if s.tensor == nil {
		return nil
	}
	w := &tensorWalk{tensor: s.tensor, found: found, seen: map[reference]bool{}, budget: maxWalk}
	w.visit(v)
	return w.found
}

// A tensorWalk searches values for tensors.
type tensorWalk struct {
	tensor reflect.Type
	found  []reflect.Value
	seen   map[reference]bool // the pointers and maps that have been visited
	budget int                // how many more values may be visited
}

// A reference identifies a pointer or a map. It has the type, since a struct and its first field have the same address.
type reference struct {
	t reflect.Type
	p unsafe.Pointer
}

// visit adds the tensors that can be reached from v.
func (w *tensorWalk) visit(v reflect.Value) {
	if w.budget--; w.budget < 0 || !v.IsValid() {
		return
	}
	if v.Type() == w.tensor {
		w.found = append(w.found, v)
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() && !w.visited(v) {
			w.visit(v.Elem())
		}
	case reflect.Struct:
		if mayHoldTensors(v.Type()) {
			w.fields(v)
		}
	case reflect.Slice, reflect.Array:
		if mayHoldTensors(v.Type().Elem()) {
			for i := range v.Len() {
				w.visit(v.Index(i))
			}
		}
	case reflect.Map:
		if !w.visited(v) && mayHoldTensors(v.Type().Elem()) {
			for i := v.MapRange(); i.Next(); {
				w.visit(i.Value())
			}
		}
	}
}

// fields visits the fields of a struct. It reads unexported fields through their addresses, since package reflect does
// not give access to their values.
func (w *tensorWalk) fields(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Field(i)
		if !mayHoldTensors(f.Type()) {
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

// visited reports whether the pointer or map v was visited before, and marks it as visited. It does not mark
// interfaces: a cycle through an interface also goes through a pointer or a map, which is marked, or through a slice,
// and then budget ends the walk.
func (w *tensorWalk) visited(v reflect.Value) bool {
	if v.Kind() == reflect.Interface {
		return false
	}
	r := reference{v.Type(), v.UnsafePointer()}
	before := w.seen[r]
	w.seen[r] = true
	return before
}

// mayHoldTensors reports whether tensors may be reached from values of type t, judging by the kind of t.
func mayHoldTensors(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
		return true
	}
	return false
}
