package compile

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// A crowd schedules the goroutines of cells while many of them are runnable. Go's run time would give each
// goroutine 10 ms in turn, and the kernel's own goroutines, several of which take part in each answer to a front end,
// would each wait for all of these. In a crowd, only as many goroutines as keep the processors busy run at a time;
// the others wait for their turn.
type crowd struct {
	goroutines atomic.Int64  // of cells, in a crowd or not
	started    atomic.Uint64 // by go statements
	starved    atomic.Bool   // at the last check, there was no memory for more
	formed     atomic.Bool   // goroutines run in turns

	mu      sync.Mutex
	excess  int             // how many more goroutines must wait when their turns end
	waiting []chan struct{} // each is closed to let its goroutine run, the first one first
}

// turn is how long a goroutine runs before it waits for its next turn.
const turn = 5 * time.Millisecond

// Goroutines returns how many goroutines run functions of cells.
func (s *Session) Goroutines() int { return int(s.crowd.goroutines.Load()) }

// UpdateCrowd finds out whether goroutines must run in turns, and lets as many waiting ones run as the processors have
// time for. It must be called every few milliseconds while there are goroutines of cells.
func (s *Session) UpdateCrowd() {
	c := &s.crowd
	sample := []metrics.Sample{{Name: "/sched/goroutines/runnable:goroutines"}}
	metrics.Read(sample)
	runnable := int(sample[0].Value.Uint64())
	busy := 2 * runtime.GOMAXPROCS(0) // how many goroutines keep the processors busy
	c.mu.Lock()
	defer c.mu.Unlock()
	c.formed.Store(runnable > 2*busy || len(c.waiting) > 0)
	c.excess = runnable - busy
	for ; c.excess < 0 && len(c.waiting) > 0; c.excess++ {
		c.wake()
	}
}

// Crowded reports whether the goroutines of cells run in turns: then they must call poll.
func (s *Session) Crowded() bool { return s.crowd.formed.Load() }

// Disperse lets all goroutines run.
func (s *Session) Disperse() {
	s.crowd.mu.Lock()
	defer s.crowd.mu.Unlock()
	for len(s.crowd.waiting) > 0 {
		s.crowd.wake()
	}
}

// start is called before a goroutine is started. It panics if there is no memory for more.
func (c *crowd) start() {
	if c.started.Add(1)%1024 != 0 && !c.starved.Load() { // measuring the memory takes long
		return
	}
	fit := hasMemoryFor(0)
	c.starved.Store(!fit)
	if !fit {
		panic(outOfMemory(availableMemory()))
	}
}

// wake lets the goroutine run that has waited longest.
func (c *crowd) wake() {
	close(c.waiting[0])
	c.waiting = c.waiting[1:]
}

// leave lets another goroutine run in place of one that stops running, unless too many run. The caller holds c.mu.
func (c *crowd) leave() {
	if c.excess > 0 {
		c.excess--
	} else if len(c.waiting) > 0 {
		c.wake()
	}
}

// end is called when a goroutine has left the functions of cells.
func (c *crowd) end() {
	c.goroutines.Add(-1)
	c.pause()
}

// pause is called when a goroutine has left the functions of cells, or before it waits for a channel.
func (c *crowd) pause() {
	if c.formed.Load() {
		c.mu.Lock()
		c.leave()
		c.mu.Unlock()
	}
}

// poll ends the calling goroutine if it runs a cell that is interrupted; in other goroutines it panics while memory is
// lacking (see Hooks.Poll). In a crowd it waits for the goroutine's next
// turn if the last one is over. The goroutine of the running cell does not wait.
func (th *thread) poll() {
	s := th.s
	s.Hooks.Poll()
	c := &s.crowd
	if !c.formed.Load() || time.Now().Before(th.turnEnds) || s.Hooks.Waiting() != nil { // the last: it runs a cell
		return
	}
	next := make(chan struct{})
	c.mu.Lock()
	c.waiting = append(c.waiting, next)
	c.leave()
	c.mu.Unlock()
	<-next
	th.turnEnds = time.Now().Add(turn)
	s.Hooks.Poll()
}
