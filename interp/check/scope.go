package check

import (
	"go/types"
	"reflect"
	"unsafe"
)

// DropScopes empties the scopes of pkg, in which nothing is looked up any more: go/types keeps them, and with them
// all that the cell has declared and mentioned, for as long as any type of the cell lives, and cannot release them.
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

var scopeFields = func() (fields []reflect.StructField) {
	for _, name := range []string{"elems", "children"} {
		if f, ok := reflect.TypeFor[types.Scope]().FieldByName(name); ok {
			fields = append(fields, f)
		}
	}
	return fields
}()
