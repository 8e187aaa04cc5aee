package xla

import (
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/goanvil/notebook/anvil/memory"
)

// TestBallast checks that after the first collection Go's collector waits for as much garbage
// as the ballast's size, and that the ballast is dropped when as much other memory is live.
func TestBallast(t *testing.T) {
	deferCollections()
	goal := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}}
	deadline := time.Now().Add(time.Minute)
	for goal[0].Value.Kind() == metrics.KindBad || goal[0].Value.Uint64() < 2*ballastSize {
		if time.Now().After(deadline) {
			t.Fatalf("the collector runs at %s", memory.SizeText(int64(goal[0].Value.Uint64())))
		}
		runtime.GC()
		metrics.Read(goal)
	}
	live := make([]byte, ballastSize)
	for ballast != nil {
		if time.Now().After(deadline) {
			t.Fatal("the ballast is kept")
		}
		runtime.GC()
	}
	runtime.KeepAlive(live)
}
