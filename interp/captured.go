package interp

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/goanvil/notebook/interp/tensor"
)

// A body is what a function of cells reads now, and which of its bodies it has.
type body struct {
	tensor.Reach
	version int
}

// redefine takes note of the functions that a cell is about to define, and
// returns what undoes that.
func (s *Session) redefine(reaches []tensor.Reach, callees map[string][]string) (undo func()) {
	old := map[string]body{}
	for _, r := range reaches {
		old[r.Name] = s.bodies[r.Name]
		s.version++
		s.bodies[r.Name] = body{r, s.version}
	}
	before := map[string][]string{}
	for name := range callees {
		before[name] = s.callees[name]
	}
	maps.Copy(s.callees, callees)
	return func() {
		for name, b := range old {
			s.bodies[name] = b
		}
		maps.Copy(s.callees, before)
	}
}

// captured returns a function that gives what a trace depends on: the values of
// locals, and all that is reached through the names. Tensors come as they are,
// all else as one text that differs where something does.
func (s *Session) captured(locals func() []any, names ...string) func() []any {
	return func() []any {
		w := &capture{s: s, seen: map[string]bool{}, pointers: map[reflect.Value]bool{}, left: maxWalk}
		for _, v := range locals() {
			w.value(reflect.ValueOf(v))
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, name := range names {
			w.name(name)
		}
		if w.unknown {
			s.version++
			w.say("unknown", s.version)
		}
		return append(w.tensors, string(w.text))
	}
}

// A capture collects values and the versions of functions.
type capture struct {
	s        *Session
	seen     map[string]bool
	pointers map[reflect.Value]bool
	tensors  []any
	text     []byte
	unknown  bool
	left     int
}

func (w *capture) say(words ...any) { w.text = fmt.Appendln(w.text, words...) }

// name adds what a name at cell level stands for.
func (w *capture) name(name string) {
	if w.seen[name] {
		return
	}
	w.seen[name] = true
	if b, ok := w.s.bodies[name]; ok && b.version > 0 {
		w.say(name, b.version)
		w.unknown = w.unknown || b.Unknown
		for _, n := range b.Reads {
			w.name(n)
		}
		return
	}
	w.say(name)
	if p, ok := w.s.vars[name]; ok {
		w.value(p.Elem())
	}
}

// value adds v.
func (w *capture) value(v reflect.Value) {
	if w.left--; w.left < 0 {
		w.unknown = true
		return
	}
	if !v.IsValid() {
		w.say("nil")
		return
	}
	if v.Type() == w.s.tensor {
		w.say("tensor")
		w.tensors = append(w.tensors, v.Interface())
		return
	}
	if n, ok := number(v); ok {
		w.say(v.Kind(), n)
		return
	}
	switch v.Kind() {
	case reflect.String:
		w.text = fmt.Appendf(w.text, "%q\n", v.String())
	case reflect.Complex64, reflect.Complex128:
		w.say(v.Kind(), math.Float64bits(real(v.Complex())), math.Float64bits(imag(v.Complex())))
	case reflect.Slice, reflect.Array:
		w.elements(v)
	case reflect.Struct:
		w.fields(v)
	case reflect.Map:
		w.entries(v)
	case reflect.Pointer:
		w.pointer(v)
	case reflect.Interface:
		if v.IsNil() {
			w.say("nil")
			return
		}
		w.say(v.Elem().Type())
		w.value(v.Elem())
	default:
		w.unknown = w.unknown || !v.IsZero()
	}
}

// number returns the bits of a number or bool.
func number(v reflect.Value) (uint64, bool) {
	switch {
	case v.CanInt():
		return uint64(v.Int()), true
	case v.CanUint():
		return v.Uint(), true
	case v.CanFloat():
		return math.Float64bits(v.Float()), true
	case v.Kind() == reflect.Bool:
		if v.Bool() {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// elements adds those of a slice or array; of many numbers their hash.
func (w *capture) elements(v reflect.Value) {
	w.say(v.Type(), v.Len(), v.Kind() == reflect.Slice && v.IsNil())
	if v.Len() == 0 {
		return
	}
	if _, ok := number(v.Index(0)); ok {
		bits := make([]byte, 0, 8*v.Len())
		for i := range v.Len() {
			n, _ := number(v.Index(i))
			bits = binary.LittleEndian.AppendUint64(bits, n)
		}
		w.say(sha256.Sum256(bits))
		return
	}
	for i := range v.Len() {
		w.value(v.Index(i))
	}
}

// fields adds those of a struct. Reflection gives values of those that are not
// exported only by way of their addresses.
func (w *capture) fields(v reflect.Value) {
	w.say(v.NumField())
	if !v.CanAddr() {
		copied := reflect.New(v.Type()).Elem()
		copied.Set(v)
		v = copied
	}
	for i := range v.NumField() {
		f := v.Field(i)
		w.value(reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem())
	}
}

// entries adds those of a map in the order of their keys.
func (w *capture) entries(v reflect.Value) {
	w.say(v.Len(), v.IsNil())
	type entry struct {
		key   string
		value reflect.Value
	}
	var all []entry
	for i := v.MapRange(); i.Next(); {
		all = append(all, entry{fmt.Sprintf("%#v", i.Key()), i.Value()})
	}
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	for _, e := range all {
		w.say(e.key)
		w.value(e.value)
	}
}

// pointer adds what v points to, unless that is of a compiled package, which
// may hide what it is.
func (w *capture) pointer(v reflect.Value) {
	switch {
	case v.IsNil():
		w.say("nil")
	case w.pointers[v]:
		w.say("again")
	case v.Type().Elem().PkgPath() != "" && v.Type().Elem().PkgPath() != "main":
		w.unknown = true
	default:
		w.pointers[v] = true
		w.value(v.Elem())
	}
}
