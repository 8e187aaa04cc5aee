//go:build linux && amd64 && !nopjrt

package capi

import (
	"fmt"
	"os"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Supported reports whether this build can load plugins.
const Supported = true

// invoke calls a C function that takes one pointer. SyscallN is marked uintptrescapes, so
// args is on the heap and stays alive until the call returns.
func invoke(fn uintptr, args unsafe.Pointer) uintptr {
	r, _, _ := purego.SyscallN(fn, uintptr(args))
	return r
}

// Open loads the shared library at path and returns its table. A library is never
// unloaded, since its threads cannot be stopped.
func Open(path string) (*Table, error) {
	if err := silenceLog(); err != nil {
		return nil, err
	}
	lib, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	get, err := purego.Dlsym(lib, "GetPjrtApi")
	if err != nil {
		return nil, fmt.Errorf("not a PJRT plugin: %w", err)
	}
	r, _, _ := purego.SyscallN(get)
	return newTable(*(*unsafe.Pointer)(unsafe.Pointer(&r)))
}

// silenceLog sets the environment variable that keeps XLA's log, except fatal messages, off the
// standard error stream, unless the variable is set already. Failures are also returned as errors.
// The library reads the variable from libc's environment when it is loaded; os.Setenv also changes
// that environment, by way of runtime/cgo or purego's replacement of it.
func silenceLog() error {
	if _, set := os.LookupEnv("TF_CPP_MIN_LOG_LEVEL"); set {
		return nil
	}
	return os.Setenv("TF_CPP_MIN_LOG_LEVEL", "3")
}
