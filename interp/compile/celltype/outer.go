package celltype

import (
	"go/types"
	"reflect"
	"sync"
	"unsafe"

	"github.com/goanvil/notebook/interp/check"
)

// outerOf returns the outer type of t.
func (tb *Table) outerOf(t types.Type) reflect.Type {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if !check.IsCell(t.Obj().Pkg()) && !isNonStructInstance(t) {
			return tb.compiled(t)
		}
		return tb.outerNamed(t)
	case *types.Struct:
		return tb.outerStruct(t)
	default:
		return tb.compose(t, tb.outerOf)
	}
}

// outerNamed returns the newest version of a cell's named type, or the type of an instance such as iter.Seq[int]
// (see isNonStructInstance). If a later cell adds methods, the type and all types that refer to it get a new version,
// since the runtime remembers which interfaces a type does not implement.
func (tb *Table) outerNamed(t *types.Named) reflect.Type {
	e := tb.recordOf(t)
	t = e.named
	if tb.upToDate(e) {
		return e.typ
	}
	name := tb.typeName(t)
	if e.typ != nil && e.gen == tb.gen {
		return e.typ // typeName has made the type, since a type argument refers to t
	}
	valueMethods, pointerMethods := methodLists(t, e)
	base := tb.shallow(t.Underlying())
	reserveValueStubs(valueMethods)
	b := newBlock(base, len(valueMethods))
	oldType, oldGen, oldMade := e.typ, e.gen, e.made
	tb.undo = append(tb.undo, func() { e.typ, e.gen, e.made = oldType, oldGen, oldMade })
	e.typ, e.gen, e.made = typeOf(b.head), tb.gen, tb.gen
	tb.recordsByType[e.typ] = e
	b.setName(name, t.Obj().Pkg().Path())
	tb.addPointer(b, pointerMethods)
	if s, ok := t.Underlying().(*types.Struct); ok {
		(*abiStruct)(unsafe.Pointer(b.head)).PkgPath = newName("main", "", false, false)
		tb.patchFields(b, s, tb.outerOf, outerField)
	} else {
		tb.patch(b, t.Underlying(), tb.outerOf)
	}
	tb.fillMethods(b, valueMethods)
	tb.fillMethods(e.pointer, pointerMethods)
	if oldType != nil {
		firsts.Store(e.typ, First(oldType))
	}
	return e.typ
}

// upToDate reports whether e has an outer type and whether, since that type was made, neither its methods nor those of
// a type that it refers to have changed. If so, upToDate sets e.gen to the current generation.
func (tb *Table) upToDate(e *typeRecord) bool {
	if e.typ == nil {
		return false
	}
	if e.gen != tb.gen {
		if tb.refersToChanged(e.declared(), e.gen, map[*typeRecord]bool{}) {
			return false
		}
		e.gen = tb.gen
	}
	return true
}

// refersToChanged reports whether t refers to a type of a cell whose methods or outer type have changed after
// generation gen. A type refers to itself, to the types that it contains, and to those in the signatures of its
// exported methods. seen has the types that are being examined.
func (tb *Table) refersToChanged(t types.Type, gen int, seen map[*typeRecord]bool) bool {
	changed := func(t types.Type) bool { return tb.refersToChanged(t, gen, seen) }
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if !check.IsCell(t.Obj().Pkg()) && !isNonStructInstance(t) {
			return false
		}
		e := tb.recordOf(t)
		switch {
		case e.typ == nil: // no outer type can refer to a type without an outer type
			return false
		case e.changed > gen || e.made > gen:
			return true
		case e.gen == tb.gen || seen[e]:
			return false
		}
		seen[e] = true
		for m := range e.named.Methods() {
			if m.Exported() && changed(m.Type()) {
				return true
			}
		}
		return changed(e.named.Underlying())
	case *types.Struct:
		for f := range t.Fields() {
			if changed(f.Type()) {
				return true
			}
		}
	case *types.Map:
		return changed(t.Key()) || changed(t.Elem())
	case *types.Signature:
		return hasAny(t.Params(), changed) || hasAny(t.Results(), changed)
	case *types.Interface: // the run-time type is any
	case interface{ Elem() types.Type }: // pointer, slice, array, chan
		return changed(t.Elem())
	}
	return false
}

// firsts maps each later version of a cell's named type to its first version.
var firsts sync.Map

// First returns the first version of t, so that all versions of a type can be treated as one. A cell's named type gets
// a new version when a later cell adds a method. First also replaces the element and key types of pointers, slices,
// arrays and maps by their first versions, but not types inside structs, functions and channels.
func First(t reflect.Type) reflect.Type {
	if first, ok := firsts.Load(t); ok {
		return first.(reflect.Type)
	}
	if t.Name() != "" {
		return t
	}
	switch t.Kind() {
	case reflect.Pointer:
		return reflect.PointerTo(First(t.Elem()))
	case reflect.Slice:
		return reflect.SliceOf(First(t.Elem()))
	case reflect.Array:
		return reflect.ArrayOf(t.Len(), First(t.Elem()))
	case reflect.Map:
		return reflect.MapOf(First(t.Key()), First(t.Elem()))
	}
	return t
}

// addPointer makes the type *T for b, the descriptor of a new T, and stores its descriptor in the record of T. The
// descriptor has room for methods, which fillMethods sets.
func (tb *Table) addPointer(b descriptorBlock, methods []*method) {
	t := typeOf(b.head)
	e := tb.recordsByType[t]
	p := newBlock(reflect.TypeFor[*byte](), len(methods))
	p.setName("*"+t.String(), "main")
	p.head.TFlag &^= flagNamed
	(*abiPointer)(unsafe.Pointer(p.head)).Elem = b.head
	b.head.PtrToThis = addReflectOff(unsafe.Pointer(p.head))
	e.pointer = p
}

// outerField returns the encoded name and tag of field i for the descriptor of the outer type.
func outerField(s *types.Struct, i int) abiName {
	f := s.Field(i)
	return newName(WithoutSuffixes(f.Name()), s.Tag(i), f.Exported(), f.Embedded())
}

// outerStruct returns the outer type of a struct without a name.
func (tb *Table) outerStruct(s *types.Struct) reflect.Type {
	key := tb.keyOf(s, true)
	old := tb.structRecords[key]
	if old != nil && tb.upToDate(old) {
		return old.typ
	}
	tb.undo = append(tb.undo, func() { tb.structRecords[key] = old })
	if r := tb.reflectStruct(s); r != nil {
		tb.structRecords[key] = &typeRecord{unnamed: s, typ: r, gen: tb.gen, made: tb.gen}
		return r
	}
	e := &typeRecord{methods: map[string]*method{}, unnamed: s}
	valueMethods, pointerMethods := methodLists(s, e)
	reserveValueStubs(valueMethods)
	b := newBlock(tb.layout(s), len(valueMethods))
	e.typ, e.gen, e.made = typeOf(b.head), tb.gen, tb.gen
	tb.structRecords[key] = e
	b.setName(tb.structText(s), "")
	b.head.TFlag &^= flagNamed
	(*abiStruct)(unsafe.Pointer(b.head)).PkgPath = newName("main", "", false, false)
	tb.recordsByType[e.typ] = e
	if len(pointerMethods) > 0 {
		tb.addPointer(b, pointerMethods)
	}
	tb.patchFields(b, s, tb.outerOf, outerField)
	tb.fillMethods(b, valueMethods)
	if len(pointerMethods) > 0 {
		tb.fillMethods(e.pointer, pointerMethods)
	}
	return e.typ
}

// reflectStruct returns the type of a struct if package reflect can make it, and nil otherwise. The type is then
// identical to that of a struct with these fields in compiled packages.
func (tb *Table) reflectStruct(s *types.Struct) reflect.Type {
	fields := make([]reflect.StructField, s.NumFields())
	for i := range fields {
		f := s.Field(i)
		if !f.Exported() || f.Embedded() {
			return nil
		}
		tag := reflect.StructTag(s.Tag(i))
		fields[i] = reflect.StructField{Name: f.Name(), Type: tb.outerOf(f.Type()), Tag: tag}
	}
	return reflect.StructOf(fields)
}
