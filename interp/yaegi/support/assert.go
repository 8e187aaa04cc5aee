package support

import (
	"errors"
	"fmt"
	"go/types"
	"reflect"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/yaegi/celltype"
)

// as stores v where p points, if v is of row n's type or implements it.
func (s *Support) as(n int, v, p any) bool {
	r := s.table.At(n)
	if types.IsInterface(r.Type) {
		if v == nil || s.missing(v, r) != "" {
			return false
		}
		reflect.ValueOf(p).Elem().Set(reflect.ValueOf(v))
		return true
	}
	if !s.table.Is(n, v) {
		return false
	}
	s.table.Set(n, p, v)
	return true
}

// is reports whether v is of row n's type or implements it.
func (s *Support) is(n int, v any) bool {
	r := s.table.At(n)
	if types.IsInterface(r.Type) {
		return v != nil && s.missing(v, r) == ""
	}
	return s.table.Is(n, v)
}

// mustAs is as for the assertion without ok.
func (s *Support) mustAs(n, iface int, v, p any) {
	if !s.as(n, v, p) {
		panic(s.failure(s.table.At(iface), s.table.At(n), v))
	}
}

// An AssertionError is a failed type assertion, as runtime.TypeAssertionError is.
type AssertionError struct{ msg string }

func (e *AssertionError) Error() string { return e.msg }

// RuntimeError marks the error as one of the run time's own.
func (*AssertionError) RuntimeError() {}

func (s *Support) failure(iface, want *celltype.Row, v any) error {
	from := s.typeName(iface.Type)
	to := s.typeName(want.Type)
	switch {
	case v == nil && types.IsInterface(want.Type):
		return &AssertionError{fmt.Sprintf("interface conversion: interface is nil, not %s", to)}
	case v == nil:
		return &AssertionError{fmt.Sprintf("interface conversion: %s is nil, not %s", from, to)}
	case types.IsInterface(want.Type):
		return &AssertionError{fmt.Sprintf("interface conversion: %T is not %s: missing method %s", v, to, s.missing(v, want))}
	default:
		return &AssertionError{fmt.Sprintf("interface conversion: %s is %T, not %s", from, v, to)}
	}
}

// typeName returns the name of a type as the run time prints it.
func (s *Support) typeName(t types.Type) string {
	t = types.Unalias(t)
	if r, err := s.table.Outer(t); err == nil && !types.IsInterface(t) {
		return r.String()
	}
	if i, ok := t.(*types.Interface); ok && i.Empty() {
		return "interface {}"
	}
	if n, ok := t.(*types.Named); ok && check.IsCell(n.Obj().Pkg()) {
		return "main." + celltype.Text(t)
	}
	return celltype.Text(t)
}

// errorsAs is errors.As for a target that points to a variable of row n's type,
// an interface that a cell declares; target is boxed, of row p. Compiled code
// takes such a variable for an any, to which every error can be assigned.
func (s *Support) errorsAs(n, p int, err error, target any) bool {
	into := s.table.Unbox(p, target)
	if reflect.ValueOf(into).IsNil() {
		panic("errors: target must be a non-nil pointer")
	}
	return s.chain(err, func(err error) bool {
		if s.as(n, err, into) {
			return true
		}
		x, ok := err.(interface{ As(any) bool })
		return ok && x.As(target)
	})
}

// ErrorsAsAny is errors.As for a target that the author holds in an interface.
func ErrorsAsAny(err error, target any) bool {
	if _, ok := target.(*any); ok {
		panic("errors.As: the target points to an interface that a cell declares, and is itself in an interface; call errors.As with the pointer")
	}
	return errors.As(err, target)
}

// chain reports whether found is true of err or of one that it wraps, in the
// order of errors.As.
func (s *Support) chain(err error, found func(error) bool) bool {
	for err != nil {
		if found(err) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			for _, err := range x.Unwrap() {
				if s.chain(err, found) {
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

// missing returns the first method of row r's interface that v lacks, or "".
func (s *Support) missing(v any, r *celltype.Row) string {
	if t, pointer := s.table.Named(v); t != nil {
		return s.table.Missing(t, pointer, r.Type.Underlying().(*types.Interface))
	}
	iface := r.Type.Underlying().(*types.Interface)
	rt := reflect.TypeOf(v)
	for m := range iface.Methods() {
		have, ok := rt.MethodByName(m.Name())
		if !ok || !m.Exported() {
			return m.Name()
		}
		want, err := s.table.Outer(m.Signature())
		if err != nil || !sameSignature(have.Type, want) {
			return m.Name()
		}
	}
	return ""
}

// sameSignature compares a method's type, which has the receiver first, with a
// function type.
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

// equal reports whether two interfaces are equal.
func (s *Support) equal(x, y any) bool { return x == y }

// Convert stores v, an interface that is known to implement it, in the
// variable of an interface type that p points to.
func Convert(v, p any) {
	if v != nil {
		reflect.ValueOf(p).Elem().Set(reflect.ValueOf(v))
	}
}

// typeOf returns the outer type of row n.
func (s *Support) typeOf(n int) reflect.Type {
	t, err := s.table.Outer(s.table.At(n).Type)
	if err != nil {
		panic(err)
	}
	return t
}

// Failure returns the error of a failed assertion that v, an interface of row iface's
// type, holds a value of row n's type.
func (s *Support) Failure(iface, n int, v any) error {
	return s.failure(s.table.At(iface), s.table.At(n), v)
}

// Missing returns the first method of row n's interface that v lacks, or "".
func (s *Support) Missing(v any, n int) string { return s.missing(v, s.table.At(n)) }
