package celltype

import (
	"go/types"
	"reflect"
)

// A typeRecord describes a named type, or an unnamed struct type, of a cell.
type typeRecord struct {
	named   *types.Named    // nil for an unnamed struct
	unnamed *types.Struct   // the unnamed struct; nil for a named type
	known   int             // number of methods of named when it was last examined
	inner   reflect.Type    // the inner type, if the type is recursive and not a struct
	typ     reflect.Type    // the newest version of the outer type
	made    int             // the generation in which typ was made
	gen     int             // the last generation in which typ was found up to date
	changed int             // the generation that began when the type last got methods
	pointer descriptorBlock // the descriptor of *T
	methods map[string]*method
	bodies  map[string]reflect.Value // of declared methods: func(*T, arguments)
}

// declared returns the type that the record describes.
func (e *typeRecord) declared() types.Type {
	if e.named == nil {
		return e.unnamed
	}
	return e.named
}

// recordOf returns the record of a named type, and makes it if necessary. The checker makes a new *types.Named for the
// same type at each check of a cell and for each instance of a generic type, and later cells add methods only to some
// of these. The record keeps the one with the most methods.
func (tb *Table) recordOf(t *types.Named) *typeRecord {
	key := tb.keyOf(t, true)
	e := tb.namedRecords[key]
	if e == nil {
		e = &typeRecord{named: t, known: t.NumMethods(), methods: map[string]*method{}}
		tb.namedRecords[key] = e
	}
	if n := t.NumMethods(); n > e.known {
		e.named, e.known = t, n
		tb.gen++ // outer types that refer to this one are made again, with the new methods
		e.changed = tb.gen
	}
	return e
}

// Named returns the type of v if it is a named type that a cell declares. If v is a pointer to such a type, Named
// returns that type, and pointer is true. For values of other types it returns nil.
func (tb *Table) Named(v any) (t *types.Named, pointer bool) {
	if e, pointer := tb.recordOfValue(v); e != nil {
		return e.named, pointer
	}
	return nil, false
}

// UnnamedStruct is like Named for unnamed structs that have an unexported or embedded field. It returns nil for other
// structs, which reflect can make.
func (tb *Table) UnnamedStruct(v any) (t *types.Struct, pointer bool) {
	if e, pointer := tb.recordOfValue(v); e != nil {
		return e.unnamed, pointer
	}
	return nil, false
}

// recordOfValue returns the record of the type of v, or of the type that v points to, or nil.
func (tb *Table) recordOfValue(v any) (e *typeRecord, pointer bool) {
	r := reflect.TypeOf(v)
	if r == nil {
		return nil, false
	}
	tb.mu.Lock()
	defer tb.mu.Unlock()
	if r.Kind() == reflect.Pointer && r.Name() == "" {
		if e := tb.recordsByType[r.Elem()]; e != nil {
			return e, true
		}
	}
	return tb.recordsByType[r], false
}
