//go:build unix && !openbsd

package memory

import (
	"bytes"
	"math"
	"os"
	"strconv"
	"syscall"
)

// addressSpaceLeft returns how many bytes of address space RLIMIT_AS still allows the process, or
// the whole limit if /proc does not say how many are in use. It returns math.MaxInt64 if there is no limit.
func addressSpaceLeft() int64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &limit) != nil {
		return math.MaxInt64
	}
	left := int64(min(uint64(limit.Cur), math.MaxInt64))
	if data, err := os.ReadFile("/proc/self/statm"); err == nil && left < math.MaxInt64 {
		pages, _, _ := bytes.Cut(data, []byte(" "))
		if n, err := strconv.ParseInt(string(pages), 10, 64); err == nil {
			left -= min(left, n*int64(os.Getpagesize()))
		}
	}
	return left
}
