package display

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// How much of an ordinary Go value is shown.
const (
	maxElements = 100 // of one slice, array or map
	maxDepth    = 8   // of values within values
	maxText     = 1 << 16
)

// valueText returns a Go value as text, close to Go's syntax. A string is quoted unless
// it has several lines; errors and Stringers are their own text; structs have the names
// of their fields. Long text is cut.
func valueText(v any) string {
	w := &writer{}
	if s, ok := v.(string); ok && strings.Contains(s, "\n") {
		w.text(s)
	} else {
		w.value(reflect.ValueOf(v), 0)
	}
	return w.String()
}

// cut returns the first maxText bytes of s, and the number of those left out as text.
func cut(s string) (head, rest string) {
	if len(s) <= maxText {
		return s, ""
	}
	end := maxText
	for !utf8.RuneStart(s[end]) && end > maxText-utf8.UTFMax {
		end--
	}
	return s[:end], fmt.Sprintf("... %d more bytes", len(s)-end)
}

// A writer writes values into a text of bounded length.
type writer struct {
	strings.Builder
	lists []listHeader // the slices being written, outermost first
}

// A listHeader identifies the elements of a slice.
type listHeader struct {
	at  uintptr
	len int
	typ reflect.Type
}

func (w *writer) value(v reflect.Value, depth int) {
	switch {
	case w.Len() > maxText, depth > maxDepth:
		w.WriteString("...")
	case !v.IsValid():
		w.WriteString("nil")
	case w.ownText(v):
	default:
		w.kind(v, depth)
	}
}

// ownText writes the text of an error, Stringer or the like, and reports whether v is one.
func (w *writer) ownText(v reflect.Value) bool {
	if !v.CanInterface() || v.Kind() == reflect.Interface || isNil(v) {
		return false
	}
	switch x := v.Interface().(type) {
	case error:
		w.text(x.Error())
	case fmt.Stringer:
		w.text(x.String())
	default:
		return false
	}
	return true
}

// text writes s, cut.
func (w *writer) text(s string) {
	head, rest := cut(s)
	w.WriteString(head + rest)
}

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan, reflect.Interface, reflect.UnsafePointer:
		return v.IsNil()
	}
	return false
}

func (w *writer) kind(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		head, rest := cut(v.String())
		w.WriteString(strconv.Quote(head) + rest)
	case reflect.Interface:
		w.value(v.Elem(), depth)
	case reflect.Pointer:
		w.pointer(v, depth)
	case reflect.Struct:
		w.structure(v, depth)
	case reflect.Slice, reflect.Array:
		w.list(v, depth)
	case reflect.Map:
		w.mapping(v, depth)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		w.opaque(v)
	default:
		fmt.Fprint(w, v) // numbers and bools
	}
}

func (w *writer) opaque(v reflect.Value) {
	w.WriteString(typeName(v.Type()))
	if v.IsNil() {
		w.WriteString("(nil)")
	}
}

func (w *writer) pointer(v reflect.Value, depth int) {
	switch {
	case v.IsNil():
		fmt.Fprintf(w, "(%s)(nil)", typeName(v.Type()))
	case v.Elem().Kind() == reflect.Struct:
		w.WriteByte('&')
		w.value(v.Elem(), depth+1)
	default:
		fmt.Fprintf(w, "(%s)(%#x)", typeName(v.Type()), v.Pointer())
	}
}

// structure writes the fields of a struct, only the exported ones if its type is of a compiled
// package.
func (w *writer) structure(v reflect.Value, depth int) {
	t := v.Type()
	name := typeName(t)
	if t.Name() == "" {
		name = ""
	}
	w.WriteString(name + "{")
	sep, own := "", t.PkgPath() == "" || t.PkgPath() == "main"
	if own {
		v = addressable(v)
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() && !own {
			continue
		}
		w.WriteString(sep + f.Name + ": ")
		w.value(readable(v.Field(i)), depth+1)
		sep = ", "
	}
	if sep == "" && t.NumField() > 0 {
		w.WriteString("...")
	}
	w.WriteByte('}')
}

// addressable returns v, or a copy of v in a variable.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() || !v.CanInterface() {
		return v
	}
	p := reflect.New(v.Type()).Elem()
	p.Set(v)
	return p
}

// readable returns a field of a cell's struct so that it can be read even if it is unexported.
func readable(f reflect.Value) reflect.Value {
	if f.CanInterface() || !f.CanAddr() {
		return f
	}
	return reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
}

func (w *writer) list(v reflect.Value, depth int) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		fmt.Fprintf(w, "%s(nil)", typeName(v.Type()))
		return
	}
	if v.Kind() == reflect.Slice {
		r := listHeader{v.Pointer(), v.Len(), v.Type()}
		if r.len > 0 && slices.Contains(w.lists, r) {
			w.WriteString("[...]")
			return
		}
		w.lists = append(w.lists, r)
		defer func() { w.lists = w.lists[:len(w.lists)-1] }()
	}
	w.WriteString(typeName(v.Type()) + "{")
	for i := range min(v.Len(), maxElements) {
		if i > 0 {
			w.WriteString(", ")
		}
		w.value(v.Index(i), depth+1)
	}
	w.rest(v.Len())
}

func (w *writer) mapping(v reflect.Value, depth int) {
	if v.IsNil() {
		fmt.Fprintf(w, "%s(nil)", typeName(v.Type()))
		return
	}
	type entry struct{ key, value reflect.Value }
	entries := make([]entry, 0, v.Len())
	for all := v.MapRange(); all.Next(); { // NaN keys cannot be looked up
		entries = append(entries, entry{all.Key(), all.Value()})
	}
	sort.Slice(entries, func(i, j int) bool { return less(entries[i].key, entries[j].key) })
	w.WriteString(typeName(v.Type()) + "{")
	for i, e := range entries[:min(len(entries), maxElements)] {
		if i > 0 {
			w.WriteString(", ")
		}
		w.value(e.key, depth+1)
		w.WriteString(": ")
		w.value(e.value, depth+1)
	}
	w.rest(len(entries))
}

// rest writes how many of n elements are left out, and the end of the list.
func (w *writer) rest(n int) {
	if n > maxElements {
		fmt.Fprintf(w, ", ... %d more", n-maxElements)
	}
	w.WriteByte('}')
}

func less(a, b reflect.Value) bool {
	switch {
	case a.Kind() != b.Kind():
		return a.Kind() < b.Kind()
	case a.CanInt():
		return a.Int() < b.Int()
	case a.CanUint():
		return a.Uint() < b.Uint()
	case a.CanFloat():
		return a.Float() < b.Float()
	case a.Kind() == reflect.String:
		return a.String() < b.String()
	}
	return fmt.Sprint(a) < fmt.Sprint(b)
}

// typeName returns the name of a type as cells write it.
func typeName(t reflect.Type) string {
	return typeNames.Replace(t.String())
}

var typeNames = strings.NewReplacer("interface {}", "any", "anvil.", "nv.", "main.", "")
