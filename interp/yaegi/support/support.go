// Package support holds the functions that lowered code calls.
package support

import (
	"math"
	"reflect"

	"github.com/goanvil/notebook/interp/yaegi/celltype"
)

// A Support serves the lowered code of one session.
type Support struct {
	table *celltype.Table

	// Failed is called with what a goroutine of a cell panicked with; nil
	// means that nobody is told.
	Failed func(value any, stack []byte)
}

// New returns the support of the session whose types are in table.
func New(table *celltype.Table) *Support { return &Support{table: table} }

// Symbols returns the functions by the names that lowered code calls them.
func (s *Support) Symbols() map[string]reflect.Value {
	all := map[string]reflect.Value{}
	for name, f := range map[string]any{
		"Any": Any, "Box": s.table.Box, "Bind": s.bind,
		"As": s.as, "MustAs": s.mustAs, "Is": s.is, "Convert": Convert,
		"Equal": s.equal, "IsNil": IsNil,
		"Method": s.method,
		"Go":     s.goroutine, "NewDefers": NewDefers, "Recover": Recover, "Panic": Panic, "Depth": Depth, "NilCheck": NilCheck,
		"Clear": Clear, "Uint64": Uint64, "MinInt64": MinInt64, "ToArray": ToArray, "ToArrayPointer": ToArrayPointer,
		"MinFloat": MinFloat, "MaxFloat": MaxFloat,
		"Runes": Runes, "Untraced": Untraced, "IsTraced": IsTraced, "Count": Count, "CountUnsigned": CountUnsigned,
		"TypeOf": s.typeOf, "ErrorsAs": s.errorsAs, "ErrorsAsAny": ErrorsAsAny,
		"SortOrdered": SortOrdered, "Pull": Pull, "SortPerm": SortPerm, "StableSortPerm": StableSortPerm,
	} {
		all[name] = reflect.ValueOf(f)
	}
	return all
}

// Any returns v: the interpreter converts arguments of compiled functions to
// any right, also where it does not convert in an assignment.
func Any(v any) any { return v }

// IsNil reports whether an interface is nil. One that holds a nil pointer is not.
func IsNil(v any) bool { return v == nil }

// Clear removes the elements of a map, or zeroes those of a slice.
func Clear(v any) {
	if r := reflect.ValueOf(v); r.IsValid() {
		r.Clear()
	}
}

// Uint64 joins the halves of a constant that the interpreter cannot read.
func Uint64(high, low int) uint64 { return uint64(high)<<32 | uint64(low) }

// MinInt64 is the other constant that it cannot read.
func MinInt64() int { return math.MinInt64 }

// MinFloat and MaxFloat are min and max, which treat NaN otherwise than math.Min does.
func MinFloat(x, y float64) float64 { return min(x, y) }
func MaxFloat(x, y float64) float64 { return max(x, y) }

// ToArray stores the elements of slice in the array that p points to.
func ToArray(p, slice any) {
	a := reflect.ValueOf(p).Elem()
	a.Set(reflect.ValueOf(slice).Convert(a.Type()))
}

// ToArrayPointer makes the pointer to an array that p points to lead to the
// elements of slice.
func ToArrayPointer(p, slice any) {
	a := reflect.ValueOf(p).Elem()
	a.Set(reflect.ValueOf(slice).Convert(a.Type()))
}
