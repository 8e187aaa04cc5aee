package compile

import (
	"reflect"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/interp/compile/misuse"
)

// makeMap emits a call of make for a map.
func (b *builder) makeMap(in *ssa.MakeMap) {
	mt := b.inner(in.Type())
	t := descriptor(mt)
	d := b.off(in)
	if in.Reserve != nil {
		newReader, ok := int64Readers[b.inner(in.Reserve.Type()).Kind()]
		if !ok {
			b.fail("cells do not support a map size of type %v", in.Reserve.Type())
		}
		readInt := newReader(b.off(in.Reserve))
		pos, size := b.posOf(in), min(mt.Key().Size(), maxInline)+min(mt.Elem().Size(), maxInline)
		b.emit(func(fr unsafe.Pointer) {
			n := int(max(0, min(readInt(fr), 1<<32))) // a hint: Go accepts any number
			(*frame)(fr).pos = pos
			(*frame)(fr).checkMemory("make", n, size)
			*at[unsafe.Pointer](fr, d) = makeMap(t, n)
		})
		return
	}
	b.emit(func(fr unsafe.Pointer) { *at[unsafe.Pointer](fr, d) = makeMap(t, 0) })
}

// lookup emits the reading of a map element.
func (b *builder) lookup(in *ssa.Lookup) {
	xt := b.inner(in.X.Type())
	x, k, pos := b.off(in.X), b.off(in.Index), b.posOf(in)
	dst, ok := b.commaOk(in, in.CommaOk)
	t := descriptor(xt)
	checkKey := misuse.KeyCheck(xt.Key())
	find := func(fr unsafe.Pointer) unsafe.Pointer {
		(*frame)(fr).pos = pos
		checkKey(unsafe.Add(fr, k))
		return mapAccess(t, *at[unsafe.Pointer](fr, x), unsafe.Add(fr, k))
	}
	switch kind := xt.Key().Kind(); {
	case !hasInlineElems(xt):
	case kind == reflect.Int, kind == reflect.Int64, kind == reflect.Uint, kind == reflect.Uint64, kind == reflect.Uintptr:
		find = func(fr unsafe.Pointer) unsafe.Pointer {
			return mapAccess64(t, *at[unsafe.Pointer](fr, x), *at[uint64](fr, k))
		}
	case kind == reflect.String:
		find = func(fr unsafe.Pointer) unsafe.Pointer {
			return mapAccessString(t, *at[unsafe.Pointer](fr, x), *at[string](fr, k))
		}
	}
	d, class, desc, commaOk, maps := dst.off, dst.class, dst.desc, in.CommaOk, &b.s.maps
	var step op
	step = func(fr unsafe.Pointer) {
		if maps.begin(fr) {
			(*frame)(fr).pos = pos
			(*frame)(fr).th.withMapLock(*at[unsafe.Pointer](fr, x), false, fr, step)
			return
		}
		p := find(fr)
		if p != nil {
			move(class, desc, unsafe.Add(fr, d), p)
		} else {
			typedClear(desc, unsafe.Add(fr, d))
		}
		if commaOk {
			*at[bool](fr, ok) = p != nil
		}
		maps.end()
	}
	b.emit(step)
}

// maxInline is the maximum size of keys and elements that maps store inline. For larger ones, maps store pointers
// (internal/abi, MapMaxKeyBytes and MapMaxElemBytes).
const maxInline = 128

// hasInlineElems reports whether maps of type t store their elements inline, as the runtime's functions for fast
// access require.
func hasInlineElems(t reflect.Type) bool { return t.Elem().Size() <= maxInline }

// mapAccess64 is mapAccess for keys that are integers of eight bytes.
func mapAccess64(t, m unsafe.Pointer, key uint64) unsafe.Pointer {
	p, ok := mapAccess2Fast64(t, m, key)
	if !ok {
		return nil
	}
	return p
}

// mapAccessString is mapAccess for keys that are strings.
func mapAccessString(t, m unsafe.Pointer, key string) unsafe.Pointer {
	p, ok := mapAccess2FastString(t, m, key)
	if !ok {
		return nil
	}
	return p
}

//go:linkname mapAccess2Fast64 runtime.mapaccess2_fast64
func mapAccess2Fast64(t, m unsafe.Pointer, key uint64) (unsafe.Pointer, bool)

//go:linkname mapAccess2FastString runtime.mapaccess2_faststr
func mapAccess2FastString(t, m unsafe.Pointer, key string) (unsafe.Pointer, bool)

//go:linkname mapAssignFast64 runtime.mapassign_fast64
func mapAssignFast64(t, m unsafe.Pointer, key uint64) unsafe.Pointer

//go:linkname mapAssignFastString runtime.mapassign_faststr
func mapAssignFastString(t, m unsafe.Pointer, key string) unsafe.Pointer

// mapUpdate emits the assignment to a map element, m[k] = v or, if fuseUpdates has found it, m[k] op= v.
func (b *builder) mapUpdate(in *ssa.MapUpdate) {
	mt := b.inner(in.Map.Type())
	t := descriptor(mt)
	m, k, v, pos := b.off(in.Map), b.off(in.Key), b.off(in.Value), b.posOf(in)
	class, desc := b.reg(in.Value).class, b.reg(in.Value).desc
	assign := b.assigner(mt)
	checkKey := misuse.KeyCheck(mt.Key())
	maps := &b.s.maps
	var step op
	if change := b.updates[in]; change != nil {
		old := b.off(change.X)
		newStep, _ := arithmetic[mt.Elem().Kind()]
		compute := newStep(change.Op, b.off(change), b.operandOf(change.X), b.operandOf(change.Y))
		step = func(fr unsafe.Pointer) {
			(*frame)(fr).pos = pos
			if maps.begin(fr) {
				(*frame)(fr).th.withMapLock(*at[unsafe.Pointer](fr, m), true, fr, step)
				return
			}
			p := assign(*at[unsafe.Pointer](fr, m), unsafe.Add(fr, k))
			move(class, desc, unsafe.Add(fr, old), p)
			compute(fr)
			move(class, desc, p, unsafe.Add(fr, v))
			maps.end()
		}
		b.emit(step)
		return
	}
	if assign != nil {
		step = func(fr unsafe.Pointer) {
			(*frame)(fr).pos = pos
			if maps.begin(fr) {
				(*frame)(fr).th.withMapLock(*at[unsafe.Pointer](fr, m), true, fr, step)
				return
			}
			move(class, desc, assign(*at[unsafe.Pointer](fr, m), unsafe.Add(fr, k)), unsafe.Add(fr, v))
			maps.end()
		}
		b.emit(step)
		return
	}
	step = func(fr unsafe.Pointer) {
		(*frame)(fr).pos = pos
		if maps.begin(fr) {
			(*frame)(fr).th.withMapLock(*at[unsafe.Pointer](fr, m), true, fr, step)
			return
		}
		checkKey(unsafe.Add(fr, k))
		mapAssign(t, *at[unsafe.Pointer](fr, m), unsafe.Add(fr, k), unsafe.Add(fr, v))
		maps.end()
	}
	b.emit(step)
}

// assigner returns a function that returns the address of the element of m with the key at k, and adds the element if
// necessary. It returns nil if the runtime has no fast function for maps of type t.
func (b *builder) assigner(t reflect.Type) func(m, k unsafe.Pointer) unsafe.Pointer {
	if !hasInlineElems(t) {
		return nil
	}
	d := descriptor(t)
	switch t.Key().Kind() {
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return func(m, k unsafe.Pointer) unsafe.Pointer { return mapAssignFast64(d, m, *(*uint64)(k)) }
	case reflect.String:
		return func(m, k unsafe.Pointer) unsafe.Pointer { return mapAssignFastString(d, m, *(*string)(k)) }
	}
	return nil
}

// An iteration is the state of a range over a map or a string.
type iteration struct {
	iter *reflect.MapIter
	m    unsafe.Pointer // the map
	s    string         // the string
	next int            // the index of the next character of s
}

// rangeStart emits the start of a range over a map or a string.
func (b *builder) rangeStart(in *ssa.Range) {
	d, x := b.off(in), b.off(in.X)
	t := b.inner(in.X.Type())
	if t.Kind() == reflect.String {
		b.emit(func(fr unsafe.Pointer) {
			*at[unsafe.Pointer](fr, d) = unsafe.Pointer(&iteration{s: *at[string](fr, x)})
		})
		return
	}
	b.emit(func(fr unsafe.Pointer) {
		v := reflect.New(t)
		m := *at[unsafe.Pointer](fr, x)
		*(*unsafe.Pointer)(v.UnsafePointer()) = m
		*at[unsafe.Pointer](fr, d) = unsafe.Pointer(&iteration{iter: v.Elem().MapRange(), m: m})
	})
}

// rangeNext emits the step that moves a range over a map or a string to its next element.
func (b *builder) rangeNext(in *ssa.Next) {
	it := b.off(in.Iter)
	parts := b.layout.parts[in]
	ok, key, value := parts[0].off, parts[1], parts[2]
	if in.IsString {
		b.emit(func(fr unsafe.Pointer) {
			i := *at[*iteration](fr, it)
			if i.next >= len(i.s) {
				*at[bool](fr, ok) = false
				return
			}
			r, n := utf8.DecodeRuneInString(i.s[i.next:])
			*at[bool](fr, ok) = true
			if key != nil {
				*at[int](fr, key.off) = i.next
			}
			if value != nil {
				*at[rune](fr, value.off) = r
			}
			i.next += n
		})
		return
	}
	maps, pos := &b.s.maps, b.posOf(in)
	var step op
	step = func(fr unsafe.Pointer) {
		i := *at[*iteration](fr, it)
		if maps.begin(fr) {
			(*frame)(fr).pos = pos
			(*frame)(fr).th.withMapLock(i.m, false, fr, step)
			return
		}
		more := i.iter.Next()
		*at[bool](fr, ok) = more
		if more && key != nil {
			reflect.NewAt(key.typ, unsafe.Add(fr, key.off)).Elem().SetIterKey(i.iter)
		}
		if more && value != nil {
			reflect.NewAt(value.typ, unsafe.Add(fr, value.off)).Elem().SetIterValue(i.iter)
		}
		maps.end()
	}
	b.emit(step)
}
