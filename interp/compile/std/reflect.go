//go:build ignore

// Package reflect stands for the generic functions of the standard package reflect. Their instances are
// compiled like functions of cells.
package reflect

import "reflect"

func TypeFor[T any]() reflect.Type { return reflect.TypeOf((*T)(nil)).Elem() }

func TypeAssert[T any](v reflect.Value) (T, bool) {
	t, ok := v.Interface().(T)
	return t, ok
}
