package compile

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// gcPause suspends garbage collection. A collection stops all goroutines for a moment. If one of them is
// moving or clearing much memory, which cannot be stopped, all others wait for it, and interrupts are not
// answered.
var gcPause struct {
	mu      sync.Mutex
	active  int // calls of withoutGC in progress
	percent int // the setting before the first of them
}

// withoutGC calls f, which fills or allocates an object of at least largeAllocation bytes and calls no functions
// of cells. While f runs, only collections that a program requests by runtime.GC or debug.FreeOSMemory
// happen. If a collection is due afterwards, withoutGC runs it before it returns, so that it does not
// coincide with the cell's next use of the object.
func withoutGC(f func()) {
	c := &gcPause
	c.mu.Lock()
	if c.active == 0 {
		c.percent = debug.SetGCPercent(-1) // waits for a collection that is in progress
	}
	c.active++
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.active--
		if c.active > 0 {
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
