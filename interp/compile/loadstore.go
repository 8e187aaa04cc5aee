package compile

import (
	"go/token"
	"go/types"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// Loads and stores: steps that copy between registers and the memory that pointers and slices point to.

// byClass maps each class, except plainClass and mixedClass, to a value of type R.
type byClass[R any] map[valueClass]R

// failNil panics as a nil dereference does.
func failNil(fr unsafe.Pointer, pos token.Pos) {
	(*frame)(fr).pos = pos
	var p *int
	*p = 0
}

// failIndex panics as an index expression does if the index i is out of range for n elements. If unsigned is set, the
// message shows i as an unsigned number.
func failIndex(fr unsafe.Pointer, pos token.Pos, i, n int, unsigned bool) {
	(*frame)(fr).pos = pos
	if unsigned {
		_ = make([]struct{}, n)[uint(i)]
	}
	_ = make([]struct{}, n)[i]
}

// pointed returns the address that is off bytes after the pointer in the register at p. It panics if the pointer is
// nil.
func pointed(fr unsafe.Pointer, p, off uintptr, pos token.Pos) unsafe.Pointer {
	b := *at[unsafe.Pointer](fr, p)
	if b == nil {
		failNil(fr, pos)
	}
	return unsafe.Add(b, off)
}

// A memoryOp returns a step that copies between the register at d and the memory off bytes after the pointer in the
// register at p.
type memoryOp func(d, p, off uintptr, pos token.Pos) op

// loads maps each class to the function that returns the step that loads a value.
var loads = byClass[memoryOp]{
	word1: load[uint8], word2: load[uint16], word4: load[uint32], word8: load[uint64],
	pointerClass: load[unsafe.Pointer], stringClass: load[string],
	sliceClass: load[slice], interfaceClass: load[iface],
}

// load returns the step that loads a T.
func load[T any](d, p, off uintptr, pos token.Pos) op {
	return func(fr unsafe.Pointer) {
		*at[T](fr, d) = *(*T)(pointed(fr, p, off, pos))
	}
}

// loadTyped returns the step that loads a value of the type with descriptor t.
func loadTyped(t unsafe.Pointer, d, p, off uintptr, pos token.Pos) op {
	return func(fr unsafe.Pointer) {
		typedMove(t, unsafe.Add(fr, d), pointed(fr, p, off, pos))
	}
}

// stores maps each class to the function that returns the step that stores a value.
var stores = byClass[memoryOp]{
	word1: store[uint8], word2: store[uint16], word4: store[uint32], word8: store[uint64],
	pointerClass: store[unsafe.Pointer], stringClass: store[string],
	sliceClass: store[slice], interfaceClass: store[iface],
}

// store returns the step that stores a T.
func store[T any](d, p, off uintptr, pos token.Pos) op {
	return func(fr unsafe.Pointer) {
		*(*T)(pointed(fr, p, off, pos)) = *at[T](fr, d)
	}
}

// storeTyped returns the step that stores a value of the type with descriptor t.
func storeTyped(t unsafe.Pointer, d, p, off uintptr, pos token.Pos) op {
	return func(fr unsafe.Pointer) {
		typedMove(t, pointed(fr, p, off, pos), unsafe.Add(fr, d))
	}
}

// An element describes memory in an element of a slice, or of an array to which a pointer points.
type element struct {
	base     uintptr   // the register of the slice or pointer, if row is nil
	row      *element  // if not nil, the slice is not in a register but is this element of another slice
	index    uintptr   // the register of the index, an int
	unsigned bool      // the type of the index is unsigned
	size     uintptr   // the size of the elements
	n        int       // the length of the array, or -1 for a slice
	off      uintptr   // the offset of the memory in the element
	pos      token.Pos // the position of a panic
}

// isWhole reports whether e is a whole element of the given size, in a slice that is in a register.
func (e *element) isWhole(size uintptr) bool {
	return e.row == nil && e.n < 0 && e.off == 0 && e.size == size
}

// address returns a function that returns the address of e. The function panics as Go does if the pointer is nil or the
// index is out of range.
func (e element) address() func(fr unsafe.Pointer) unsafe.Pointer {
	if e.row != nil {
		rowAddress := e.row.address()
		return func(fr unsafe.Pointer) unsafe.Pointer {
			s := (*slice)(rowAddress(fr))
			i := *at[int](fr, e.index)
			if uint(i) >= uint(s.len) {
				failIndex(fr, e.pos, i, s.len, e.unsigned)
			}
			return unsafe.Add(s.data, uintptr(i)*e.size+e.off)
		}
	}
	if e.n >= 0 {
		return func(fr unsafe.Pointer) unsafe.Pointer {
			b := *at[unsafe.Pointer](fr, e.base)
			if b == nil {
				failNil(fr, e.pos)
			}
			i := *at[int](fr, e.index)
			if uint(i) >= uint(e.n) {
				failIndex(fr, e.pos, i, e.n, e.unsigned)
			}
			return unsafe.Add(b, uintptr(i)*e.size+e.off)
		}
	}
	return func(fr unsafe.Pointer) unsafe.Pointer {
		s := at[slice](fr, e.base)
		i := *at[int](fr, e.index)
		if uint(i) >= uint(s.len) {
			failIndex(fr, e.pos, i, s.len, e.unsigned)
		}
		return unsafe.Add(s.data, uintptr(i)*e.size+e.off)
	}
}

// elementLoads maps each class to the function that returns the step that loads e into the register at d.
var elementLoads = byClass[func(e element, d uintptr) op]{
	word1: loadElement[uint8], word2: loadElement[uint16], word4: loadElement[uint32], word8: loadElement[uint64],
	pointerClass: loadElement[unsafe.Pointer], stringClass: loadElement[string],
	sliceClass: loadElement[slice], interfaceClass: loadElement[iface],
}

// loadElement returns the step that loads e, a T, into the register at d. The cases a[i][j] and a[i] have faster steps
// than the general case.
func loadElement[T any](e element, d uintptr) op {
	base, index, pos := e.base, e.index, e.pos
	r, size := e.row, unsafe.Sizeof(*new(T))
	if r != nil && r.isWhole(unsafe.Sizeof(slice{})) && e.off == 0 && e.size == size {
		rows, rowIndex := r.base, r.index
		return func(fr unsafe.Pointer) {
			all := at[slice](fr, rows)
			j := *at[int](fr, rowIndex)
			if uint(j) >= uint(all.len) {
				failIndex(fr, r.pos, j, all.len, r.unsigned)
			}
			s := (*slice)(unsafe.Add(all.data, uintptr(j)*unsafe.Sizeof(slice{})))
			i := *at[int](fr, index)
			if uint(i) >= uint(s.len) {
				failIndex(fr, pos, i, s.len, e.unsigned)
			}
			*at[T](fr, d) = *(*T)(unsafe.Add(s.data, uintptr(i)*unsafe.Sizeof(*new(T))))
		}
	}
	if e.isWhole(size) {
		return func(fr unsafe.Pointer) {
			s := at[slice](fr, base)
			i := *at[int](fr, index)
			if uint(i) >= uint(s.len) {
				failIndex(fr, pos, i, s.len, e.unsigned)
			}
			*at[T](fr, d) = *(*T)(unsafe.Add(s.data, uintptr(i)*unsafe.Sizeof(*new(T))))
		}
	}
	address := e.address()
	return func(fr unsafe.Pointer) { *at[T](fr, d) = *(*T)(address(fr)) }
}

// elementStores maps each class to the function that returns the step that stores the register at d in e.
var elementStores = byClass[func(e element, d uintptr) op]{
	word1: storeElement[uint8], word2: storeElement[uint16], word4: storeElement[uint32], word8: storeElement[uint64],
	pointerClass: storeElement[unsafe.Pointer], stringClass: storeElement[string],
	sliceClass: storeElement[slice], interfaceClass: storeElement[iface],
}

// storeElement returns the step that stores the register at d in e, a T.
func storeElement[T any](e element, d uintptr) op {
	base, index, pos := e.base, e.index, e.pos
	if e.isWhole(unsafe.Sizeof(*new(T))) {
		return func(fr unsafe.Pointer) {
			s := at[slice](fr, base)
			i := *at[int](fr, index)
			if uint(i) >= uint(s.len) {
				failIndex(fr, pos, i, s.len, e.unsigned)
			}
			*(*T)(unsafe.Add(s.data, uintptr(i)*unsafe.Sizeof(*new(T)))) = *at[T](fr, d)
		}
	}
	address := e.address()
	return func(fr unsafe.Pointer) { *(*T)(address(fr)) = *at[T](fr, d) }
}

// A place is the memory to which a pointer of go/ssa points: elem, or, if elem is nil, the memory off bytes after the
// pointer in the register at p.
type place struct {
	elem   *element
	p, off uintptr
	pos    token.Pos // the position of a panic, if elem is nil
}

// load returns the step that loads a value of type t from the place into the register at d.
func (pl place) load(t reflect.Type, d uintptr) op {
	class := classOf(t)
	desc := descriptor(t)
	if pl.elem != nil {
		if f, ok := elementLoads[class]; ok {
			return f(*pl.elem, d)
		}
		address := pl.elem.address()
		return func(fr unsafe.Pointer) { typedMove(desc, unsafe.Add(fr, d), address(fr)) }
	}
	if f, ok := loads[class]; ok {
		return f(d, pl.p, pl.off, pl.pos)
	}
	return loadTyped(desc, d, pl.p, pl.off, pl.pos)
}

// store returns the step that stores the register at d, which has type t, in the place.
func (pl place) store(t reflect.Type, d uintptr) op {
	class := classOf(t)
	desc := descriptor(t)
	if pl.elem != nil {
		if f, ok := elementStores[class]; ok {
			return f(*pl.elem, d)
		}
		address := pl.elem.address()
		return func(fr unsafe.Pointer) { typedMove(desc, address(fr), unsafe.Add(fr, d)) }
	}
	if f, ok := stores[class]; ok {
		return f(d, pl.p, pl.off, pl.pos)
	}
	return storeTyped(desc, d, pl.p, pl.off, pl.pos)
}

// address returns the step that sets the register at d to the address of the place.
func (pl place) address(d uintptr) op {
	if pl.elem != nil {
		address := pl.elem.address()
		return func(fr unsafe.Pointer) { *at[unsafe.Pointer](fr, d) = address(fr) }
	}
	p, off, pos := pl.p, pl.off, pl.pos
	return func(fr unsafe.Pointer) {
		*at[unsafe.Pointer](fr, d) = pointed(fr, p, off, pos)
	}
}

// place returns the memory to which the pointer v points. If v is fused or is the current instruction, v has no
// register yet, and the place is described by the operands of v. Otherwise it is described by the register of v.
func (b *builder) place(v ssa.Value) place {
	pos := b.pos
	switch v.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr:
		pos = b.posOf(v)
	}
	byOperands := func(v ssa.Value) bool {
		in, ok := v.(ssa.Instruction)
		return b.fused[v] || ok && b.current == in
	}
	switch v := v.(type) {
	case *ssa.FieldAddr:
		if !byOperands(v) {
			break
		}
		st := b.inner(v.X.Type().Underlying().(*types.Pointer).Elem())
		off := st.Field(v.Field).Offset
		if b.fused[v.X] {
			pl := b.place(v.X)
			if pl.elem != nil {
				e := *pl.elem
				e.off += off
				return place{elem: &e}
			}
			pl.off += off
			return pl
		}
		return place{p: b.off(v.X), off: off, pos: pos}
	case *ssa.IndexAddr:
		if !byOperands(v) {
			break
		}
		e := &element{index: b.intIndex(v.Index), unsigned: b.isUnsigned(v.Index), n: -1, pos: pos}
		if row, ok := v.X.(*ssa.UnOp); ok && b.fused[row] {
			e.row = b.place(row.X).elem
		} else {
			e.base = b.off(v.X)
		}
		switch t := v.X.Type().Underlying().(type) {
		case *types.Slice:
			e.size = b.inner(t.Elem()).Size()
		case *types.Pointer:
			a := b.inner(t.Elem())
			e.n, e.size = a.Len(), a.Elem().Size()
		default:
			b.fail("cells do not support an element of a %v", t)
		}
		return place{elem: e}
	}
	return place{p: b.off(v), pos: pos}
}

// intIndex returns the offset of a register that holds the integer v as an int. If v has another type, it emits the
// conversion.
func (b *builder) intIndex(v ssa.Value) uintptr {
	k := b.inner(v.Type()).Kind()
	if k == reflect.Int || k == reflect.Int64 {
		return b.off(v)
	}
	newReader, ok := int64Readers[k]
	if !ok {
		b.fail("cells do not support an index of kind %v", k)
	}
	readInt := newReader(b.off(v))
	t := b.scratch()
	b.emit(func(fr unsafe.Pointer) {
		i := readInt(fr)
		*at[int64](fr, t) = i
	})
	return t
}

// isUnsigned reports whether v is an unsigned integer.
func (b *builder) isUnsigned(v ssa.Value) bool {
	k := b.inner(v.Type()).Kind()
	return k >= reflect.Uint && k <= reflect.Uintptr
}
