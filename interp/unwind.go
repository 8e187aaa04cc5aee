package interp

import (
	"go/token"
	"slices"
	"sync"
)

// unwinding records the positions of cells' functions as they end.
type unwinding struct {
	stop chan struct{} // not empty while functions and loops must call Poll

	mu     sync.Mutex
	frames []frame // of the functions that a panic has left, innermost first
}

// A frame is the position of a function when it ended, and how many functions ended there in a row. A frame
// without a position counts frames that are omitted.
type frame struct {
	pos   token.Pos
	times int
}

// Numbers of innermost and outermost frames that a traceback shows.
const (
	maxFrames   = 12
	firstFrames = 8
)

// addFrame adds the position of one more function to frames.
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

// ask sets whether functions and loops must call Poll.
func (u *unwinding) ask(stop bool) {
	select {
	case <-u.stop:
	default:
	}
	if stop {
		u.stop <- struct{}{}
	}
}
