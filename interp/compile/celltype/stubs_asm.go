//go:build amd64 || arm64

package celltype

import "unsafe"

//go:generate go run gen_stubs.go

// stubBase returns the address of stub 0.
func stubBase() unsafe.Pointer

// stubs is the table of stubs; it is never called as a function itself.
func stubs()

var _ = stubs // only assembly refers to it

// stubAddress returns the address of the code of stub i.
func stubAddress(i int) unsafe.Pointer {
	return unsafe.Add(stubBase(), i*stubSize)
}
