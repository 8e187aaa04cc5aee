package xla

import (
	"testing"
	"time"
)

// TestCollectTimed checks that the next threshold is higher if the last collection ended a short time ago.
func TestCollectTimed(t *testing.T) {
	for _, c := range []struct {
		ended time.Duration // of the last collection, before now
		want  int64
	}{{1000 * time.Hour, minThreshold}, {-time.Hour, busyThreshold}} {
		client := &Client{}
		client.gc.lastEnd.Store(time.Now().Add(-c.ended).UnixNano())
		began := time.Now()
		if got := client.collectTimed(); got != c.want {
			t.Errorf("%v after a collection the threshold is %d, not %d", c.ended, got, c.want)
		}
		if end := client.gc.lastEnd.Load(); end < began.UnixNano() || end > time.Now().UnixNano() {
			t.Errorf("the recorded end %d is not that of this collection", end)
		}
	}
}
