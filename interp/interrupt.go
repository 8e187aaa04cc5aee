package interp

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/goanvil/notebook/anvil/goroutine"
)

// errOverflow ends a cell whose functions call each other without end.
var errOverflow = errors.New("functions call each other without end")

// errGone ends a cell whose goroutine has ended by runtime.Goexit.
var errGone = errors.New("the cell has ended its goroutine")

// patience is how long an interrupted cell may take to end before it is abandoned. Running
// code polls for the interrupt; a compiled function that waits must return first.
const patience = 50 * time.Millisecond

// running is the state of one Run.
type running struct {
	serial int
	n      int
	done   map[int]bool  // steps whose variables are set
	values []any         // of the final expression
	stop   chan struct{} // closed by an interrupt, and by a failure
	ended  chan struct{} // closed when the goroutine has ended
	key    uintptr       // of the goroutine; 0 before it begins and after it has ended
	id     string        // of the goroutine, as in the run time's traces
	err    error
	over   bool // recursion has no end
	polls  int  // since it was interrupted

	failing chan struct{} // closed when failure is set
	failure *elsewhere    // what another goroutine has ended the cell by
}

func newRunning() *running {
	return &running{
		done: map[int]bool{}, err: errGone,
		stop: make(chan struct{}), ended: make(chan struct{}), failing: make(chan struct{}),
	}
}

// start runs f in a goroutine of its own and returns when that has ended,
// or soon after ctx has or another goroutine has failed.
func (s *Session) start(ctx context.Context, r *running, f func()) error {
	s.mu.Lock()
	s.run = r
	s.mu.Unlock()
	err := s.wait(ctx, r, f)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.run = nil
	if r.failure != nil {
		return r.failure
	}
	return err
}

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
	select {
	case <-r.ended:
		return r.result()
	case <-ctx.Done():
	case <-r.failing:
	}
	s.mu.Lock()
	s.last.ask(true)
	close(r.stop)
	s.stale[r.key] = r
	s.mu.Unlock()
	for waits := true; waits; {
		select {
		case <-r.ended:
			if r.err == nil {
				return nil // another exit of the goroutine came first
			}
			return ctx.Err()
		case <-time.After(patience):
			waits = s.opts.Finishing != nil && s.opts.Finishing()
		}
	}
	return ctx.Err()
}

// Call calls f, which may call methods that cells have declared, as a cell is run: in a
// goroutine that is abandoned soon after ctx has ended. Call must not be called while a Run
// is in progress. If it returns an error, f may still be running.
func (s *Session) Call(ctx context.Context, f func()) error {
	return s.start(ctx, newRunning(), f)
}

func (r *running) result() error {
	if r.over {
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
	s.last.ask(len(s.stale) > 0)
	close(r.ended)
}

// maxPolls is how often deferred functions of an interrupted cell may poll: they run to
// their end, unless they do not end.
const maxPolls = 100_000

// poll ends the goroutine that calls it, if its cell is interrupted. Deferred functions run,
// and there is nothing that the cell could recover.
func (s *Session) poll() {
	key := goroutine.Key()
	s.mu.Lock()
	r, stopped := s.stale[key]
	if stopped {
		r.polls++
		stopped = r.polls == 1 || r.polls > maxPolls
	}
	s.mu.Unlock()
	if stopped {
		runtime.Goexit()
	}
}

// overflow ends the goroutine that calls it: its functions nest too deeply. It panics in
// goroutines other than the cell's.
func (s *Session) overflow() {
	key := goroutine.Key()
	s.mu.Lock()
	own := s.run != nil && s.run.key == key
	if own {
		s.run.over = true
	}
	s.mu.Unlock()
	if !own {
		panic(errOverflow)
	}
	runtime.Goexit()
}

// interrupted returns a channel that is closed when the cell of the calling
// goroutine is interrupted: nil for goroutines that cells have started, which
// outlive them.
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
