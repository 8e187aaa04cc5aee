package compile

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// collections suspends garbage collection. A collection stops all goroutines for a moment. If one of them is
// moving or clearing much memory, which cannot be stopped, all others wait for it, and interrupts are not
// answered.
var collections struct {
	mu      sync.Mutex
	held    int // calls of uncollected in progress
	percent int // the setting before the first of them
}

// uncollected calls f, which fills or allocates an object of at least largeMake bytes and calls no functions
// of cells. While f runs, only collections that a program requests by runtime.GC or debug.FreeOSMemory
// happen. If a collection is due afterwards, uncollected runs it before it returns, so that it does not
// coincide with the cell's next use of the object.
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
			debug.SetGCPercent(now) // set by the cell meanwhile
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
