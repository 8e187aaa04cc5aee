package xla

import "golang.org/x/sys/unix"

// newBlock returns n bytes outside of Go's heap, in huge pages if the system has them. If mmap fails, it returns
// n bytes of Go's heap.
func newBlock(n int) []byte {
	b, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return make([]byte, n)
	}
	_ = unix.Madvise(b, unix.MADV_HUGEPAGE)
	return b
}

// freeBlock frees a block. For a block in Go's heap, Munmap fails and the garbage collector frees the block.
func freeBlock(b []byte) { _ = unix.Munmap(b) }
