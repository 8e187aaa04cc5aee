//go:build !unix

package universe

import (
	"os"
	"syscall"
)

// kernelSignals are the signals that interrupt or end the kernel.
var kernelSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM}

// duplicate returns fd itself. Cells cannot guess the kernel's descriptors: they are handles and not small numbers.
func duplicate(fd uintptr) (uintptr, error) { return fd, nil }
