package compile

import (
	"go/token"
	"go/types"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// Loads and stores: steps that copy between registers and the memory that pointers and slices point to.

// byClass holds a value for each class but plainClass and mixedClass.
type byClass[R any] map[valueClass]R

// failNil panics as a nil dereference does.
func failNil(fr unsafe.Pointer, pos token.Pos) {
	(*frame)(fr).pos = pos
	var p *int
	*p = 0
}

// failIndex panics as index i of n elements does. If unsigned is set, the message shows i as an unsigned number.
func failIndex(fr unsafe.Pointer, pos token.Pos, i, n int, unsigned bool) {
	(*frame)(fr).pos = pos
	if unsigned {
		_ = make([]struct{}, n)[uint(i)]
	}
	_ = make([]struct{}, n)[i]
}

// pointed returns the address off bytes behind the pointer in register p. It panics if the
// pointer is nil.
func pointed(fr unsafe.Pointer, p, off uintptr, pos token.Pos) unsafe.Pointer {
	b := *at[unsafe.Pointer](fr, p)
	if b == nil {
		failNil(fr, pos)
	}
	return unsafe.Add(b, off)
}

// A memoryOp returns the step that copies between the register at d and the memory off bytes behind the pointer in
// register p.
type memoryOp func(d, p, off uintptr, pos token.Pos) op

var loads = byClass[memoryOp]{
	word1: load[uint8], word2: load[uint16], word4: load[uint32], word8: load[uint64],
	pointerClass: load[unsafe.Pointer], stringClass: load[string],
	sliceClass: load[slice], interfaceClass: load[iface],
}

// load returns the step that reads memory.
func load[T any](d, p, off uintptr, pos token.Pos) op {
	return func(fr unsafe.Pointer) {
		*at[T](fr, d) = *(*T)(pointed(fr, p, off, pos))
	}
}

// loadTyped returns the step that reads a value of the type with descriptor t.
func loadTyped(t unsafe.Pointer, d, p, off uintptr, pos token.Pos) op {
	return func(fr unsafe.Pointer) {
		typedMove(t, unsafe.Add(fr, d), pointed(fr, p, off, pos))
	}
}

var stores = byClass[memoryOp]{
	word1: store[uint8], word2: store[uint16], word4: store[uint32], word8: store[uint64],
	pointerClass: store[unsafe.Pointer], stringClass: store[string],
	sliceClass: store[slice], interfaceClass: store[iface],
}

// store returns the step that writes memory.
func store[T any](d, p, off uintptr, pos token.Pos) op {
	return func(fr unsafe.Pointer) {
		*(*T)(pointed(fr, p, off, pos)) = *at[T](fr, d)
	}
}

// storeTyped returns the step that writes a value of the type with descriptor t.
func storeTyped(t unsafe.Pointer, d, p, off uintptr, pos token.Pos) op {
	return func(fr unsafe.Pointer) {
		typedMove(t, pointed(fr, p, off, pos), unsafe.Add(fr, d))
	}
}

// An element is memory in an element of a slice or of an array behind a pointer.
type element struct {
	base     uintptr // the register of the slice or pointer, unless rows is set
	index    uintptr // the register of the index, an int
	unsigned bool    // the index's type is unsigned
	size     uintptr // of the elements
	n        int     // the length of an array, or -1
	off      uintptr // of the memory in the element
	pos      token.Pos
	rows     *element // if not nil, the slice is this element of another slice
}

// isWhole reports whether e is a whole element, of the given size, of a slice that is in a register.
func (e *element) isWhole(size uintptr) bool {
	return e.rows == nil && e.n < 0 && e.off == 0 && e.size == size
}

// address returns the function that computes the element's address. The function panics as Go does if the pointer is
// nil or the index out of range.
func (e element) address() func(fr unsafe.Pointer) unsafe.Pointer {
	if e.rows != nil {
		row := e.rows.address()
		return func(fr unsafe.Pointer) unsafe.Pointer {
			s := (*slice)(row(fr))
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

var elementLoads = byClass[func(e element, d uintptr) op]{
	word1: loadElement[uint8], word2: loadElement[uint16], word4: loadElement[uint32], word8: loadElement[uint64],
	pointerClass: loadElement[unsafe.Pointer], stringClass: loadElement[string],
	sliceClass: loadElement[slice], interfaceClass: loadElement[iface],
}

// loadElement returns the step that reads e to the register at d.
func loadElement[T any](e element, d uintptr) op {
	base, index, pos := e.base, e.index, e.pos
	r, size := e.rows, unsafe.Sizeof(*new(T))
	if r != nil && r.isWhole(unsafe.Sizeof(slice{})) && e.off == 0 && e.size == size {
		rows, row := r.base, r.index
		return func(fr unsafe.Pointer) {
			all := at[slice](fr, rows)
			j := *at[int](fr, row)
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

var elementStores = byClass[func(e element, d uintptr) op]{
	word1: storeElement[uint8], word2: storeElement[uint16], word4: storeElement[uint32], word8: storeElement[uint64],
	pointerClass: storeElement[unsafe.Pointer], stringClass: storeElement[string],
	sliceClass: storeElement[slice], interfaceClass: storeElement[iface],
}

// storeElement returns the step that writes the register at d to e.
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

// A place is memory that a pointer of go/ssa points to: elem, or, if that is nil, the memory off bytes behind the
// pointer in register p.
type place struct {
	elem   *element
	p, off uintptr
	pos    token.Pos // of a failure, if elem is nil
}

// load returns the step that reads a value of type t to the register at d.
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

// store returns the step that writes the register at d, which has type t.
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

// place returns the memory that the pointer v points to. If v is computed at its only use, or is the current
// instruction, the place is described by the operands of v; otherwise by v's register.
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
			e.rows = b.place(row.X).elem
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
			b.fail("an element of a %v", t)
		}
		return place{elem: e}
	}
	return place{p: b.off(v), pos: pos}
}

// intIndex returns the offset of a register with the value of v, an integer, as an int.
func (b *builder) intIndex(v ssa.Value) uintptr {
	k := b.inner(v.Type()).Kind()
	if k == reflect.Int || k == reflect.Int64 {
		return b.off(v)
	}
	read, ok := int64Readers[k]
	if !ok {
		b.fail("an index of kind %v", k)
	}
	wide := read(b.off(v))
	t := b.scratch()
	b.emit(func(fr unsafe.Pointer) {
		i := wide(fr)
		*at[int64](fr, t) = i
	})
	return t
}

// isUnsigned reports whether v's type is an unsigned integer.
func (b *builder) isUnsigned(v ssa.Value) bool {
	k := b.inner(v.Type()).Kind()
	return k >= reflect.Uint && k <= reflect.Uintptr
}
