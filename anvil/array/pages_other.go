//go:build !linux

package array

// hugePages does nothing: only Linux has MADV_HUGEPAGE.
func hugePages([]byte) {}
