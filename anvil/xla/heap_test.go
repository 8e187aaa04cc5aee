package xla

import (
	"runtime"
	"runtime/metrics"
	"testing"
)

// TestBallast: Go's collector waits for as much garbage as the ballast's size.
func TestBallast(t *testing.T) {
	ballast = make([]byte, ballastSize)
	defer func() { ballast = nil }()
	runtime.GC()
	goal := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}}
	if metrics.Read(goal); goal[0].Value.Uint64() < 2*ballastSize {
		t.Errorf("the collector runs at %s", SizeText(int64(goal[0].Value.Uint64())))
	}
}
