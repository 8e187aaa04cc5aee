//go:build !amd64 && !arm64

package compile

import (
	"reflect"
	"unsafe"
)

// inRegisters returns nil: calls go through reflection.
func inRegisters(reflect.Type) func(fr *frame, f unsafe.Pointer, args, results []*register) {
	return nil
}

// wordsOnly returns nil: calls go through reflection.
func wordsOnly(reflect.Type, unsafe.Pointer, []*register, []*register) func(*frame) { return nil }
