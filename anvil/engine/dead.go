package engine

import (
	"runtime"
	"runtime/metrics"
)

// collectEvery is after how many results dead buffers are collected where that
// is quick. They are a few hundred bytes to Go's collector and several times
// that to the plugin, whose next results come to lie in cold memory: eager
// operations took a third longer with six thousand dead than with two thousand.
const collectEvery = 2048

// smallHeap is up to how many bytes to go through a collection takes well under a
// millisecond.
const smallHeap = 16 << 20

// dead counts results since the last collection that it began.
type dead struct {
	results int
	sample  [1]metrics.Sample
}

func (d *dead) add(results int) {
	if d.results += results; d.results < collectEvery {
		return
	}
	d.results = 0
	d.sample[0].Name = "/gc/scan/heap:bytes"
	metrics.Read(d.sample[:])
	if v := d.sample[0].Value; v.Kind() == metrics.KindUint64 && v.Uint64() < smallHeap {
		runtime.GC()
	}
}
