package celltype

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/goanvil/notebook/interp/check"
)

// outerNamed is the record of a named type, or of an unnamed struct, of a cell.
type outerNamed struct {
	named   *types.Named  // nil for an unnamed struct
	literal *types.Struct // the unnamed struct
	known   int           // number of methods of named when it was last examined
	inner   reflect.Type  // the inner type of a recursive type that is not a struct
	typ     reflect.Type  // the newest version of the outer type
	gen     int           // generation of typ
	pointer block         // the descriptor of *T
	methods map[string]*method
	bodies  map[string]reflect.Value // of declared methods: func(*T, arguments)
}

// outerEntry returns the record of a named type, which it makes if necessary. The checker makes a new
// *types.Named at each check of a cell and for each instance of a generic type, and later cells add methods to
// some of them. The record keeps the *types.Named with the most methods.
func (tb *Table) outerEntry(t *types.Named) *outerNamed {
	key := tb.keyOf(t, true)
	e := tb.outer[key]
	if e == nil {
		e = &outerNamed{named: t, known: t.NumMethods(), methods: map[string]*method{}}
		tb.outer[key] = e
	}
	if n := t.NumMethods(); n > e.known {
		e.named, e.known = t, n
		tb.gen++
	}
	return e
}

// outerOf returns the outer type of t.
func (tb *Table) outerOf(t types.Type) reflect.Type {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if !check.IsCell(t.Obj().Pkg()) && !IsLiteral(t) {
			return tb.compiled(t)
		}
		return tb.outerNamed(t)
	case *types.Struct:
		return tb.outerStruct(t)
	default:
		return tb.compose(t, tb.outerOf)
	}
}

// outerNamed returns the newest version of a cell's named type. Methods added by a later cell make a new
// version, since the run time remembers which interfaces a type does not implement.
func (tb *Table) outerNamed(t *types.Named) reflect.Type {
	e := tb.outerEntry(t)
	t = e.named
	if e.typ != nil && e.gen == tb.gen {
		return e.typ
	}
	name := tb.typeName(t)
	if e.typ != nil && e.gen == tb.gen {
		return e.typ // typeName has made it for a type argument that refers to t
	}
	list, ptrList := methodLists(t, e)
	base := tb.shallow(t.Underlying())
	reserveWords(list)
	b := newBlock(base, len(list))
	oldType, oldGen, done := e.typ, e.gen, false
	defer func() {
		if !done { // a part of the type has failed; the incomplete type must not be used
			e.typ, e.gen = oldType, oldGen
		}
	}()
	e.typ, e.gen = typeOf(b.head), tb.gen
	tb.families[e.typ] = e
	b.setName(name, t.Obj().Pkg().Path())
	tb.addPointer(b, ptrList)
	if s, ok := t.Underlying().(*types.Struct); ok {
		(*abiStruct)(unsafe.Pointer(b.head)).PkgPath = newName("main", "", false, false)
		tb.patchFields(b, s, tb.outerOf, outerField)
	} else {
		tb.patch(b, t.Underlying(), tb.outerOf)
	}
	tb.fillMethods(b, list)
	tb.fillMethods(e.pointer, ptrList)
	done = true
	if oldType != nil {
		firsts.Store(e.typ, First(oldType))
	}
	return e.typ
}

// firsts maps the later versions of a cell's named types to the first version.
var firsts sync.Map

// First returns t with each cell's type in it replaced by its first version. A type gets a new version when a
// later cell adds a method; First returns the same type for all versions.
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

// addPointer makes the type *T, with its own methods, for a new T.
func (tb *Table) addPointer(b block, methods []*method) {
	t := typeOf(b.head)
	e := tb.families[t]
	p := newBlock(reflect.TypeFor[*byte](), len(methods))
	p.setName("*"+t.String(), "main")
	p.head.TFlag &^= flagNamed
	(*abiPointer)(unsafe.Pointer(p.head)).Elem = b.head
	b.head.PtrToThis = addReflectOff(unsafe.Pointer(p.head))
	e.pointer = p
}

// outerField returns the name of field i in the descriptor of the outer type.
func outerField(s *types.Struct, i int) abiName {
	f := s.Field(i)
	return newName(AuthorName(f.Name()), s.Tag(i), f.Exported(), f.Embedded())
}

// outerStruct returns the outer type of a struct without a name.
func (tb *Table) outerStruct(s *types.Struct) reflect.Type {
	key := tb.keyOf(s, true)
	if e := tb.anonymous[key]; e != nil && e.gen == tb.gen {
		return e.typ
	}
	if r := tb.literalStruct(s); r != nil {
		tb.anonymous[key] = &outerNamed{typ: r, gen: tb.gen}
		return r
	}
	e := &outerNamed{methods: map[string]*method{}, literal: s}
	list, ptrList := methodLists(s, e)
	reserveWords(list)
	b := newBlock(tb.layout(s), len(list))
	e.typ, e.gen = typeOf(b.head), tb.gen
	tb.anonymous[key] = e
	b.setName(tb.structText(s), "")
	b.head.TFlag &^= flagNamed
	(*abiStruct)(unsafe.Pointer(b.head)).PkgPath = newName("main", "", false, false)
	tb.families[e.typ] = e
	if len(ptrList) > 0 {
		tb.addPointer(b, ptrList)
	}
	tb.patchFields(b, s, tb.outerOf, outerField)
	tb.fillMethods(b, list)
	if len(ptrList) > 0 {
		tb.fillMethods(e.pointer, ptrList)
	}
	return e.typ
}

// literalStruct returns the type of a struct if reflect can make it: packages then have the same type for the
// same fields. Otherwise it returns nil.
func (tb *Table) literalStruct(s *types.Struct) reflect.Type {
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

// A method is an exported method of a named type T, or of an unnamed struct, as packages call it.
type method struct {
	owner    *outerNamed
	name     string
	sig      *types.Signature
	path     []int        // the indices of the fields that lead to the embedded field that has it; empty if declared
	stub     int          // the stub for calls with a *T as receiver
	filled   bool         // stub has its function
	word     int          // the stub for calls with a T as receiver; -1 if there is none
	wordType reflect.Type // the version of T that word has its function for
}

// methodLists returns the exported methods of t and of the pointer to t, sorted by name. t is a named type or an
// unnamed struct with embedded fields.
func methodLists(t types.Type, e *outerNamed) (value, pointer []*method) {
	if types.IsInterface(t) || !HasMethods {
		return nil, nil
	}
	values := types.NewMethodSet(t)
	set := types.NewMethodSet(types.NewPointer(t))
	for sel := range set.Methods() {
		if !sel.Obj().Exported() {
			continue
		}
		m := methodOf(e, sel)
		pointer = append(pointer, m)
		if values.Lookup(sel.Obj().Pkg(), sel.Obj().Name()) != nil {
			value = append(value, m)
		}
	}
	for _, l := range [][]*method{value, pointer} {
		sort.Slice(l, func(i, j int) bool { return l[i].name < l[j].name })
	}
	return value, pointer
}

// methodOf returns the record of a method, which keeps its stub in all versions of the type.
func methodOf(e *outerNamed, sel *types.Selection) *method {
	fn := sel.Obj().(*types.Func)
	sig := sel.Type().(*types.Signature)
	path := sel.Index()[:len(sel.Index())-1]
	m := e.methods[fn.Name()]
	if m != nil && types.Identical(m.sig, sig) && slices.Equal(m.path, path) {
		return m
	}
	m = &method{owner: e, name: fn.Name(), sig: sig, path: path, stub: mustStub(e.named), word: -1}
	e.methods[fn.Name()] = m
	return m
}

// reserveWords allocates the stubs for calls with a T as receiver.
func reserveWords(list []*method) {
	for _, m := range list {
		if m.word < 0 {
			m.word = mustStub(m.owner.named)
		}
	}
}

// fillMethods completes a descriptor's list of methods.
func (tb *Table) fillMethods(b block, list []*method) {
	b.uncommon.Mcount, b.uncommon.Xcount = uint16(len(list)), uint16(len(list))
	t := typeOf(b.head)
	for i, m := range list {
		b.methods[i] = abiMethod{
			Name: nameOffset(m.name, true),
			Mtyp: addReflectOff(unsafe.Pointer(descriptor(tb.outerOf(m.sig)))),
			Ifn:  addReflectOff(stubAddress(tb.entry(t, m))),
			Tfn:  addReflectOff(stubAddress(tb.direct(t, m))),
		}
	}
}

// structText returns a struct as reflect writes it.
func (tb *Table) structText(s *types.Struct) string {
	var b strings.Builder
	b.WriteString("struct {")
	for i := range s.NumFields() {
		if i > 0 {
			b.WriteString(";")
		}
		if !s.Field(i).Embedded() {
			b.WriteString(" " + AuthorName(s.Field(i).Name()))
		}
		b.WriteString(" " + tb.outerOf(s.Field(i).Type()).String())
		if tag := s.Tag(i); tag != "" {
			b.WriteString(" " + strconv.Quote(tag))
		}
	}
	if s.NumFields() > 0 {
		b.WriteString(" ")
	}
	return b.String() + "}"
}

// typeName returns the name of a named type as reflect gives it. In brackets follow the type arguments of the
// generic function that declares the type, a semicolon, and the type's own arguments.
func (tb *Table) typeName(t *types.Named) string {
	name := t.Obj().Pkg().Name() + "." + AuthorName(t.Obj().Name())
	list := slices.Collect(t.TypeArgs().Types())
	outer := tb.locals[t.Obj()].outer
	if len(list)+len(outer) == 0 {
		return name
	}
	var b strings.Builder
	b.WriteString(name + "[")
	for i, a := range slices.Concat(outer, list) {
		switch {
		case i == 0:
		case i == len(outer):
			b.WriteString(";")
		default:
			b.WriteString(",")
		}
		b.WriteString(tb.argumentName(a))
	}
	return b.String() + "]"
}

// argumentName returns a type argument as the compiler writes it in the name of an instance: packages by their
// paths, and types that functions declare followed by their numbers.
func (tb *Table) argumentName(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		return "*" + tb.argumentName(t.Elem())
	case *types.Slice:
		return "[]" + tb.argumentName(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), tb.argumentName(t.Elem()))
	case *types.Map:
		return "map[" + tb.argumentName(t.Key()) + "]" + tb.argumentName(t.Elem())
	case *types.Named:
		if t.Obj().Pkg() != nil && check.IsCell(t.Obj().Pkg()) {
			tb.keyOf(t, true)
			if number := tb.locals[t.Obj()].number; number > 0 {
				return fmt.Sprintf("%s·%d", tb.typeName(t), number)
			}
			return tb.typeName(t)
		}
	}
	r := tb.outerOf(t)
	if r.Name() != "" && r.PkgPath() != "" {
		return r.PkgPath() + "." + r.Name()
	}
	return r.String()
}
