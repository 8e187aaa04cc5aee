//go:build unix

package messaging

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock waits for an exclusive lock on file. Closing file releases it.
func lock(file *os.File) error { return unix.Flock(int(file.Fd()), unix.LOCK_EX) }
