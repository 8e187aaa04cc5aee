package interp

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/goanvil/notebook/anvil/goroutine"
	"github.com/goanvil/notebook/interp/compile"
)

// errOverflow ends a cell whose functions call each other endlessly.
var errOverflow = errors.New("functions call each other without end")

// errGone ends a cell that has ended its own goroutine by runtime.Goexit.
var errGone = errors.New("the cell has ended its goroutine with runtime.Goexit")

// patience is how long an interrupted cell may take to end before it is abandoned. Running
// code polls for the interrupt; a compiled function that waits must return first.
const patience = 50 * time.Millisecond

// running is the state of one Run.
type running struct {
	serial   int
	n        int           // the number of the cell
	done     map[int]bool  // steps whose variables are set
	values   []any         // of the final expression
	stop     chan struct{} // closed by an interrupt or a failure
	ended    chan struct{} // closed when the goroutine has ended
	key      uintptr       // of the goroutine; 0 before it begins and after it has ended
	id       string        // of the goroutine, as in stack traces
	err      error         // of the engine
	overflow bool          // the recursion is too deep
	polls    int           // number of polls since the interrupt

	failing chan struct{} // closed when failure is set
	failure *outsideError // the error that ended the cell from outside
}

func newRunning() *running {
	return &running{
		done: map[int]bool{}, err: errGone,
		stop: make(chan struct{}), ended: make(chan struct{}), failing: make(chan struct{}),
	}
}

// start runs f in a new goroutine. It returns when the goroutine has ended, or soon after ctx has ended or
// another goroutine has failed.
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

// wait is start without the bookkeeping of the session's current run.
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
		s.stale[r.key] = r
	}
	s.updatePolling()
	s.mu.Unlock()
	for waits := true; waits; {
		select {
		case <-r.ended:
			if r.err == nil {
				return nil // f has returned before it noticed the interrupt
			}
			return ctx.Err()
		case <-time.After(patience):
			waits = s.opts.Finishing != nil && s.opts.Finishing()
		}
	}
	return ctx.Err()
}

// awaitEnd returns true when the run has ended by itself, and false when it must be ended. Meanwhile it watches
// the memory of the process. If the cell has ended its own goroutine with runtime.Goexit, the run lasts until the
// goroutines that it has started have ended, as in a program.
func (s *Session) awaitEnd(ctx context.Context, r *running) bool {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	var watch compile.Watch
	ended := r.ended
	for {
		select {
		case <-ended:
			if r.result() != errGone || !hasDescendants(r.id) {
				return true
			}
			ended = nil // from now on, look for the goroutines at each tick
		case <-ctx.Done():
			return false
		case <-r.failing:
			return false
		case <-ticker.C:
			if err := watch.Exhausted(); err != nil {
				s.exhausted(r, err)
			}
			if ended == nil && !hasDescendants(r.id) {
				return true
			}
		}
	}
}

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

// updatePolling sets whether functions and loops of cells must call poll. The caller holds s.mu.
func (s *Session) updatePolling() {
	s.last.setPolling(len(s.stale) > 0 || s.starving != nil || s.compiler.Crowded())
}

// reclaim frees the memory of a run that was ended for lack of memory. First it gives the other goroutines of
// cells time to end too.
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

// exhausted ends a run, and the functions of cells that other goroutines run, with err.
func (s *Session) exhausted(r *running, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.failure != nil {
		return
	}
	if r.key != 0 {
		s.stale[r.key] = r
	}
	s.starving = err
	s.updatePolling()
	s.compiler.Disperse()
	r.failure = &outsideError{value: err}
	for _, pos := range s.compiler.Where() {
		if pos.IsValid() {
			r.failure.around = addFrame(r.failure.around, pos)
		}
	}
	close(r.failing)
}

// Call calls f, which shows values and may call methods that cells have declared, in a goroutine that is
// abandoned soon after ctx has ended. Call must not be called while a Run is in progress. If it returns an
// error, f may still be running. A panic of f, endless recursion and the end of the goroutine are reported as
// an *Error.
func (s *Session) Call(ctx context.Context, f func()) error {
	s.last.take()
	err := s.start(ctx, newRunning(), f)
	if v, frames, ok := s.panicOf(err); ok {
		return s.panicked(ctx, v, frames, "showing the value panicked: ")
	}
	if err == errOverflow || err == errGone {
		return s.traced(&Error{Name: nameOf(err), Message: err.Error()}, s.last.take())
	}
	return err
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
	delete(s.stale, r.key)
	r.key = 0 // another goroutine may reuse it
	s.updatePolling()
	close(r.ended)
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
		stopped = r.polls == 1 || r.polls > maxPolls // between, deferred functions poll
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
