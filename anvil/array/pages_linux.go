package array

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePages asks the system to use huge pages for the part of data that whole huge pages
// cover.
func hugePages(data []byte) {
	const page = 2 << 20
	start := uintptr(unsafe.Pointer(unsafe.SliceData(data)))
	from := -start & (page - 1) // the index of the first byte at a multiple of page
	n := (uintptr(len(data)) - from) &^ (page - 1)
	_ = unix.Madvise(data[from:from+n], unix.MADV_HUGEPAGE) // on failure the pages are small
}
