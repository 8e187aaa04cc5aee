package celltype

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"sort"
	"unsafe"

	"github.com/goanvil/notebook/interp/compile/misuse"
)

// A method is an exported method of T, a named type or an unnamed struct, with the stubs through which packages call
// it.
type method struct {
	owner          *typeRecord
	name           string
	sig            *types.Signature
	path           []int        // the indices of the fields that lead to the embedded field that promotes it, or empty
	pointerStub    int          // the stub for calls with a pointer to T as receiver
	pointerStubSet bool         // setPointerStub has been called
	valueStub      int          // the stub for calls with a T as receiver; -1 before reserveValueStubs
	valueStubType  reflect.Type // the version of T that valueStub serves, or nil
}

// methodLists returns the exported methods of t and of the pointer to t, sorted by name. t is a named type or an
// unnamed struct with embedded fields.
func methodLists(t types.Type, e *typeRecord) (value, pointer []*method) {
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

// methodOf returns the method of e that sel selects. All versions of the type share it, and with it its stubs.
func methodOf(e *typeRecord, sel *types.Selection) *method {
	fn := sel.Obj().(*types.Func)
	sig := sel.Type().(*types.Signature)
	path := sel.Index()[:len(sel.Index())-1]
	m := e.methods[fn.Name()]
	if m != nil && types.Identical(m.sig, sig) && slices.Equal(m.path, path) {
		return m
	}
	m = &method{owner: e, name: fn.Name(), sig: sig, path: path, pointerStub: mustStub(e), valueStub: -1}
	e.methods[fn.Name()] = m
	return m
}

// reserveValueStubs allocates the stubs for calls with a T as receiver.
func reserveValueStubs(list []*method) {
	for _, m := range list {
		if m.valueStub < 0 {
			m.valueStub = mustStub(m.owner)
		}
	}
}

// fillMethods completes a descriptor's list of methods.
func (tb *Table) fillMethods(b descriptorBlock, list []*method) {
	b.uncommon.Mcount, b.uncommon.Xcount = uint16(len(list)), uint16(len(list))
	t := typeOf(b.head)
	for i, m := range list {
		b.methods[i] = abiMethod{
			Name: sharedNameOffset(m.name, true),
			Mtyp: addReflectOff(unsafe.Pointer(descriptor(tb.outerOf(m.sig)))),
			Ifn:  addReflectOff(stubAddress(tb.interfaceStub(t, m))),
			Tfn:  addReflectOff(stubAddress(tb.receiverStub(t, m))),
		}
	}
}

// interfaceStub returns the stub for calls of m through an interface that holds a value of type t. The receiver is the
// data word of the interface: the value itself if it is a single pointer, otherwise a pointer to the value.
func (tb *Table) interfaceStub(t reflect.Type, m *method) int {
	if t.Kind() == reflect.Pointer || descriptor(t).TFlag&flagDirectIface == 0 {
		tb.setPointerStub(m)
		return m.pointerStub
	}
	return tb.receiverStub(t, m)
}

// setPointerStub makes m.pointerStub call the method's body, or forward the call if the method is promoted or has no
// body yet.
func (tb *Table) setPointerStub(m *method) {
	if m.pointerStubSet {
		return
	}
	m.pointerStubSet = true
	if f, ok := m.owner.bodies[m.name]; ok && len(m.path) == 0 {
		setStub(m.pointerStub, f)
		return
	}
	word := func(recv reflect.Value) unsafe.Pointer { return recv.UnsafePointer() }
	setStub(m.pointerStub, tb.forward(m, reflect.TypeFor[unsafe.Pointer](), word))
}

// receiverStub returns the stub for calls of m whose receiver is a value of type t, either T or *T.
func (tb *Table) receiverStub(t reflect.Type, m *method) int {
	if t.Kind() == reflect.Pointer && t.Elem() == m.owner.typ {
		tb.setPointerStub(m)
		return m.pointerStub
	}
	if m.valueStubType != t { // the stub then serves all versions of T, since they have the same layout
		m.valueStubType = t
		setStub(m.valueStub, tb.forward(m, t, func(recv reflect.Value) unsafe.Pointer {
			p := reflect.New(t)
			p.Elem().Set(recv)
			return p.UnsafePointer()
		}))
	}
	return m.valueStub
}

// forward returns a function whose first parameter is a receiver of type recv, and which looks up the body of m
// when it is called. pointer converts a receiver to a pointer to T. For pointer receivers, recv is unsafe.Pointer and
// not *T, since reflect keeps about 500 bytes for each function type for ever.
func (tb *Table) forward(m *method, recv reflect.Type, pointer func(reflect.Value) unsafe.Pointer) reflect.Value {
	sig := tb.outerOf(m.sig)
	withReceiver := func(t reflect.Type) reflect.Type { // the function type with a first parameter of type t
		in, out := []reflect.Type{t}, []reflect.Type(nil)
		for i := range sig.NumIn() {
			in = append(in, sig.In(i))
		}
		for i := range sig.NumOut() {
			out = append(out, sig.Out(i))
		}
		return reflect.FuncOf(in, out, sig.IsVariadic())
	}
	return reflect.MakeFunc(withReceiver(recv), func(args []reflect.Value) []reflect.Value {
		p := pointer(args[0])
		if len(m.path) > 0 {
			return tb.Promoted(sig, func() []reflect.Value {
				return callPromoted(reflect.NewAt(m.owner.typ, p).Elem(), m, args[1:], sig.IsVariadic())
			})
		}
		body, ok := tb.Body(m.owner.named, m.name)
		if !ok {
			panicNotDeclared(m.owner.named, m.name)
		}
		// The type of body differs from that of f only in names and in the type of the receiver pointer.
		f := retype(body, withReceiver(reflect.TypeFor[unsafe.Pointer]()))
		args = append([]reflect.Value{reflect.ValueOf(p)}, args[1:]...)
		if sig.IsVariadic() {
			return f.CallSlice(args)
		}
		return f.Call(args)
	})
}

// panicNotDeclared panics because a method is called whose declaration has not been bound yet.
func panicNotDeclared(t *types.Named, name string) {
	panic(fmt.Sprintf("method %s of %s is called before the cell that declares it has run", name, Text(t)))
}

// callPromoted calls the method m of the embedded field of v that m.path leads to.
func callPromoted(v reflect.Value, m *method, args []reflect.Value, variadic bool) []reflect.Value {
	for _, i := range m.path {
		if v.Kind() == reflect.Pointer {
			v = elemOf(v)
		}
		v = v.Field(i)
		if v.CanAddr() {
			v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem() // allows calls if the field is unexported
		}
	}
	switch {
	case v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer && hasMethod(v.Type().Elem(), m.name):
		v = elemOf(v)
	case v.Kind() != reflect.Pointer && v.CanAddr():
		v = v.Addr()
	}
	f := misuse.Method(v, m.name)
	if variadic {
		return f.CallSlice(args)
	}
	return f.Call(args)
}

// retype returns v as a value of type t, which must have the layout of v's type.
func retype(v reflect.Value, t reflect.Type) reflect.Value {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return reflect.NewAt(t, p.UnsafePointer()).Elem()
}
