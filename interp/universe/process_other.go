//go:build !unix

package universe

import (
	"os"
	"syscall"
)

// kernelSignals are the signals that interrupt or end the kernel.
var kernelSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM}

// duplicate returns fd itself. A cell cannot guess a descriptor of the kernel, since descriptors here are handles and
// not small numbers.
func duplicate(fd uintptr) (uintptr, error) { return fd, nil }
