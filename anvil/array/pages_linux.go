package array

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePages asks for the pages of 2 MiB that lie inside of data.
func hugePages(data []byte) {
	const page = 2 << 20
	start := uintptr(unsafe.Pointer(unsafe.SliceData(data)))
	from := -start & (page - 1)
	n := (uintptr(len(data)) - from) &^ (page - 1)
	_ = unix.Madvise(data[from:from+n], unix.MADV_HUGEPAGE) // where it is not to be had, small ones do
}
