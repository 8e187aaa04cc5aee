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

// invoke calls a C function that takes one pointer. SyscallN is marked uintptrescapes:
// args is on the heap and alive until the call returns.
func invoke(fn uintptr, args unsafe.Pointer) uintptr {
	r, _, _ := purego.SyscallN(fn, uintptr(args))
	return r
}

// Open loads the shared library at path and returns its table. A library is
// never unloaded: its threads could not be stopped.
func Open(path string) (*Table, error) {
	if err := quiet(); err != nil {
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

// quiet keeps XLA's log off the standard error stream: failures are returned as errors too. Fatal
// messages are printed at any level. The library reads the variable when it is loaded, and
// runtime/cgo (or purego's stand-in for it) passes Go's environment to libc.
func quiet() error {
	if _, set := os.LookupEnv("TF_CPP_MIN_LOG_LEVEL"); set {
		return nil
	}
	return os.Setenv("TF_CPP_MIN_LOG_LEVEL", "3")
}
