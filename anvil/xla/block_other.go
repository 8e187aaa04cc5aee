//go:build !linux

package xla

// newBlock returns n bytes of Go's heap.
func newBlock(n int) []byte { return make([]byte, n) }

// freeBlock does nothing: the garbage collector frees blocks.
func freeBlock([]byte) {}
