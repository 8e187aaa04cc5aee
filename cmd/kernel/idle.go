package main

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// idleAfter is how long no cell has run when unused memory is returned to the system, and enoughUnused is
// how many bytes of it are worth a collection.
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

// unusedMemory returns the bytes that are free, or may be after a collection, and are not returned.
func unusedMemory() int64 {
	m := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/free:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(m)
	return int64(m[0].Value.Uint64() + m[1].Value.Uint64() - m[2].Value.Uint64())
}
