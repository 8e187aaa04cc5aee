//go:build ignore

// Package sync has sources of the generic functions of the standard package sync. The compiler of cells
// uses them instead of the originals; see stdFiles in package compile.
package sync

import "sync"

func OnceValue[T any](f func() T) func() T {
	var result T
	once := sync.OnceFunc(func() { result = f() })
	return func() T {
		once()
		return result
	}
}

func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	var r1 T1
	var r2 T2
	once := sync.OnceFunc(func() { r1, r2 = f() })
	return func() (T1, T2) {
		once()
		return r1, r2
	}
}
