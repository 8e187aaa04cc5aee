package engine

import (
	"runtime"
	"runtime/metrics"
	"sync"
)

// collectEvery is the number of results after which a collector runs Go's garbage collector. An unreachable buffer
// takes a few hundred bytes of Go's heap, but several times as much of the plugin's memory. With many of them, the
// plugin places new results in memory that is no longer in the processor's caches: eager operations took a third
// longer with six thousand unreachable buffers than with two thousand.
const collectEvery = 2048

// smallHeap is the size of a heap, in bytes, up to which a garbage collection takes well under a
// millisecond.
const smallHeap = 16 << 20

// A collector runs Go's garbage collector after every collectEvery results on devices.
type collector struct {
	mu      sync.Mutex
	results int // the number of results since the collector last checked the heap
	sample  [1]metrics.Sample
}

// add counts new results. When there are collectEvery, it collects garbage if the heap is small.
// Collecting a large heap would take long, so it is left to the Go runtime.
func (c *collector) add(results int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.results += results; c.results < collectEvery {
		return
	}
	c.results = 0
	c.sample[0].Name = "/gc/scan/heap:bytes"
	metrics.Read(c.sample[:])
	if v := c.sample[0].Value; v.Kind() == metrics.KindUint64 && v.Uint64() < smallHeap {
		runtime.GC()
	}
}
