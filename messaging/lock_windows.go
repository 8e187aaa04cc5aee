package messaging

import (
	"os"

	"golang.org/x/sys/windows"
)

// lock waits for an exclusive lock on file. Closing file releases it.
func lock(file *os.File) error {
	handle := windows.Handle(file.Fd())
	return windows.LockFileEx(handle, windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, new(windows.Overlapped))
}
