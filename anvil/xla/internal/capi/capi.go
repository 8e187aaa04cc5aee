// Package capi binds the PJRT C API: it has a table of functions, the structs and calls that
// are used, generated from the C header, and methods with Go types. It is the only package
// that uses purego.
//
// Nothing here checks arguments; package xla does. For wrong arguments the C side does not
// return an error either: it aborts the process or reads bits as another type. The pointers
// in an argument struct may be to Go memory, since Go's heap does not move and purego keeps
// the memory that the struct points to alive.
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

// apiHeader is the size of apiHead, in which major is at 32 and minor at 36. Function i of
// PJRT_Api is at apiHeader + 8*i; new versions only append functions.
const apiHeader = 40

// An apiHead is the beginning of PJRT_Api.
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

// destroyError frees a PJRT_Error.
func (t *Table) destroyError(h *ErrorHandle) {
	destroy := ErrorDestroyArgs{StructSize: uint64(unsafe.Sizeof(ErrorDestroyArgs{})), Error: h}
	invoke(t.fn[fnErrorDestroy], unsafe.Pointer(&destroy)) // returns void
}

// takeError returns a copy of a PJRT_Error, the error of f, and destroys it.
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

// goString returns a copy of the n bytes at p.
func goString(p unsafe.Pointer, n uint64) string {
	if p == nil || n == 0 {
		return ""
	}
	return strings.Clone(unsafe.String((*byte)(p), int(n)))
}

// handles returns a copy of the n pointers at p.
func handles[H any](p unsafe.Pointer, n uint64) []*H {
	if n == 0 {
		return nil
	}
	return append([]*H(nil), unsafe.Slice((**H)(p), int(n))...)
}
