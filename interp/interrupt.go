package interp

import (
	"errors"
	"runtime"
	"time"

	"github.com/goanvil/notebook/anvil/goroutine"
	"github.com/goanvil/notebook/interp/compile"
)

// errOverflow ends a cell whose functions call each other endlessly.
var errOverflow = errors.New("functions call each other without end")

// watchEvery is the interval at which the memory of a running cell and the goroutines of cells are examined.
const watchEvery = 10 * time.Millisecond

// watchGoroutines decides whether the goroutines of cells must run in turns. A timer calls it every watchEvery
// until no cell runs and no goroutine of cells is left.
func (s *Session) watchGoroutines() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.compiler.UpdateCrowd()
	s.updatePolling()
	if s.watching = s.run != nil || s.compiler.Goroutines() > 0; s.watching {
		time.AfterFunc(watchEvery, s.watchGoroutines)
	}
}

// updatePolling sets whether functions and loops of cells must call poll: while an interrupted cell has not ended,
// memory is lacking or goroutines run in turns. The caller holds s.mu.
func (s *Session) updatePolling() {
	select {
	case <-s.mustPoll:
	default:
	}
	if len(s.stale) > 0 || s.starving != nil || s.compiler.Crowded() {
		s.mustPoll <- struct{}{}
	}
}

// maxPolls limits how often deferred functions of an interrupted cell may poll. They run to their end, unless
// they run endlessly.
const maxPolls = 100_000

// poll ends the calling goroutine if it runs a cell that is interrupted. Deferred functions run, unless another
// goroutine has called os.Exit, but cannot recover. In the other goroutines of cells, poll panics while memory is
// lacking.
func (s *Session) poll() {
	key := goroutine.Key()
	s.mu.Lock()
	r, stopped := s.stale[key]
	starving := s.starving
	var exit compile.Exit
	exits := false
	if stopped {
		if r.failure != nil {
			exit, exits = r.failure.value.(compile.Exit)
		}
		r.polls++
		stopped = r.polls == 1 || r.polls > maxPolls // the polls in between are those of deferred functions
	}
	s.mu.Unlock()
	switch {
	case exits:
		panic(exit)
	case stopped:
		runtime.Goexit()
	case starving != nil && r == nil:
		panic(starving)
	}
}

// overflow ends the calling goroutine because its calls nest too deeply. In goroutines other than the cell's
// it panics.
func (s *Session) overflow() {
	key := goroutine.Key()
	s.mu.Lock()
	own := s.run != nil && s.run.key == key
	if own {
		s.run.overflow = true
	}
	s.mu.Unlock()
	if !own {
		panic(errOverflow)
	}
	runtime.Goexit()
}

// interrupted returns a channel that is closed when the cell of the calling goroutine is interrupted. It is
// nil for goroutines that cells have started, which outlive them.
func (s *Session) interrupted() chan struct{} {
	key := goroutine.Key()
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.stale[key]; ok {
		return r.stop
	}
	if s.run != nil && s.run.key == key {
		return s.run.stop
	}
	return nil
}
