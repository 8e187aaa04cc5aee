package main

import (
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// After idleAfter without a cell, unused memory is given back to the system. Since that takes a
// garbage collection, it is done only if the heap has grown by minGrowth bytes since the last time.
const (
	idleAfter = time.Second
	minGrowth = 12 << 20
)

// newIdleTimer returns a stopped timer. When it fires, it gives unused memory back to the system.
func newIdleTimer() *time.Timer {
	var last atomic.Int64 // heapBytes after memory was last given back
	timer := time.AfterFunc(time.Hour, func() {
		if heapBytes() >= last.Load()+minGrowth {
			debug.FreeOSMemory()
			last.Store(heapBytes())
		}
	})
	timer.Stop()
	return timer
}

// heapBytes returns the number of bytes of the heap that hold objects, reachable or not, or are free
// but not returned to the system.
func heapBytes() int64 {
	m := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(m)
	return int64(m[0].Value.Uint64() + m[1].Value.Uint64())
}
