package celltype

import (
	"fmt"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/goanvil/notebook/interp/compile/misuse"
)

// Bind makes f the body of the method of a named type: from now on, calls of the method by compiled code run f. f is
// a func(*T, arguments) results of inner types, even if the method has a value receiver.
func (tb *Table) Bind(t *types.Named, name string, f any) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	e := tb.recordOf(t)
	if e.bodies == nil {
		e.bodies = map[string]reflect.Value{}
	}
	e.bodies[name] = reflect.ValueOf(f)
	if m := e.methods[name]; m != nil && len(m.path) == 0 {
		setStub(m.pointerStub, e.bodies[name])
	}
}

// Body returns the body that the newest Bind gave a declared method.
func (tb *Table) Body(t *types.Named, name string) (reflect.Value, bool) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	f, ok := tb.recordOf(t).bodies[name]
	return f, ok
}

// hasMethod reports whether values of type t have an exported method of this name.
func hasMethod(t reflect.Type, name string) bool {
	_, ok := t.MethodByName(name)
	return ok
}

// HasMethods reports whether packages can call the methods of cells' types on this architecture.
const HasMethods = stubCount > 0

// Method returns the named method of v, exported or not, as a function whose first parameter is a pointer, the
// receiver. It also returns the pointer to pass as the receiver. The function is invalid if v is nil.
func (tb *Table) Method(v any, name string) (body reflect.Value, recv unsafe.Pointer) {
	r := reflect.TypeOf(v)
	if r == nil {
		return reflect.Value{}, nil
	}
	if t, pointer := tb.Named(v); t != nil {
		if body, recv, ok := tb.findMethod(t, pointer, v, name); ok {
			return body, recv
		}
	}
	if s, _ := tb.UnnamedStruct(v); s != nil {
		if obj, path, _ := types.LookupFieldOrMethod(types.NewPointer(s), false, s.Field(0).Pkg(), name); obj != nil {
			if body, recv, ok := tb.embeddedMethod(v, path[:len(path)-1], name); ok {
				return body, recv
			}
		}
	}
	return compiledMethod(v, name)
}

// findMethod returns the body of a method of v, which has type t or *t, and the receiver. The method is declared by t
// or promoted from an embedded field. ok is false if there is no such method.
func (tb *Table) findMethod(
	t *types.Named, pointer bool, v any, name string,
) (body reflect.Value, recv unsafe.Pointer, ok bool) {
	obj, path, _ := types.LookupFieldOrMethod(types.NewPointer(t), false, t.Obj().Pkg(), name)
	if obj == nil {
		return reflect.Value{}, nil, false
	}
	if len(path) > 1 {
		return tb.embeddedMethod(v, path[:len(path)-1], name)
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

// embeddedMethod returns the body of a method that v promotes from the embedded field at path, and the receiver. v is a
// struct or a pointer to one.
func (tb *Table) embeddedMethod(v any, path []int, name string) (body reflect.Value, recv unsafe.Pointer, ok bool) {
	f := reflect.ValueOf(v)
	if f.Kind() != reflect.Pointer {
		p := reflect.New(f.Type())
		p.Elem().Set(f)
		f = p
	}
	f = elemOf(f)
	for i, n := range path {
		f = f.Field(n)
		f = reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
		if i < len(path)-1 && f.Kind() == reflect.Pointer {
			f = elemOf(f)
		}
	}
	switch f.Kind() {
	case reflect.Interface:
		body, recv = tb.Method(elemOf(f).Interface(), name)
		return body, recv, body.IsValid()
	case reflect.Pointer:
		if f.IsNil() && tb.hasValueReceiver(f, name) {
			elemOf(f) // panics
		}
	default:
		f = f.Addr()
	}
	body, recv = tb.Method(f.Interface(), name)
	return body, recv, body.IsValid()
}

// hasValueReceiver reports whether the named method of the pointer f has a value receiver.
func (tb *Table) hasValueReceiver(f reflect.Value, name string) bool {
	t, _ := tb.Named(f.Interface())
	if t == nil {
		return hasMethod(f.Type().Elem(), name)
	}
	return types.NewMethodSet(t).Lookup(t.Obj().Pkg(), name) != nil
}

// elemOf returns the value that the interface v contains or the pointer v points to. If v is nil, it panics like the
// dereference of a nil pointer.
func elemOf(v reflect.Value) reflect.Value {
	if v.IsNil() {
		var p *int
		*p = 0
	}
	return v.Elem()
}

// compiledMethod returns a method of v that package reflect finds, in the form that Method returns. The function
// ignores its first argument, since it holds the receiver.
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
