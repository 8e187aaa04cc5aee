package celltype

import (
	"fmt"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/goanvil/notebook/interp/check"
)

// layout returns a type with the memory layout of t, with pointers at the same offsets, and comparable if t is
// comparable. Its pointers, slices, maps, channels and functions have other element types than those in t, so that it
// can be made before the types that t refers to. Recursive types require this.
func (tb *Table) layout(t types.Type) reflect.Type {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if !check.IsCell(t.Obj().Pkg()) && !isNonStructInstance(t) {
			return tb.compiled(t)
		}
		return tb.layout(t.Underlying())
	case *types.Struct:
		if countFields(t, map[*types.Named]int{}) > maxFields {
			fail(t, "has more than %d fields, counting those of nested structs; use pointers or slices", maxFields)
		}
		fields := make([]reflect.StructField, t.NumFields())
		for i := range fields {
			fields[i] = reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: tb.layout(t.Field(i).Type())}
		}
		return reflect.StructOf(fields)
	case *types.Array:
		return arrayOf(t, tb.layout(t.Elem()))
	case *types.Pointer:
		return reflect.TypeFor[*byte]()
	case *types.Slice:
		return reflect.TypeFor[[]byte]()
	case *types.Map:
		return reflect.TypeFor[map[byte]byte]()
	case *types.Chan:
		return reflect.TypeFor[chan byte]()
	case *types.Signature:
		return reflect.TypeFor[func()]()
	default: // a basic type or an interface, which has no parts
		return tb.compose(t, nil)
	}
}

// maxFields is the maximum number of fields of a struct, including the fields of nested structs. It is limited because
// the name of a reflect.Type lists all fields.
const maxFields = 1 << 14

// countFields returns the number of fields of a struct t, at most maxFields+1. A field that is a struct counts as the
// fields of that struct, and a field that is an array as one element of it. For types that hold no struct, countFields
// returns 1. known holds the numbers for types seen before.
func countFields(t types.Type, known map[*types.Named]int) int {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		n, ok := known[t]
		if !ok {
			n = countFields(t.Underlying(), known)
			known[t] = n
		}
		return n
	case *types.Array:
		return countFields(t.Elem(), known)
	case *types.Struct:
		n := 0
		for f := range t.Fields() {
			n = min(n+countFields(f.Type(), known), maxFields+1)
		}
		return n
	}
	return 1
}

// shallow returns a type of the kind of t. Its element, parameter and field types are the layouts of those of t; patch,
// or patchFields for a struct, replaces them.
func (tb *Table) shallow(t types.Type) reflect.Type {
	switch t := t.(type) {
	case *types.Struct:
		return tb.layout(t)
	default:
		return tb.compose(t, tb.layout)
	}
}

// patch sets the parts of a descriptor that shallow has made for t, which is not a struct. The function of returns the
// type of each part.
func (tb *Table) patch(b descriptorBlock, t types.Type, of func(types.Type) reflect.Type) {
	part := func(t types.Type) *abiType { return descriptor(of(t)) }
	switch t := t.(type) {
	case *types.Pointer:
		(*abiPointer)(unsafe.Pointer(b.head)).Elem = part(t.Elem())
	case *types.Slice:
		(*abiSlice)(unsafe.Pointer(b.head)).Elem = part(t.Elem())
	case *types.Array:
		a := (*abiArray)(unsafe.Pointer(b.head))
		a.Elem, a.Slice = part(t.Elem()), descriptor(reflect.SliceOf(of(t.Elem())))
	case *types.Chan:
		(*abiChan)(unsafe.Pointer(b.head)).Elem = part(t.Elem())
	case *types.Map:
		m := (*abiMap)(unsafe.Pointer(b.head))
		key := of(t.Key())
		m.Key, m.Elem = descriptor(key), part(t.Elem())
		// The hash function of the type that shallow has made would also hash blank fields.
		m.Hasher = (*abiMap)(unsafe.Pointer(descriptor(reflect.MapOf(key, reflect.TypeFor[byte]())))).Hasher
	case *types.Signature:
		for i, r := range append(tuple(t.Params(), of), tuple(t.Results(), of)...) {
			b.params[i] = descriptor(r)
		}
	}
}

// patchFields sets the names and types of the fields in b, the descriptor of the struct s. of returns the type of a
// field, and name the name of field i.
func (tb *Table) patchFields(
	b descriptorBlock, s *types.Struct, of func(types.Type) reflect.Type, name func(*types.Struct, int) abiName,
) {
	st := (*abiStruct)(unsafe.Pointer(b.head))
	if st.Equal != nil {
		st.Equal = st.equal
	}
	for i := range st.Fields {
		st.Fields[i].Name = name(s, i)
		st.Fields[i].Typ = descriptor(of(s.Field(i).Type()))
		if st.Fields[i].Name.isBlank() || st.Fields[i].Typ.TFlag&flagRegularMemory == 0 {
			st.TFlag &^= flagRegularMemory // the struct cannot be compared and hashed as bytes
		}
	}
}

// equal reports whether two structs are equal. It compares the fields in order and skips blank fields. The function
// Equal of the type that the descriptor was copied from would compare all fields, since none of them is blank in that
// type.
func (st *abiStruct) equal(p, q unsafe.Pointer) bool {
	for _, f := range st.Fields {
		if !f.Name.isBlank() && !f.Typ.Equal(unsafe.Add(p, f.Offset), unsafe.Add(q, f.Offset)) {
			return false
		}
	}
	return true
}
