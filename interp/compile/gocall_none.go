//go:build !amd64 && !arm64

package compile

import (
	"reflect"
	"unsafe"
)

// inRegisters returns nil: on this architecture, calls use reflection.
func inRegisters(reflect.Type) func(fr *frame, f unsafe.Pointer, args, results []*register) {
	return nil
}

// wordsOnly returns nil: on this architecture, calls use reflection.
func wordsOnly(reflect.Type, unsafe.Pointer, []*register, []*register) func(*frame) { return nil }
