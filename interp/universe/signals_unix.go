//go:build unix

package universe

import (
	"os"
	"syscall"
)

// kernelSignals interrupt and end the kernel, and let the run time stop a goroutine.
var kernelSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGURG}
