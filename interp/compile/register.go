package compile

import (
	"fmt"
	"go/constant"
	"go/types"
	"math"
	"reflect"
	"unicode"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// class is the representation of a value in a register.
type class uint8

const (
	_       class = iota
	word1         // a number or bool of one byte
	word2         // a number of two bytes
	word4         // a number of four bytes
	word8         // a number of eight bytes
	pointer       // any single pointer
	text          // string
	list          // slice
	dynamic       // interface
	plain         // a struct, array or complex number without pointers
	mixed         // a struct or array with pointers
)

// classOf returns the class of values of type t.
func classOf(t reflect.Type) class {
	switch t.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return pointer
	case reflect.String:
		return text
	case reflect.Slice:
		return list
	case reflect.Interface:
		return dynamic
	case reflect.Struct, reflect.Array, reflect.Complex64, reflect.Complex128:
		if pointers(t) {
			return mixed
		}
		return plain
	}
	switch t.Size() {
	case 1:
		return word1
	case 2:
		return word2
	case 4:
		return word4
	}
	return word8
}

// words has the size, in words, of the classes that are placed among the pointers of a frame.
var words = [...]uintptr{pointer: 1, text: 2, list: 3, dynamic: 2}

// layout places the registers of a function.
type layout struct {
	b     *builder
	of    map[ssa.Value]*register
	parts map[ssa.Value][]*register // of tuples
	mixed []*register               // cleared when the frame is freed, like ptrs
	ptrs  []*register
	kept  []*register // constants with pointers, which are not cleared
	rest  []*register
}

// add adds a register for values of type t. constant reports whether it is set only when a frame is made.
func (l *layout) add(t reflect.Type, constant bool) *register {
	r := &register{typ: t, how: classOf(t), desc: descriptor(t)}
	switch {
	case r.how == mixed:
		l.mixed = append(l.mixed, r)
	case r.how >= pointer && r.how <= dynamic && constant:
		l.kept = append(l.kept, r)
	case r.how >= pointer && r.how <= dynamic:
		l.ptrs = append(l.ptrs, r)
	default:
		l.rest = append(l.rest, r)
	}
	return r
}

// align rounds n up to a multiple of to, a power of two.
func align(n, to uintptr) uintptr { return (n + to - 1) &^ (to - 1) }

// place assigns an offset to every register, and records the layout and the type of the frames in c.
func (l *layout) place(c *code) {
	fields := []reflect.StructField{{Name: "Header", Type: reflect.TypeFor[frame]()}}
	at := headerSize
	var aggregates []reflect.StructField
	for i, r := range l.mixed {
		aggregates = append(aggregates, reflect.StructField{Name: fmt.Sprintf("A%d", i), Type: r.typ})
	}
	if len(aggregates) > 0 {
		t := reflect.StructOf(aggregates)
		for i, r := range l.mixed {
			r.at = headerSize + t.Field(i).Offset
		}
		at = align(headerSize+t.Size(), 8)
		c.clears = descriptor(t)
		fields = append(fields, reflect.StructField{Name: "Aggregates", Type: t})
	}
	c.words = at
	for _, r := range l.ptrs {
		r.at = at
		at += words[r.how] * 8
	}
	c.nWords = int(at-c.words) / 8
	for _, r := range l.kept {
		r.at = at
		at += words[r.how] * 8
	}
	if n := roundUp(int(at-c.words) / 8); n > 0 {
		fields = append(fields, reflect.StructField{Name: "Pointers", Type: reflect.ArrayOf(n, reflect.TypeFor[unsafe.Pointer]())})
		at = c.words + uintptr(n)*8
	}
	from := at
	for _, r := range l.rest {
		r.at = at
		at += align(max(r.typ.Size(), 1), 8)
	}
	n := roundUp(int(at-from) / 8)
	fields = append(fields, reflect.StructField{Name: "Numbers", Type: reflect.ArrayOf(n+1, reflect.TypeFor[uint64]())})
	t := reflect.StructOf(fields)
	c.typ, c.weight = descriptor(t), 1+int(t.Size()/frameUnit)
}

// roundUp rounds a number of words up, so that many functions share a type of frames.
func roundUp(n int) int {
	if n <= 16 {
		return (n + 3) &^ 3
	}
	return (n + 15) &^ 15
}

// constant returns the step that sets the register r of a constant, or nil if the register of a new frame
// already holds it: if v is nil or another zero value without a constant.Value.
func (b *builder) constant(v *ssa.Const, r *register) func(fr unsafe.Pointer) {
	if v.Value == nil {
		return nil
	}
	at, t := r.at, descriptor(r.typ)
	p := reflect.New(r.typ)
	val := p.Elem()
	switch k := r.typ.Kind(); {
	case k == reflect.Bool:
		val.SetBool(constant.BoolVal(v.Value))
	case k == reflect.String:
		val.SetString(stringOf(v.Value))
	case val.CanInt():
		val.SetInt(v.Int64())
	case val.CanUint():
		val.SetUint(v.Uint64())
	case k == reflect.Float32:
		f, _ := constant.Float32Val(constant.ToFloat(v.Value))
		val.SetFloat(float64(f))
	case k == reflect.Float64:
		f, _ := constant.Float64Val(constant.ToFloat(v.Value))
		val.SetFloat(f)
	case val.CanComplex():
		val.SetComplex(v.Complex128())
	case k == reflect.UnsafePointer:
		address := uintptr(v.Uint64())
		val.SetPointer(*(*unsafe.Pointer)(unsafe.Pointer(&address)))
	default:
		b.cannot("a constant of type %v", v.Type())
	}
	return func(fr unsafe.Pointer) { typedMove(t, unsafe.Add(fr, at), p.UnsafePointer()) }
}

// stringOf returns the string value of a constant. An integer is converted as by string(rune(v)).
func stringOf(v constant.Value) string {
	if v.Kind() == constant.Int {
		n, ok := constant.Int64Val(v)
		if !ok || n < 0 || n > math.MaxInt32 {
			n = unicode.ReplacementChar
		}
		return string(rune(n))
	}
	return constant.StringVal(v)
}

// copyOp returns the step that copies a value of r's type from offset src of the frame to offset dst.
func copyOp(r *register, dst, src uintptr) op {
	switch r.how {
	case word1, word2, word4, word8:
		// The whole word: registers of all these classes have eight bytes.
		return func(fr unsafe.Pointer) { *at[uint64](fr, dst) = *at[uint64](fr, src) }
	case pointer:
		return func(fr unsafe.Pointer) { *at[unsafe.Pointer](fr, dst) = *at[unsafe.Pointer](fr, src) }
	case text:
		return func(fr unsafe.Pointer) { *at[string](fr, dst) = *at[string](fr, src) }
	case list:
		return func(fr unsafe.Pointer) { *at[slice](fr, dst) = *at[slice](fr, src) }
	case dynamic:
		return func(fr unsafe.Pointer) { *at[iface](fr, dst) = *at[iface](fr, src) }
	}
	t := descriptor(r.typ)
	return func(fr unsafe.Pointer) { typedMove(t, unsafe.Add(fr, dst), unsafe.Add(fr, src)) }
}

// move copies a value of class how, whose type has descriptor t, from src to dst.
func move(how class, t, dst, src unsafe.Pointer) {
	switch how {
	case word1:
		*(*uint8)(dst) = *(*uint8)(src)
	case word2:
		*(*uint16)(dst) = *(*uint16)(src)
	case word4:
		*(*uint32)(dst) = *(*uint32)(src)
	case word8:
		*(*uint64)(dst) = *(*uint64)(src)
	case pointer:
		*(*unsafe.Pointer)(dst) = *(*unsafe.Pointer)(src)
	case text:
		*(*string)(dst) = *(*string)(src)
	case list:
		*(*slice)(dst) = *(*slice)(src)
	case dynamic:
		*(*iface)(dst) = *(*iface)(src)
	default:
		typedMove(t, dst, src)
	}
}

// at returns the register at an offset of fr.
func at[T any](fr unsafe.Pointer, off uintptr) *T { return (*T)(unsafe.Add(fr, off)) }

// inner returns the run-time type of t's values in registers and variables; see [celltype.Table.Inner].
func (b *builder) inner(t types.Type) reflect.Type {
	if r, ok := b.types[t]; ok {
		return r
	}
	if isDeferStackType(t) {
		return reflect.TypeFor[unsafe.Pointer]()
	}
	if p, ok := t.(*types.Pointer); ok && isDeferStackType(p.Elem()) {
		return reflect.TypeFor[*unsafe.Pointer]()
	}
	r, err := b.s.Table.Inner(t)
	if err != nil {
		b.cannot("%v", err)
	}
	b.types[t] = r
	return r
}

// isDeferStackType reports whether t is the type that go/ssa gives a frame to which the bodies of loops over
// functions defer calls.
func isDeferStackType(t types.Type) bool {
	n, ok := t.(*types.Named)
	return ok && n.Obj().Name() == "deferStack" && n.Obj().Parent() == nil
}
