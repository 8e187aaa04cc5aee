//go:build unix

package main

import (
	"io"
	"os"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// A pipe provides a file that cells use as os.Stdout or os.Stderr, and copies the text written to the
// file to a writer. It has to be a file because compiled code needs an *os.File.
type pipe struct {
	r, w *os.File
	raw  syscall.RawConn // of r
	to   io.Writer       // receives the copy
	done chan struct{}   // closed when the copying goroutine has ended

	mu  sync.Mutex // held while text is copied; guards buf
	buf [32 << 10]byte
}

// newPipe returns a pipe that copies to the writer to.
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
		_ = raw.Read(p.copyAvailable) // fails when r is closed
	}()
	return p, nil
}

// copyAvailable copies the text that can be read without waiting, and reports whether it was the last.
func (p *pipe) copyAvailable(fd uintptr) (last bool) {
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

// drain returns when everything written so far has been copied.
func (p *pipe) drain() {
	_ = p.raw.Control(func(fd uintptr) { p.copyAvailable(fd) }) // fails when r is closed
}

// file returns the file that cells write to.
func (p *pipe) file() io.Writer { return p.w }

// close closes the pipe, even if a process started by a cell can still write to it.
func (p *pipe) close() {
	_ = p.r.Close()
	<-p.done
	_ = p.w.Close()
}
