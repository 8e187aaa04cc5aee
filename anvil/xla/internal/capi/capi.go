// Package capi is a binding of the PJRT C API. It contains a table of the plugin's functions, the
// structs and calls that are used, which are generated from the C header, and methods with Go
// types. It is the only package that uses purego.
//
// This package does not check arguments; package xla does. For wrong arguments, plugins do not
// return an error: they abort the process or read bits as another type. The pointers in an
// argument struct may point to Go memory, since Go's heap does not move and purego keeps the
// struct, and so the memory that it points to, alive during the call.
package capi

import (
	"fmt"
	"strings"
	"unsafe"
)

//go:generate go run ./gen

// A Func is the index of a function in C's PJRT_Api.
type Func int

// An Error is an error that a function of the plugin has returned.
type Error struct {
	Func    string // the function's name in C
	Code    int32
	Message string
}

func (e *Error) Error() string { return e.Func + ": " + e.Message }

// An UnsupportedError says that this build cannot load a plugin.
type UnsupportedError struct{ Reason string }

func (e *UnsupportedError) Error() string { return e.Reason }

// A Table has the functions of one plugin.
type Table struct {
	fn           [numFuncs]uintptr // addresses of the functions; 0 if an older plugin lacks the function
	major, minor int
}

// apiHeader is the size of an apiHead in bytes. In PJRT_Api, the pointer to function i is at offset
// apiHeader + 8*i. New versions of PJRT only append functions.
const apiHeader = 40

// An apiHead is the beginning of PJRT_Api, before the functions.
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

// call calls function f, which returns a PJRT_Error*, with a pointer to its argument struct.
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

// takeError returns a copy of a PJRT_Error that f has returned, and frees the PJRT_Error.
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
