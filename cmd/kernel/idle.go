package main

import (
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// After idleAfter without a cell, unused memory is returned to the system, if the heap has grown
// by enoughGrown bytes since the last time: returning it takes a collection.
const (
	idleAfter   = time.Second
	enoughGrown = 12 << 20
)

// newIdleTimer returns a stopped timer that returns unused memory to the system.
func newIdleTimer() *time.Timer {
	var last atomic.Int64 // the bytes that the heap had after the last time
	timer := time.AfterFunc(time.Hour, func() {
		if heapBytes() >= last.Load()+enoughGrown {
			debug.FreeOSMemory()
			last.Store(heapBytes())
		}
	})
	timer.Stop()
	return timer
}

// heapBytes returns the number of bytes of the heap that hold objects, or are free but not
// returned to the system. How many a collection would free is known only after it.
func heapBytes() int64 {
	m := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(m)
	return int64(m[0].Value.Uint64() + m[1].Value.Uint64())
}
