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
	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/wire"
)

// explored is the last listing that Variables returned.
type explored struct {
	mu    sync.Mutex
	list  []wire.Variable
	parts []reflect.Value // by reference, from 1
}

var _ messaging.Explorer = (*session)(nil)

// maxParts is how many elements of a value are listed.
const maxParts = 100

// Variables returns the variables of the session, or the fields and elements of a listed value. While a cell
// runs, it returns the previous listing, since the cell may be changing variables.
func (s *session) Variables(reference int) []wire.Variable {
	x := &s.explored
	x.mu.Lock()
	defer x.mu.Unlock()
	if !s.busy.tryTake() {
		if reference != 0 {
			return nil
		}
		return x.list
	}
	defer s.busy.leave()
	if reference > 0 && reference <= len(x.parts) {
		return x.partsOf(x.parts[reference-1])
	}
	if reference != 0 {
		return nil
	}
	x.list, x.parts = nil, nil
	env := s.interp.Env()
	for _, name := range env.Names() {
		o, ok := env.Lookup(name).Object.(*types.Var)
		if v, held := s.interp.Value(name); ok && held {
			listed := x.variable(name, types.TypeString(o.Type(), s.nameOf), v)
			listed.Evaluate = name
			x.list = append(x.list, listed)
		}
	}
	return x.list
}

// variable returns the listing of a value, and keeps the value if it has parts.
func (x *explored) variable(name, typ string, v reflect.Value) wire.Variable {
	listed := wire.Variable{Name: name, Value: brief(v), Type: typ}
	if typ != "int" && typ != "bool" {
		listed.Type = strings.TrimSpace(typ + " " + listed.Value) // JupyterLab's tree shows values only for types of Python
	}
	if hasParts(v) {
		x.parts = append(x.parts, v)
		listed.Reference = len(x.parts)
	}
	return listed
}

// part returns the listing of a part of a value.
func (x *explored) part(name string, v reflect.Value) wire.Variable {
	return x.variable(name, strings.ReplaceAll(v.Type().String(), "anvil.", "nv."), v)
}

// hasParts reports whether partsOf lists any parts of v.
func hasParts(v reflect.Value) bool {
	switch v = pointed(v); v.Kind() {
	case reflect.Struct:
		return v.NumField() > 0 && v.Type() != tensorOf
	case reflect.Slice, reflect.Array, reflect.Map:
		return v.Len() > 0
	}
	return false
}

var tensorOf = reflect.TypeFor[anvil.Tensor]()

// pointed returns the value that v points to or holds as an interface, or v itself.
func pointed(v reflect.Value) reflect.Value {
	if (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && !v.IsNil() {
		return v.Elem()
	}
	return v
}

// partsOf returns the exported fields of a struct, or the first elements of a slice, an array
// or a map.
func (x *explored) partsOf(v reflect.Value) (list []wire.Variable) {
	v = pointed(v)
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			list = append(list, x.part(v.Type().Field(i).Name, v.Field(i)))
		}
	case reflect.Slice, reflect.Array:
		for i := range min(v.Len(), maxParts) {
			list = append(list, x.part(strconv.Itoa(i), v.Index(i)))
		}
	case reflect.Map:
		for key, value := range v.Seq2() {
			if len(list) == maxParts {
				break
			}
			list = append(list, x.part(brief(key), value))
		}
	}
	return list
}

// variableTime is how long the representations of a variable may take.
const variableTime = 5 * time.Second

// Variable returns the representations of a variable, as a cell that ends with it shows it.
func (s *session) Variable(name string) (data, metadata wire.Bundle, ok bool) {
	if !s.busy.tryTake() {
		return nil, nil, false // a cell may be changing it
	}
	defer s.busy.leave()
	v, ok := s.interp.Value(name)
	if !ok || !v.CanInterface() {
		return nil, nil, false
	}
	ctx, cancel := context.WithTimeout(context.Background(), variableTime) // nothing can interrupt it
	defer cancel()
	b, err := s.show(ctx, []any{v.Interface()})
	if err != nil {
		return wire.Bundle{"text/plain": err.Error()}, nil, true
	}
	return b.Data, b.Metadata, true
}

// maxBrief is the greatest number of bytes that brief returns.
const maxBrief = 80

// brief returns a value on one short line: the dtype and shape of a tensor, or the part of another value that
// can be shown without a transfer from a device or a call of a method.
func brief(v reflect.Value) string {
	text := briefly(v, 2)
	if len(text) <= maxBrief {
		return text
	}
	return strings.ToValidUTF8(text[:maxBrief-len("...")], "") + "..."
}

// briefly is brief without a limit of length, for values nested at most depth levels.
func briefly(v reflect.Value, depth int) string {
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
		return briefList(v, depth)
	case reflect.Map:
		return counted(v.Len(), "key")
	case reflect.Struct:
		if depth == 0 || v.Type() == tensorOf { // a tensor in a field that is not exported
			return v.Type().String()
		}
		return briefStruct(v, depth)
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		if depth == 0 {
			return "..."
		}
		text := briefly(v.Elem(), depth-1)
		if v.Kind() == reflect.Pointer && text != "" {
			text = "&" + text
		}
		return text
	case reflect.Chan, reflect.UnsafePointer:
		return ""
	}
	return number(v)
}

// number returns a number or a bool. It calls methods only of types of compiled packages: a cell's method may
// not return.
func number(v reflect.Value) string {
	if v.CanInterface() && v.Type().PkgPath() != "" && v.Type().PkgPath() != "main" {
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

// briefList returns the length and the first elements of a slice or an array.
func briefList(v reflect.Value, depth int) string {
	if depth == 0 || v.Len() == 0 {
		return counted(v.Len(), "element")
	}
	var parts []string
	for i := range min(v.Len(), maxBrief/2) {
		part := briefly(v.Index(i), depth-1)
		if v.Type().Elem().Kind() == reflect.Slice || v.Type().Elem().Kind() == reflect.Array {
			part = "(" + part + ")"
		}
		parts = append(parts, part)
	}
	return counted(v.Len(), "element") + ": " + strings.Join(parts, " ")
}

// counted returns "1 key" or "2 keys".
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// briefStruct returns the fields of a struct, only the exported ones for types of compiled packages. It
// returns "" if there are none.
func briefStruct(v reflect.Value, depth int) string {
	compiled := v.Type().PkgPath() != "" && v.Type().PkgPath() != "main"
	var parts []string
	for i := range v.NumField() {
		if compiled && !v.Type().Field(i).IsExported() {
			continue
		}
		parts = append(parts, v.Type().Field(i).Name+": "+briefly(v.Field(i), depth-1))
	}
	if compiled && len(parts) == 0 {
		return ""
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
