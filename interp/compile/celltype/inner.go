package celltype

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"

	"github.com/goanvil/notebook/interp/check"
)

// innerOf returns the inner type of t.
func (tb *Table) innerOf(t types.Type) reflect.Type {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return tb.innerNamed(t)
	case *types.Struct:
		return tb.innerStruct(t)
	default:
		return tb.compose(t, tb.innerOf)
	}
}

// innerNamed returns the inner type of a named type.
func (tb *Table) innerNamed(t *types.Named) reflect.Type {
	if isNonStructInstance(t) {
		return tb.innerOf(t.Underlying())
	}
	if !check.IsCell(t.Obj().Pkg()) {
		return tb.compiled(t)
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return anyType
	case *types.Struct:
		return tb.innerStruct(u)
	default:
		if !isRecursive(t) {
			return tb.innerOf(u)
		}
		return tb.innerRecursive(t, u)
	}
}

// isRecursive reports whether t, a named type that is not a struct, contains itself other than through a struct, as
// type F func() F does. The inner type of such a type has a name, since no type literal can express the type.
func isRecursive(t *types.Named) bool {
	seen := map[types.Type]bool{}
	var has func(types.Type) bool
	has = func(u types.Type) bool {
		u = types.Unalias(u)
		if u == t {
			return true
		}
		if seen[u] {
			return false
		}
		seen[u] = true
		switch u := u.(type) {
		case *types.Named:
			return (check.IsCell(u.Obj().Pkg()) || isNonStructInstance(u)) && has(u.Underlying())
		case interface{ Elem() types.Type }: // pointer, slice, array, chan, map
			if m, ok := u.(*types.Map); ok && has(m.Key()) {
				return true
			}
			return has(u.Elem())
		case *types.Signature:
			return hasAny(u.Params(), has) || hasAny(u.Results(), has)
		}
		return false
	}
	return has(t.Underlying())
}

// hasAny reports whether has returns true for the type of at least one variable of t.
func hasAny(t *types.Tuple, has func(types.Type) bool) bool {
	for v := range t.Variables() {
		if has(v.Type()) {
			return true
		}
	}
	return false
}

// innerRecursive returns the inner type of t, for which isRecursive holds. under is its underlying type.
func (tb *Table) innerRecursive(t *types.Named, under types.Type) reflect.Type {
	e := tb.recordOf(t)
	if e.inner != nil {
		return e.inner
	}
	b := newBlock(tb.shallow(under), 0)
	b.setName("main."+t.Obj().Name(), "")
	r := typeOf(b.head)
	e.inner = r
	tb.undo = append(tb.undo, func() { e.inner = nil })
	tb.patch(b, under, tb.innerOf)
	return r
}

// innerStruct returns the inner type of a struct. Structs with identical fields share an inner type, so that converting
// between them costs nothing.
func (tb *Table) innerStruct(s *types.Struct) reflect.Type {
	key := tb.keyOf(s, false)
	if t := tb.inner[key]; t != nil {
		return t
	}
	b := newBlock(tb.layout(s), 0)
	t := typeOf(b.head)
	tb.inner[key] = t
	tb.undo = append(tb.undo, func() { delete(tb.inner, key) })
	b.setName(fmt.Sprintf("struct#%d", len(tb.inner)), "")
	b.head.TFlag &^= flagNamed
	tb.patchFields(b, s, tb.innerOf, innerField)
	return t
}

// innerFieldName returns the name of field i in the inner type of a struct: the author's name, with an X before it
// unless it is exported or blank.
func innerFieldName(s *types.Struct, i int) string {
	name := WithoutSuffixes(s.Field(i).Name())
	if name == "_" || token.IsExported(name) {
		return name
	}
	return "X" + name
}

// innerField returns the encoded name of field i for the descriptor of the inner type.
func innerField(s *types.Struct, i int) abiName {
	return newName(innerFieldName(s, i), "", true, false)
}
