//go:build amd64 || arm64 || wasm

package goroutine

import "unsafe"

// key returns the address of the runtime's record of the goroutine. Go's calling convention keeps this
// address in a register or in a thread-local variable (https://go.dev/s/regabi).
func key() uintptr

// stackUsed reads the end of the stack from the runtime's record of the goroutine, which
// begins with the lowest and the highest address of the stack (runtime2.go, type g).
func stackUsed() uintptr {
	var here byte
	g := key()
	return (*(**[2]uintptr)(unsafe.Pointer(&g)))[1] - uintptr(unsafe.Pointer(&here))
}
