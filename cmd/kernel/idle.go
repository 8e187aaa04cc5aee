package main

import (
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// After idleAfter without a running cell, unused memory is given back to the system. This takes a garbage
// collection, so it is done only if minAllocated bytes have been allocated since the last time.
const (
	idleAfter    = time.Second
	minAllocated = 12 << 20
)

// newIdleTimer returns a stopped timer. When it fires, it gives unused memory back to the system.
func newIdleTimer() *time.Timer {
	var m unusedMemory
	timer := time.AfterFunc(time.Hour, func() { m.giveBack() })
	timer.Stop()
	return timer
}

// An unusedMemory gives the unused memory of the heap back to the system.
type unusedMemory struct {
	last atomic.Uint64 // allocatedBytes when memory was last given back
}

// giveBack gives unused memory back if minAllocated bytes have been allocated since the last time. It reports whether
// it did.
func (m *unusedMemory) giveBack() bool {
	if allocatedBytes() < m.last.Load()+minAllocated {
		return false
	}
	debug.FreeOSMemory()
	m.last.Store(allocatedBytes())
	return true
}

// allocatedBytes returns the number of bytes that have been allocated in the heap since the process started.
func allocatedBytes() uint64 {
	m := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(m)
	return m[0].Value.Uint64()
}
