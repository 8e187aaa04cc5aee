package compile

import (
	"fmt"
	"go/types"
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/compile/celltype"
)

// An assertionError is the error of a failed type assertion. It is used if a runtime.TypeAssertionError cannot have the
// text that Go would give it, since run-time types may have other names than the types that cells declare.
type assertionError struct{ msg string }

func (e *assertionError) Error() string { return e.msg }

// RuntimeError marks the error as one of the runtime's own.
func (*assertionError) RuntimeError() {}

// A nilReceiverError is the error of calling a method with a value receiver through an interface or a method value that
// holds a nil pointer.
type nilReceiverError string

func (e nilReceiverError) Error() string { return string(e) }

// RuntimeError marks the error as one of the runtime's own.
func (nilReceiverError) RuntimeError() {}

// nilReceiverText returns the text of the nilReceiverError for a method. typ is the qualified name of the type.
func nilReceiverText(typ, method string) string {
	name := typ[strings.LastIndexByte(typ, '.')+1:]
	return fmt.Sprintf("value method %s.%s called using nil *%s pointer", typ, method, name)
}

// assertionFailure returns the error of the failed assertion v.(want), where v has the interface type iface.
func (s *Session) assertionFailure(iface, want *celltype.Row, v any) error {
	from := s.typeName(iface.Type)
	to := s.typeName(want.Type)
	var text, method string
	switch {
	case v == nil && types.IsInterface(want.Type):
		text = fmt.Sprintf("interface conversion: interface is nil, not %s", to)
	case v == nil:
		text = fmt.Sprintf("interface conversion: %s is nil, not %s", from, to)
	case types.IsInterface(want.Type):
		method = s.missingMethod(v, want)
		text = fmt.Sprintf("interface conversion: %T is not %s: missing method %s", v, to, method)
	default:
		text = fmt.Sprintf("interface conversion: %s is %T, not %s", from, v, to)
		if fmt.Sprintf("%T", v) == to {
			text += " (types from different scopes)"
		}
	}
	if err := s.typeAssertionError(iface, want, v, method); err != nil && err.Error() == text {
		return err
	}
	return &assertionError{text}
}

// typeAssertionError returns the failed assertion v.(want) as a *runtime.TypeAssertionError, or nil if that cannot be
// made. method is the missing method, or "".
func (s *Session) typeAssertionError(iface, want *celltype.Row, v any, method string) error {
	if reflect.TypeFor[runtime.TypeAssertionError]().Size() != unsafe.Sizeof(assertionFields{}) {
		return nil // this version of Go has another layout
	}
	from, err := s.Table.Outer(iface.Type)
	if err != nil {
		return nil
	}
	to, err := s.Table.Outer(want.Type)
	if err != nil {
		return nil
	}
	fields := assertionFields{asserted: descriptor(to), missingMethod: method}
	if v == nil {
		if !types.IsInterface(want.Type) {
			fields.iface = descriptor(from)
		}
	} else {
		fields.iface, fields.concrete = descriptor(from), descriptor(reflect.TypeOf(v))
	}
	e := &runtime.TypeAssertionError{}
	*(*assertionFields)(unsafe.Pointer(e)) = fields
	return e
}

// assertionFields has the layout of runtime.TypeAssertionError.
type assertionFields struct {
	iface, concrete, asserted unsafe.Pointer
	missingMethod             string
}

// typeName returns the name of a type as the runtime prints it.
func (s *Session) typeName(t types.Type) string {
	t = types.Unalias(t)
	if r, err := s.Table.Outer(t); err == nil && !types.IsInterface(t) {
		return r.String()
	}
	if i, ok := t.(*types.Interface); ok {
		return s.interfaceName(i)
	}
	if n, ok := t.(*types.Named); ok && check.IsCell(n.Obj().Pkg()) {
		return "main." + celltype.Text(t)
	}
	return celltype.Text(t)
}

// interfaceName returns the name of an interface type literal as the runtime prints it.
func (s *Session) interfaceName(i *types.Interface) string {
	if i.Empty() {
		return "interface {}"
	}
	var methods []string
	for m := range i.Methods() {
		name, sig := m.Name(), m.Signature()
		switch {
		case m.Exported():
		case check.IsCell(m.Pkg()):
			name = "main." + name
		default:
			name = m.Pkg().Name() + "." + name
		}
		sig = types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
		methods = append(methods, name+strings.TrimPrefix(s.typeName(sig), "func"))
	}
	return "interface { " + strings.Join(methods, "; ") + " }"
}

// errorsAs is like errors.As. set stores an error at target and returns true if the error has a suitable type. isNil
// reports whether target is a nil pointer; errorsAs then panics unless err is nil.
func errorsAs(err error, target any, isNil bool, set func(error) bool) bool {
	if err != nil && isNil {
		panic("errors: target must be a non-nil pointer")
	}
	return anyInTree(err, func(err error) bool {
		if set(err) {
			return true
		}
		x, ok := err.(interface{ As(any) bool })
		return ok && x.As(target)
	})
}

// anyInTree reports whether matches returns true for err or for an error that it wraps. It tries them in the
// order of errors.As.
func anyInTree(err error, matches func(error) bool) bool {
	for err != nil {
		if matches(err) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			for _, err := range x.Unwrap() {
				if anyInTree(err, matches) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
	return false
}

// missingMethod returns the name of the first method of row r's interface type that v does not have, or "".
func (s *Session) missingMethod(v any, r *celltype.Row) string {
	iface := r.Type.Underlying().(*types.Interface)
	if t, pointer := s.Table.Named(v); t != nil {
		return s.Table.Missing(t, pointer, iface)
	}
	if t, pointer := s.Table.UnnamedStruct(v); t != nil {
		return s.Table.Missing(t, pointer, iface)
	}
	rt := reflect.TypeOf(v)
	for m := range iface.Methods() {
		have, ok := rt.MethodByName(m.Name())
		if !ok || !m.Exported() {
			return m.Name()
		}
		want, err := s.Table.Outer(m.Signature())
		if err != nil || !sameSignature(have.Type, want) {
			return m.Name()
		}
	}
	return ""
}

// sameSignature reports whether a method's type, which has the receiver first, and the function type f have
// the same parameters and results.
func sameSignature(method, f reflect.Type) bool {
	if method.NumIn() != f.NumIn()+1 || method.NumOut() != f.NumOut() || method.IsVariadic() != f.IsVariadic() {
		return false
	}
	for i := range f.NumIn() {
		if method.In(i+1) != f.In(i) {
			return false
		}
	}
	for i := range f.NumOut() {
		if method.Out(i) != f.Out(i) {
			return false
		}
	}
	return true
}

// A runtimeError is a run-time error that compiled code raises itself, with the text of Go's runtime.
type runtimeError string

func (e runtimeError) Error() string { return "runtime error: " + string(e) }

// RuntimeError marks the error as one of the runtime's own.
func (runtimeError) RuntimeError() {}
