package main

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// After idleAfter without a cell, unused memory is returned to the system, if it is at least
// enoughUnused bytes: returning it takes a collection.
const (
	idleAfter    = time.Second
	enoughUnused = 12 << 20
)

// newIdleTimer returns a stopped timer that returns unused memory to the system.
func newIdleTimer() *time.Timer {
	timer := time.AfterFunc(time.Hour, func() {
		if unusedMemory() >= enoughUnused {
			debug.FreeOSMemory()
		}
	})
	timer.Stop()
	return timer
}

// unusedMemory returns the number of bytes of the heap that are free, or that a collection may
// free, but not yet returned to the system.
func unusedMemory() int64 {
	m := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/free:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(m)
	return int64(m[0].Value.Uint64() + m[1].Value.Uint64() - m[2].Value.Uint64())
}
