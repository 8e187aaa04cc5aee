package interp

import (
	"fmt"
	"strings"

	"github.com/goanvil/notebook/interp/compile"
)

// caught is called when a goroutine of cells has ended with a panic of value v, or without one if v is nil. It
// reports the panic. A panic that stands for os.Exit ends the running cell instead, if the cell has started the
// goroutine.
func (s *Session) caught(v any) {
	switch v.(type) {
	case nil:
	case compile.Exit:
		s.failed(v, false)
	default:
		s.report(v, s.unwinding.take())
	}
}

// failed handles a panic with value v, or runtime.Goexit if v is nil. It ends the running cell if the cell has
// started the calling goroutine or always is set; otherwise it reports the panic.
func (s *Session) failed(v any, always bool) {
	if v == nil {
		v = errGone
	}
	frames := s.unwinding.take()
	if !s.endCell(v, always, frames) {
		s.report(v, frames)
	}
}

// endCell ends the running cell like failed, and reports whether the cell has ended.
func (s *Session) endCell(v any, always bool, frames []frame) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.run != nil && s.run.failure != nil: // another failure has already ended it
	case s.run == nil || !always && !descendsFrom(s.run.id):
		return false
	default:
		s.run.failure = &outsideError{value: v, frames: frames}
		close(s.run.failing)
	}
	return true
}

// An outsideError ends a cell from another goroutine: because that panicked, or for lack of memory.
type outsideError struct {
	value  any
	frames []frame
	around []frame // where the cell was when it had to end, for a cell that does not unwind in time
}

func (e *outsideError) Error() string { return message(e.value) }

// report writes the panic of a goroutine to the cells' stderr.
func (s *Session) report(v any, frames []frame) {
	text := fmt.Sprintf("a value of type %T whose text cannot be computed", v)
	defer func() {
		_ = recover() // a method of v has panicked, or ended the goroutine
		s.mu.Lock()
		defer s.mu.Unlock()
		lines := append([]string{"panic in a goroutine: " + text}, s.tracebackLines(frames, "")...)
		fmt.Fprintln(s.opts.Stderr, strings.Join(lines, "\n"))
	}()
	text = s.message(v)
}
