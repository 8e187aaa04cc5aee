package celltype

import (
	"fmt"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/goanvil/notebook/interp/compile/misuse"
)

// Bind makes f the body of the method of a named type: compiled code that calls the method from now on runs
// f. f is func(*T, arguments) results over inner types, even if the method has a value receiver.
func (tb *Table) Bind(t *types.Named, name string, f any) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	e := tb.outerEntry(t)
	if e.bodies == nil {
		e.bodies = map[string]reflect.Value{}
	}
	e.bodies[name] = reflect.ValueOf(f)
	if m := e.methods[name]; m != nil && len(m.path) == 0 {
		setStub(m.stub, e.bodies[name])
	}
}

// Body returns the body that the newest Bind gave a declared method.
func (tb *Table) Body(t *types.Named, name string) (reflect.Value, bool) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	f, ok := tb.outerEntry(t).bodies[name]
	return f, ok
}

// entry returns the stub for calls of m through an interface that holds a value of type t. The receiver is the
// data word of the interface: the value itself if it is a single pointer, otherwise a pointer to the value.
func (tb *Table) entry(t reflect.Type, m *method) int {
	if t.Kind() == reflect.Pointer || descriptor(t).TFlag&flagDirectIface == 0 {
		tb.fillStub(m)
		return m.stub
	}
	return tb.direct(t, m)
}

// fillStub makes m.stub, whose receiver is a pointer to T, call the method's body.
func (tb *Table) fillStub(m *method) {
	if m.filled {
		return
	}
	m.filled = true
	if f, ok := m.owner.bodies[m.name]; ok && len(m.path) == 0 {
		setStub(m.stub, f)
		return
	}
	same := func(recv reflect.Value) reflect.Value { return recv }
	setStub(m.stub, tb.forward(m, reflect.PointerTo(m.owner.typ), same))
}

// direct returns the stub for calls of m whose receiver is a value of type t, either T or *T.
func (tb *Table) direct(t reflect.Type, m *method) int {
	if t.Kind() == reflect.Pointer && t.Elem() == m.owner.typ {
		tb.fillStub(m)
		return m.stub
	}
	if m.wordType != t { // all versions of a type have the same layout and use the stub of the newest
		m.wordType = t
		setStub(m.word, tb.forward(m, t, func(recv reflect.Value) reflect.Value {
			p := reflect.New(t)
			p.Elem().Set(recv)
			return p
		}))
	}
	return m.word
}

// forward returns a function whose first parameter is a receiver of type recv, and which looks up the body of m
// when it is called. pointer returns the receiver as a pointer to T.
func (tb *Table) forward(m *method, recv reflect.Type, pointer func(reflect.Value) reflect.Value) reflect.Value {
	sig := tb.outerOf(m.sig)
	in := []reflect.Type{recv}
	for i := range sig.NumIn() {
		in = append(in, sig.In(i))
	}
	var out []reflect.Type
	for i := range sig.NumOut() {
		out = append(out, sig.Out(i))
	}
	ft := reflect.FuncOf(in, out, sig.IsVariadic())
	return reflect.MakeFunc(ft, func(args []reflect.Value) []reflect.Value {
		p := pointer(args[0])
		if len(m.path) > 0 {
			return callPromoted(p.Elem(), m, args[1:], sig.IsVariadic())
		}
		body, ok := tb.Body(m.owner.named, m.name)
		if !ok {
			panicNotDeclared(m.owner.named, m.name)
		}
		// The body's type differs from the one called in names only.
		full := make([]reflect.Type, len(in))
		copy(full, in)
		full[0] = reflect.PointerTo(m.owner.typ)
		f := retype(body, reflect.FuncOf(full, out, sig.IsVariadic()))
		args = append([]reflect.Value{p}, args[1:]...)
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
			v = pointed(v)
		}
		v = v.Field(i)
		if v.CanAddr() {
			v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem() // also for unexported fields
		}
	}
	switch {
	case v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer && hasMethod(v.Type().Elem(), m.name):
		v = pointed(v)
	case v.Kind() != reflect.Pointer && v.CanAddr():
		v = v.Addr()
	}
	f := misuse.Method(v, m.name)
	if variadic {
		return f.CallSlice(args)
	}
	return f.Call(args)
}

// hasMethod reports whether values of type t have an exported method of this name.
func hasMethod(t reflect.Type, name string) bool {
	_, ok := t.MethodByName(name)
	return ok
}

// retype returns v as a value of a type with the same layout.
func retype(v reflect.Value, t reflect.Type) reflect.Value {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return reflect.NewAt(t, p.UnsafePointer()).Elem()
}

// HasMethods reports whether packages can call methods of cells' types on this architecture.
const HasMethods = stubCount > 0

// Method returns a method of v, exported or not: a function whose first parameter is the receiver as a pointer,
// and the pointer to pass. The function is invalid if v is nil.
func (tb *Table) Method(v any, name string) (body reflect.Value, recv unsafe.Pointer) {
	r := reflect.TypeOf(v)
	if r == nil {
		return reflect.Value{}, nil
	}
	if t, pointer := tb.Named(v); t != nil {
		if body, recv, ok := tb.find(t, pointer, v, name); ok {
			return body, recv
		}
	}
	if s, _ := tb.Literal(v); s != nil {
		if obj, path, _ := types.LookupFieldOrMethod(types.NewPointer(s), false, s.Field(0).Pkg(), name); obj != nil {
			if body, recv, ok := tb.embedded(v, path[:len(path)-1], name); ok {
				return body, recv
			}
		}
	}
	return compiledMethod(v, name)
}

// find returns the body of a method of v, which has type t or *t, and the receiver. The method is declared by t or
// promoted from an embedded field. ok is false if there is no such method.
func (tb *Table) find(t *types.Named, pointer bool, v any, name string) (body reflect.Value, recv unsafe.Pointer, ok bool) {
	obj, path, _ := types.LookupFieldOrMethod(types.NewPointer(t), false, t.Obj().Pkg(), name)
	if obj == nil {
		return reflect.Value{}, nil, false
	}
	if len(path) > 1 {
		return tb.embedded(v, path[:len(path)-1], name)
	}
	if body, ok = tb.Body(t, name); !ok {
		panicNotDeclared(t, name)
	}
	return body, receiverPointer(&v, pointer), true
}

// receiverPointer returns a pointer to the value in v, or the value itself if pointer is set.
func receiverPointer(v *any, pointer bool) unsafe.Pointer {
	e := (*eface)(unsafe.Pointer(v))
	if pointer || (*abiType)(e.typ).TFlag&flagDirectIface == 0 {
		return e.data
	}
	return unsafe.Pointer(&e.data)
}

// embedded returns the body of a method that v promotes from the embedded field at path, and the receiver. v is a
// struct or a pointer to one.
func (tb *Table) embedded(v any, path []int, name string) (body reflect.Value, recv unsafe.Pointer, ok bool) {
	f := reflect.ValueOf(v)
	if f.Kind() != reflect.Pointer {
		p := reflect.New(f.Type())
		p.Elem().Set(f)
		f = p
	}
	f = pointed(f)
	for i, n := range path {
		f = f.Field(n)
		f = reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
		if i < len(path)-1 && f.Kind() == reflect.Pointer {
			f = pointed(f)
		}
	}
	switch f.Kind() {
	case reflect.Interface:
		body, recv = tb.Method(pointed(f).Interface(), name)
		return body, recv, body.IsValid()
	case reflect.Pointer:
		if f.IsNil() && tb.takesValue(f, name) {
			pointed(f) // panics
		}
	default:
		f = f.Addr()
	}
	body, recv = tb.Method(f.Interface(), name)
	return body, recv, body.IsValid()
}

// takesValue reports whether the named method of the pointer f has a value receiver.
func (tb *Table) takesValue(f reflect.Value, name string) bool {
	t, _ := tb.Named(f.Interface())
	if t == nil {
		return hasMethod(f.Type().Elem(), name)
	}
	return types.NewMethodSet(t).Lookup(t.Obj().Pkg(), name) != nil
}

// pointed returns what the pointer or interface v holds. If v is nil, it panics as a nil dereference does.
func pointed(v reflect.Value) reflect.Value {
	if v.IsNil() {
		var p *int
		*p = 0
	}
	return v.Elem()
}

// compiledMethod returns a method of v that reflection finds, in the form that Method returns. The pointer is
// unused, since the function holds the receiver.
func compiledMethod(v any, name string) (reflect.Value, unsafe.Pointer) {
	m := misuse.Method(reflect.ValueOf(v), name)
	if !m.IsValid() {
		panic(fmt.Sprintf("%T has no method %s", v, name))
	}
	t := m.Type()
	in := []reflect.Type{reflect.TypeFor[*byte]()}
	for i := range t.NumIn() {
		in = append(in, t.In(i))
	}
	var out []reflect.Type
	for i := range t.NumOut() {
		out = append(out, t.Out(i))
	}
	f := reflect.MakeFunc(reflect.FuncOf(in, out, t.IsVariadic()), func(args []reflect.Value) []reflect.Value {
		if t.IsVariadic() {
			return m.CallSlice(args[1:])
		}
		return m.Call(args[1:])
	})
	return f, nil
}
