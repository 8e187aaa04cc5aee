//go:build unix

package main

import (
	"io"
	"os"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// A pipe is a file that cells use as os.Stdout, whose text goes to the running cell's output.
// Compiled code requires a file there.
type pipe struct {
	r, w *os.File
	raw  syscall.RawConn // of r
	to   io.Writer
	done chan struct{} // closed when nothing more can come

	mu  sync.Mutex // held while text is passed on
	buf [32 << 10]byte
}

func newPipe(to io.Writer) (*pipe, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	raw, err := r.SyscallConn()
	if err != nil {
		return nil, err
	}
	p := &pipe{r: r, w: w, raw: raw, to: to, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		_ = raw.Read(p.pass) // fails when r is closed
	}()
	return p, nil
}

// pass passes on the available text without waiting, and reports whether it was the last.
func (p *pipe) pass(fd uintptr) (last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		n, err := unix.Read(int(fd), p.buf[:])
		switch {
		case n > 0:
			_, _ = p.to.Write(p.buf[:n])
		case err == unix.EINTR:
		case err == unix.EAGAIN:
			return false
		default:
			return true
		}
	}
}

// drain waits until everything written has been passed on.
func (p *pipe) drain() {
	_ = p.raw.Control(func(fd uintptr) { p.pass(fd) }) // fails when r is closed
}

// file returns the end that cells write to.
func (p *pipe) file() io.Writer { return p.w }

// close ends the pipe, even if a process started by a cell still holds the other end.
func (p *pipe) close() {
	_ = p.r.Close()
	<-p.done
	_ = p.w.Close()
}
