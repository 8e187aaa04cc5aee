// Package capi binds the PJRT C API: it has a table of functions, the structs and calls that are
// used, generated from the C header, and methods with Go types. It is the only package with purego.
//
// Nothing here checks arguments, and the C side aborts the process or reads bits as
// another type instead of returning an error: package xla has the checks. Go's heap
// does not move, and purego keeps alive what an argument struct points to, so its
// pointers may be to Go memory.
package capi

import (
	"fmt"
	"strings"
	"unsafe"
)

//go:generate go run ./gen

// A Func is the index of a function in PJRT_Api.
type Func int

// An Error is an error of the C side.
type Error struct {
	Func    string // C's name of the function
	Code    int32
	Message string
}

func (e *Error) Error() string { return e.Func + ": " + e.Message }

// An UnsupportedError says that this build cannot load a plugin.
type UnsupportedError struct{ Reason string }

func (e *UnsupportedError) Error() string { return e.Reason }

// A Table has the functions of one plugin.
type Table struct {
	fn           [numFuncs]uintptr // 0 if the plugin is older and lacks the function
	major, minor int
}

// PJRT_Api begins with struct_size (0), extension_start (8) and PJRT_Api_Version (16; major
// at 32, minor at 36); function i stands at 40+8*i, and functions are only ever appended.
const apiHeader = 40

type apiHead struct {
	structSize     uint64
	extensionStart unsafe.Pointer
	version        ApiVersion
}

// newTable reads the PJRT_Api at p.
func newTable(p unsafe.Pointer) (*Table, error) {
	if p == nil {
		return nil, fmt.Errorf("GetPjrtApi returned NULL")
	}
	head := (*apiHead)(p)
	if head.structSize < apiHeader+8 || head.structSize > 1<<20 {
		return nil, fmt.Errorf("PJRT_Api has an impossible size, %d", head.structSize)
	}
	t := &Table{major: int(head.version.MajorVersion), minor: int(head.version.MinorVersion)}
	if t.major != Major {
		return nil, fmt.Errorf("the plugin implements PJRT %d.%d, want %d.x", t.major, t.minor, Major)
	}
	n := min(int(head.structSize-apiHeader)/8, numFuncs)
	copy(t.fn[:n], unsafe.Slice((*uintptr)(unsafe.Add(p, apiHeader)), n))
	return t, nil
}

// Version returns the version of the PJRT API that the plugin implements.
func (t *Table) Version() (major, minor int) { return t.major, t.minor }

// call calls a function that returns PJRT_Error*.
func (t *Table) call(f Func, args unsafe.Pointer) error {
	fn := t.fn[f]
	if fn == 0 {
		return &Error{Func: funcNames[f], Code: ErrorCodeUNIMPLEMENTED,
			Message: fmt.Sprintf("the plugin's PJRT API %d.%d has no such function", t.major, t.minor)}
	}
	r := invoke(fn, args)
	if r == 0 {
		return nil
	}
	return t.takeError(f, *(**ErrorHandle)(unsafe.Pointer(&r)))
}

func (t *Table) destroyError(h *ErrorHandle) {
	destroy := ErrorDestroyArgs{StructSize: uint64(unsafe.Sizeof(ErrorDestroyArgs{})), Error: h}
	invoke(t.fn[fnErrorDestroy], unsafe.Pointer(&destroy)) // returns void
}

// takeError copies a PJRT_Error and destroys it.
func (t *Table) takeError(f Func, h *ErrorHandle) error {
	e := &Error{Func: funcNames[f], Code: ErrorCodeUNKNOWN}
	code := ErrorGetCodeArgs{StructSize: uint64(unsafe.Sizeof(ErrorGetCodeArgs{})), Error: h}
	if invoke(t.fn[fnErrorGetCode], unsafe.Pointer(&code)) == 0 {
		e.Code = code.Code
	}
	msg := ErrorMessageArgs{StructSize: uint64(unsafe.Sizeof(ErrorMessageArgs{})), Error: h}
	invoke(t.fn[fnErrorMessage], unsafe.Pointer(&msg)) // returns void
	e.Message = goString(msg.Message, msg.MessageSize)
	t.destroyError(h)
	return e
}

// goString copies n bytes at p.
func goString(p unsafe.Pointer, n uint64) string {
	if p == nil || n == 0 {
		return ""
	}
	return strings.Clone(unsafe.String((*byte)(p), int(n)))
}

// handles copies the n pointers at p.
func handles[H any](p unsafe.Pointer, n uint64) []*H {
	if n == 0 {
		return nil
	}
	return append([]*H(nil), unsafe.Slice((**H)(p), int(n))...)
}
