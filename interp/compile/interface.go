package compile

import (
	"fmt"
	"go/types"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// outer returns a function that returns the descriptor of t's outer type: the dynamic type of an interface that
// holds a t. The descriptor changes when later cells add methods.
func (b *builder) outer(t types.Type) func() unsafe.Pointer {
	inner := b.inner(t)
	n := b.row(t)
	b.compileMethodsOf(t)
	tb := b.s.Table
	if tb.Newest(n) == inner { // t is not a type of cells: its outer type does not change
		d := descriptor(inner)
		return func() unsafe.Pointer { return d }
	}
	type version struct {
		gen  int64
		desc unsafe.Pointer
	}
	var last atomic.Pointer[version]
	return func() unsafe.Pointer {
		gen := tb.Generation()
		if v := last.Load(); v != nil && v.gen == gen {
			return v.desc
		}
		v := &version{gen, descriptor(tb.Newest(n))}
		last.Store(v)
		return v.desc
	}
}

// row returns the number of t's row in Session.Table.
func (b *builder) row(t types.Type) int {
	n, err := b.s.Table.Row(types.Unalias(t))
	if err != nil {
		b.fail("%v", err)
	}
	return n
}

// methodTables finds the method tables of types for one interface type.
type methodTables struct {
	iface reflect.Type
	last  atomic.Pointer[itab] // the method table that was found last
}

// An itab is the method table of the type with descriptor typ.
type itab struct{ typ, table unsafe.Pointer }

// of returns the method table of the type with descriptor typ, or nil if the type does not implement the
// interface.
func (t *methodTables) of(typ unsafe.Pointer) unsafe.Pointer {
	if l := t.last.Load(); l != nil && l.typ == typ {
		return l.table
	}
	rt := typeAt(typ)
	if !rt.Implements(t.iface) {
		return nil
	}
	p := reflect.New(t.iface)
	p.Elem().Set(reflect.Zero(rt))
	l := &itab{typ, (*iface)(p.UnsafePointer()).word}
	t.last.Store(l)
	return l.table
}

// makeInterface emits the conversion of a value that is not an interface to an interface type.
func (b *builder) makeInterface(in *ssa.MakeInterface) {
	if b.isFileType(in.X.Type()) {
		b.boxFile(in)
		return
	}
	d, x, xr := b.off(in), b.off(in.X), b.reg(in.X)
	to := b.inner(in.Type())
	outer := b.outer(in.X.Type())
	word := outer
	if to.NumMethod() > 0 {
		tables := &methodTables{iface: to}
		word = func() unsafe.Pointer {
			w := tables.of(outer())
			if w == nil {
				panic(fmt.Sprintf("%v does not implement %v", typeAt(outer()), to))
			}
			return w
		}
	}
	t := xr.desc
	switch {
	case isDirectIface(xr.typ):
		b.emit(func(fr unsafe.Pointer) { *at[iface](fr, d) = iface{word(), *at[unsafe.Pointer](fr, x)} })
	case xr.class == word8:
		b.emit(func(fr unsafe.Pointer) {
			v := any(*at[uint64](fr, x))
			*at[iface](fr, d) = iface{word(), (*iface)(unsafe.Pointer(&v)).data}
		})
	case xr.class == stringClass:
		b.emit(func(fr unsafe.Pointer) {
			v := any(*at[string](fr, x))
			*at[iface](fr, d) = iface{word(), (*iface)(unsafe.Pointer(&v)).data}
		})
	default:
		b.emit(func(fr unsafe.Pointer) {
			p := newObject(t)
			typedMove(t, p, unsafe.Add(fr, x))
			*at[iface](fr, d) = iface{word(), p}
		})
	}
}

// changeInterface emits in, the conversion of v to another interface type. Even if both types have the same
// methods, the words of the values may differ: interface types of packages hold method tables, and those of
// cells hold descriptors.
func (b *builder) changeInterface(in, v ssa.Value) {
	d, x := b.off(in), b.off(v)
	to, from := b.inner(in.Type()), b.inner(v.Type())
	if to == from {
		b.emit(copyOp(b.reg(in), d, x))
		return
	}
	read := anyOf(from)
	if to.NumMethod() == 0 {
		b.emit(func(fr unsafe.Pointer) { *at[any](fr, d) = read(unsafe.Add(fr, x)) })
		return
	}
	tables := &methodTables{iface: to}
	b.emit(func(fr unsafe.Pointer) {
		v := read(unsafe.Add(fr, x))
		i := *(*iface)(unsafe.Pointer(&v))
		if i.word != nil {
			i.word = tables.of(i.word)
		}
		*at[iface](fr, d) = i
	})
}

// typeAssert emits a type assertion.
func (b *builder) typeAssert(in *ssa.TypeAssert) {
	x, pos := b.off(in.X), b.posOf(in)
	from := b.inner(in.X.Type())
	read := anyOf(from)
	dst, ok := b.commaOk(in, in.CommaOk)
	assert := b.asserter(in.AssertedType)
	d := dst.off
	if in.CommaOk {
		desc := dst.desc
		b.emit(func(fr unsafe.Pointer) {
			got := assert(read(unsafe.Add(fr, x)), unsafe.Add(fr, d))
			if !got {
				typedClear(desc, unsafe.Add(fr, d))
			}
			*at[bool](fr, ok) = got
		})
		return
	}
	s := b.s
	iface, want := s.Table.At(b.row(in.X.Type())), s.Table.At(b.row(in.AssertedType))
	// Assertions that are not in the source come from go/ssa: they check that the receiver of a method value is not
	// nil.
	_, isWritten := b.p.exprStarts[in.Pos()]
	b.emit(func(fr unsafe.Pointer) {
		v := read(unsafe.Add(fr, x))
		if !assert(v, unsafe.Add(fr, d)) {
			if !isWritten {
				failNil(fr, pos)
			}
			(*frame)(fr).pos = pos
			panic(s.assertionFailure(iface, want, v))
		}
	})
}

// toConcrete returns a function that reports whether v has the type t, which is not an interface type. If so, the
// function stores the value at p. n is the number of the row of t.
func (b *builder) toConcrete(n int, t types.Type) func(v any, p unsafe.Pointer) bool {
	inner := b.inner(t)
	class, desc := classOf(inner), descriptor(inner)
	outer := b.outer(t)
	tb := b.s.Table
	isDirect := isDirectIface(inner)
	return func(v any, p unsafe.Pointer) bool {
		i := (*iface)(unsafe.Pointer(&v))
		// Table.Is is also true for values of earlier versions of t. Only types of cells, whose inner and outer
		// descriptors differ, have earlier versions.
		if i.word == nil || i.word != outer() && (desc == outer() || !tb.Is(n, v)) {
			return false
		}
		if isDirect {
			*(*unsafe.Pointer)(p) = i.data
			return true
		}
		move(class, desc, p, i.data)
		return true
	}
}

// toInterface returns a function that reports whether v implements the interface type t. If so, the function stores v
// at p. n is the number of the row of t.
func (b *builder) toInterface(n int, t types.Type) func(v any, p unsafe.Pointer) bool {
	to := b.inner(t)
	if to.NumMethod() > 0 {
		tables := &methodTables{iface: to}
		return func(v any, p unsafe.Pointer) bool {
			i := *(*iface)(unsafe.Pointer(&v))
			if i.word == nil {
				return false
			}
			if i.word = tables.of(i.word); i.word == nil {
				return false
			}
			*(*iface)(p) = i
			return true
		}
	}
	if t.Underlying().(*types.Interface).NumMethods() == 0 {
		return func(v any, p unsafe.Pointer) bool {
			*(*any)(p) = v
			return v != nil
		}
	}
	row := b.s.Table.At(n)
	var has sync.Map     // whether a type implements t, by type
	var gen atomic.Int64 // the table's generation when has was computed
	return func(v any, p unsafe.Pointer) bool {
		if v == nil {
			return false
		}
		if g := b.s.Table.Generation(); gen.Swap(g) != g {
			has.Clear()
		}
		typ := reflect.TypeOf(v)
		ok, known := has.Load(typ)
		if !known {
			ok = b.s.missingMethod(v, row) == ""
			has.Store(typ, ok)
		}
		if ok.(bool) {
			*(*any)(p) = v
		}
		return ok.(bool)
	}
}
