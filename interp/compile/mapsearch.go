package compile

import (
	"encoding"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"go/types"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// This file finds the maps that cells pass to functions of packages; see packageMaps for the reason.

// A mapSearch describes where in its arguments a function of a package uses maps.
type mapSearch struct {
	receiver bool           // only the receiver: a map, or a reflect.Value or *reflect.MapIter of a map
	fields   fieldChoice    // the fields of structs that the function reads
	pointers bool           // the function follows pointers that are within other values
	calls    []reflect.Type // interfaces whose methods the function calls instead of reading a value
	writes   bool           // the function writes the maps
}

// A fieldChoice is a set of fields of a struct.
type fieldChoice int

const (
	noFields       fieldChoice = iota
	exportedFields             // and embedded ones
	allFields
)

var (
	errorType         = reflect.TypeFor[error]()
	stringerType      = reflect.TypeFor[fmt.Stringer]()
	formatterType     = reflect.TypeFor[fmt.Formatter]()
	textMarshalerType = reflect.TypeFor[encoding.TextMarshaler]()
	jsonMarshalerType = reflect.TypeFor[json.Marshaler]()
)

// shownMaps is the search for the maps in a value that package display shows.
var shownMaps = &mapSearch{fields: allFields, calls: []reflect.Type{errorType, stringerType}}

// printedMaps is the search for the maps in a value that package fmt prints.
var printedMaps = &mapSearch{fields: allFields, calls: []reflect.Type{errorType, stringerType, formatterType}}

// packageSearches maps the path of a package to the search for the maps in the arguments of its functions. searchOf
// adds searches for single functions.
var packageSearches = map[string]*mapSearch{
	"encoding/asn1": {fields: exportedFields, pointers: true},
	"encoding/gob": {fields: exportedFields, pointers: true, calls: []reflect.Type{
		reflect.TypeFor[gob.GobEncoder](), reflect.TypeFor[encoding.BinaryMarshaler](),
	}},
	"encoding/json": {fields: exportedFields, pointers: true, calls: []reflect.Type{jsonMarshalerType, textMarshalerType}},
	"encoding/xml": {fields: exportedFields, pointers: true, calls: []reflect.Type{
		reflect.TypeFor[xml.Marshaler](), reflect.TypeFor[xml.MarshalerAttr](), textMarshalerType,
	}},
	"fmt":           printedMaps,
	"html/template": {},
	"log":           printedMaps,
	"log/slog": {fields: allFields, calls: []reflect.Type{ // each handler calls some of them
		reflect.TypeFor[slog.LogValuer](), errorType, stringerType, formatterType, textMarshalerType, jsonMarshalerType,
	}},
	"text/template":                       {},
	"github.com/goanvil/notebook/display": shownMaps,
}

// decodingSearches maps the path of a package to the search for the maps that its decoding functions write.
var decodingSearches = map[string]*mapSearch{
	"encoding/asn1": {fields: exportedFields, pointers: true, writes: true},
	"encoding/gob": {fields: exportedFields, pointers: true, writes: true, calls: []reflect.Type{
		reflect.TypeFor[gob.GobDecoder](), reflect.TypeFor[encoding.BinaryUnmarshaler](),
	}},
	"encoding/json": {fields: exportedFields, pointers: true, writes: true, calls: []reflect.Type{
		reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[encoding.TextUnmarshaler](),
	}},
	"encoding/xml": {fields: exportedFields, pointers: true, writes: true, calls: []reflect.Type{
		reflect.TypeFor[xml.Unmarshaler](), reflect.TypeFor[xml.UnmarshalerAttr](),
		reflect.TypeFor[encoding.TextUnmarshaler](),
	}},
}

// searchOf returns the search for the maps that the function fn of a package uses, or nil if fn uses none.
func searchOf(fn *ssa.Function) *mapSearch {
	if fn.Pkg == nil {
		return nil
	}
	name := fn.Name()
	if recv := fn.Signature.Recv(); recv != nil {
		t := recv.Type()
		if _, ok := t.Underlying().(*types.Map); ok { // such as http.Header
			return &mapSearch{receiver: true, writes: name == "Set" || name == "Add" || name == "Del"}
		}
		switch types.TypeString(t, nil) {
		case "reflect.Value":
			switch name {
			case "MapKeys", "MapIndex":
				return &mapSearch{receiver: true}
			case "SetMapIndex", "Clear":
				return &mapSearch{receiver: true, writes: true}
			}
			return nil
		case "*reflect.MapIter":
			if name == "Next" {
				return &mapSearch{receiver: true}
			}
			return nil
		}
	}
	path := fn.Pkg.Pkg.Path()
	if path == "reflect" && name == "DeepEqual" {
		return &mapSearch{fields: allFields, pointers: true}
	}
	if strings.HasPrefix(name, "Unmarshal") || strings.HasPrefix(name, "Decode") {
		if search := decodingSearches[path]; search != nil {
			return search
		}
	}
	return packageSearches[path]
}

// mayFindIn reports whether there may be maps in the argument of type t at arg. It is fast for numbers and strings in
// interfaces, which are the most common arguments.
func (search *mapSearch) mayFindIn(t reflect.Type, arg unsafe.Pointer) bool {
	switch t {
	case anyListType:
		return slices.ContainsFunc(*(*[]any)(arg), search.mayFind)
	case anyType:
		return search.mayFind(*(*any)(arg))
	}
	return true
}

// mayFind reports whether there may be maps in v.
func (search *mapSearch) mayFind(v any) bool {
	switch v.(type) {
	case nil, bool, int, float64, string:
		return false
	}
	t := reflect.TypeOf(v)
	return holdsMaps(t) && !search.callsMethodOf(t)
}

// callsMethodOf reports whether the function calls a method of a value of type t instead of reading the value.
func (search *mapSearch) callsMethodOf(t reflect.Type) bool {
	// Packages read the value that a reflect.Value holds, and do not call its methods.
	return t != valueType && slices.ContainsFunc(search.calls, t.Implements)
}

// A mapFinder finds the maps in values and registers them in Session.packageMaps.
type mapFinder struct {
	*mapSearch
	s   *Session
	th  *thread // the thread that calls the function, or nil if the kernel reads values
	use packageUse

	seen   map[target]bool // the targets of the pointers that were followed
	values int             // how many values were visited
}

// A target is what a pointer points to. The type distinguishes a struct from its first field, which has the same
// address.
type target struct {
	at  unsafe.Pointer
	typ reflect.Type // the type of the pointer
}

// Limits on the number and the nesting of the values that a mapFinder visits, since a slice may contain itself.
const (
	maxSearched    = 1 << 20
	maxSearchDepth = 1000
)

// poll is called while f waits for a map. It lets an interrupt end the call, but not if the kernel reads the values.
func (f *mapFinder) poll() {
	if f.th != nil {
		f.th.poll()
	}
}

// tryAll is like findAll, but returns an error instead of panicking if one of the maps is in use for too long.
func (f *mapFinder) tryAll(values []any) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case runtimeError:
			err = r
		default:
			panic(r)
		}
	}()
	f.findAll(values)
	return nil
}

// findAll registers the maps in each of values.
func (f *mapFinder) findAll(values []any) {
	for _, v := range values {
		f.find(reflect.ValueOf(v), 0)
	}
}

// find registers the maps in v. depth is the number of values that contain v.
func (f *mapFinder) find(v reflect.Value, depth int) {
	if !v.IsValid() || f.values > maxSearched || depth > maxSearchDepth {
		return
	}
	// No package calls methods of a value from an unexported field; for such a value, v.CanInterface returns false.
	if t := v.Type(); !holdsMaps(t) || v.CanInterface() && f.callsMethodOf(t) {
		return
	}
	f.values++
	switch v.Kind() {
	case reflect.Interface:
		f.find(v.Elem(), depth)
	case reflect.Pointer:
		f.findAtPointer(v, depth)
	case reflect.Map:
		f.findInMap(v, depth)
	case reflect.Slice, reflect.Array:
		if holdsMaps(v.Type().Elem()) {
			for i := range v.Len() {
				f.find(v.Index(i), depth+1)
			}
		}
	case reflect.Struct:
		if inner, ok := reflectedValue(v); ok {
			f.find(inner, depth)
			return
		}
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if f.fields == allFields || f.fields == exportedFields && (field.IsExported() || field.Anonymous) {
				f.find(v.Field(i), depth+1)
			}
		}
	}
}

// findAtPointer registers the maps in the value to which v, a pointer, points.
func (f *mapFinder) findAtPointer(v reflect.Value, depth int) {
	to := target{v.UnsafePointer(), v.Type()}
	if v.IsNil() || depth > 0 && !f.pointers || f.seen[to] {
		return
	}
	if f.seen == nil {
		f.seen = map[target]bool{}
	}
	f.seen[to] = true
	if v.Type() == mapIterType {
		f.find(*(*reflect.Value)(v.UnsafePointer()), depth) // the first field of a MapIter is the map
		return
	}
	f.find(v.Elem(), depth+1)
}

// findInMap registers the map v and the maps in its elements.
func (f *mapFinder) findInMap(v reflect.Value, depth int) {
	m := v.UnsafePointer()
	if m == nil || f.use.maps[m] {
		return
	}
	f.s.packageMaps.register(m, &f.use, f.poll)
	if holdsMaps(v.Type().Elem()) {
		for entries := v.MapRange(); entries.Next(); {
			f.find(entries.Value(), depth+1)
		}
	}
}

var (
	anyType     = reflect.TypeFor[any]()
	anyListType = reflect.TypeFor[[]any]()
	valueType   = reflect.TypeFor[reflect.Value]()
	mapIterType = reflect.TypeFor[*reflect.MapIter]()
)

// reflectedValue returns the reflect.Value that v holds. ok is false if v holds a value of another type, or was read
// from an unexported field.
func reflectedValue(v reflect.Value) (inner reflect.Value, ok bool) {
	if v.Type() != valueType || !v.CanInterface() {
		return inner, false
	}
	return v.Interface().(reflect.Value), true
}

var holdsMapsCache sync.Map // from reflect.Type to bool

// holdsMaps reports whether values of type t can hold maps.
func holdsMaps(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Map, reflect.Slice, reflect.Array, reflect.Pointer, reflect.Struct:
	default:
		return false
	}
	if known, ok := holdsMapsCache.Load(t); ok {
		return known.(bool)
	}
	holds := partHoldsMaps(t, nil)
	holdsMapsCache.Store(t, holds)
	return holds
}

// partHoldsMaps reports whether values of type t, which is a part of each type in above, can hold maps.
func partHoldsMaps(t reflect.Type, above []reflect.Type) bool {
	if slices.Contains(above, t) { // an outer call examines t
		return false
	}
	above = append(above, t)
	switch t.Kind() {
	case reflect.Interface, reflect.Map:
		return true
	case reflect.Slice, reflect.Array, reflect.Pointer:
		return t == mapIterType || partHoldsMaps(t.Elem(), above)
	case reflect.Struct:
		for f := range t.Fields() {
			if partHoldsMaps(f.Type, above) {
				return true
			}
		}
		return t == valueType
	}
	return false
}
