package interp

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/goanvil/notebook/anvil/goroutine"
	"github.com/goanvil/notebook/interp/compile"
)

// A running is the state of one call of Run, Call or textOf, whose code has a goroutine of its own.
type running struct {
	serial    int           // the number of the run; 0 if it is not that of a cell
	doneSteps map[int]bool  // the steps whose variables are set; see lower.Declared.Step
	values    []any         // the values of the final expression
	stop      chan struct{} // closed when the run must stop
	ended     chan struct{} // closed when the goroutine has ended
	key       uintptr       // the goroutine.Key; 0 before the goroutine begins and after it has ended
	id        string        // the number of the goroutine in stack traces
	err       error         // the result of Engine.Run
	overflow  bool          // calls nest too deeply
	polls     int           // the number of calls of poll since the run was told to stop

	failing chan struct{} // closed when failure is set
	failure *outsideError // set if another goroutine has ended the run
}

func newRunning() *running {
	return &running{
		doneSteps: map[int]bool{}, err: errGone,
		stop: make(chan struct{}), ended: make(chan struct{}), failing: make(chan struct{}),
	}
}

// errGone is the error of a cell that has called runtime.Goexit.
var errGone = errors.New("the cell has ended its goroutine with runtime.Goexit")

// patience is how long an interrupted cell may take to end before it is abandoned. Code of cells notices an interrupt
// when it calls poll, but a compiled function that it has called must return first.
const patience = 50 * time.Millisecond

// start makes r the current run and calls f in a new goroutine. It returns when the goroutine has ended, or soon after
// ctx has ended or another goroutine has failed.
func (s *Session) start(ctx context.Context, r *running, f func()) error {
	s.mu.Lock()
	s.run = r
	if !s.watching {
		s.watching = true
		time.AfterFunc(watchEvery, s.watchGoroutines)
	}
	s.mu.Unlock()
	err := s.wait(ctx, r, f)
	s.reclaim()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.run = nil
	if r.failure != nil {
		return r.failure
	}
	return err
}

// wait is start, except that it does not set and reset the session's current run.
func (s *Session) wait(ctx context.Context, r *running, f func()) error {
	started := make(chan struct{})
	go func() {
		defer s.end(r)
		s.mu.Lock()
		r.key, r.id = goroutine.Key(), goroutineID()
		s.mu.Unlock()
		close(started)
		defer s.compiler.Own()()
		r.err = s.engine.Run(f)
	}()
	<-started
	if s.awaitEnd(ctx, r) {
		return r.result()
	}
	s.mu.Lock()
	close(r.stop)
	if r.key != 0 {
		s.stopping[r.key] = r
	}
	s.updatePolling()
	s.mu.Unlock()
	for {
		select {
		case <-r.ended:
			if r.err == nil {
				return nil // f has returned before it noticed the interrupt
			}
			return ctx.Err()
		case <-time.After(patience):
			if s.opts.Finishing == nil || !s.opts.Finishing() {
				return ctx.Err()
			}
		}
	}
}

// awaitEnd returns true when the run has ended by itself, and false when it must be told to stop. Meanwhile it watches
// the memory of the process. If the cell has called runtime.Goexit, the run lasts until the goroutines that the cell
// has started have ended, as in a program.
func (s *Session) awaitEnd(ctx context.Context, r *running) bool {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	defer s.hold(false)
	var watch compile.Watch
	ended := r.ended
	for {
		select {
		case <-ended:
			if r.result() != errGone || !hasDescendants(r.id) {
				return true
			}
			ended = nil // from now on, each tick looks for the goroutines
		case <-ctx.Done():
			return false
		case <-r.failing:
			return false
		case <-ticker.C:
			if err := watch.Exhausted(); err != nil {
				s.exhausted(r, err)
			}
			s.hold(watch.Collecting())
			if ended == nil && !hasDescendants(r.id) {
				return true
			}
		}
	}
}

// hold makes the goroutines of cells wait in poll from a call with true to the next one with false.
func (s *Session) hold(collecting bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case collecting && s.collected == nil:
		s.collected = make(chan struct{})
	case !collecting && s.collected != nil:
		close(s.collected)
		s.collected = nil
	default:
		return
	}
	s.updatePolling()
}

// result returns the error of a run that has ended.
func (r *running) result() error {
	if r.overflow {
		return errOverflow
	}
	return r.err
}

// end is called when the goroutine of a run has ended.
func (s *Session) end(r *running) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.stopping, r.key)
	r.key = 0 // another goroutine may reuse it
	s.updatePolling()
	close(r.ended)
}

// Call calls f, which shows values and may call methods that cells have declared. f runs in a new goroutine, which is
// abandoned soon after ctx has ended. Call must not be called while a Run is in progress. If Call returns an error, f
// may still be running. If f panics, recurses endlessly or calls runtime.Goexit, the error is an *Error.
func (s *Session) Call(ctx context.Context, f func()) error {
	s.unwinding.take()
	err := s.start(ctx, newRunning(), f)
	if v, frames, ok := s.panicOf(err); ok {
		return s.panicked(ctx, v, frames, "showing the value panicked: ")
	}
	if err == errOverflow || err == errGone {
		return s.withTraceback(&Error{Name: nameOf(err), Message: err.Error()}, s.unwinding.take())
	}
	return err
}

// WithMaps calls f, which reads or prints values. Meanwhile functions of cells that write the maps in values wait. If a
// compiled function takes long to write one of the maps, WithMaps returns an error and does not call f.
func (s *Session) WithMaps(values []any, f func()) error { return s.compiler.WithMaps(values, f) }

// reclaim frees the memory of a run that was ended because memory was short. Before that, it gives the other goroutines
// of cells time to end too.
func (s *Session) reclaim() {
	s.mu.Lock()
	starving := s.starving != nil
	s.mu.Unlock()
	if !starving {
		return
	}
	time.Sleep(patience)
	s.mu.Lock()
	s.starving = nil
	s.updatePolling()
	s.mu.Unlock()
	debug.FreeOSMemory()
}

// exhausted ends a run, and the other goroutines of cells, with err, because the process is about to run out of memory.
func (s *Session) exhausted(r *running, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.failure != nil {
		return
	}
	if r.key != 0 {
		s.stopping[r.key] = r
	}
	s.starving = err
	s.updatePolling()
	s.compiler.Disperse()
	r.failure = &outsideError{value: err, around: s.inProgress()}
	close(r.failing)
}
