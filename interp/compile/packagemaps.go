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
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/anvil/goroutine"
)

// Functions of packages print, encode and compare maps without locking them. Therefore the maps in the arguments of
// such a function are registered before it is called, and functions of cells on other goroutines do not write them
// before it returns. Nor do they read a map that the function writes.

// packageMaps holds the maps that functions of packages use.
type packageMaps struct {
	registered atomic.Int32 // the number of uses
	mu         sync.Mutex
	uses       map[unsafe.Pointer][]packageUse
}

// A packageUse is the use of a map by a function of a package.
type packageUse struct {
	goroutine uintptr // the key of the goroutine that has called the function
	writes    bool
}

// exclude reports whether a function of a package that another goroutine has called uses m, and it or the caller of
// exclude writes.
func (p *packageMaps) exclude(m unsafe.Pointer, writes bool) bool {
	if p.registered.Load() == 0 {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.excludes(m, packageUse{goroutine.Key(), writes})
}

// excludes is exclude for the use u. p.mu is locked.
func (p *packageMaps) excludes(m unsafe.Pointer, u packageUse) bool {
	for _, other := range p.uses[m] {
		if other.goroutine != u.goroutine && (other.writes || u.writes) {
			return true
		}
	}
	return false
}

// register registers the use u of m. It waits until no other goroutine uses m in a way that excludes u.
func (p *packageMaps) register(m unsafe.Pointer, u packageUse, poll func()) {
	var wait mapWait
	for l := lockOf(m); ; wait.sleep(poll, u.writes) {
		if u.writes {
			l.Lock()
		} else {
			l.RLock()
		}
		p.mu.Lock()
		free := !p.excludes(m, u)
		if free {
			if p.uses == nil {
				p.uses = map[unsafe.Pointer][]packageUse{}
			}
			p.uses[m] = append(p.uses[m], u)
			p.registered.Add(1)
		}
		p.mu.Unlock()
		l.unlock(u.writes)
		if free {
			return
		}
	}
}

// release ends the use u of maps.
func (p *packageMaps) release(maps []unsafe.Pointer, u packageUse) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range maps {
		uses := p.uses[m]
		for i, other := range uses {
			if other == u {
				uses[i] = uses[len(uses)-1]
				p.uses[m] = uses[:len(uses)-1]
				break
			}
		}
		if len(p.uses[m]) == 0 {
			delete(p.uses, m)
		}
		p.registered.Add(-1)
	}
}

// A mapWait is the wait for a map that a function of a package uses.
type mapWait struct{ end time.Time }

// maxMapWait is how long a function waits for a map before it panics. The function of a package that uses the map
// may itself wait for this function.
const maxMapWait = time.Second

// sleep waits for a short time. It panics if the wait has become too long.
func (w *mapWait) sleep(poll func(), writes bool) {
	switch now := time.Now(); {
	case w.end.IsZero():
		w.end = now.Add(maxMapWait)
	case now.After(w.end) && writes:
		panic(runtimeError("concurrent map iteration and map write"))
	case now.After(w.end):
		panic(runtimeError("concurrent map read and map write"))
	}
	poll()
	time.Sleep(20 * time.Microsecond)
}

// A mapSearch finds the maps that a function of a package uses.
type mapSearch struct {
	receiver bool // only the receiver, if it is a map or a reflect.Value or MapIter of one
	fields   fieldChoice
	pointers bool // also behind pointers that are within other values
	methods  bool // also in values that have a method for their text or encoding
	writes   bool // the function writes the maps
}

// A fieldChoice says in which fields of structs a mapSearch looks.
type fieldChoice int

const (
	noFields fieldChoice = iota
	exportedFields
	allFields
)

// shownMaps finds the maps that are printed with a value.
var shownMaps = &mapSearch{fields: allFields}

// packageSearches has the searches for functions of packages that use the maps in their arguments, by path.
var packageSearches = map[string]*mapSearch{
	"encoding/asn1":                       {fields: exportedFields, pointers: true},
	"encoding/gob":                        {fields: exportedFields, pointers: true},
	"encoding/json":                       {fields: exportedFields, pointers: true},
	"encoding/xml":                        {fields: exportedFields, pointers: true},
	"fmt":                                 shownMaps,
	"html/template":                       {},
	"log":                                 shownMaps,
	"log/slog":                            shownMaps,
	"text/template":                       {},
	"github.com/goanvil/notebook/display": shownMaps,
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
			case "MapKeys", "MapIndex", "IsZero", "Equal":
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
		return &mapSearch{fields: allFields, pointers: true, methods: true}
	}
	search := packageSearches[path]
	if search == nil || !strings.HasPrefix(path, "encoding/") {
		return search
	}
	if strings.HasPrefix(name, "Unmarshal") || strings.HasPrefix(name, "Decode") {
		decodes := *search
		decodes.writes = true
		return &decodes
	}
	return search
}

// withPackageMaps returns call, a call of the function fn of a package, during which the maps that fn uses are
// registered.
func (b *builder) withPackageMaps(fn *ssa.Function, call caller) caller {
	search := searchOf(fn)
	if search == nil {
		return call
	}
	t := b.signatureType(fn)
	var searched []int // the indices of the arguments in which there can be maps
	for i := range t.NumIn() {
		isReceiver := i == 0 && fn.Signature.Recv() != nil
		if isReceiver == search.receiver && (isReceiver || mapTypeOf(t.In(i)).holds) {
			searched = append(searched, i)
		}
		if isReceiver && search.receiver {
			break
		}
	}
	if len(searched) == 0 {
		return call
	}
	s := b.s
	return func(fr *frame, args, results []*register) {
		mayFind := false
		for _, i := range searched {
			mayFind = mayFind || search.mayFindIn(t.In(i), unsafe.Add(unsafe.Pointer(fr), args[i].off))
		}
		if !mayFind {
			call(fr, args, results)
			return
		}
		f := &mapFinder{mapSearch: search, s: s, th: fr.th, use: packageUse{goroutine.Key(), search.writes}}
		defer f.release()
		for _, i := range searched {
			arg := unsafe.Add(unsafe.Pointer(fr), args[i].off)
			if t.In(i) == anyListType {
				f.findAll(*(*[]any)(arg))
			} else {
				f.find(reflect.NewAt(t.In(i), arg).Elem(), 0)
			}
		}
		call(fr, args, results)
	}
}

// mayFindIn reports whether there may be maps in the argument of type t at arg. It is a quick answer for what is mostly
// printed and encoded, numbers and texts.
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
	known := mapTypeOf(reflect.TypeOf(v))
	return known.holds && (search.methods || !known.hasText)
}

// WithMaps calls f, which reads or prints values, while functions of cells do not write the maps in them. It returns an
// error, without calling f, if a function of a package writes one of the maps for long.
func (s *Session) WithMaps(values []any, f func()) (err error) {
	finder := &mapFinder{mapSearch: shownMaps, s: s, use: packageUse{goroutine: goroutine.Key()}}
	if _, owned := s.owned.Load(finder.use.goroutine); !owned {
		s.maps.add() // from now on functions of cells look for registered maps
		defer s.maps.remove()
	}
	defer finder.release()
	if err := finder.tryAll(values); err != nil {
		return err
	}
	f()
	return nil
}

// tryAll is findAll, but it returns an error if one of the maps is in use for too long.
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

// A mapFinder finds maps in values and registers them.
type mapFinder struct {
	*mapSearch
	s   *Session
	th  *thread // the thread that calls the function, or nil if the kernel reads values
	use packageUse

	maps   []unsafe.Pointer        // those that are registered
	seen   map[unsafe.Pointer]bool // the pointers that were followed
	values int
}

// Limits on the number and the nesting of the values that a mapFinder looks at: a slice may contain itself.
const (
	maxSearched    = 1 << 20
	maxSearchDepth = 1000
)

// poll looks for an interrupt while f waits for a map. The kernel's own reading is not interrupted.
func (f *mapFinder) poll() {
	if f.th != nil {
		f.th.poll()
	}
}

// release ends the uses that f has registered.
func (f *mapFinder) release() {
	if len(f.maps) > 0 {
		f.s.packageMaps.release(f.maps, f.use)
	}
}

// findAll registers the maps in each of values.
func (f *mapFinder) findAll(values []any) {
	for _, v := range values {
		f.find(reflect.ValueOf(v), 0)
	}
}

// find registers the maps in v. depth is the number of values that v is in.
func (f *mapFinder) find(v reflect.Value, depth int) {
	if !v.IsValid() || f.values > maxSearched || depth > maxSearchDepth {
		return
	}
	known := mapTypeOf(v.Type())
	if !known.holds || known.hasText && !f.methods {
		return
	}
	f.values++
	switch v.Kind() {
	case reflect.Interface:
		f.find(v.Elem(), depth)
	case reflect.Pointer:
		f.findBehind(v, depth)
	case reflect.Map:
		f.findInMap(v, depth)
	case reflect.Slice, reflect.Array:
		if mapTypeOf(v.Type().Elem()).holds {
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
			if f.fields == allFields || f.fields == exportedFields && v.Type().Field(i).IsExported() {
				f.find(v.Field(i), depth+1)
			}
		}
	}
}

// findBehind registers the maps behind the pointer v.
func (f *mapFinder) findBehind(v reflect.Value, depth int) {
	p := v.UnsafePointer()
	if p == nil || depth > 0 && !f.pointers || f.seen[p] {
		return
	}
	if v.Type() == mapIterType {
		f.find(*(*reflect.Value)(p), depth) // the first field of a MapIter is the map
		return
	}
	if f.seen == nil {
		f.seen = map[unsafe.Pointer]bool{}
	}
	f.seen[p] = true
	f.find(v.Elem(), depth+1)
}

// findInMap registers the map v and those in it.
func (f *mapFinder) findInMap(v reflect.Value, depth int) {
	m := v.UnsafePointer()
	if m == nil || slices.Contains(f.maps, m) {
		return
	}
	f.s.packageMaps.register(m, f.use, f.poll)
	f.maps = append(f.maps, m)
	if mapTypeOf(v.Type().Elem()).holds {
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

// reflectedValue returns the value that v, a reflect.Value in a reflect.Value, represents.
func reflectedValue(v reflect.Value) (inner reflect.Value, ok bool) {
	if v.Type() != valueType || !v.CanInterface() {
		return inner, false
	}
	return v.Interface().(reflect.Value), true
}

// A mapType says what is known of a type.
type mapType struct {
	holds   bool // values of the type can hold maps
	hasText bool // the type has a method for its text or encoding, which packages call instead of reading the value
}

var mapTypes sync.Map // from reflect.Type to mapType

// mapTypeOf returns the mapType of t.
func mapTypeOf(t reflect.Type) mapType {
	switch t.Kind() {
	case reflect.Interface:
		return mapType{holds: true}
	case reflect.Map, reflect.Slice, reflect.Array, reflect.Pointer, reflect.Struct:
	default:
		return mapType{}
	}
	if known, ok := mapTypes.Load(t); ok {
		return known.(mapType)
	}
	known := mapType{
		holds:   holdsMaps(t, nil),
		hasText: t != valueType && slices.ContainsFunc(textTypes, t.Implements), // packages look into a reflect.Value
	}
	mapTypes.Store(t, known)
	return known
}

// holdsMaps reports whether values of type t, which is a part of the types above, can hold maps.
func holdsMaps(t reflect.Type, above []reflect.Type) bool {
	if slices.Contains(above, t) { // t is being examined already
		return false
	}
	above = append(above, t)
	switch t.Kind() {
	case reflect.Interface, reflect.Map:
		return true
	case reflect.Slice, reflect.Array, reflect.Pointer:
		return t == mapIterType || holdsMaps(t.Elem(), above)
	case reflect.Struct:
		for f := range t.Fields() {
			if holdsMaps(f.Type, above) {
				return true
			}
		}
		return t == valueType
	}
	return false
}

// textTypes are the interfaces of values that have a text or an encoding of their own.
var textTypes = []reflect.Type{
	reflect.TypeFor[error](), reflect.TypeFor[fmt.Stringer](), reflect.TypeFor[fmt.Formatter](),
	reflect.TypeFor[json.Marshaler](), reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[encoding.TextMarshaler](),
	reflect.TypeFor[xml.Marshaler](), reflect.TypeFor[gob.GobEncoder](), reflect.TypeFor[gob.GobDecoder](),
	reflect.TypeFor[slog.LogValuer](),
}
