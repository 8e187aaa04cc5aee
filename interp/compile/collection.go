package compile

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// collections holds back the garbage collector. It stops all goroutines for a moment, and where
// one of them moves or clears much memory, which nothing can stop, all others wait: interrupts
// would not be answered.
var collections struct {
	mu      sync.Mutex
	held    int // calls of uncollected in progress
	percent int // what was set before the first of them
}

// uncollected calls f, which fills or allocates an object of at least largeMake bytes and calls
// nothing of a cell. No collection is in progress meanwhile, except those that are asked for by
// name. If one is due afterwards, it has ended when uncollected returns, and does not meet what
// the cell does next with the object.
func uncollected(f func()) {
	c := &collections
	c.mu.Lock()
	if c.held == 0 {
		c.percent = debug.SetGCPercent(-1) // waits for a collection that is in progress
	}
	c.held++
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.held--
		if c.held > 0 {
			return
		}
		if now := debug.SetGCPercent(c.percent); now >= 0 {
			debug.SetGCPercent(now) // set meanwhile
		}
		if collectionDue() {
			runtime.GC()
		}
	}()
	f()
}

// collectionDue reports whether the next allocation starts a collection.
func collectionDue() bool {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/goal:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() >= samples[1].Value.Uint64()
}
