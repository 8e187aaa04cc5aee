package misuse

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Printable returns arguments that package fmt can print in place of args. Values that contain themselves or nest too
// deeply are replaced by values that print in the same way, but with "[...]" or "map[...]" for a part that contains
// itself, and "..." for a part that is too deep. args is not changed.
func Printable(args []any) []any {
	for _, a := range args {
		switch a.(type) {
		case string, int, float64:
		default:
			return printable(args)
		}
	}
	return args
}

// printable is Printable without its fast path for simple arguments.
func printable(args []any) []any {
	all := args
	for i, a := range args {
		if endless(a) {
			if &all[0] == &args[0] {
				all = slices.Clone(args)
			}
			all[i] = partial{a}
		}
	}
	return all
}

// endless reports whether package fmt cannot print v, because v contains itself or nests too deeply.
func endless(v any) bool {
	switch v := v.(type) {
	case nil, bool, int, float64, string:
		return false
	case reflect.Value:
		return v.IsValid() && v.CanInterface() && endless(v.Interface())
	}
	var n nesting
	if n.visit(reflect.ValueOf(v), 0); !n.cyclic && !n.deep {
		return false
	}
	switch v.(type) {
	case error, fmt.Formatter:
		return false
	}
	return true
}

// A partial prints like v, but omits parts that contain themselves or are too deep.
type partial struct{ v any }

// A partial does not nest: it stops where its value contains itself.
func init() { known.Store(reflect.TypeFor[partial](), &knownType{typ: reflect.TypeFor[partial]()}) }

// MarshalJSON marshals the value itself. It returns the error of package json for a value that contains itself.
func (p partial) MarshalJSON() ([]byte, error) {
	return marshal("json", handlesCycles, json.Marshal)(p.v)
}

// Format implements fmt.Formatter.
func (p partial) Format(f fmt.State, verb rune) {
	v, ok := p.v.(reflect.Value)
	if !ok {
		v = reflect.ValueOf(p.v)
	}
	w := &partialWriter{State: f, verb: verb, format: fmt.FormatString(f, verb), path: map[reference]bool{}}
	w.syntax, w.names = verb == 'v' && f.Flag('#'), verb == 'v' && f.Flag('+')
	w.value(v, 0)
}

// A partialWriter writes a value as package fmt does (printValue in print.go), but omits parts that contain themselves
// or are too deep.
type partialWriter struct {
	fmt.State
	verb   rune
	format string // the format for parts that package fmt prints
	syntax bool   // the format is %#v: write Go syntax
	names  bool   // the format is %+v: write the names of fields

	path   map[reference]bool // the references that lead to the current value
	values int                // how many values were written
}

func (w *partialWriter) text(s string) { _, _ = w.Write([]byte(s)) }

// value writes v, which is at the given depth in the printed value.
func (w *partialWriter) value(v reflect.Value, depth int) {
	w.values++
	switch {
	case depth > maxNesting, w.values > maxValues:
		w.text("...")
		return
	case w.byMethod(v), !canNest(v.Type()) && (v.Kind() != reflect.Pointer || depth == 0):
		fmt.Fprintf(w.State, w.format, v)
		return
	}
	if r, ok := referenceOf(v); ok {
		if w.path[r] {
			if v.Kind() == reflect.Map {
				w.text("map")
			}
			w.text("[...]")
			return
		}
		w.path[r] = true
		defer delete(w.path, r)
	}
	switch v.Kind() {
	case reflect.Interface:
		switch {
		case !v.IsNil():
			w.value(v.Elem(), depth+1)
		case w.syntax:
			w.text(v.Type().String() + "(nil)")
		default:
			w.text("<nil>")
		}
	case reflect.Pointer:
		w.pointer(v, depth)
	case reflect.Slice, reflect.Array:
		w.list(v, depth)
	case reflect.Map:
		w.mapping(v, depth)
	case reflect.Struct:
		w.structure(v, depth)
	}
}

// byMethod reports whether fmt prints v by calling a method of v.
func (w *partialWriter) byMethod(v reflect.Value) bool {
	if !v.CanInterface() || v.Kind() == reflect.Interface {
		return false
	}
	switch v.Interface().(type) {
	case fmt.Formatter:
		return true
	case fmt.GoStringer:
		if w.syntax {
			return true
		}
	}
	switch v.Interface().(type) {
	case error, fmt.Stringer:
		return !w.syntax && strings.ContainsRune("vsxXq", w.verb)
	}
	return false
}

// pointer writes the pointer v. At depth 0, it writes & and the value for pointers to composite values.
func (w *partialWriter) pointer(v reflect.Value, depth int) {
	if depth == 0 && !v.IsNil() {
		switch v.Elem().Kind() {
		case reflect.Array, reflect.Slice, reflect.Struct, reflect.Map:
			w.text("&")
			w.value(v.Elem(), depth+1)
			return
		}
	}
	switch {
	case w.syntax && v.IsNil():
		fmt.Fprintf(w, "(%v)(nil)", v.Type())
	case w.syntax:
		fmt.Fprintf(w, "(%v)(%#x)", v.Type(), v.Pointer())
	case strings.ContainsRune("bodxX", w.verb):
		fmt.Fprintf(w.State, w.format, v.Pointer())
	case w.verb == 'v' || w.verb == 'p':
		fmt.Fprintf(w.State, w.format, v.UnsafePointer())
	default:
		fmt.Fprintf(w, "%%!%c(%v=%v)", w.verb, v.Type(), v.UnsafePointer())
	}
}

// open writes the beginning of the composite value v. It returns the separator of the elements and the text at the end.
// begin and end are the texts at both ends, except in Go syntax. If v is nil and is written in Go syntax, open writes
// all of v, and ok is false.
func (w *partialWriter) open(v reflect.Value, begin, end string) (separator, last string, ok bool) {
	if !w.syntax {
		w.text(begin)
		return " ", end, true
	}
	w.text(v.Type().String())
	if k := v.Kind(); (k == reflect.Slice || k == reflect.Map) && v.IsNil() {
		w.text("(nil)")
		return "", "", false
	}
	w.text("{")
	return ", ", "}", true
}

// list writes a slice or array.
func (w *partialWriter) list(v reflect.Value, depth int) {
	separator, end, ok := w.open(v, "[", "]")
	if !ok {
		return
	}
	for i := range v.Len() {
		if i > 0 {
			w.text(separator)
		}
		w.value(v.Index(i), depth+1)
	}
	w.text(end)
}

// mapping writes a map.
func (w *partialWriter) mapping(v reflect.Value, depth int) {
	separator, end, ok := w.open(v, "map[", "]")
	if !ok {
		return
	}
	keys := v.MapKeys()
	slices.SortStableFunc(keys, compareKeys)
	for i, k := range keys {
		if i > 0 {
			w.text(separator)
		}
		w.value(k, depth+1)
		w.text(":")
		w.value(v.MapIndex(k), depth+1)
	}
	w.text(end)
}

// compareKeys compares two keys of a map. It orders numbers and strings as package fmt does. Other keys of the same
// kind are equal.
func compareKeys(a, b reflect.Value) int {
	if a.Kind() == reflect.Interface {
		a, b = a.Elem(), b.Elem()
	}
	switch {
	case a.Kind() != b.Kind():
		return cmp.Compare(a.Kind(), b.Kind())
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	case a.Kind() == reflect.String:
		return cmp.Compare(a.String(), b.String())
	}
	return 0
}

// structure writes a struct.
func (w *partialWriter) structure(v reflect.Value, depth int) {
	separator, end, _ := w.open(v, "{", "}")
	for i := range v.NumField() {
		if i > 0 {
			w.text(separator)
		}
		if w.names || w.syntax {
			w.text(v.Type().Field(i).Name + ":")
		}
		f := v.Field(i)
		if f.Kind() == reflect.Interface && !f.IsNil() {
			f = f.Elem()
		}
		w.value(f, depth+1)
	}
	w.text(end)
}
