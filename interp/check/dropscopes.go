package check

import (
	"go/types"
	"reflect"
	"unsafe"
)

// DropScopes empties the scopes of pkg, the package of a cell. Nothing must be looked up in them afterwards. Otherwise
// any type of the cell that is still in use would keep the scopes alive, and with them everything that the cell
// declares and mentions.
func DropScopes(pkg *types.Package) { dropScope(pkg.Scope()) }

// dropScope empties s and the scopes inside it.
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
