package xla

import (
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/goanvil/notebook/anvil/memory"
)

// TestBallast: after the first collection, Go's collector waits for as much garbage as
// the ballast's size.
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
}
