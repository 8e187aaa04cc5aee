package interp

import (
	"errors"
	"runtime"
	"time"

	"github.com/goanvil/notebook/anvil/goroutine"
	"github.com/goanvil/notebook/interp/compile"
)

// errOverflow is the error of a cell whose calls nest too deeply.
var errOverflow = errors.New("functions call each other without end")

// watchEvery is the interval at which the memory of the process and the goroutines of cells are examined.
const watchEvery = 10 * time.Millisecond

// watchGoroutines decides whether the goroutines of cells must run in turns, because there are many. A timer calls it
// at the interval watchEvery while a cell or a goroutine of a cell runs.
func (s *Session) watchGoroutines() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.compiler.UpdateCrowd()
	s.updatePolling()
	if s.watching = s.run != nil || s.compiler.Goroutines() > 0; s.watching {
		time.AfterFunc(watchEvery, s.watchGoroutines)
	}
}

// updatePolling sets whether functions and loops of cells must call poll. They must while a run that was told to stop
// has not ended, while memory is short, and while goroutines run in turns. The caller holds s.mu.
func (s *Session) updatePolling() {
	select {
	case <-s.mustPoll:
	default:
	}
	if len(s.stopping) > 0 || s.collected != nil || s.starving != nil || s.compiler.Crowded() {
		s.mustPoll <- struct{}{}
	}
}

// maxPolls limits how often the deferred functions of an interrupted cell may call poll. It lets them run to their end,
// but not endlessly.
const maxPolls = 100_000

// poll ends the calling goroutine if it runs a cell that must stop. The deferred functions of the cell run but cannot
// recover. If another goroutine has called os.Exit, poll panics with the compile.Exit instead, and they do not run. In
// other goroutines of cells, poll panics while memory is short. Before that, poll waits for the end of a collection that
// a shortage of memory has caused.
func (s *Session) poll() {
	key := goroutine.Key()
	s.mu.Lock()
	if collected := s.collected; collected != nil {
		s.mu.Unlock()
		<-collected
		s.mu.Lock()
	}
	r, stopped := s.stopping[key]
	starving := s.starving
	var exit compile.Exit
	exits := false
	if stopped {
		if r.failure != nil {
			exit, exits = r.failure.value.(compile.Exit)
		}
		r.polls++
		// The first call stops the cell. Then its deferred functions run, and may call poll maxPolls times.
		stopped = r.polls == 1 || r.polls > maxPolls
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

// overflow ends the calling goroutine because its calls nest too deeply. In goroutines other than the cell's own, it
// panics.
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

// interrupted returns a channel that is closed when the cell that the calling goroutine runs must stop. The channel is
// nil in goroutines that a cell has started: they go on after an interrupt of the cell.
func (s *Session) interrupted() chan struct{} {
	key := goroutine.Key()
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.stopping[key]; ok {
		return r.stop
	}
	if s.run != nil && s.run.key == key {
		return s.run.stop
	}
	return nil
}
