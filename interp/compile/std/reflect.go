//go:build ignore

// Package reflect has generic functions of the standard package. Their instances are compiled like functions of
// cells.
package reflect

import "reflect"

func TypeFor[T any]() reflect.Type { return reflect.TypeOf((*T)(nil)).Elem() }

func TypeAssert[T any](v reflect.Value) (T, bool) {
	t, ok := v.Interface().(T)
	return t, ok
}
