package main

import (
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
