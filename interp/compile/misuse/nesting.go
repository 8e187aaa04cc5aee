package misuse

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
)

// Functions of packages that descend into values by reflection overflow the stack, which ends the process, if
// a value contains itself or nests too deeply.

// Limits on the depth and the number of nested values.
const (
	maxNesting = 100_000
	maxValues  = 1 << 24
)

// A knownType records the result of canNest for a type.
type knownType struct {
	typ   reflect.Type
	nests bool
}

var (
	nests  sync.Map                  // from reflect.Type to *knownType
	latest atomic.Pointer[knownType] // the most recently used
)

// canNest reports whether values of type t can nest without bound: whether they can hold values of their own
// type or of any type.
func canNest(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Pointer, reflect.Struct:
	default:
		return false
	}
	if l := latest.Load(); l != nil && l.typ == t {
		return l.nests
	}
	known, ok := nests.Load(t)
	if !ok {
		known = &knownType{t, findNesting(t, map[reflect.Type]bool{})}
		nests.Store(t, known)
	}
	latest.Store(known.(*knownType))
	return known.(*knownType).nests
}

// findNesting computes canNest for t, which is a part of the types in above. If t is one of these, values can nest
// without bound.
func findNesting(t reflect.Type, above map[reflect.Type]bool) bool {
	if above[t] {
		return true
	}
	above[t] = true
	defer delete(above, t)
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Slice, reflect.Array, reflect.Pointer:
		return findNesting(t.Elem(), above)
	case reflect.Map:
		return findNesting(t.Key(), above) || findNesting(t.Elem(), above)
	case reflect.Struct:
		for i := range t.NumField() {
			if findNesting(t.Field(i).Type, above) {
				return true
			}
		}
	}
	return false
}

// A nesting searches a value for cycles and deep nesting.
type nesting struct {
	pointers bool // follow pointers, which fmt does not

	values int
	path   map[reference]bool // the references that lead to the current value, from depth firstNoted on
	cyclic bool
	deep   bool // maxNesting or maxValues is exceeded
}

// A reference identifies what a slice, map or pointer refers to.
type reference struct {
	at  uintptr
	len int
	typ reflect.Type
}

// firstNoted is the depth from which on cycles are detected, as in encoding/json.
const firstNoted = 1000

// referenceOf returns what v refers to, if it is a slice, map or pointer that is not empty.
func referenceOf(v reflect.Value) (r reference, ok bool) {
	switch v.Kind() {
	case reflect.Slice:
		r.len = v.Len()
		ok = r.len > 0
	case reflect.Map:
		ok = v.Len() > 0
	case reflect.Pointer:
		ok = !v.IsNil()
	}
	if ok {
		r.at, r.typ = v.Pointer(), v.Type()
	}
	return r, ok
}

// visit descends into v until it finds a cycle or a limit is reached.
func (n *nesting) visit(v reflect.Value, depth int) {
	if n.deep || n.cyclic || !v.IsValid() || !canNest(v.Type()) {
		return
	}
	n.values++
	if depth > maxNesting || n.values > maxValues {
		n.deep = true
		return
	}
	if depth >= firstNoted {
		if r, ok := referenceOf(v); ok {
			if n.path[r] {
				n.cyclic = true
				return
			}
			if n.path == nil {
				n.path = map[reference]bool{}
			}
			n.path[r] = true
			defer delete(n.path, r)
		}
	}
	switch v.Kind() {
	case reflect.Interface:
		n.visit(v.Elem(), depth+1)
	case reflect.Pointer:
		if n.pointers || depth == 0 {
			n.visit(v.Elem(), depth+1)
		}
	case reflect.Slice, reflect.Array:
		if canNest(v.Type().Elem()) {
			for i := range v.Len() {
				e := v.Index(i)
				if e.Kind() == reflect.Interface {
					e = e.Elem()
				}
				if k := e.Kind(); k >= reflect.Array && k != reflect.String { // not a number or a string
					n.visit(e, depth+1)
				}
			}
		}
	case reflect.Map:
		for i := v.MapRange(); i.Next(); {
			n.visit(i.Key(), depth+1)
			n.visit(i.Value(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			n.visit(v.Field(i), depth+1)
		}
	}
}

// tooDeep returns an error that begins with the name of a function if v nests too deeply for that function. cycles
// reports whether the function can handle values that contain themselves.
func tooDeep(function string, v any, cycles bool) error {
	if v == nil || !canNest(reflect.TypeOf(v)) {
		return nil
	}
	n := nesting{pointers: true}
	n.visit(reflect.ValueOf(v), 0)
	switch {
	case n.cyclic && !cycles:
		return fmt.Errorf("%s: the value holds itself", function)
	case n.deep:
		return fmt.Errorf("%s: the value nests more than %d deep, or holds more than %d values",
			function, maxNesting, maxValues)
	}
	return nil
}
