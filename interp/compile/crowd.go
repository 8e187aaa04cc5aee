package compile

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// A crowd lets the goroutines of cells run in turns while many of them are runnable, so that the kernel can answer
// front ends. Each answer passes through several goroutines of the kernel. Under Go's scheduler, each of these would
// wait until all goroutines of cells have run for 10 ms each. When goroutines of cells run in turns, only as many of
// them run as keep the processors busy, and the others wait.
type crowd struct {
	goroutines atomic.Int64  // how many goroutines run functions of cells, in turns or not
	started    atomic.Uint64 // how many goroutines were started by go statements
	starved    atomic.Bool   // at the last check, there was no memory for more goroutines
	formed     atomic.Bool   // goroutines run in turns

	mu      sync.Mutex
	excess  int             // how many more goroutines must wait when their turns end; negative if more can run
	waiting []chan struct{} // one for each waiting goroutine, oldest first; closing it lets the goroutine run
}

// turn is how long a goroutine runs before it waits for its next turn.
const turn = 5 * time.Millisecond

// Goroutines returns how many goroutines run functions of cells.
func (s *Session) Goroutines() int { return int(s.crowd.goroutines.Load()) }

// UpdateCrowd decides whether goroutines of cells must run in turns, and lets as many waiting ones run as the
// processors have time for. It must be called every few milliseconds while there are goroutines of cells.
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

// Crowded reports whether the goroutines of cells run in turns. If so, their code must call thread.poll.
func (s *Session) Crowded() bool { return s.crowd.formed.Load() }

// Disperse lets all waiting goroutines run.
func (s *Session) Disperse() {
	s.crowd.mu.Lock()
	defer s.crowd.mu.Unlock()
	for len(s.crowd.waiting) > 0 {
		s.crowd.wake()
	}
}

// start is called before a go statement starts a goroutine. It panics if there is no memory for more goroutines.
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

// wake lets the goroutine run that has waited longest. The caller holds c.mu.
func (c *crowd) wake() {
	close(c.waiting[0])
	c.waiting = c.waiting[1:]
}

// handOver is called when a goroutine stops running. It lets a waiting one run instead, unless too many are running.
// The caller holds c.mu.
func (c *crowd) handOver() {
	if c.excess > 0 {
		c.excess--
	} else if len(c.waiting) > 0 {
		c.wake()
	}
}

// end is called when a goroutine no longer runs functions of cells.
func (c *crowd) end() {
	c.goroutines.Add(-1)
	c.yieldTurn()
}

// yieldTurn lets a waiting goroutine run instead of the calling one, which no longer runs functions of cells or is
// about to wait for a channel.
func (c *crowd) yieldTurn() {
	if c.formed.Load() {
		c.mu.Lock()
		c.handOver()
		c.mu.Unlock()
	}
}

// poll calls Hooks.Poll, which may end the goroutine or panic. If goroutines run in turns and the turn of this one is
// over, poll waits for its next turn. The goroutine of the running cell has no turns and does not wait.
func (th *thread) poll() {
	s := th.s
	s.Hooks.Poll()
	c := &s.crowd
	// Hooks.Waiting returns nil except in the goroutine of a running cell.
	if !c.formed.Load() || time.Now().Before(th.turnEnds) || s.Hooks.Waiting() != nil {
		return
	}
	next := make(chan struct{})
	c.mu.Lock()
	c.waiting = append(c.waiting, next)
	c.handOver()
	c.mu.Unlock()
	<-next
	th.turnEnds = time.Now().Add(turn)
	s.Hooks.Poll()
}
