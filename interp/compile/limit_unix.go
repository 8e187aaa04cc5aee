//go:build unix

package compile

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// leftInAddresses returns what RLIMIT_AS leaves of the process's addresses: all of it where
// /proc does not say how many it has.
func leftInAddresses() uint64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &limit) != nil {
		return unknown
	}
	left := uint64(limit.Cur)
	if data, err := os.ReadFile("/proc/self/statm"); err == nil {
		pages, _, _ := bytes.Cut(data, []byte(" "))
		if n, err := strconv.ParseUint(string(pages), 10, 64); err == nil {
			left -= min(left, n*uint64(os.Getpagesize()))
		}
	}
	return left
}
