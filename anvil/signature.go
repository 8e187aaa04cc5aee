package anvil

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"runtime"
	"unsafe"

	"github.com/goanvil/notebook/anvil/backend"
)

// A signature builds the key of a trace: the structure of the arguments, the types of their tensors and whether they
// are ambiguous, and all other parts by value.
type signature struct {
	key    []byte
	opaque bool            // a part, such as most functions, cannot be compared: the key does not identify the trace
	budget int             // number of parts that may still be examined
	depth  int             // how deep the part that is being added is nested
	kept   []reflect.Value // functions whose addresses are in the key
	leaves []Tensor        // the tensors of the arguments

	reads   Reads               // nil if it is not known what functions read
	reading bool                // the value that is being added is a variable that a function reads
	hidden  []Tensor            // the tensors in variables that functions read
	seen    map[destination]int // the pointers and functions added while reading, numbered
}

// A Reads function returns what calls of f depend on besides their arguments: code identifies f and all functions
// that it may call, and values are the variables that they read, which are addressable. ok is false for functions
// that it does not know.
type Reads func(f reflect.Value) (code string, values []reflect.Value, ok bool)

// A Names function returns the names of the parameters of f, and of the variables whose values Reads returns, in
// the same order. It returns nil for functions that it does not know.
type Names func(f reflect.Value) (params, variables []string)

// maxValueParts limits how many parts of arguments are compared by value.
const maxValueParts = 1 << 20

// add appends v, an argument or the contents of an interface in an argument, with its type.
func (s *signature) add(v reflect.Value) {
	switch {
	case !v.IsValid():
		s.word('n', 0)
	case mayHold(v.Type()):
		s.typeOf(v)
		s.tree(v)
	default:
		s.typeOf(v)
		s.value(v)
	}
}

// typeOf appends the type of v by its address, which identifies it since package reflect never frees a type.
func (s *signature) typeOf(v reflect.Value) {
	s.word(':', uint64(reflect.ValueOf(v.Type()).Pointer()))
}

// tree appends v, a value whose type may hold tensors and is determined by the key so far. It visits parts in the
// order of tensorsOf.
func (s *signature) tree(v reflect.Value) {
	checkDepth(s.depth, v)
	s.depth++
	s.treeParts(v)
	s.depth--
}

// treeParts is tree without the count of the depth.
func (s *signature) treeParts(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == tensorType {
			s.leaf(v.Interface().(Tensor))
			return
		}
		s.fields(v, treeFields(v.Type()))
	case reflect.Slice:
		s.word('[', uint64(v.Len()))
		if v.Type() == tensorsType { // without reflection, for speed
			for _, x := range v.Interface().([]Tensor) {
				s.leaf(x)
			}
			return
		}
		for i := range v.Len() {
			s.tree(v.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			s.tree(v.Index(i))
		}
	case reflect.Map:
		s.word('m', uint64(v.Len()))
		if v.Type() == slotsType { // without reflection, for speed
			m := v.Interface().(map[string][]Tensor)
			for _, k := range sortedNames(m) {
				s.text(k)
				s.word('[', uint64(len(m[k])))
				for _, x := range m[k] {
					s.leaf(x)
				}
			}
			return
		}
		for _, k := range sortedKeys(v) {
			s.value(k)
			s.tree(v.MapIndex(k))
		}
	case reflect.Pointer:
		if v.IsNil() || !leadsToLeaves(v) {
			s.value(v)
			return
		}
		s.word('*', 0)
		s.tree(v.Elem())
	case reflect.Interface:
		s.add(v.Elem())
	}
}

// fields is tree for a struct with the given fields.
func (s *signature) fields(v reflect.Value, fields []treeField) {
	for i := range fields {
		switch field := &fields[i]; {
		case !field.exported || !field.mayHold:
			s.value(v.Field(i))
		case field.fields != nil:
			s.fields(v.Field(i), field.fields)
		default:
			s.tree(v.Field(i))
		}
	}
}

// leaf appends a tensor that is an argument or a part of one: its type, and whether it is ambiguous.
func (s *signature) leaf(x Tensor) {
	s.key = appendTensor(s.key, x)
	if x.t != nil {
		s.leaves = append(s.leaves, x)
	}
}

// value appends a value that contains no leaves of an argument, following pointers. Tensors in the value are captured
// by the trace, so their elements are not part of the key. Tensors in variables that a function reads are collected in
// hidden.
func (s *signature) value(v reflect.Value) {
	if s.budget--; s.budget < 0 {
		s.opaque = true
		return
	}
	switch k := v.Kind(); {
	case k == reflect.Invalid:
		s.word('n', 0)
	case k == reflect.Struct && v.Type() == tensorType && s.reading:
		x := v.Interface().(Tensor)
		s.key = appendTensor(s.key, x)
		if x.t != nil {
			s.hidden = append(s.hidden, x)
		}
	case k == reflect.Struct && v.Type() == tensorType:
		s.word('t', 0)
	case k == reflect.Bool && v.Bool():
		s.word('b', 1)
	case k == reflect.Bool:
		s.word('b', 0)
	case v.CanInt():
		s.word('i', uint64(v.Int()))
	case v.CanUint():
		s.word('u', v.Uint())
	case v.CanFloat():
		s.word('f', math.Float64bits(v.Float()))
	case v.CanComplex():
		s.word('c', math.Float64bits(real(v.Complex())))
		s.word('c', math.Float64bits(imag(v.Complex())))
	case k == reflect.String:
		s.text(v.String())
	case s.depth > maxTreeDepth: // the value may contain itself
		s.opaque = true
	default:
		s.depth++
		s.compound(v)
		s.depth--
	}
}

// text appends a string.
func (s *signature) text(x string) {
	s.word('s', uint64(len(x)))
	s.key = append(s.key, x...)
}

// word appends the number n after a letter that distinguishes the kinds of numbers in a key.
func (s *signature) word(kind byte, n uint64) {
	s.key = binary.LittleEndian.AppendUint64(append(s.key, kind), n)
}

// compound appends a composite value or a reference.
func (s *signature) compound(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if s.reading && !v.CanAddr() {
			addressable := reflect.New(v.Type()).Elem()
			addressable.Set(v)
			v = addressable
		}
		for i := range v.NumField() {
			f := v.Field(i)
			if s.reading && !f.CanInterface() { // read the unexported field by its address
				f = reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
			}
			s.value(f)
		}
		return
	case reflect.Array:
		for i := range v.Len() {
			s.value(v.Index(i))
		}
		return
	}
	if v.IsNil() {
		s.word('n', 1)
		return
	}
	switch v.Kind() {
	case reflect.Slice:
		s.word('[', uint64(v.Len()))
		for i := range v.Len() {
			s.value(v.Index(i))
		}
	case reflect.Map:
		s.word('m', uint64(v.Len()))
		for _, k := range sortedKeys(v) {
			s.value(k)
			s.value(v.MapIndex(k))
		}
	case reflect.Interface:
		s.typeOf(v.Elem())
		s.value(v.Elem())
	case reflect.Pointer:
		if s.reading && (s.addSeen(v.UnsafePointer(), v.Type()) || s.opaqueType(v.Type().Elem())) {
			return
		}
		s.word('*', 0)
		s.value(v.Elem())
	case reflect.Func:
		s.function(v)
	default: // channels
		s.opaque = true
	}
}

// closureName matches the names of functions that may depend on variables: function literals,
// bound methods, instances of generic functions, and functions made by package reflect.
var closureName = regexp.MustCompile(`\.func\d|-fm$|\[|^reflect\.|-range\d`)

// function appends a function. Declared functions are identified by their code. Methods bound by package reflect,
// such as the functions of a cell's nv, are identified by their address; kept keeps them alive, so that their
// addresses are not reused.
func (s *signature) function(v reflect.Value) {
	if v.CanInterface() && (s.addReads(v) || s.addOrigin(v)) {
		return
	}
	name := runtime.FuncForPC(v.Pointer()).Name()
	switch {
	case !closureName.MatchString(name):
		s.word('f', uint64(v.Pointer()))
	case name == "reflect.methodValueCall" && v.CanInterface():
		s.word('F', uint64(uintptr(closureOf(v))))
		s.kept = append(s.kept, v)
	default:
		s.opaque = true
	}
}

// addReads appends what a function depends on according to reads, and reports whether reads knows the function.
func (s *signature) addReads(f reflect.Value) bool {
	if s.reads == nil {
		return false
	}
	code, values, ok := s.reads(f)
	if !ok {
		return false
	}
	if s.addSeen(closureOf(f), f.Type()) {
		return true
	}
	s.word('C', uint64(len(code)))
	s.key = append(s.key, code...)
	before := s.reading
	s.reading = true
	for _, v := range values {
		s.value(v)
	}
	s.reading = before
	return true
}

// addDependencies appends what a function depends on, and reports whether that is known. It is known if reads knows
// the function, or if this package has made the function from one whose dependencies are known.
func (s *signature) addDependencies(f reflect.Value) bool {
	if s.addReads(f) {
		return true
	}
	o := originOf(f)
	if o == nil || !s.addDependencies(o.f) {
		return false
	}
	s.addOperation(o)
	return true
}

// addOrigin appends the origin of a function, and reports whether it has one.
func (s *signature) addOrigin(f reflect.Value) bool {
	o := originOf(f)
	if o == nil {
		return false
	}
	s.function(o.f)
	s.addOperation(o)
	return true
}

// addOperation appends the operation and settings of an origin.
func (s *signature) addOperation(o *origin) {
	s.value(reflect.ValueOf(o.op))
	for _, x := range o.settings {
		s.value(reflect.ValueOf(x))
	}
}

// addSeen appends the number of the value of the given type at p and returns true if that value has been appended
// before. Otherwise it gives the value the next number.
func (s *signature) addSeen(p unsafe.Pointer, typ reflect.Type) bool {
	to := destination{p, typ}
	if number, seen := s.seen[to]; seen {
		s.word('=', uint64(number))
		return true
	}
	if s.seen == nil {
		s.seen = map[destination]int{}
	}
	s.seen[to] = len(s.seen)
	return false
}

// opaqueType reports whether a value of type t may have state outside of its fields, and if so makes s opaque. This is
// assumed for the types that packages other than main declare, except Tensor.
func (s *signature) opaqueType(t reflect.Type) bool {
	foreign := t != tensorType && t.PkgPath() != "" && t.PkgPath() != "main"
	s.opaque = s.opaque || foreign
	return foreign
}

// appendTensor appends the type of x to b, and whether x is ambiguous.
func appendTensor(b []byte, x Tensor) []byte {
	if x.t == nil {
		return append(b, 'n')
	}
	ty := x.t.arr.Type()
	ambiguity := byte('!')
	if x.t.amb {
		ambiguity = '?'
	}
	b = append(b, 't', byte(ty.DType), ambiguity, byte(len(ty.Shape)))
	for _, n := range ty.Shape {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}

// appendSettings appends the settings of c that a trace depends on to b, a key of traces.
func (c *Context) appendSettings(b []byte) []byte {
	if s := c.settings.State(); s != (backend.State{}) {
		b = fmt.Appendf(b, "%v;", s)
	}
	if conventions := c.conventions.Load(); conventions != nil {
		b = fmt.Appendf(b, "conventions %s;", conventions.Name)
	}
	if t := c.truncation.Load(); t != 0 {
		b = fmt.Appendf(b, "truncation %d;", t)
	}
	if d := c.LayerDType(); d.Valid() {
		b = fmt.Appendf(b, "layers %v;", d)
	}
	return b
}
