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

	"github.com/goanvil/notebook/interp/lower"
	"github.com/goanvil/notebook/interp/tensor"
)

// A body is the current body of a function of cells: the names it reads, and its version.
type body struct {
	tensor.Reach
	version int
}

// A held function is the function that a variable at cell level holds, or a declared one.
type held struct {
	reads  []string
	jitted any // the result of nv.Jit for it, or nil
}

// redefine records the functions that a cell is about to define, and the variables of
// function types that it is about to assign.
func (s *Session) redefine(l *lower.Lowered) {
	for name, escapes := range l.Assigned {
		delete(s.held, name)
		s.escaped[name] = s.escaped[name] || escapes
	}
	for _, r := range l.Reaches {
		s.version++
		s.bodies[r.Name] = body{r, s.version}
	}
	maps.Copy(s.callees, l.Callees)
}

// holds records that the variable at cell level called name has been assigned a function
// that reads the other names.
func (s *Session) holds(name string, reads ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[name] = &held{reads: reads}
}

// jitted returns the result of jit for the function or variable name at cell level: the same
// one while name has the same function. jit's argument returns what a trace of the function
// depends on; it is nil if that is not known.
func (s *Session) jitted(name string, jit func(captured func() []any) any) any {
	s.mu.Lock()
	h := s.held[name]
	if h == nil && s.bodies[name].version > 0 {
		h = &held{reads: []string{name}} // its key has the version of its body
		s.held[name] = h
	}
	if h == nil || s.escaped[name] {
		s.mu.Unlock()
		return jit(nil)
	}
	made := h.jitted
	s.mu.Unlock()
	if made != nil {
		return made
	}
	made = jit(s.captured(func() []any { return nil }, h.reads...))
	s.mu.Lock()
	defer s.mu.Unlock()
	h.jitted = made
	return made
}

// captured returns a function that returns what a trace depends on: the values of locals, and
// everything reached through the names. It returns tensors as they are, and everything else
// as one text, which differs if any of it does.
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

// name adds the value or function of a name at cell level.
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

// elements adds the elements of a slice or array. Long runs of numbers are hashed.
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

// fields adds the fields of a struct. It reads unexported ones through their addresses, since
// reflection refuses their values.
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

// entries adds the entries of a map in the order of their keys.
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

// pointer adds the value that v points to, unless its type is of a compiled package, whose
// fields may not tell its state.
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
