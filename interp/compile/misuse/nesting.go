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
	known  sync.Map                  // from reflect.Type to *knownType
	latest atomic.Pointer[knownType] // the most recent result of canNest
)

// canNest reports whether values of type t can nest without bound, because they can hold interfaces or values of a type
// that contains itself.
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
	k, ok := known.Load(t)
	if !ok {
		k = &knownType{t, findNesting(t, map[reflect.Type]bool{})}
		known.Store(t, k)
	}
	latest.Store(k.(*knownType))
	return k.(*knownType).nests
}

// findNesting computes canNest for t, which is a part of each type in above. If t is one of these types, it contains
// itself.
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
	pointers bool // follow all pointers; package fmt follows only those at depth 0

	values int                // how many values were visited
	path   map[reference]bool // the references that lead to the current value, from depth cycleDepth on
	cyclic bool               // the value contains itself
	deep   bool               // maxNesting or maxValues is exceeded
}

// A reference identifies what a slice, map or pointer refers to.
type reference struct {
	at  uintptr
	len int          // the length of a slice
	typ reflect.Type // the type of the slice, map or pointer
}

// cycleDepth is the depth from which visit looks for cycles. Most values do not nest so deeply, and are visited faster.
// Package encoding/json uses the same depth.
const cycleDepth = 1000

// referenceOf returns what v refers to. ok is false unless v is a pointer that is not nil, or a slice or map that is
// not empty.
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

// visit descends into v, which is at the given depth, until it finds a cycle or exceeds a limit.
func (n *nesting) visit(v reflect.Value, depth int) {
	if n.deep || n.cyclic || !v.IsValid() || !canNest(v.Type()) {
		return
	}
	n.values++
	if depth > maxNesting || n.values > maxValues {
		n.deep = true
		return
	}
	if depth >= cycleDepth {
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

// tooDeep returns an error, which begins with prefix, if v nests too deeply for a function that descends into it or,
// unless cycles is set, contains itself.
func tooDeep(prefix string, v any, cycles bool) error {
	if v == nil || !canNest(reflect.TypeOf(v)) {
		return nil
	}
	n := nesting{pointers: true}
	n.visit(reflect.ValueOf(v), 0)
	switch {
	case n.cyclic && !cycles:
		return fmt.Errorf("%s: the value holds itself", prefix)
	case n.deep:
		return fmt.Errorf("%s: the value nests more than %d deep, or holds more than %d values",
			prefix, maxNesting, maxValues)
	}
	return nil
}
