//go:build unix

package universe

import (
	"os"
	"syscall"
)

// kernelSignals are the signals that interrupt or end the kernel, and SIGURG, by which the runtime preempts goroutines.
var kernelSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGURG}

// duplicate returns a new descriptor for the file of fd.
func duplicate(fd uintptr) (uintptr, error) {
	syscall.ForkLock.RLock() // otherwise a process that starts before CloseOnExec would inherit the descriptor
	defer syscall.ForkLock.RUnlock()
	own, err := syscall.Dup(int(fd))
	if err != nil {
		return 0, err
	}
	syscall.CloseOnExec(own)
	return uintptr(own), nil
}
