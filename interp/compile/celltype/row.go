package celltype

import (
	"fmt"
	"go/types"
	"reflect"
	"unsafe"
)

// A Row is a row of a Table: a type with its two run-time types. Package compile refers to rows by their numbers.
type Row struct {
	Type    types.Type
	Inner   reflect.Type
	outer   reflect.Type   // the version of generation gen
	gen     int            // -1 before the first version
	earlier []reflect.Type // earlier versions of outer
}

// Row returns the number of the row of t.
func (tb *Table) Row(t types.Type) (n int, err error) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	defer tb.rescue(&err)()
	key := tb.keyOf(t, true)
	if n, ok := tb.rowOf[key]; ok {
		return n, nil
	}
	tb.outerOf(t) // fails now rather than when a value is boxed
	tb.rows = append(tb.rows, &Row{Type: t, Inner: tb.innerOf(t), gen: -1})
	tb.rowOf[key] = len(tb.rows) - 1
	return len(tb.rows) - 1, nil
}

// At returns row n.
func (tb *Table) At(n int) *Row {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	return tb.rows[n]
}

// newest returns the current outer type of a row.
func (tb *Table) newest(r *Row) reflect.Type {
	if r.gen != tb.gen {
		t := tb.outerOf(r.Type)
		if r.outer != nil && r.outer != t {
			r.earlier = append(r.earlier, r.outer)
		}
		r.outer, r.gen = t, tb.gen
	}
	return r.outer
}

// Box returns v, a value of row n's inner type, as a value of its outer type.
func (tb *Table) Box(n int, v any) any {
	inner, outer := tb.pair(n)
	return withType(converted(v, inner), outer)
}

// pair returns the inner type and the newest outer type of row n.
func (tb *Table) pair(n int) (inner, outer reflect.Type) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	r := tb.rows[n]
	return r.Inner, tb.newest(r)
}

// Is reports whether v holds a value of row n's type.
func (tb *Table) Is(n int, v any) bool {
	if v == nil {
		return false
	}
	tb.mu.Lock()
	defer tb.mu.Unlock()
	return tb.is(tb.rows[n], reflect.TypeOf(v))
}

// is reports whether t is the outer type of row r or an earlier version of the outer type.
func (tb *Table) is(r *Row, t reflect.Type) bool {
	if tb.newest(r) == t {
		return true
	}
	for _, p := range r.earlier {
		if p == t {
			return true
		}
	}
	return false
}

// converted returns v converted to type t. If v is nil, it returns the zero value of t.
func converted(v any, t reflect.Type) any {
	switch r := reflect.TypeOf(v); {
	case r == t:
		return v
	case r == nil:
		return reflect.Zero(t).Interface()
	case r.ConvertibleTo(t):
		return reflect.ValueOf(v).Convert(t).Interface()
	default:
		panic(fmt.Sprintf("celltype: cannot convert a value of type %v to the inner type %v", r, t))
	}
}

// withType returns v as a value of type t, which must have the memory layout of v's type, without copying the value.
func withType(v any, t reflect.Type) any {
	e := (*eface)(unsafe.Pointer(&v))
	e.typ = unsafe.Pointer(descriptor(t))
	return v
}

// Newest returns the current outer type of row n.
func (tb *Table) Newest(n int) reflect.Type {
	_, outer := tb.pair(n)
	return outer
}
