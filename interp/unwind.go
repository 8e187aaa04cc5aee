package interp

import (
	"go/token"
	"slices"
	"sync"
)

// An unwinding records where a panic left the functions of cells.
type unwinding struct {
	stop chan struct{} // has an element while functions and loops must call Poll

	mu     sync.Mutex
	frames []frame // of the functions that a panic has left, innermost first
}

// A frame is a position at which functions ended, and how many ended there in a row. A frame without a position
// counts omitted frames.
type frame struct {
	pos   token.Pos
	times int
}

const (
	maxFrames   = 12 // the frames of a traceback, without the one that counts omitted frames
	firstFrames = 8  // of these, the innermost ones
)

// addFrame appends the position of one more function. If there are too many frames, it merges those after the
// innermost firstFrames into one without a position.
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

// share sets the channel that functions of cells poll.
func (u *unwinding) share(stop chan struct{}) { u.stop = stop }

// passed is called when a panic has left a compiled function at pos.
func (u *unwinding) passed(pos token.Pos) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if pos.IsValid() {
		u.frames = addFrame(u.frames, pos)
	}
}

// recovered discards the frames of the panic with value v.
func (u *unwinding) recovered(v any) any {
	if v != nil {
		u.take()
	}
	return v
}

// take returns the frames of a panic, innermost first, and discards them.
func (u *unwinding) take() []frame {
	u.mu.Lock()
	defer u.mu.Unlock()
	frames := u.frames
	u.frames = nil
	return frames
}

// setPolling sets whether functions and loops must call Poll.
func (u *unwinding) setPolling(poll bool) {
	select {
	case <-u.stop:
	default:
	}
	if poll {
		u.stop <- struct{}{}
	}
}
