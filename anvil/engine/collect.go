package engine

import (
	"runtime"
	"runtime/metrics"
	"sync"
)

// collectEvery is the number of results after which dead buffers are collected. A dead buffer takes a few
// hundred bytes of Go's heap but several times that in the plugin, whose next results then lie in cold
// memory: eager operations took a third longer with six thousand dead buffers than with two thousand.
const collectEvery = 2048

// smallHeap is the number of bytes up to which a collection takes well under a
// millisecond.
const smallHeap = 16 << 20

// A collector starts a garbage collection after every collectEvery results on devices.
type collector struct {
	mu      sync.Mutex
	results int // since the last collection that it started
	sample  [1]metrics.Sample
}

// add counts results and collects garbage when there are collectEvery. It leaves a large
// heap to Go, because collecting it would take long.
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
