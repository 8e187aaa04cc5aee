package compile

import (
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/goanvil/notebook/anvil/memory"
)

// kept keeps the objects of TestUncollected on the heap.
var kept []byte

// TestUncollected tests that no collection begins while withoutGC runs a function, and that none is due when it
// returns.
func TestUncollected(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	fill := func() {
		for range 8 {
			kept = make([]byte, 64<<20)
		}
	}
	n := automatic()
	fill()
	if automatic() == n {
		t.Error("no automatic collection outside of uncollected")
	}
	withoutGC(func() {
		n = automatic()
		withoutGC(fill)
		fill()
		if now := automatic(); now != n {
			t.Errorf("%d automatic collections within uncollected", now-n)
		}
	})
	for i := 0; collectionDue(); i++ { // also while a collection's garbage has not been swept yet
		if i == 100 {
			t.Fatal("a collection is due afterwards")
		}
		time.Sleep(10 * time.Millisecond)
	}
	if now := debug.SetGCPercent(100); now != 100 {
		t.Errorf("the GC percentage is %d, want 100", now)
	}
	func() {
		defer func() { _ = recover() }()
		withoutGC(func() { panic(0) })
	}()
	if now := debug.SetGCPercent(100); now != 100 {
		t.Errorf("the GC percentage is %d after a panic, want 100", now)
	}
	kept = nil
}

// TestReleased tests that memory which the run time has returned to the system, and which is available again, does not
// also count as unused.
func TestReleased(t *testing.T) {
	if uint64(memory.Physical()) > availableMemory()+1<<30 {
		t.Skip("the address space is limited")
	}
	kept = make([]byte, 512<<20)
	kept = nil
	debug.FreeOSMemory()
	if n := unusedMemory(); n > 128<<20 {
		t.Errorf("%d MiB are unused", n>>20)
	}
}

// automatic returns how many collections the run time has completed without a request.
func automatic() uint64 {
	samples := []metrics.Sample{{Name: "/gc/cycles/automatic:gc-cycles"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64()
}
