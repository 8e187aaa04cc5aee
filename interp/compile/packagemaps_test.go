package compile

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// mapsFound returns the maps that the search finds in v.
func mapsFound(search *mapSearch, v any) []unsafe.Pointer {
	f := &mapFinder{mapSearch: search, s: new(Session)}
	f.find(reflect.ValueOf(v), 0)
	return slices.Collect(maps.Keys(f.use.maps))
}

// same reports whether got and want have the same maps, in any order.
func same(got, want []unsafe.Pointer) bool {
	compare := func(a, b unsafe.Pointer) int { return cmp.Compare(uintptr(a), uintptr(b)) }
	slices.SortFunc(got, compare)
	slices.SortFunc(want, compare)
	return slices.Equal(got, want)
}

type stringer map[int]int

func (stringer) String() string { return "" }

type unmarshaler map[int]int

func (unmarshaler) UnmarshalJSON([]byte) error { return nil }

func TestMapFinder(t *testing.T) {
	m, inner := map[string]any{}, map[int]int{}
	m["inner"] = inner
	mapOf := func(v any) unsafe.Pointer { return reflect.ValueOf(v).UnsafePointer() }
	text, parsed := stringer{1: 1}, unmarshaler{1: 1}
	type holder struct {
		Exported any
		hidden   any
	}
	type embedded struct{ M map[int]int }
	type embedding struct{ embedded }
	printed := packageSearches["fmt"]
	encoded := packageSearches["encoding/json"]
	compared := &mapSearch{fields: allFields, pointers: true}
	for name, c := range map[string]struct {
		search *mapSearch
		v      any
		want   []unsafe.Pointer
	}{
		"none":                      {printed, []any{1, "a", nil, 2.5}, nil},
		"a nil map":                 {printed, map[int]int(nil), nil},
		"a map in a map":            {printed, m, []unsafe.Pointer{mapOf(m), mapOf(inner)}},
		"a map twice":               {printed, []any{inner, inner}, []unsafe.Pointer{mapOf(inner)}},
		"fields that are printed":   {printed, &holder{inner, m}, []unsafe.Pointer{mapOf(inner), mapOf(m)}},
		"fields that are encoded":   {encoded, holder{inner, m}, []unsafe.Pointer{mapOf(inner)}},
		"an embedded struct":        {encoded, embedding{embedded{inner}}, []unsafe.Pointer{mapOf(inner)}},
		"a template's data":         {packageSearches["text/template"], holder{inner, m}, nil},
		"a pointer that is printed": {printed, []any{&inner}, nil},
		"a pointer that is encoded": {encoded, []any{&inner}, []unsafe.Pointer{mapOf(inner)}},
		"a Stringer":                {printed, text, nil},
		"a Stringer in a field":     {printed, holder{text, nil}, nil},
		"a Stringer that is hidden": {printed, holder{nil, text}, []unsafe.Pointer{mapOf(text)}},
		"an encoded Stringer":       {encoded, text, []unsafe.Pointer{mapOf(text)}},
		"a template's Stringer":     {packageSearches["text/template"], text, []unsafe.Pointer{mapOf(text)}},
		"an Unmarshaler":            {encoded, parsed, []unsafe.Pointer{mapOf(parsed)}},
		"a decoded Unmarshaler":     {decodingSearches["encoding/json"], &parsed, nil},
		"a reflect.Value":           {printed, reflect.ValueOf(inner), []unsafe.Pointer{mapOf(inner)}},
		"an iterator":               {&mapSearch{receiver: true}, reflect.ValueOf(inner).MapRange(), []unsafe.Pointer{mapOf(inner)}},
		"a header":                  {&mapSearch{receiver: true}, http.Header(nil), nil},
	} {
		if got := mapsFound(c.search, c.v); !same(got, c.want) {
			t.Errorf("%s: found %v, want %v", name, got, c.want)
		}
	}
	f := &mapFinder{mapSearch: printed, s: new(Session)}
	if f.findAll([]any{1, &holder{inner, m}, &inner}); len(f.use.maps) != 2 {
		t.Errorf("in several arguments: found %v", f.use.maps)
	}
	if got := mapsFound(compared, text); len(got) != 1 {
		t.Errorf("compared, a Stringer: found %v", got)
	}
	type loop struct {
		next *loop
		m    map[int]int
	}
	l := &loop{m: inner}
	l.next = l
	if got := mapsFound(compared, l); !same(got, []unsafe.Pointer{mapOf(inner)}) {
		t.Errorf("a value that contains itself: found %v", got)
	}
}

// TestPackageMaps tests which uses of a map exclude each other.
func TestPackageMaps(t *testing.T) {
	var p packageMaps
	m := unsafe.Pointer(new(int))
	reader, second, writer := &packageUse{goroutine: 1}, &packageUse{goroutine: 1}, &packageUse{goroutine: 2, writes: true}
	poll := func() {}
	p.register(m, reader, poll)
	p.register(m, second, poll)
	if p.conflicts(m, false) || !p.conflicts(m, true) {
		t.Error("a function reads the map: others may read it, and may not write it")
	}
	p.release(second)
	if !p.conflicts(m, true) {
		t.Error("the map is free after one of two uses")
	}
	p.release(reader)
	if p.conflicts(m, true) || p.active.Load() != 0 {
		t.Error("the map is not free after all uses")
	}
	p.register(m, writer, poll)
	if !p.conflicts(m, false) || p.conflictsLocked(m, &packageUse{goroutine: 2, writes: true}) {
		t.Error("a function writes the map: only its own goroutine may use it")
	}
	defer func() {
		if e, _ := recover().(runtimeError); e != "concurrent map read and map write" {
			t.Errorf("waiting for ever: %q", e)
		}
	}()
	p.register(m, &packageUse{goroutine: 1}, poll)
}

// TestWriteWaits tests the panic of a function that waits too long to write a map.
func TestWriteWaits(t *testing.T) {
	var p packageMaps
	m := unsafe.Pointer(new(int))
	poll := func() {}
	p.register(m, &packageUse{goroutine: 1}, poll)
	defer func() {
		if e, _ := recover().(runtimeError); e != "concurrent map iteration and map write" {
			t.Errorf("waiting for ever: %q", e)
		}
	}()
	p.register(m, &packageUse{goroutine: 2, writes: true}, poll)
}

// packageFunc returns the function or method of a package with the given name, such as fmt.Print or
// (*bytes.Buffer).Write. It has no parameters. The type of a receiver has the underlying type of under.
func packageFunc(name string, under types.Type) *ssa.Function {
	recv, method, isMethod := strings.Cut(strings.TrimPrefix(name, "("), ").")
	full, isPointer := strings.CutPrefix(recv, "*")
	dot := strings.LastIndexByte(full, '.')
	pkg := types.NewPackage(full[:dot], path.Base(full[:dot]))
	if !isMethod {
		sig := types.NewSignatureType(nil, nil, nil, nil, nil, false)
		pkg.Scope().Insert(types.NewFunc(token.NoPos, pkg, full[dot+1:], sig))
	} else {
		obj := types.NewTypeName(token.NoPos, pkg, full[dot+1:], nil)
		named := types.NewNamed(obj, under, nil)
		var t types.Type = named
		if isPointer {
			t = types.NewPointer(named)
		}
		sig := types.NewSignatureType(types.NewVar(token.NoPos, pkg, "", t), nil, nil, nil, nil, false)
		named.AddMethod(types.NewFunc(token.NoPos, pkg, method, sig))
		pkg.Scope().Insert(obj)
	}
	prog := ssa.NewProgram(token.NewFileSet(), 0)
	created := prog.CreatePackage(pkg, nil, nil, true)
	if !isMethod {
		return created.Func(full[dot+1:])
	}
	return prog.FuncValue(pkg.Scope().Lookup(full[dot+1:]).Type().(*types.Named).Method(0))
}

// TestSearches tests which maps the functions of packages use, and whether they write them.
func TestSearches(t *testing.T) {
	structure, header := types.NewStruct(nil, nil), types.NewMap(types.Typ[types.String], types.Typ[types.String])
	const nothing, reads, writes = "nothing", "reads", "writes"
	const readsReceiver, writesReceiver = "reads receiver", "writes receiver"
	for _, c := range []struct {
		names string
		under types.Type // of the receiver
		want  string
	}{
		{"strings.Contains math.Sqrt reflect.ValueOf", nil, nothing},
		{"(reflect.Value).Len (reflect.Value).MapRange (*reflect.MapIter).Key (*bytes.Buffer).Len", structure, nothing},
		{"fmt.Sprint log.Print log/slog.Info reflect.DeepEqual encoding/json.Marshal encoding/xml.Marshal", nil, reads},
		{"(*log.Logger).Print (*encoding/json.Encoder).Encode (*encoding/gob.Encoder).EncodeValue", structure, reads},
		{"(*text/template.Template).Execute (*html/template.Template).ExecuteTemplate", structure, reads},
		{"encoding/json.Unmarshal encoding/xml.Unmarshal encoding/asn1.UnmarshalWithParams", nil, writes},
		{"(*encoding/json.Decoder).Decode (*encoding/xml.Decoder).DecodeElement (*encoding/gob.Decoder).DecodeValue",
			structure, writes},
		{"(*log/slog.Level).UnmarshalText", structure, reads}, // the package has no decoding functions
		{"(reflect.Value).MapKeys (reflect.Value).MapIndex (*reflect.MapIter).Next", structure, readsReceiver},
		{"(reflect.Value).SetMapIndex (reflect.Value).Clear", structure, writesReceiver},
		{"(net/http.Header).Get (net/url.Values).Encode", header, readsReceiver},
		{"(net/http.Header).Set (net/http.Header).Add (net/url.Values).Del", header, writesReceiver},
	} {
		for name := range strings.FieldsSeq(c.names) {
			fn := packageFunc(name, c.under)
			got := nothing
			if search := searchOf(fn); search != nil {
				got = map[bool]string{false: reads, true: writes}[search.writes]
				if search.receiver {
					got += " receiver"
				}
			}
			if got != c.want {
				t.Errorf("%s %s, want %s", name, got, c.want)
			}
			if isChecked(fn) != (got != nothing) && allocations[name] == nil {
				t.Errorf("%s %s, checked %v", name, got, isChecked(fn))
			}
		}
	}
}
