package celltype

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"sync"
	"unsafe"
)

// Package reflect can make the types of type literals at run time, but neither named nor recursive types. Package
// celltype makes the type descriptors of named and recursive types itself. The structs below mirror internal/abi of
// Go 1.26 (src/internal/abi/type.go, map.go). Check verifies that the Go release that built the program has these
// layouts.

// abiType mirrors abi.Type.
type abiType struct {
	Size       uintptr
	PtrBytes   uintptr
	Hash       uint32
	TFlag      uint8
	Align      uint8
	FieldAlign uint8
	Kind       uint8
	Equal      func(unsafe.Pointer, unsafe.Pointer) bool
	GCData     *byte
	Str        int32
	PtrToThis  int32
}

// The flags in abiType.TFlag; see abi.TFlag.
const (
	flagUncommon      = 1 << 0
	flagExtraStar     = 1 << 1
	flagNamed         = 1 << 2
	flagRegularMemory = 1 << 3 // values are compared and hashed as bytes
	flagDirectIface   = 1 << 5
)

// abiUncommon mirrors abi.UncommonType.
type abiUncommon struct {
	PkgPath int32
	Mcount  uint16
	Xcount  uint16
	Moff    uint32
	_       uint32
}

// abiMethod mirrors abi.Method.
type abiMethod struct{ Name, Mtyp, Ifn, Tfn int32 }

// abiName mirrors abi.Name.
type abiName struct{ Bytes *byte }

// The type descriptors of the kinds that have more than an abiType, and their parts.
type (
	abiPointer struct {
		abiType
		Elem *abiType
	}
	abiSlice struct {
		abiType
		Elem *abiType
	}
	abiArray struct {
		abiType
		Elem, Slice *abiType
		Len         uintptr
	}
	abiChan struct {
		abiType
		Elem *abiType
		Dir  int
	}
	abiMap struct {
		abiType
		Key, Elem, Group             *abiType
		Hasher                       func(unsafe.Pointer, uintptr) uintptr
		GroupSize, SlotSize, ElemOff uintptr
		Flags                        uint32
	}
	abiFunc struct {
		abiType
		In, Out uint16
	}
	abiInterface struct {
		abiType
		PkgPath abiName
		Methods []struct{ Name, Typ int32 }
	}
	abiField struct {
		Name   abiName
		Typ    *abiType
		Offset uintptr
	}
	abiStruct struct {
		abiType
		PkgPath abiName
		Fields  []abiField
	}
)

// descriptorTypes has the types of the type descriptors by kind. The type for kinds that are not listed is abiType.
var descriptorTypes = map[reflect.Kind]reflect.Type{
	reflect.Pointer:   reflect.TypeFor[abiPointer](),
	reflect.Slice:     reflect.TypeFor[abiSlice](),
	reflect.Array:     reflect.TypeFor[abiArray](),
	reflect.Chan:      reflect.TypeFor[abiChan](),
	reflect.Map:       reflect.TypeFor[abiMap](),
	reflect.Func:      reflect.TypeFor[abiFunc](),
	reflect.Interface: reflect.TypeFor[abiInterface](),
	reflect.Struct:    reflect.TypeFor[abiStruct](),
}

// addReflectOff returns the offset by which the runtime finds ptr.
//
//go:linkname addReflectOff reflect.addReflectOff
//go:noescape
func addReflectOff(ptr unsafe.Pointer) int32

// eface is the layout of an any.
type eface struct{ typ, data unsafe.Pointer }

// descriptor returns the descriptor of t.
func descriptor(t reflect.Type) *abiType {
	// The data word of a reflect.Type is its *rtype.
	return (*abiType)((*eface)(unsafe.Pointer(&t)).data)
}

// typeOf returns the reflect.Type that d describes.
func typeOf(d *abiType) reflect.Type {
	// reflect.TypeOf reads only the type word of its argument.
	v := eface{typ: unsafe.Pointer(d)}
	return reflect.TypeOf(*(*any)(unsafe.Pointer(&v)))
}

// newName encodes a name as the runtime does: flags (see abi.Name), the length and the bytes of the name, then the
// length and the bytes of the tag, if there is one.
func newName(name, tag string, exported, embedded bool) abiName {
	var flags byte
	if exported {
		flags |= 1 << 0
	}
	if tag != "" {
		flags |= 1 << 1
	}
	if embedded {
		flags |= 1 << 3
	}
	b := appendCounted([]byte{flags}, name)
	if tag != "" {
		b = appendCounted(b, tag)
	}
	return abiName{&b[0]}
}

// isBlank reports whether the name is _.
func (n abiName) isBlank() bool {
	b := unsafe.Slice(n.Bytes, 3)
	return b[1] == 1 && b[2] == '_'
}

// appendCounted appends the length of s in base 128, and then s.
func appendCounted(b []byte, s string) []byte {
	n := len(s)
	for n >= 0x80 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	b = append(b, byte(n))
	return append(b, s...)
}

// nameOffset returns the offset by which the runtime finds a name.
func nameOffset(name string, exported bool) int32 {
	return addReflectOff(unsafe.Pointer(newName(name, "", exported, false).Bytes))
}

// sharedNames holds the offsets of names that many types have: of methods and packages. The runtime keeps every
// offset for ever.
var sharedNames sync.Map // from sharedName to int32

type sharedName struct {
	name     string
	exported bool
}

// sharedNameOffset is nameOffset for a name that many types have.
func sharedNameOffset(name string, exported bool) int32 {
	key := sharedName{name, exported}
	off, ok := sharedNames.Load(key)
	if !ok {
		off, _ = sharedNames.LoadOrStore(key, nameOffset(name, exported))
	}
	return off.(int32)
}

// hashOf returns a hash of s for a type descriptor. Two types may have the same hash, since the runtime compares
// descriptors by address.
func hashOf(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return h.Sum32()
}

// retained holds every descriptor that this package makes, since the garbage collector does not see the references to
// them: the runtime refers to descriptors by offsets, and objects by words that the collector does not trace.
var retained struct {
	sync.Mutex
	items []any
}

// retain keeps v from being collected as garbage.
func retain(v any) {
	retained.Lock()
	defer retained.Unlock()
	retained.items = append(retained.items, v)
}

// A descriptorBlock is the memory of a type descriptor and of the parts that the runtime expects after it: the
// uncommon part, a function type's parameters, the methods.
type descriptorBlock struct {
	head     *abiType
	uncommon *abiUncommon
	params   []*abiType
	methods  []abiMethod
}

// newBlock returns a copy of the descriptor of base, with room for n methods. The copy is a new type.
func newBlock(base reflect.Type, n int) descriptorBlock {
	from := descriptor(base)
	head, ok := descriptorTypes[base.Kind()]
	if !ok {
		head = reflect.TypeFor[abiType]()
	}
	params := 0
	if base.Kind() == reflect.Func {
		params = base.NumIn() + base.NumOut()
	}
	layout := reflect.StructOf([]reflect.StructField{
		{Name: "Head", Type: head},
		{Name: "Uncommon", Type: reflect.TypeFor[abiUncommon]()},
		{Name: "Params", Type: reflect.ArrayOf(params, reflect.TypeFor[*abiType]())},
		{Name: "Methods", Type: reflect.ArrayOf(n, reflect.TypeFor[abiMethod]())},
		{Name: "End", Type: reflect.TypeFor[uintptr]()}, // otherwise an empty array Methods would add padding
	})
	mem := reflect.New(layout).Elem()
	mem.Field(0).Set(reflect.NewAt(head, unsafe.Pointer(from)).Elem())
	b := descriptorBlock{
		head:     (*abiType)(mem.Field(0).Addr().UnsafePointer()),
		uncommon: (*abiUncommon)(mem.Field(1).Addr().UnsafePointer()),
	}
	if params > 0 {
		b.params = unsafe.Slice((**abiType)(mem.Field(2).Addr().UnsafePointer()), params)
	}
	if n > 0 {
		b.methods = unsafe.Slice((*abiMethod)(mem.Field(3).Addr().UnsafePointer()), n)
	}
	b.head.TFlag |= flagUncommon
	b.head.TFlag &^= flagExtraStar
	b.uncommon.Moff = uint32(mem.Field(3).UnsafeAddr() - mem.Field(1).UnsafeAddr())
	retain(mem.Addr().Interface())
	return b
}

// setName gives the type of a new descriptor its name and package path, so that it differs from the type that
// the descriptor was copied from.
func (b descriptorBlock) setName(name, path string) {
	b.head.Str = nameOffset(name, true)
	b.head.Hash = hashOf(fmt.Sprint(name, path, b.head.Str))
	b.head.TFlag |= flagNamed
	b.head.PtrToThis = 0
	if path != "" {
		b.uncommon.PkgPath = sharedNameOffset(path, false)
	}
	if reflect.Kind(b.head.Kind) == reflect.Struct {
		// patchFields must not change the fields of the descriptor that b was copied from.
		s := (*abiStruct)(unsafe.Pointer(b.head))
		s.Fields = append([]abiField(nil), s.Fields...)
	}
}
