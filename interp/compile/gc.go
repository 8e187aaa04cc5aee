package compile

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// gcPause is the state of withoutGC. Garbage collection is suspended because a collection stops all goroutines for a
// moment. A goroutine that copies or clears much memory cannot be stopped. All other goroutines would wait for it, and
// the kernel would not react to interrupts.
var gcPause struct {
	mu      sync.Mutex
	active  int // the number of calls of withoutGC in progress
	percent int // the argument for debug.SetGCPercent that restores the setting after the last of them
}

// withoutGC calls f while garbage collection is suspended. f fills or allocates an object of at least largeAllocation
// bytes. It must not call functions of cells. Collections that runtime.GC or debug.FreeOSMemory start still happen. If
// a collection is due afterwards, withoutGC runs it before it returns, so that the collection does not coincide with
// the cell's next use of the object.
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
			debug.SetGCPercent(now) // a cell has set this value in the meantime
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
