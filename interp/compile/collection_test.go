package compile

import (
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

var kept []byte

// TestUncollected lets no collection begin while a large object is filled, and has one end
// afterwards if it is due.
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
		t.Error("no collection where none is held back")
	}
	uncollected(func() {
		n = automatic()
		uncollected(fill)
		fill()
		if now := automatic(); now != n {
			t.Errorf("%d collections", now-n)
		}
	})
	if collectionDue() {
		t.Error("a collection is due afterwards")
	}
	if now := debug.SetGCPercent(100); now != 100 {
		t.Errorf("the percentage is %d", now)
	}
	func() {
		defer func() { _ = recover() }()
		uncollected(func() { panic(0) })
	}()
	if now := debug.SetGCPercent(100); now != 100 {
		t.Errorf("the percentage is %d after a panic", now)
	}
	kept = nil
}

// automatic returns how many collections the run time has ended that nobody asked for.
func automatic() uint64 {
	samples := []metrics.Sample{{Name: "/gc/cycles/automatic:gc-cycles"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64()
}
