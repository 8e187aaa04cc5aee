package display

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goanvil/notebook/anvil/typename"
)

// Limits on how much of a Go value is shown.
const (
	maxElements = 100     // elements of one slice, array or map
	maxDepth    = 8       // levels of values within values
	maxText     = 1 << 16 // bytes of text
)

// valueText returns a Go value as text, close to Go's syntax. A string is quoted unless it has several lines. The
// text of a Formatter is that of its Format method for %v, the text of an error that of Error, and the text of
// a Stringer that of String. Long text is cut.
func valueText(v any) string {
	w := &writer{}
	if s, ok := v.(string); ok && strings.Contains(s, "\n") {
		w.text(s)
	} else {
		w.value(reflect.ValueOf(v), 0)
	}
	return w.String()
}

// cut returns the first maxText bytes of s, or slightly fewer to keep the last character whole. rest says how many
// bytes are left out; it is "" if there are none.
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

// A writer writes Go values as text of bounded length.
type writer struct {
	strings.Builder
	lists []listHeader // the slices being written, outermost first, to find a slice that contains itself
}

// A listHeader identifies the elements of a slice.
type listHeader struct {
	at  uintptr
	len int
	typ reflect.Type
}

// value writes v. depth is the number of values that contain v.
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

// ownText writes the text of v if v is a Formatter, an error or a Stringer, and reports whether v is one.
func (w *writer) ownText(v reflect.Value) bool {
	if !v.CanInterface() || v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer && v.IsNil() {
		return false
	}
	switch x := v.Interface().(type) {
	case fmt.Formatter:
		w.text(fmt.Sprintf("%v", x))
	case error:
		w.text(x.Error())
	case fmt.Stringer:
		w.text(x.String())
	default:
		return false
	}
	return true
}

// text writes s, cut to maxText bytes.
func (w *writer) text(s string) {
	head, rest := cut(s)
	w.WriteString(head + rest)
}

// kind writes v according to its reflect.Kind.
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

// opaque writes the type of a function, channel or unsafe pointer, and whether it is nil.
func (w *writer) opaque(v reflect.Value) {
	w.WriteString(typename.Text(v.Type().String()))
	if v.IsNil() {
		w.WriteString("(nil)")
	}
}

func (w *writer) pointer(v reflect.Value, depth int) {
	switch {
	case v.IsNil():
		fmt.Fprintf(w, "(%s)(nil)", typename.Text(v.Type().String()))
	case v.Elem().Kind() == reflect.Struct:
		w.WriteByte('&')
		w.value(v.Elem(), depth+1)
	default:
		fmt.Fprintf(w, "(%s)(%#x)", typename.Text(v.Type().String()), v.Pointer())
	}
}

// structure writes a struct with its fields. It omits unexported fields of a type that no cell defines.
func (w *writer) structure(v reflect.Value, depth int) {
	t := v.Type()
	name := typename.Text(t.String())
	if t.Name() == "" {
		name = ""
	}
	w.WriteString(name + "{")
	sep, inCell := "", definedInCell(t)
	if inCell {
		v = addressable(v)
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() && !inCell {
			continue
		}
		w.WriteString(sep + f.Name + ": ")
		w.value(readable(v.Field(i)), depth+1)
		sep = ", "
	}
	if sep == "" && t.NumField() > 0 { // all fields are unexported
		w.WriteString("...")
	}
	w.WriteByte('}')
}

// definedInCell reports whether t is defined in a cell or is a type without a name.
func definedInCell(t reflect.Type) bool { return t.PkgPath() == "" || t.PkgPath() == "main" }

// addressable returns a copy of v that is addressable, or v itself if it is addressable or reflection cannot copy it.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() || !v.CanInterface() {
		return v
	}
	p := reflect.New(v.Type()).Elem()
	p.Set(v)
	return p
}

// readable returns f, a field of a struct, as a Value that can be read even if the field is unexported. An unexported
// field of a struct that is not addressable is returned as it is.
func readable(f reflect.Value) reflect.Value {
	if f.CanInterface() || !f.CanAddr() {
		return f
	}
	return reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
}

func (w *writer) list(v reflect.Value, depth int) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		fmt.Fprintf(w, "%s(nil)", typename.Text(v.Type().String()))
		return
	}
	if v.Kind() == reflect.Slice {
		header := listHeader{v.Pointer(), v.Len(), v.Type()}
		if header.len > 0 && slices.Contains(w.lists, header) {
			w.WriteString("[...]")
			return
		}
		w.lists = append(w.lists, header)
		defer func() { w.lists = w.lists[:len(w.lists)-1] }()
	}
	w.WriteString(typename.Text(v.Type().String()) + "{")
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
		fmt.Fprintf(w, "%s(nil)", typename.Text(v.Type().String()))
		return
	}
	type entry struct{ key, value reflect.Value }
	entries := make([]entry, 0, v.Len())
	for it := v.MapRange(); it.Next(); { // not MapIndex, which finds no value for a NaN key
		entries = append(entries, entry{it.Key(), it.Value()})
	}
	sort.Slice(entries, func(i, j int) bool { return less(entries[i].key, entries[j].key) })
	w.WriteString(typename.Text(v.Type().String()) + "{")
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

// rest writes how many of n elements are left out, and the closing brace.
func (w *writer) rest(n int) {
	if n > maxElements {
		fmt.Fprintf(w, ", ... %d more", n-maxElements)
	}
	w.WriteByte('}')
}

// less orders the keys of a map: by kind, then by value.
func less(a, b reflect.Value) bool {
	switch {
	case a.Kind() == reflect.Interface && b.Kind() == reflect.Interface:
		return less(a.Elem(), b.Elem())
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
