//go:build unix

package messaging

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock waits until this process alone holds file, which closing it ends.
func lock(file *os.File) error { return unix.Flock(int(file.Fd()), unix.LOCK_EX) }
