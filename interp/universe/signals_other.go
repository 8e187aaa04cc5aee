//go:build !unix

package universe

import (
	"os"
	"syscall"
)

// kernelSignals interrupt and end the kernel.
var kernelSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM}
