package array

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePages asks the system to use huge pages for the part of data that consists of whole huge pages.
func hugePages(data []byte) {
	const page = 2 << 20
	start := uintptr(unsafe.Pointer(unsafe.SliceData(data)))
	from := -start & (page - 1) // the index of the first byte whose address is a multiple of page
	n := (uintptr(len(data)) - from) &^ (page - 1)
	_ = unix.Madvise(data[from:from+n], unix.MADV_HUGEPAGE) // if this fails, the pages stay small
}
