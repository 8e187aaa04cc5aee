package compile

import (
	"go/types"
	"reflect"
	"unsafe"
)

// A boundMethod is a method of a type of cells that compiled packages can call.
type boundMethod struct {
	named      *types.Named // the type
	name       string
	code       *code
	hasPointer bool // the receiver is a pointer
}

// bind makes c the code that runs when packages call the method of named that is called name. hasPointer reports
// whether the receiver of c is a pointer.
func (s *Session) bind(named *types.Named, name string, c *code, hasPointer bool) {
	if !hasPointer {
		c = s.pointerWrapper(c, nilReceiverText(s.typeName(named), name))
	}
	s.Table.Bind(named, name, s.goFunction(c).Interface())
}

// pointerWrapper returns the code of a method with a pointer receiver that calls c, the same method with a
// value receiver. ifNil is the text of the panic if the pointer is nil.
func (s *Session) pointerWrapper(c *code, ifNil string) *code {
	in := []reflect.Type{reflect.PointerTo(c.funcType.In(0))}
	for i := 1; i < c.funcType.NumIn(); i++ {
		in = append(in, c.funcType.In(i))
	}
	var out []reflect.Type
	for i := range c.funcType.NumOut() {
		out = append(out, c.funcType.Out(i))
	}
	to := &methodTarget{deref: true, ifNil: ifNil}
	wrapper := s.callingCode(reflect.FuncOf(in, out, c.funcType.IsVariadic()), func(fr *frame, args, results []*register) {
		fr.callMethod(c, to, *at[unsafe.Pointer](unsafe.Pointer(fr), args[0].off), args[1:], results)
	})
	wrapper.isWrapper = true
	return wrapper
}

// callingCode returns the code of a function of type t that passes its parameters to call and returns the results.
func (s *Session) callingCode(t reflect.Type, call caller) *code {
	l := &layout{}
	c := s.newCode(t.String())
	var params, results []*register
	for i := range t.NumIn() {
		params = append(params, l.add(t.In(i), false))
	}
	for i := range t.NumOut() {
		results = append(results, l.add(t.Out(i), false))
	}
	l.place(c)
	c.params, c.results, c.funcType = registerValues(params), registerValues(results), t
	c.first = &block{
		next: func(unsafe.Pointer) *block { return nil },
		ops:  []op{func(p unsafe.Pointer) { call((*frame)(p), params, results) }},
	}
	return c
}
