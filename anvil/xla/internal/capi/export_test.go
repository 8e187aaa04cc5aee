//go:build linux && amd64 && !nopjrt

package capi

import "unsafe"

// LiveErrors returns the number of errors that s has made and that are not destroyed.
func (s *Standin) LiveErrors() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.errors)
}

// NewError returns a PJRT_Error for err.
func (s *Standin) NewError(err error) unsafe.Pointer { return unsafe.Pointer(s.newError(err)) }

// KeepsHostMemory reports whether KeepHostMemory has succeeded.
func KeepsHostMemory() bool { return libc.keeps }
