package interp

import (
	"fmt"
	"strings"

	"github.com/goanvil/notebook/interp/compile"
)

// caught is called at the end of a goroutine that a cell has started: after a panic with value v, or without a panic if
// v is nil. It reports the panic. A panic with a compile.Exit stands for a call of os.Exit: it ends the running cell if
// that cell has started the goroutine.
func (s *Session) caught(v any) {
	switch v.(type) {
	case nil:
	case compile.Exit:
		s.failed(v, false)
	default:
		s.report(v, s.unwinding.take())
	}
}

// failed handles a panic with value v, or a call of runtime.Goexit if v is nil, in the calling goroutine. It ends the
// running cell if always is set or the cell has started the goroutine. Otherwise it reports the panic.
func (s *Session) failed(v any, always bool) {
	if v == nil {
		v = errGone
	}
	frames := s.unwinding.take()
	if !s.endCell(v, always, frames) {
		s.report(v, frames)
	}
}

// endCell ends the running cell under the conditions of failed. It returns true if the cell ends, for this or an
// earlier failure.
func (s *Session) endCell(v any, always bool, frames []frame) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.run != nil && s.run.failure != nil: // another failure has already ended the cell
	case s.run == nil || !always && !descendsFrom(s.run.id):
		return false
	default:
		s.run.failure = &outsideError{value: v, frames: frames, around: s.inProgress()}
		close(s.run.failing)
	}
	return true
}

// An outsideError is the error of a cell that another goroutine has ended, because that goroutine panicked or because
// memory was short.
type outsideError struct {
	value  any     // the value of the panic, or the error about memory
	frames []frame // the frames that the panic unwound
	around []frame // the calls that were in progress in the cell, for a panic and a cell that have unwound no frames
}

func (e *outsideError) Error() string { return message(e.value) }

// inProgress returns the innermost calls in progress in the running cell.
func (s *Session) inProgress() (frames []frame) {
	for _, pos := range s.compiler.Where() {
		if pos.IsValid() {
			frames = addFrame(frames, pos)
		}
	}
	return frames
}

// report writes a message about the panic of a goroutine to the stderr of cells.
func (s *Session) report(v any, frames []frame) {
	text := fmt.Sprintf("a value of type %T whose text cannot be computed", v)
	defer func() {
		_ = recover() // a method of v may panic, or call runtime.Goexit
		s.mu.Lock()
		defer s.mu.Unlock()
		lines := append([]string{"panic in a goroutine: " + text}, s.tracebackLines(frames, "")...)
		fmt.Fprintln(s.opts.Stderr, strings.Join(lines, "\n"))
	}()
	text = s.message(v)
}
