//go:build ignore

// Package reflect has sources of the generic functions of the standard package reflect. The compiler of cells
// uses them instead of the originals; see stdFiles in package compile.
package reflect

import "reflect"

func TypeFor[T any]() reflect.Type { return reflect.TypeOf((*T)(nil)).Elem() }

func TypeAssert[T any](v reflect.Value) (T, bool) {
	t, ok := v.Interface().(T)
	return t, ok
}
