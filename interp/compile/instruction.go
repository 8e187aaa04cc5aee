package compile

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"unicode"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/interp/compile/misuse"
)

// instruction emits the steps of an instruction other than a jump.
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
		b.cannot("a conversion between type parameters")
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
		b.rangeOver(in)
	case *ssa.Next:
		b.nextOf(in)
	case *ssa.MakeClosure:
		b.makeClosure(in)
	case *ssa.Call:
		b.callInstruction(in)
	case *ssa.Defer:
		b.deferCall(in)
	case *ssa.RunDefers:
		if b.code.defers {
			b.runDefers(in.Block())
		}
	case *ssa.Go:
		b.goCall(in)
	case *ssa.MakeChan:
		b.makeChan(in)
	case *ssa.Send:
		b.send(in)
	case *ssa.Select:
		b.selects(in)
	default:
		b.cannot("a %T", in)
	}
}

// isBlankField reports whether addr is the address of a field called _. Such a field stays zero even if a
// composite literal gives it a value.
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
	area := b.areas[in].at
	if size := elem.Size(); !pointers(elem) {
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
			b.cannot("an element of a %v", t)
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
	read, ok := wides.of(k)
	if !ok {
		b.cannot("an index of kind %v", k)
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

// binary emits a binary operation.
func (b *builder) binary(in *ssa.BinOp) {
	d := b.off(in)
	if isComparison(in.Op) {
		cond := b.comparison(in)
		b.emit(func(fr unsafe.Pointer) { *at[bool](fr, d) = cond(fr) })
		return
	}
	if f := b.productSum(in, d); f != nil {
		b.emit(f)
		return
	}
	t := b.inner(in.X.Type())
	x, y := b.operandOf(in.X), b.operandOf(in.Y)
	if in.Op == token.SHL || in.Op == token.SHR {
		b.shift(in, d)
		return
	}
	k := t.Kind()
	if (in.Op == token.QUO || in.Op == token.REM) && isInteger(k) && (!y.isConst || y.n == 0) {
		read, _ := wides.of(k)
		wide, pos := read(y.at), b.posOf(in)
		b.emit(func(fr unsafe.Pointer) {
			if wide(fr) == 0 {
				(*frame)(fr).pos = pos
				var zero int
				_ = 1 / zero // panics
			}
		})
	}
	var f op
	if make, ok := arithmetic.of(k); ok {
		f = make(in.Op, d, x, y)
	}
	switch {
	case k == reflect.String && in.Op == token.ADD:
		x0, y0, pos := x.at, y.at, b.posOf(in)
		f = func(fr unsafe.Pointer) {
			x, y := *at[string](fr, x0), *at[string](fr, y0)
			if n := len(x) + len(y); n >= largeObject {
				(*frame)(fr).pos = pos
				(*frame)(fr).allocate("concatenation", n, 1, func() { *at[string](fr, d) = x + y })
				return
			}
			*at[string](fr, d) = x + y
		}
	case k == reflect.Complex64:
		f = floatArith[complex64](in.Op, d, x, y)
	case k == reflect.Complex128:
		f = floatArith[complex128](in.Op, d, x, y)
	}
	if f == nil {
		b.cannot("%v of %v", in.Op, t)
	}
	b.emit(f)
}

// productSum returns the step of x + y*z, both rounded, if in is such a sum and fuse has fused the product.
// Otherwise it returns nil.
func (b *builder) productSum(in *ssa.BinOp, d uintptr) op {
	term, product := in.X, in.Y
	if b.fused[term] {
		term, product = product, term
	}
	p, ok := product.(*ssa.BinOp)
	if !ok || !b.fused[p] {
		return nil
	}
	x, y, z := b.off(term), b.off(p.X), b.off(p.Y)
	if x == d {
		return func(fr unsafe.Pointer) { *at[float64](fr, d) += float64(*at[float64](fr, y) * *at[float64](fr, z)) }
	}
	return func(fr unsafe.Pointer) {
		*at[float64](fr, d) = *at[float64](fr, x) + float64(*at[float64](fr, y)**at[float64](fr, z))
	}
}

func (b *builder) shift(in *ssa.BinOp, d uintptr) {
	ky := b.inner(in.Y.Type()).Kind()
	read, ok := wides.of(ky)
	make, ok2 := shifts.of(b.inner(in.X.Type()).Kind())
	if !ok || !ok2 {
		b.cannot("a shift of %v", in.X.Type())
	}
	wide, pos := read(b.off(in.Y)), b.posOf(in)
	count := func(fr unsafe.Pointer) uint64 { return uint64(wide(fr)) }
	if signed(ky) {
		count = func(fr unsafe.Pointer) uint64 {
			n := wide(fr)
			if n < 0 {
				(*frame)(fr).pos = pos
			}
			var one int64 = 1
			_ = one << n // panics if it is negative
			return uint64(n)
		}
	}
	b.emit(make(in.Op, d, b.off(in.X), count))
}

// comparison returns the test that computes in.
func (b *builder) comparison(in *ssa.BinOp) test {
	tx, ty := b.typeOf(in.X, in.Y), b.typeOf(in.Y, in.X)
	x, y := b.operandOf(in.X), b.operandOf(in.Y)
	if (tx.Kind() == reflect.Interface) != (ty.Kind() == reflect.Interface) {
		b.cannot("a comparison of %v and %v", in.X.Type(), in.Y.Type())
	}
	if f, ok := ordered.of(tx.Kind()); ok {
		return f(in.Op, x, y)
	}
	x0, y0 := x.at, y.at
	var equal test
	switch tx.Kind() {
	case reflect.String:
		return compare[string](in.Op, x, y)
	case reflect.Bool:
		equal = func(fr unsafe.Pointer) bool { return *at[bool](fr, x0) == *at[bool](fr, y0) }
	case reflect.Slice: // compared with nil
		if isNil(in.Y) {
			equal = func(fr unsafe.Pointer) bool { return at[slice](fr, x0).data == nil }
		} else {
			equal = func(fr unsafe.Pointer) bool { return at[slice](fr, y0).data == nil }
		}
	case reflect.Interface:
		pos := b.posOf(in)
		ax, ay := anyOf(tx), anyOf(ty)
		equal = func(fr unsafe.Pointer) bool {
			(*frame)(fr).pos = pos
			return misuse.Equal(ax(unsafe.Add(fr, x0)), ay(unsafe.Add(fr, y0)))
		}
	case reflect.Complex64:
		equal = func(fr unsafe.Pointer) bool { return *at[complex64](fr, x0) == *at[complex64](fr, y0) }
	case reflect.Complex128:
		equal = func(fr unsafe.Pointer) bool { return *at[complex128](fr, x0) == *at[complex128](fr, y0) }
	case reflect.Struct, reflect.Array:
		pos := b.posOf(in)
		desc, isDirect := descriptor(tx), direct(tx)
		equal = func(fr unsafe.Pointer) bool {
			(*frame)(fr).pos = pos
			v, w := iface{desc, unsafe.Add(fr, x0)}, iface{desc, unsafe.Add(fr, y0)}
			if isDirect {
				v.data, w.data = *(*unsafe.Pointer)(v.data), *(*unsafe.Pointer)(w.data)
			}
			return misuse.Equal(*(*any)(unsafe.Pointer(&v)), *(*any)(unsafe.Pointer(&w)))
		}
	default:
		if classOf(tx) != pointer {
			b.cannot("a comparison of %v", in.X.Type())
		}
		equal = func(fr unsafe.Pointer) bool { return *at[unsafe.Pointer](fr, x0) == *at[unsafe.Pointer](fr, y0) }
	}
	switch in.Op {
	case token.EQL:
		return equal
	case token.NEQ:
		return func(fr unsafe.Pointer) bool { return !equal(fr) }
	}
	b.cannot("%v of %v", in.Op, tx)
	return nil
}

// typeOf returns the run-time type of x, which is compared with y. The untyped nil has the type of y.
func (b *builder) typeOf(x, y ssa.Value) reflect.Type {
	if isUntypedNil(x.Type()) {
		return b.inner(y.Type())
	}
	return b.inner(x.Type())
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// anyOf returns the function that reads an interface of type t as an any.
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

// unary emits a unary operation, a load or a receive.
func (b *builder) unary(in *ssa.UnOp) {
	switch in.Op {
	case token.MUL:
		b.emit(b.place(in.X).load(b.inner(in.Type()), b.off(in)))
		return
	case token.ARROW:
		b.receive(in)
		return
	}
	d, x := b.off(in), b.off(in.X)
	k := b.inner(in.X.Type()).Kind()
	switch {
	case in.Op == token.NOT:
		b.emit(func(fr unsafe.Pointer) { *at[bool](fr, d) = !*at[bool](fr, x) })
	case k == reflect.Complex64:
		b.emit(negateFloat[complex64](in.Op, d, x))
	case k == reflect.Complex128:
		b.emit(negateFloat[complex128](in.Op, d, x))
	default:
		f, ok := negations.of(k)
		if !ok {
			b.cannot("%v of %v", in.Op, k)
		}
		b.emit(f(in.Op, d, x))
	}
}

func (b *builder) field(in *ssa.Field) {
	st := b.inner(in.X.Type())
	r := b.reg(in)
	d, how, t := r.at, r.how, r.desc
	src := b.off(in.X) + st.Field(in.Field).Offset
	b.emit(func(fr unsafe.Pointer) { move(how, t, unsafe.Add(fr, d), unsafe.Add(fr, src)) })
}

// index emits the reading of an element of a string or of an array that is not addressable.
func (b *builder) index(in *ssa.Index) {
	r, x, i, pos := b.reg(in), b.off(in.X), b.intIndex(in.Index), b.posOf(in)
	unsigned := b.isUnsigned(in.Index)
	d, how, t := r.at, r.how, r.desc
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
		b.cannot("an element of a %v", xt)
	}
	n, size := xt.Len(), xt.Elem().Size()
	b.emit(func(fr unsafe.Pointer) {
		i := *at[int](fr, i)
		if uint(i) >= uint(n) {
			failIndex(fr, pos, i, n, unsigned)
		}
		move(how, t, unsafe.Add(fr, d), unsafe.Add(fr, x+uintptr(i)*size))
	})
}

// convert emits a conversion that changes the representation.
func (b *builder) convert(in *ssa.Convert) {
	to, from := b.inner(in.Type()), b.inner(in.X.Type())
	d, x, pos := b.off(in), b.off(in.X), b.posOf(in)
	if row, ok := conversions.of(to.Kind()); ok {
		if f, ok := row.of(from.Kind()); ok {
			b.emit(f(d, x))
			return
		}
	}
	switch {
	case to.Kind() == from.Kind() && classOf(to) == classOf(from) && to.Kind() != reflect.Slice &&
		to.Kind() != reflect.Complex64 && to.Kind() != reflect.Complex128:
		b.emit(copyOp(b.reg(in), d, x))
	case to.Kind() == reflect.UnsafePointer && from.Kind() == reflect.Uintptr,
		to.Kind() == reflect.Uintptr && from.Kind() == reflect.UnsafePointer:
		b.emit(func(fr unsafe.Pointer) { *at[uintptr](fr, d) = *at[uintptr](fr, x) })
	case to.Kind() == reflect.UnsafePointer && classOf(from) == pointer,
		from.Kind() == reflect.UnsafePointer && classOf(to) == pointer:
		b.emit(copyOp(b.reg(in), d, x))
	case to.Kind() == reflect.String && from.Kind() == reflect.Slice && from.Elem().Kind() == reflect.Uint8:
		b.emit(func(fr unsafe.Pointer) {
			if n := len(*at[[]byte](fr, x)); n >= largeObject {
				(*frame)(fr).pos = pos
				(*frame)(fr).allocate("conversion", n, 1, func() { *at[string](fr, d) = string(*at[[]byte](fr, x)) })
				return
			}
			*at[string](fr, d) = string(*at[[]byte](fr, x))
		})
	case to.Kind() == reflect.Slice && to.Elem().Kind() == reflect.Uint8 && from.Kind() == reflect.String:
		b.emit(func(fr unsafe.Pointer) {
			if n := len(*at[string](fr, x)); n >= largeObject {
				(*frame)(fr).pos = pos
				(*frame)(fr).allocate("conversion", n, 1, func() { *at[[]byte](fr, d) = []byte(*at[string](fr, x)) })
				return
			}
			*at[[]byte](fr, d) = []byte(*at[string](fr, x))
		})
	case to.Kind() == reflect.String && from.Kind() == reflect.Slice && from.Elem().Kind() == reflect.Int32:
		b.emit(func(fr unsafe.Pointer) {
			if n := 4 * len(*at[[]rune](fr, x)); n >= largeObject {
				(*frame)(fr).pos = pos
				(*frame)(fr).allocate("conversion", n, 1, func() { *at[string](fr, d) = string(*at[[]rune](fr, x)) })
				return
			}
			*at[string](fr, d) = string(*at[[]rune](fr, x))
		})
	case to.Kind() == reflect.Slice && to.Elem().Kind() == reflect.Int32 && from.Kind() == reflect.String:
		b.emit(func(fr unsafe.Pointer) {
			if n := 4 * len(*at[string](fr, x)); n >= largeObject {
				(*frame)(fr).pos = pos
				(*frame)(fr).allocate("conversion", n, 1, func() { *at[[]rune](fr, d) = []rune(*at[string](fr, x)) })
				return
			}
			*at[[]rune](fr, d) = []rune(*at[string](fr, x))
		})
	case to.Kind() == reflect.String && isInteger(from.Kind()):
		read, _ := wides.of(from.Kind())
		wide := read(x)
		b.emit(func(fr unsafe.Pointer) {
			n := wide(fr)
			if n < 0 || n > unicode.MaxRune {
				n = unicode.ReplacementChar
			}
			*at[string](fr, d) = string(rune(n))
		})
	case to.Kind() == reflect.Complex128 && from.Kind() == reflect.Complex64:
		b.emit(func(fr unsafe.Pointer) { *at[complex128](fr, d) = complex128(*at[complex64](fr, x)) })
	case to.Kind() == reflect.Complex64 && from.Kind() == reflect.Complex128:
		b.emit(func(fr unsafe.Pointer) { *at[complex64](fr, d) = complex64(*at[complex128](fr, x)) })
	case to.Kind() == from.Kind() && (to.Kind() == reflect.Complex64 || to.Kind() == reflect.Complex128):
		b.emit(copyOp(b.reg(in), d, x))
	default:
		b.cannot("a conversion of %v to %v", from, to)
	}
}

// toArray emits the conversion of a slice to a pointer to an array.
func (b *builder) toArray(in *ssa.SliceToArrayPointer) {
	d, x, pos := b.off(in), b.off(in.X), b.posOf(in)
	n := b.inner(in.Type().Underlying().(*types.Pointer).Elem()).Len()
	b.emit(func(fr unsafe.Pointer) {
		s := *at[slice](fr, x)
		if s.len < n {
			(*frame)(fr).pos = pos
			panic(runtimeError(fmt.Sprintf("cannot convert slice with length %d to array or pointer to array with length %d", s.len, n)))
		}
		*at[unsafe.Pointer](fr, d) = s.data
	})
}

// A runtimeError is a run-time error that compiled code raises itself, with the text of Go's run time.
type runtimeError string

func (e runtimeError) Error() string { return "runtime error: " + string(e) }

// RuntimeError marks the error as one of the run time's own.
func (runtimeError) RuntimeError() {}

// isMakeSlice reports whether in allocates the array of a make whose capacity is constant. The only use of in
// is then the slice that is made.
func isMakeSlice(in *ssa.Alloc) bool { return in.Comment == "makeslice" }

// makeSlice emits the make of a slice, in.
func (b *builder) makeSlice(in ssa.Value, length ssa.Value, capacity func(fr unsafe.Pointer) int) {
	t := b.inner(in.Type())
	elem := descriptor(t.Elem())
	d, n, pos := b.off(in), b.intIndex(length), b.posOf(in.(ssa.Instruction))
	size := t.Elem().Size()
	b.emit(func(fr unsafe.Pointer) {
		n, c := *at[int](fr, n), capacity(fr)
		if uint(n) > uint(c) || size > 0 && uint(c) > maxBytes/uint(size) {
			(*frame)(fr).pos = pos
			zero := 0
			if n < 0 || size > 0 && uint(n) > maxBytes/uint(size) {
				_ = make([]byte, zero-1) // panics
			}
			_ = make([]byte, zero+1, zero) // panics
		}
		(*frame)(fr).pos = pos
		if size > 0 && uint(c) >= largeMake/uint(size) {
			(*frame)(fr).allocate("make", c, size, func() { *at[slice](fr, d) = slice{newArray(elem, c), n, c} })
			return
		}
		(*frame)(fr).checkMemory("make", c, size)
		*at[slice](fr, d) = slice{newArray(elem, c), n, c}
	})
}

// maxBytes is a size that no object reaches.
const maxBytes = 1 << 46

// slice emits a slice expression.
func (b *builder) slice(in *ssa.Slice) {
	d, x, pos := b.off(in), b.off(in.X), b.posOf(in)
	indexOf := func(v ssa.Value) (index func(fr unsafe.Pointer) int, unsigned bool) {
		if v == nil {
			return nil, false
		}
		i := b.intIndex(v)
		return func(fr unsafe.Pointer) int { return *at[int](fr, i) }, b.isUnsigned(v)
	}
	low, lowUnsigned := indexOf(in.Low)
	high, highUnsigned := indexOf(in.High)
	limit, limitUnsigned := indexOf(in.Max)
	xt := b.inner(in.X.Type())
	if xt.Kind() == reflect.String {
		b.emit(func(fr unsafe.Pointer) {
			s := *at[string](fr, x)
			l, h := 0, len(s)
			if low != nil {
				l = low(fr)
			}
			if high != nil {
				h = high(fr)
			}
			if uint(h) > uint(len(s)) || uint(l) > uint(h) {
				(*frame)(fr).pos = pos
				// Slice s with the same indices and index types: the messages of the panics differ.
				switch tooHigh := uint(h) > uint(len(s)); {
				case high == nil && lowUnsigned:
					_ = s[uint(l):]
				case high == nil:
					_ = s[l:]
				case tooHigh && highUnsigned:
					_ = s[:uint(h)]
				case !tooHigh && lowUnsigned:
					_ = s[uint(l):h]
				}
			}
			*at[string](fr, d) = s[l:h]
		})
		return
	}
	size, n := uintptr(0), -1 // n is the length if X points to an array
	switch xt.Kind() {
	case reflect.Slice:
		size = xt.Elem().Size()
	case reflect.Pointer:
		size, n = xt.Elem().Elem().Size(), xt.Elem().Len()
	default:
		b.cannot("a slice of %v", xt)
	}
	b.emit(func(fr unsafe.Pointer) {
		var s slice
		if n >= 0 {
			p := *at[unsafe.Pointer](fr, x)
			if p == nil {
				failNil(fr, pos)
			}
			s = slice{p, n, n}
		} else {
			s = *at[slice](fr, x)
		}
		l, h, m := 0, s.len, s.cap
		if low != nil {
			l = low(fr)
		}
		if high != nil {
			h = high(fr)
		}
		if limit != nil {
			m = limit(fr)
		}
		if uint(m) > uint(s.cap) || uint(h) > uint(m) || uint(l) > uint(h) {
			(*frame)(fr).pos = pos
			unsigned := lowUnsigned
			if uint(m) > uint(s.cap) {
				unsigned = limitUnsigned
			} else if uint(h) > uint(m) {
				unsigned = highUnsigned
			}
			if unsigned {
				failSlice(s, uint(l), uint(h), uint(m), n, high != nil, limit != nil)
			}
			failSlice(s, l, h, m, n, high != nil, limit != nil)
		}
		data := s.data
		if m > l { // otherwise the pointer would leave the array
			data = unsafe.Add(data, uintptr(l)*size)
		}
		*at[slice](fr, d) = slice{data, h - l, m - l}
	})
}

// failSlice panics as s[l:h:m] does if an index is out of range. I is the type of that index, and high and limit
// report whether the expression has h and m. s is an array of length array unless that is negative.
func failSlice[I int | uint](s slice, l, h, m I, array int, high, limit bool) {
	// Slicing elements without size panics with the same message.
	z := unsafe.Slice((*struct{})(unsafe.Pointer(&s)), s.cap)[:s.len]
	switch {
	case limit && array >= 0 && m >= 0 && uint(m) > uint(array):
		panic(runtimeError(fmt.Sprintf("slice bounds out of range [::%d] with length %d", m, array)))
	case limit:
		_ = z[l:h:m]
	case high && array >= 0:
		if uint(h) > uint(array) {
			str := unsafe.String((*byte)(unsafe.Pointer(&s)), array)
			_ = str[l:h]
		}
		_ = z[l:h]
	case high:
		_ = z[l:h]
	default:
		_ = z[l:]
	}
}
