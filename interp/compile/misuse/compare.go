package misuse

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

// When Go compares or hashes a value, it descends into the interfaces that structs and arrays hold. If these nest too
// deeply, the stack overflows, which ends the process. If many of them hold the same values, the comparison visits
// these values again and again: it takes very long and cannot be interrupted.

func init() {
	for name, f := range map[string]any{
		"(*sync.Map).CompareAndDelete": func(m *sync.Map, key, old any) bool {
			CheckKey(key)
			CheckKey(old)
			return m.CompareAndDelete(key, old)
		},
		"(*sync.Map).CompareAndSwap": func(m *sync.Map, key, old, new any) bool {
			CheckKey(key)
			CheckKey(old)
			return m.CompareAndSwap(key, old, new)
		},
		"(*sync.Map).Delete": func(m *sync.Map, key any) { CheckKey(key); m.Delete(key) },
		"(*sync.Map).Load": func(m *sync.Map, key any) (any, bool) {
			CheckKey(key)
			return m.Load(key)
		},
		"(*sync.Map).LoadAndDelete": func(m *sync.Map, key any) (any, bool) {
			CheckKey(key)
			return m.LoadAndDelete(key)
		},
		"(*sync.Map).LoadOrStore": func(m *sync.Map, key, value any) (any, bool) {
			CheckKey(key)
			return m.LoadOrStore(key, value)
		},
		"(*sync.Map).Store": func(m *sync.Map, key, value any) { CheckKey(key); m.Store(key, value) },
		"(*sync.Map).Swap": func(m *sync.Map, key, value any) (any, bool) {
			CheckKey(key)
			return m.Swap(key, value)
		},
		"(*sync/atomic.Value).CompareAndSwap": func(v *atomic.Value, old, new any) bool {
			CheckKey(old)
			return v.CompareAndSwap(old, new)
		},
		"(reflect.Value).Equal": func(v, u reflect.Value) bool {
			checkReflected(v)
			return v.Equal(u)
		},
		"(reflect.Value).MapIndex": func(v, key reflect.Value) reflect.Value {
			checkReflected(key)
			return v.MapIndex(key)
		},
		"(reflect.Value).SetMapIndex": func(v, key, elem reflect.Value) { checkReflected(key); v.SetMapIndex(key, elem) },
	} {
		methods[name] = reflect.ValueOf(f)
	}
}

// isError is like errors.Is, but panics if target nests too deeply.
func isError(err, target error) bool {
	CheckKey(target)
	return errors.Is(err, target)
}

// withValue is like context.WithValue, but panics if key nests too deeply.
func withValue(parent context.Context, key, value any) context.Context {
	CheckKey(key)
	return context.WithValue(parent, key, value)
}

// checkReflected is CheckKey for the value that v holds.
func checkReflected(v reflect.Value) {
	if v.IsValid() && v.CanInterface() {
		CheckKey(v.Interface())
	}
}

// A heldInterface describes, in the memory layout of a type, an interface or an array whose elements contain
// interfaces.
type heldInterface struct {
	at         uintptr // the offset in the value
	hasMethods bool    // the interface type has methods

	// For an array only:
	elem  []heldInterface // the interfaces in an element
	count int             // the number of elements
	size  uintptr         // the size of an element
}

// interfacesIn appends the interfaces in a value of type t to list. at is the offset of the value.
func interfacesIn(t reflect.Type, at uintptr, list []heldInterface) []heldInterface {
	switch t.Kind() {
	case reflect.Interface:
		list = append(list, heldInterface{at: at, hasMethods: t.NumMethod() > 0})
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" {
				list = interfacesIn(f.Type, at+f.Offset, list)
			}
		}
	case reflect.Array:
		if elem := interfacesIn(t.Elem(), 0, nil); elem != nil {
			list = append(list, heldInterface{at: at, elem: elem, count: t.Len(), size: t.Elem().Size()})
		}
	}
	return list
}

// A composite describes a struct or array type.
type composite struct {
	typ        reflect.Type
	interfaces []heldInterface
}

var (
	composites      sync.Map                  // from reflect.Type to *composite
	latestComposite atomic.Pointer[composite] // the most recent result of compositeOf
)

// compositeOf returns the composite of t, a struct or array type.
func compositeOf(t reflect.Type) *composite {
	if c := latestComposite.Load(); c != nil && c.typ == t {
		return c
	}
	known, ok := composites.Load(t)
	if !ok {
		known, _ = composites.LoadOrStore(t, &composite{t, interfacesIn(t, 0, nil)})
	}
	latestComposite.Store(known.(*composite))
	return known.(*composite)
}

// An eface is the layout of an interface value. word points to the descriptor of the dynamic type if the interface type
// has no methods, and otherwise to a method table.
type eface struct{ word, data unsafe.Pointer }

// table is the beginning of a method table. typ is the descriptor of the dynamic type.
type table struct{ iface, typ unsafe.Pointer }

// Equal reports whether x == y. It panics if both x and y nest too deeply, as == panics for values that are not
// comparable.
func Equal(x, y any) bool {
	t := reflect.TypeOf(x)
	if t != nil && isComposite(t.Kind()) && t == reflect.TypeOf(y) && nestsDeeply(x) && nestsDeeply(y) {
		panic(comparisonError{})
	}
	return x == y
}

// CheckKey panics if v nests too deeply to be hashed, or to be compared with an equal value.
func CheckKey(v any) {
	if v != nil && isComposite(reflect.TypeOf(v).Kind()) && nestsDeeply(v) {
		panic(comparisonError{})
	}
}

// KeyCheck returns a function that panics if the key of type t at p nests too deeply to be hashed.
func KeyCheck(t reflect.Type) func(p unsafe.Pointer) {
	list := interfacesIn(t, 0, nil)
	if list == nil {
		return func(unsafe.Pointer) {}
	}
	return func(p unsafe.Pointer) {
		if new(comparison).interfacesTooDeep(list, p, 1) {
			panic(comparisonError{})
		}
	}
}

func isComposite(k reflect.Kind) bool { return k == reflect.Struct || k == reflect.Array }

// nestsDeeply reports whether v, a struct or array, nests too deeply or holds too many values.
func nestsDeeply(v any) bool { return new(comparison).tooDeep(v, 1) }

// A comparison finds out whether a value nests too deeply. It counts the values that it visits.
type comparison struct{ values int }

// interfacesTooDeep reports whether one of the interfaces in list, of the value at p, holds a value that nests too
// deeply. depth is the depth of the value at p.
func (c *comparison) interfacesTooDeep(list []heldInterface, p unsafe.Pointer, depth int) bool {
	for i := range list {
		h := &list[i]
		if h.elem != nil {
			for i := range uintptr(h.count) {
				if c.interfacesTooDeep(h.elem, unsafe.Add(p, h.at+i*h.size), depth) {
					return true
				}
			}
			continue
		}
		e := *(*eface)(unsafe.Add(p, h.at))
		if e.word == nil {
			continue
		}
		if h.hasMethods {
			e.word = (*table)(e.word).typ
		}
		if v := *(*any)(unsafe.Pointer(&e)); isComposite(reflect.TypeOf(v).Kind()) && c.tooDeep(v, depth+1) {
			return true
		}
	}
	return false
}

// tooDeep reports whether v, a struct or array, nests too deeply or holds too many values. depth is the depth of v.
func (c *comparison) tooDeep(v any, depth int) bool {
	t := compositeOf(reflect.TypeOf(v))
	if len(t.interfaces) == 0 {
		return false
	}
	c.values++
	return depth > maxNesting || c.values > maxValues ||
		c.interfacesTooDeep(t.interfaces, (*eface)(unsafe.Pointer(&v)).data, depth)
}

// A comparisonError is the run-time error of a comparison or a map operation.
type comparisonError struct{}

func (comparisonError) RuntimeError() {}

func (comparisonError) Error() string {
	return fmt.Sprintf("comparing or hashing a value that nests more than %d deep, or holds more than %d values",
		maxNesting, maxValues)
}
