//go:build unix

package universe

import (
	"os"
	"syscall"
)

// kernelSignals interrupt and end the kernel, and let the run time stop a goroutine.
var kernelSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGURG}

// duplicate returns another descriptor for the file of fd.
func duplicate(fd uintptr) (uintptr, error) {
	own, err := syscall.Dup(int(fd))
	if err != nil {
		return 0, err
	}
	syscall.CloseOnExec(own)
	return uintptr(own), nil
}
