package check

import (
	"go/types"
	"reflect"
	"unsafe"
)

// DropScopes empties the scopes of pkg, in which nothing must be looked up afterwards. go/types keeps the scopes,
// and with them everything that the cell declares and mentions, as long as a type of the cell is in use.
func DropScopes(pkg *types.Package) { dropScope(pkg.Scope()) }

// dropScope empties the fields of s that refer to what it declares and contains.
func dropScope(s *types.Scope) {
	for inner := range s.Children() {
		dropScope(inner)
	}
	for _, f := range scopeFields {
		reflect.NewAt(f.Type, unsafe.Add(unsafe.Pointer(s), f.Offset)).Elem().SetZero()
	}
}

// scopeFields are the unexported fields of types.Scope that refer to objects and inner scopes.
var scopeFields = func() (fields []reflect.StructField) {
	for _, name := range []string{"elems", "children"} {
		if f, ok := reflect.TypeFor[types.Scope]().FieldByName(name); ok {
			fields = append(fields, f)
		}
	}
	return fields
}()
