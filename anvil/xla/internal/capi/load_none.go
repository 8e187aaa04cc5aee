//go:build !linux || !amd64 || nopjrt

package capi

import (
	"runtime"
	"unsafe"
)

// Supported reports whether this build can load plugins.
const Supported = false

// invoke is never called, since Open returns no table.
func invoke(uintptr, unsafe.Pointer) uintptr { return 0 }

// Open returns an *UnsupportedError.
func Open(string) (*Table, error) {
	return nil, &UnsupportedError{Reason: "this build for " + runtime.GOOS + "/" + runtime.GOARCH +
		" cannot load XLA plugins; plugins need linux/amd64 with glibc and a build without the tag nopjrt"}
}
