package compile

import (
	"go/types"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// instruction emits the steps of an instruction that does not end a block.
func (b *builder) instruction(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Alloc:
		if !isMakeSlice(in) {
			b.alloc(in)
		}
	case *ssa.BinOp:
		b.binary(in)
	case *ssa.UnOp:
		b.unary(in)
	case *ssa.FieldAddr, *ssa.IndexAddr:
		v := in.(ssa.Value)
		b.emit(b.place(v).address(b.off(v)))
	case *ssa.Field:
		b.field(in)
	case *ssa.Index:
		b.index(in)
	case *ssa.Store:
		if isBlankField(in.Addr) {
			return
		}
		pl := b.place(in.Addr)
		b.emit(pl.store(b.inner(in.Val.Type()), b.off(in.Val)))
	case *ssa.ChangeType:
		if types.IsInterface(in.Type()) {
			b.changeInterface(in, in.X)
			return
		}
		b.emit(copyOp(b.reg(in), b.off(in), b.off(in.X)))
	case *ssa.Convert:
		b.convert(in)
	case *ssa.MultiConvert:
		b.fail("cells do not support a conversion between type parameters")
	case *ssa.SliceToArrayPointer:
		b.toArray(in)
	case *ssa.MakeInterface:
		b.makeInterface(in)
	case *ssa.ChangeInterface:
		b.changeInterface(in, in.X)
	case *ssa.TypeAssert:
		b.typeAssert(in)
	case *ssa.MakeSlice:
		c := b.intIndex(in.Cap)
		b.makeSlice(in, in.Len, func(fr unsafe.Pointer) int { return *at[int](fr, c) })
	case *ssa.Slice:
		if made, ok := in.X.(*ssa.Alloc); ok && isMakeSlice(made) {
			n := int(made.Type().(*types.Pointer).Elem().(*types.Array).Len())
			b.makeSlice(in, in.High, func(unsafe.Pointer) int { return n })
			return
		}
		b.slice(in)
	case *ssa.MakeMap:
		b.makeMap(in)
	case *ssa.Lookup:
		b.lookup(in)
	case *ssa.MapUpdate:
		b.mapUpdate(in)
	case *ssa.Range:
		b.rangeStart(in)
	case *ssa.Next:
		b.rangeNext(in)
	case *ssa.MakeClosure:
		b.makeClosure(in)
	case *ssa.Call:
		b.callInstruction(in)
	case *ssa.Defer:
		b.deferStatement(in)
	case *ssa.RunDefers:
		if b.code.defers {
			b.runDefers(in.Block())
		}
	case *ssa.Go:
		b.goStatement(in)
	case *ssa.MakeChan:
		b.makeChan(in)
	case *ssa.Send:
		b.send(in)
	case *ssa.Select:
		b.selectStatement(in)
	default:
		b.fail("cells do not support a %T", in)
	}
}

// isBlankField reports whether addr is the address of a field called _. Such a field stays zero even if a
// composite literal has a value for it.
func isBlankField(addr ssa.Value) bool {
	f, ok := addr.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	st := f.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
	return st.Field(f.Field).Name() == "_"
}

// alloc emits the allocation of a variable, in the frame or on the heap.
func (b *builder) alloc(in *ssa.Alloc) {
	d := b.off(in)
	elem := b.inner(in.Type().Underlying().(*types.Pointer).Elem())
	t := descriptor(elem)
	if in.Heap && elem.Size() >= largeObject {
		pos, size := b.posOf(in), elem.Size()
		b.emit(func(fr unsafe.Pointer) {
			(*frame)(fr).pos = pos
			(*frame)(fr).allocate("new", 1, size, func() { *at[unsafe.Pointer](fr, d) = newObject(t) })
		})
		return
	}
	if in.Heap {
		b.emit(func(fr unsafe.Pointer) { *at[unsafe.Pointer](fr, d) = newObject(t) })
		return
	}
	area := b.areas[in].off
	if size := elem.Size(); !hasPointers(elem) {
		b.emit(func(fr unsafe.Pointer) {
			clear(unsafe.Slice(at[byte](fr, area), size))
			*at[unsafe.Pointer](fr, d) = unsafe.Add(fr, area)
		})
		return
	}
	b.emit(func(fr unsafe.Pointer) {
		typedClear(t, unsafe.Add(fr, area))
		*at[unsafe.Pointer](fr, d) = unsafe.Add(fr, area)
	})
}

// anyOf returns a function that returns the value of interface type t at p as an any.
func anyOf(t reflect.Type) func(p unsafe.Pointer) any {
	if t.NumMethod() == 0 {
		return func(p unsafe.Pointer) any { return *(*any)(p) }
	}
	return func(p unsafe.Pointer) any {
		i := *(*iface)(p)
		if i.word == nil {
			return nil
		}
		i.word = (*table)(i.word).typ
		return *(*any)(unsafe.Pointer(&i))
	}
}

// field emits the reading of a field of a struct that is not addressable.
func (b *builder) field(in *ssa.Field) {
	st := b.inner(in.X.Type())
	r := b.reg(in)
	d, class, t := r.off, r.class, r.desc
	src := b.off(in.X) + st.Field(in.Field).Offset
	b.emit(func(fr unsafe.Pointer) { move(class, t, unsafe.Add(fr, d), unsafe.Add(fr, src)) })
}

// index emits the reading of an element of a string or of an array that is not addressable.
func (b *builder) index(in *ssa.Index) {
	r, x, i, pos := b.reg(in), b.off(in.X), b.intIndex(in.Index), b.posOf(in)
	unsigned := b.isUnsigned(in.Index)
	d, class, t := r.off, r.class, r.desc
	xt := b.inner(in.X.Type())
	if xt.Kind() == reflect.String {
		b.emit(func(fr unsafe.Pointer) {
			s, n := *at[string](fr, x), *at[int](fr, i)
			if uint(n) >= uint(len(s)) {
				failIndex(fr, pos, n, len(s), unsigned)
			}
			*at[byte](fr, d) = s[n]
		})
		return
	}
	if xt.Kind() != reflect.Array {
		b.fail("cells do not support an element of a %v", xt)
	}
	n, size := xt.Len(), xt.Elem().Size()
	b.emit(func(fr unsafe.Pointer) {
		i := *at[int](fr, i)
		if uint(i) >= uint(n) {
			failIndex(fr, pos, i, n, unsigned)
		}
		move(class, t, unsafe.Add(fr, d), unsafe.Add(fr, x+uintptr(i)*size))
	})
}
