//go:build linux && amd64 && !nopjrt

package capi

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// A Standin is a PJRT_Api made in Go. Its functions are those of another plugin, the base, except
// the functions that Override replaces. It is never freed, since C callbacks made by purego cannot
// be freed.
type Standin struct {
	base *Table
	api  []uint64

	mu     sync.Mutex
	errors map[*ErrorHandle]*Error // made by newError and not destroyed yet
}

// NewStandin returns a Standin with the functions of base, except those that take a PJRT_Error: see
// overrideErrors.
func NewStandin(base *Table) *Standin {
	s := &Standin{base: base, api: make([]uint64, apiHeader/8+numFuncs), errors: map[*ErrorHandle]*Error{}}
	head := (*apiHead)(unsafe.Pointer(&s.api[0]))
	head.structSize = uint64(8 * len(s.api))
	head.version.MajorVersion, head.version.MinorVersion = Major, Minor
	for i, fn := range base.fn {
		s.api[apiHeader/8+i] = uint64(fn)
	}
	s.overrideErrors()
	return s
}

// Base returns the functions of the base.
func (s *Standin) Base() *Table { return s.base }

// Open reads the table, as if a library had returned it.
func (s *Standin) Open() (*Table, error) { return newTable(unsafe.Pointer(&s.api[0])) }

// Override replaces the function with the given name in C by f. A must be the argument struct of the
// function. f can call the replaced function with forward.
func Override[A any](s *Standin, function string, f func(a *A, forward func() error) error) {
	i := slices.Index(funcNames[:], function)
	if i < 0 {
		panic(fmt.Sprintf("capi.Override(%s): no such function", function))
	}
	s.set(Func(i), purego.NewCallback(func(a *A) uintptr {
		err := f(a, func() error { return s.base.call(Func(i), unsafe.Pointer(a)) })
		return uintptr(unsafe.Pointer(s.newError(err)))
	}))
}

// set makes callback the function f of the table.
func (s *Standin) set(f Func, callback uintptr) { s.api[apiHeader/8+int(f)] = uint64(callback) }

// newError returns a PJRT_Error for err, or nil if err is nil. The functions that overrideErrors
// installs handle it.
func (s *Standin) newError(err error) *ErrorHandle {
	if err == nil {
		return nil
	}
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{Code: ErrorCodeINTERNAL, Message: err.Error()}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := new(ErrorHandle)
	s.errors[h] = e
	return h
}

// find returns the error for which newError made h, or nil if h is an error of the base.
func (s *Standin) find(h *ErrorHandle) *Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.errors[h]
}

// overrideErrors replaces the functions that take a PJRT_Error by functions that handle the errors
// made by newError, and that pass errors of the base on to the base.
func (s *Standin) overrideErrors() {
	s.set(fnErrorGetCode, purego.NewCallback(func(a *ErrorGetCodeArgs) uintptr {
		e := s.find(a.Error)
		if e == nil {
			return invoke(s.base.fn[fnErrorGetCode], unsafe.Pointer(a))
		}
		a.Code = e.Code
		return 0
	}))
	s.set(fnErrorMessage, purego.NewCallback(func(a *ErrorMessageArgs) uintptr {
		e := s.find(a.Error)
		if e == nil {
			return invoke(s.base.fn[fnErrorMessage], unsafe.Pointer(a))
		}
		SetString(&a.Message, &a.MessageSize, e.Message)
		return 0
	}))
	s.set(fnErrorDestroy, purego.NewCallback(func(a *ErrorDestroyArgs) uintptr {
		if s.find(a.Error) == nil {
			return invoke(s.base.fn[fnErrorDestroy], unsafe.Pointer(a))
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.errors, a.Error)
		return 0
	}))
}

// SetString stores the address of text in p and its length in n, fields of an argument struct. The
// caller must keep text alive as long as C uses it.
func SetString(p *unsafe.Pointer, n *uint64, text string) {
	*p, *n = unsafe.Pointer(unsafe.StringData(text)), uint64(len(text))
}

// SetOptions replaces the options with which a client will be made.
func (a *ClientCreateArgs) SetOptions(options []NamedValue) {
	a.CreateOptions, a.NumOptions = unsafe.SliceData(options), uint64(len(options))
}

// Options returns the options with which a client will be made, by name.
func (a *ClientCreateArgs) Options() map[string]any {
	return namedValues(a.CreateOptions, a.NumOptions)
}

// Int64Option returns an option with an integer value.
func Int64Option(name string, v int64) NamedValue {
	var o NamedValue
	_ = o.set(Option{name, v}, nil) // an int64 needs no pinning
	return o
}

// Arguments returns the arguments of a launch on one device.
func (a *LoadedExecutableExecuteArgs) Arguments() []*Buffer {
	list := *(**unsafe.Pointer)(a.ArgumentLists)
	return unsafe.Slice((**Buffer)(unsafe.Pointer(list)), int(a.NumArgs))
}

// Done returns the event of a launch on one device, or nil.
func (a *LoadedExecutableExecuteArgs) Done() *Event {
	if a.DeviceCompleteEvents == nil {
		return nil
	}
	return *(**Event)(a.DeviceCompleteEvents)
}

// Results returns the first n results of a launch on one device.
func (a *LoadedExecutableExecuteArgs) Results(n int) []*Buffer {
	list := *(**unsafe.Pointer)(a.OutputLists)
	return unsafe.Slice((**Buffer)(unsafe.Pointer(list)), n)
}
