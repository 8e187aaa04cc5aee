package interp

import (
	"go/token"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goanvil/notebook/anvil/goroutine"
	"github.com/goanvil/notebook/interp/cell"
)

// withCaret returns line, and a second line with a caret below column, which is counted in bytes from 1. It returns nil
// if line is blank.
func withCaret(line string, column int) []string {
	if strings.TrimSpace(line) == "" {
		return nil
	}
	before := line[:min(max(column-1, 0), len(line))]
	indent := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, before)
	return []string{"    " + line, "    " + indent + "^"}
}

// sourceAt returns pos as text, and the source line of pos with a caret below it. Both are empty if pos is not valid.
func (s *Session) sourceAt(pos token.Pos) (where string, source []string) {
	if !pos.IsValid() {
		return "", nil
	}
	p := cell.Position(s.fset, pos)
	return p.String(), withCaret(s.texts.line(pos, p.Line), p.Column)
}

// withTraceback sets the position and the traceback of e from the frames that were unwound, innermost first, and
// returns e.
func (s *Session) withTraceback(e *Error, frames []frame) *Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(frames) > 0 {
		e.Pos, _ = s.sourceAt(frames[0].pos)
		e.Traceback = s.tracebackLines(frames, e.Message)
	} else {
		e.Traceback = []string{e.Name + ": " + e.Message}
	}
	return e
}

// tracebackLines returns the lines of a traceback for frames, innermost first. msg follows the position of the
// innermost frame.
func (s *Session) tracebackLines(frames []frame, msg string) (lines []string) {
	for i, f := range frames {
		if !f.pos.IsValid() {
			lines = append(lines, moreCalls(f.times))
			continue
		}
		where, source := s.sourceAt(f.pos)
		first := where + inFunction(s.texts.function(f.pos))
		if i == 0 && msg != "" {
			first = where + ": " + msg
		}
		lines = append(append(lines, first), source...)
		switch {
		case f.times == 2 && s.texts.function(f.pos) == "":
			// A statement outside of functions may have been lowered to a call, such as one of nv.Must, which adds a
			// second frame at its position. The statement is shown once.
		case f.times == 2:
			lines = append(append(lines, where+inFunction(s.texts.function(f.pos))), source...)
		case f.times > 2:
			lines = append(lines, moreCalls(f.times-1))
		}
	}
	return lines
}

// moreCalls returns the line for n frames that a traceback omits.
func moreCalls(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if n == 1 {
		return "... 1 more call"
	}
	return "... " + digits + " more calls"
}

// inFunction returns " in " and the name of the function, or "" if function is "".
func inFunction(function string) string {
	if function == "" {
		return ""
	}
	return " in " + function
}

// An unwinding records the frames of the functions of cells that a panic has left.
type unwinding struct {
	mu     sync.Mutex
	frames []frame // of the functions that a panic has left, innermost first
}

// A frame is a position at which a panic has left functions. A frame without a position stands for frames that the
// traceback omits.
type frame struct {
	pos   token.Pos
	times int // how many functions in a row the panic has left at pos, or how many frames are omitted
}

const (
	maxFrames   = 12 // how many frames a traceback has, without the one that stands for omitted frames
	firstFrames = 8  // how many of these come before the omitted frames; they are the innermost
)

// addFrame appends a frame at pos to frames. If there are more than maxFrames, it merges those between the firstFrames
// innermost and the outermost ones into one frame without a position.
func addFrame(frames []frame, pos token.Pos) []frame {
	if n := len(frames); n > 0 && frames[n-1].pos == pos {
		frames[n-1].times++
		return frames
	}
	frames = append(frames, frame{pos, 1})
	switch {
	case len(frames) == maxFrames+1:
		frames[firstFrames].pos = token.NoPos
	case len(frames) > maxFrames+1:
		frames[firstFrames].times += frames[firstFrames+1].times
		frames = slices.Delete(frames, firstFrames+1, firstFrames+2)
	}
	return frames
}

// passed records that a panic has left a function of a cell at pos.
func (u *unwinding) passed(pos token.Pos) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if pos.IsValid() {
		u.frames = addFrame(u.frames, pos)
	}
}

// recovered discards the frames of a panic that was recovered with value v, unless v is nil. It returns v.
func (u *unwinding) recovered(v any) any {
	if v != nil {
		u.take()
	}
	return v
}

// unwound is s.unwinding.passed, but does nothing in an abandoned goroutine.
func (s *Session) unwound(pos token.Pos) {
	if !s.isAbandoned() {
		s.unwinding.passed(pos)
	}
}

// recovered is s.unwinding.recovered, but in an abandoned goroutine it returns v and does nothing else.
func (s *Session) recovered(v any) any {
	if s.isAbandoned() {
		return v
	}
	return s.unwinding.recovered(v)
}

// isAbandoned reports whether the calling goroutine runs an earlier cell that an interrupt has ended. Such a goroutine
// may unwind its functions for long, while the frames that are recorded are those of a later cell.
func (s *Session) isAbandoned() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.stopping) == 0 {
		return false
	}
	r := s.stopping[goroutine.Key()]
	return r != nil && r != s.run
}

// take returns the recorded frames, innermost first, and discards them.
func (u *unwinding) take() []frame {
	u.mu.Lock()
	defer u.mu.Unlock()
	frames := u.frames
	u.frames = nil
	return frames
}
