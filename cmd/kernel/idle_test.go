package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// TestIdleKernelReturnsMemory tests that the unused memory of a cell is returned to the system once no cell runs.
func TestIdleKernelReturnsMemory(t *testing.T) {
	released := func() uint64 {
		m := []metrics.Sample{{Name: "/memory/classes/heap/released:bytes"}}
		metrics.Read(m)
		return m[0].Value.Uint64()
	}
	f := newFront(t, "reference")
	f.run("var kept [][]byte\nfor range 64 { kept = append(kept, make([]byte, 1<<20)) }\nfor _, b := range kept { clear(b) }\nkept = nil")
	before := released()
	for deadline := time.Now().Add(time.Minute); released() < before+48<<20; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d bytes were returned before and %d after", before, released())
		}
	}
}

// TestGiveBack tests that memory is given back after minAllocated bytes of allocations, also if the heap is smaller
// than when memory was last given back.
func TestGiveBack(t *testing.T) {
	var m unusedMemory
	large := make([]byte, 64<<20)
	if !m.giveBack() {
		t.Error("no memory is given back after an allocation of 64 MB")
	}
	if m.giveBack() {
		t.Error("memory is given back twice")
	}
	runtime.KeepAlive(large)
	debug.FreeOSMemory() // frees large
	runtime.KeepAlive(make([]byte, 2*minAllocated))
	if !m.giveBack() {
		t.Error("no memory is given back after the heap has shrunk and grown again")
	}
}
