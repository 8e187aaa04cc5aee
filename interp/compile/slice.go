package compile

import (
	"fmt"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// isMakeSlice reports whether in allocates the array for a call of make with a constant capacity. The only use of in is
// then the slice expression that makes the slice.
func isMakeSlice(in *ssa.Alloc) bool { return in.Comment == "makeslice" }

// makeSlice emits in, a call of make for a slice.
func (b *builder) makeSlice(in ssa.Value, length ssa.Value, capacity func(fr unsafe.Pointer) int) {
	t := b.inner(in.Type())
	elem := descriptor(t.Elem())
	d, n, pos := b.off(in), b.intIndex(length), b.posOf(in.(ssa.Instruction))
	size := t.Elem().Size()
	b.emit(func(fr unsafe.Pointer) {
		n, c := *at[int](fr, n), capacity(fr)
		if n < 0 || n > c || size > 0 && uint(c) > maxBytes/uint(size) {
			(*frame)(fr).pos = pos
			zero := 0
			if n < 0 || size > 0 && uint(n) > maxBytes/uint(size) {
				_ = make([]byte, zero-1) // panics
			}
			_ = make([]byte, zero+1, zero) // panics
		}
		(*frame)(fr).pos = pos
		if size > 0 && uint(c) >= largeAllocation/uint(size) {
			(*frame)(fr).allocate("make", c, size, func() { *at[slice](fr, d) = slice{newArray(elem, c), n, c} })
			return
		}
		(*frame)(fr).checkMemory("make", c, size)
		*at[slice](fr, d) = slice{newArray(elem, c), n, c}
	})
}

// maxBytes is larger than the size of any object.
const maxBytes = 1 << 46

// sliceIndex returns a function that returns the value of v, an index of a slice expression, and whether v is unsigned.
// The function is nil if v is nil, that is, if the expression does not have the index.
func (b *builder) sliceIndex(v ssa.Value) (index func(fr unsafe.Pointer) int, unsigned bool) {
	if v == nil {
		return nil, false
	}
	i := b.intIndex(v)
	return func(fr unsafe.Pointer) int { return *at[int](fr, i) }, b.isUnsigned(v)
}

// sliceString emits a slice expression of a string.
func (b *builder) sliceString(in *ssa.Slice) {
	d, x, pos := b.off(in), b.off(in.X), b.posOf(in)
	low, lowUnsigned := b.sliceIndex(in.Low)
	high, highUnsigned := b.sliceIndex(in.High)
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
			// The message of the panic depends on the type of the wrong index.
			switch tooHigh := uint(h) > uint(len(s)); {
			case tooHigh && highUnsigned:
				_ = s[:uint(h)]
			case !tooHigh && lowUnsigned:
				_ = s[uint(l):h]
			}
		}
		*at[string](fr, d) = s[l:h]
	})
}

// slice emits a slice expression.
func (b *builder) slice(in *ssa.Slice) {
	xt := b.inner(in.X.Type())
	if xt.Kind() == reflect.String {
		b.sliceString(in)
		return
	}
	d, x, pos := b.off(in), b.off(in.X), b.posOf(in)
	low, lowUnsigned := b.sliceIndex(in.Low)
	high, highUnsigned := b.sliceIndex(in.High)
	limit, limitUnsigned := b.sliceIndex(in.Max)
	size, n := uintptr(0), -1 // n is the length if X points to an array
	switch xt.Kind() {
	case reflect.Slice:
		size = xt.Elem().Size()
	case reflect.Pointer:
		size, n = xt.Elem().Elem().Size(), xt.Elem().Len()
	default:
		b.fail("cells do not support a slice of %v", xt)
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

// failSlice panics as s[l:h:m] does if an index is out of range. I is the type of the wrong index. high and limit
// report whether the expression has h and m. If array is not negative, s is an array of this length.
func failSlice[I int | uint](s slice, l, h, m I, array int, high, limit bool) {
	// Slicing elements of size 0 panics with the same message.
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

// appendSlice emits the predeclared append.
func (b *builder) appendSlice(in *ssa.Call, d uintptr) {
	x, y, pos := b.off(in.Call.Args[0]), b.off(in.Call.Args[1]), b.posOf(in)
	st := b.inner(in.Call.Args[0].Type())
	elem := st.Elem()
	t, size := descriptor(elem), elem.Size()
	elemHasPointers := hasPointers(elem)
	b.emit(func(fr unsafe.Pointer) {
		s, more := *at[slice](fr, x), at[slice](fr, y) // more may be a string, which has no capacity
		if more.len == 0 {
			*at[slice](fr, d) = s
			return
		}
		n := s.len
		if uint(n+more.len) > uint(s.cap) { // also if the sum overflows
			(*frame)(fr).pos = pos
			most := max(n+more.len, s.cap+s.cap/4)
			(*frame)(fr).checkMemory("append", most, size)
			if uintptr(most) < largeAllocation/max(size, 1) {
				s = growSlice(t, s, more.len)
			} else {
				s = growLargeSlice(t, s, more.len)
			}
		}
		s.len = n + more.len
		switch {
		case more.len == 1 && !elemHasPointers && size == 8:
			*(*uint64)(unsafe.Add(s.data, uintptr(n)*8)) = *(*uint64)(more.data)
		case more.len == 1:
			typedMove(t, unsafe.Add(s.data, uintptr(n)*size), more.data)
		case uintptr(more.len) >= largeAllocation/max(size, 1):
			(*frame)(fr).pos = pos
			from := slice{more.data, more.len, more.len}
			(*frame)(fr).copyLarge(t, size, slice{unsafe.Add(s.data, uintptr(n)*size), more.len, more.len}, from)
		default:
			from := slice{more.data, more.len, more.len}
			typedSliceCopy(t, slice{unsafe.Add(s.data, uintptr(n)*size), more.len, more.len}, from)
		}
		*at[slice](fr, d) = s
	})
}

// growLargeSlice is growSlice for at least largeAllocation bytes.
func growLargeSlice(t unsafe.Pointer, s slice, more int) (grown slice) {
	withoutGC(func() { grown = growSlice(t, s, more) })
	return grown
}

// copySlice emits the predeclared copy.
func (b *builder) copySlice(in *ssa.Call, d uintptr) {
	x, y, pos := b.off(in.Call.Args[0]), b.off(in.Call.Args[1]), b.posOf(in)
	hasResult := b.layout.of[in] != nil
	elem := b.inner(in.Call.Args[0].Type()).Elem()
	t, size := descriptor(elem), elem.Size()
	fromString := b.inner(in.Call.Args[1].Type()).Kind() == reflect.String
	b.emit(func(fr unsafe.Pointer) {
		var n int
		switch {
		case uintptr(at[slice](fr, y).len) >= largeAllocation/max(size, 1): // strings have their length at the same offset
			(*frame)(fr).pos = pos
			from := at[slice](fr, y)
			n = (*frame)(fr).copyLarge(t, size, *at[slice](fr, x), slice{from.data, from.len, from.len})
		case fromString:
			n = copy(*at[[]byte](fr, x), *at[string](fr, y))
		default:
			n = typedSliceCopy(t, *at[slice](fr, x), *at[slice](fr, y))
		}
		if hasResult {
			*at[int](fr, d) = n
		}
	})
}

// copyLarge is like copy(dst, src) for elements of the type with descriptor t and the given size. It copies a part at a
// time, so that interrupts and garbage collections wait only for one part.
func (fr *frame) copyLarge(t unsafe.Pointer, size uintptr, dst, src slice) int {
	n := min(dst.len, src.len)
	if size == 0 {
		return n
	}
	part := max(1, int(copiedAtOnce/size))
	// Like copy, copyLarge copies the last elements first if dst begins within src.
	backward := uintptr(dst.data)-uintptr(src.data) < uintptr(n)*size
	for done := 0; done < n; {
		k := min(part, n-done)
		first := done
		if backward {
			first = n - done - k
		}
		skip := uintptr(first) * size
		typedSliceCopy(t, slice{unsafe.Add(dst.data, skip), k, k}, slice{unsafe.Add(src.data, skip), k, k})
		done += k
		if fr.th.s.mustPoll() {
			fr.th.poll()
		}
	}
	return n
}

// copiedAtOnce is how many bytes copyLarge copies before it polls for an interrupt. Copying them takes a few
// milliseconds.
const copiedAtOnce = 4 << 20
