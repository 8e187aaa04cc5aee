//go:build ignore

// Package runtime has sources of the generic functions of the standard package runtime. The compiler of cells
// uses them instead of the originals; see stdFiles in package compile.
package runtime

import (
	"runtime"
	"unsafe"
)

// Package compile sets this variable; see stdFunctions.
var addCleanup func(ptr unsafe.Pointer, cleanup func()) runtime.Cleanup

func AddCleanup[T, S any](ptr *T, cleanup func(S), arg S) runtime.Cleanup {
	if p, ok := any(arg).(*T); ok && p == ptr {
		panic("runtime.AddCleanup: ptr is equal to arg, cleanup will never run")
	}
	return addCleanup(unsafe.Pointer(ptr), func() { cleanup(arg) })
}
