//go:build ignore

// Package runtime stands for the generic functions of the standard package runtime. Their instances are
// compiled like functions of cells.
package runtime

import (
	"runtime"
	"unsafe"
)

// The compiler sets this from stdFunctions.
var addCleanup func(ptr unsafe.Pointer, cleanup func()) runtime.Cleanup

func AddCleanup[T, S any](ptr *T, cleanup func(S), arg S) runtime.Cleanup {
	if p, ok := any(arg).(*T); ok && p == ptr {
		panic("runtime.AddCleanup: ptr is equal to arg, cleanup will never run")
	}
	return addCleanup(unsafe.Pointer(ptr), func() { cleanup(arg) })
}
