//go:build !amd64 && !arm64

package compile

import (
	"reflect"
	"unsafe"
)

// inRegisters returns nil: calls go through reflection.
func inRegisters(reflect.Type) func(fr *frame, f unsafe.Pointer, args, results []place2) { return nil }

// wordsOnly returns nil: calls go through reflection.
func wordsOnly(reflect.Type, unsafe.Pointer, []place2, []place2) func(*frame) { return nil }
