package main

import (
	"context"
	"fmt"
	"go/types"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/typename"
	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/wire"
)

// A listing holds what Variables returned last.
type listing struct {
	mu     sync.Mutex
	list   []wire.Variable // the variables of the session
	values []reflect.Value // the listed values that have parts; values[i] has the reference i+1
}

var _ messaging.Explorer = (*session)(nil)

// maxParts is the greatest number of elements of a value that are listed.
const maxParts = 100

// Variables returns the variables of the session if reference is 0, and otherwise the parts (fields or
// elements) of the listed value with that reference. A running cell may be changing variables, so
// meanwhile Variables returns the previous list of variables, and no parts.
func (s *session) Variables(reference int) []wire.Variable {
	l := &s.listing
	l.mu.Lock()
	defer l.mu.Unlock()
	if !s.busy.tryLock() {
		if reference != 0 {
			return nil
		}
		return l.list
	}
	defer s.busy.unlock()
	if reference > 0 && reference <= len(l.values) {
		v := l.values[reference-1]
		var list []wire.Variable
		_ = s.interp.WithMaps([]any{v}, func() { list = l.parts(v) })
		return list
	}
	if reference != 0 {
		return nil
	}
	l.list, l.values = nil, nil
	env := s.interp.Env()
	for _, name := range env.Names() {
		o, isVar := env.Lookup(name).Object.(*types.Var)
		if v, hasValue := s.interp.Value(name); isVar && hasValue {
			listed := l.variable(name, types.TypeString(o.Type(), s.nameOf), v)
			listed.Evaluate = name
			l.list = append(l.list, listed)
		}
	}
	return l.list
}

// variable returns the list entry of v. If v has parts, variable also stores v and sets the entry's
// Reference.
func (l *listing) variable(name, typ string, v reflect.Value) wire.Variable {
	listed := wire.Variable{Name: name, Value: brief(v), Type: typ}
	if typ != "int" && typ != "bool" { // JupyterLab's tree shows values only for types that Python has
		listed.Type = strings.TrimSpace(typ + " " + listed.Value)
	}
	if hasParts(v) {
		l.values = append(l.values, v)
		listed.Reference = len(l.values)
	}
	return listed
}

// part returns the list entry of a field or element.
func (l *listing) part(name string, v reflect.Value) wire.Variable {
	return l.variable(name, typename.Text(v.Type().String()), v)
}

// hasParts reports whether v is a nonempty struct, slice, array or map, or points to one. Tensors have no parts.
func hasParts(v reflect.Value) bool {
	switch v = elem(v); v.Kind() {
	case reflect.Struct:
		return v.NumField() > 0 && v.Type() != tensorGoType
	case reflect.Slice, reflect.Array, reflect.Map:
		return v.Len() > 0
	}
	return false
}

var tensorGoType = reflect.TypeFor[anvil.Tensor]()

// elem returns the value that v points to or contains if v is a pointer or an interface, and otherwise v.
func elem(v reflect.Value) reflect.Value {
	if (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && !v.IsNil() {
		return v.Elem()
	}
	return v
}

// parts returns the list entries of the fields of a struct, or of the first maxParts elements of a slice,
// an array or a map.
func (l *listing) parts(v reflect.Value) (list []wire.Variable) {
	v = elem(v)
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			list = append(list, l.part(v.Type().Field(i).Name, v.Field(i)))
		}
	case reflect.Slice, reflect.Array:
		for i := range min(v.Len(), maxParts) {
			list = append(list, l.part(strconv.Itoa(i), v.Index(i)))
		}
	case reflect.Map:
		for key, value := range v.Seq2() {
			if len(list) == maxParts {
				break
			}
			list = append(list, l.part(brief(key), value))
		}
	}
	return list
}

// variableTimeout is how long Variable may take to render a value. Users cannot interrupt it.
const variableTimeout = 5 * time.Second

// Variable returns the forms in which a cell shows the value of a variable. While a cell runs, ok is false.
func (s *session) Variable(name string) (data, metadata wire.Bundle, ok bool) {
	if !s.busy.tryLock() {
		return nil, nil, false // a cell may be changing it
	}
	defer s.busy.unlock()
	v, ok := s.interp.Value(name)
	if !ok || !v.CanInterface() {
		return nil, nil, false
	}
	ctx, cancel := context.WithTimeout(context.Background(), variableTimeout)
	defer cancel()
	b, err := s.show(ctx, []any{v.Interface()})
	if err != nil {
		return wire.Bundle{"text/plain": err.Error()}, nil, true
	}
	return b.Data, b.Metadata, true
}

// maxBrief is the greatest number of bytes that brief returns.
const maxBrief = 80

// brief describes a value in at most maxBrief bytes: a tensor by its dtype and shape, another value by its
// beginning. It transfers nothing from a device, and calls no method of a type that a cell defines.
func brief(v reflect.Value) string {
	text := describe(v, 2)
	if len(text) <= maxBrief {
		return text
	}
	return strings.ToValidUTF8(text[:maxBrief-len("...")], "") + "..."
}

// describe is like brief without a limit on the length. It shows elements and fields down to depth levels.
func describe(v reflect.Value, depth int) string {
	if !v.IsValid() {
		return "nil"
	}
	if v.CanInterface() {
		switch x := v.Interface().(type) {
		case anvil.Tensor:
			return tensorType(x)
		case *anvil.Table:
			if x != nil {
				return fmt.Sprintf("%s of %s", counted(x.Rows(), "row"), strings.Join(x.Names(), ", "))
			}
		}
	}
	switch v.Kind() {
	case reflect.String:
		return strconv.Quote(v.String()[:min(v.Len(), maxBrief)])
	case reflect.Func:
		return ""
	case reflect.Slice, reflect.Array:
		return describeList(v, depth)
	case reflect.Map:
		return counted(v.Len(), "key")
	case reflect.Struct:
		if depth == 0 || v.Type() == tensorGoType { // a tensor here is in an unexported field
			return typename.Text(v.Type().String())
		}
		return describeStruct(v, depth)
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		if depth == 0 {
			return "..."
		}
		text := describe(v.Elem(), depth-1)
		if v.Kind() == reflect.Pointer && text != "" {
			text = "&" + text
		}
		return text
	case reflect.Chan, reflect.UnsafePointer:
		return ""
	}
	return formatNumber(v)
}

// isCompiledType reports whether t is declared in a compiled package. A type that is predeclared or declared in a
// cell is not.
func isCompiledType(t reflect.Type) bool { return t.PkgPath() != "" && t.PkgPath() != "main" }

// formatNumber returns a number or a bool as text. It calls the String method of compiled types only, since a
// method that a cell declares might not return.
func formatNumber(v reflect.Value) string {
	if v.CanInterface() && isCompiledType(v.Type()) {
		return fmt.Sprint(v.Interface())
	}
	switch {
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())
	case v.CanComplex():
		return strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits())
	}
	return strconv.FormatBool(v.Bool())
}

// describeList returns the length and the first elements of a slice or an array.
func describeList(v reflect.Value, depth int) string {
	if depth == 0 || v.Len() == 0 {
		return counted(v.Len(), "element")
	}
	var parts []string
	for i := range min(v.Len(), maxBrief/2) { // an element takes two bytes or more
		part := describe(v.Index(i), depth-1)
		if v.Type().Elem().Kind() == reflect.Slice || v.Type().Elem().Kind() == reflect.Array {
			part = "(" + part + ")"
		}
		parts = append(parts, part)
	}
	return counted(v.Len(), "element") + ": " + strings.Join(parts, " ")
}

// counted returns n and a noun in the singular or plural: "1 key" or "2 keys".
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// describeStruct returns the fields of a struct. If its type is compiled, it returns only the exported fields, or
// "" if there are none.
func describeStruct(v reflect.Value, depth int) string {
	compiled := isCompiledType(v.Type())
	var parts []string
	for i := range v.NumField() {
		if compiled && !v.Type().Field(i).IsExported() {
			continue
		}
		parts = append(parts, v.Type().Field(i).Name+": "+describe(v.Field(i), depth-1))
	}
	if compiled && len(parts) == 0 {
		return ""
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
