package xla

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lock waits for an exclusive lock on the file at path, so that two processes do not
// install at the same time. If it must wait, it calls progress once. The system also releases the
// lock when the process ends. The file is not removed.
func lock(ctx context.Context, path string, progress func(string)) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	fd := int(f.Fd())
	for reported := false; ; reported = true {
		err := syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if err != syscall.EWOULDBLOCK && err != syscall.EINTR {
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		if !reported {
			progress("another process is setting up; waiting for it")
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}
