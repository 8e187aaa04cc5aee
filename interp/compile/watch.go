package compile

import (
	"runtime/metrics"
	"sync/atomic"
)

// A Watch observes the memory of the process while a cell runs. Functions of cells check their own allocations;
// a Watch also sees those of packages.
type Watch struct {
	used       uint64       // the result of goMemory when the available memory was last measured
	steps      [3]uint64    // the last increases of used by at least stepSize, the latest last
	collecting *atomic.Bool // nil unless memory is short; then, whether a garbage collection is running
}

// Exhausted returns the error of the running cell if the process is about to run out of memory, and otherwise
// nil. It must be called every few milliseconds.
func (w *Watch) Exhausted() error {
	used := goMemory()
	if w.used == 0 {
		w.used = used
	}
	if used < w.used+stepSize/4 { // the change is too small to measure the available memory
		w.used = min(w.used, used)
		if w.collecting == nil {
			return nil
		}
	}
	if step := used - min(used, w.used); step >= stepSize {
		w.steps = [3]uint64{w.steps[1], w.steps[2], step}
	}
	w.used = used
	have := availableMemory() + unusedMemory()
	switch {
	case w.collecting == nil && have >= kernelReserve()+w.next():
		return nil
	case have < kernelReserve()/2: // too late for a collection
	case w.collecting == nil:
		w.collecting = new(atomic.Bool)
		w.collecting.Store(true)
		go func(collecting *atomic.Bool) {
			afterCollection()
			collecting.Store(false)
		}(w.collecting)
		return nil
	case w.collecting.Load():
		return nil
	case have >= 2*kernelReserve()+w.next():
		w.collecting = nil
		return nil
	default: // the collection has not freed enough
	}
	return outOfMemory(have)
}

// stepSize is the minimum increase, in bytes, that counts as a step.
const stepSize = 64 << 20

// next predicts the size of the next step. It returns 0 unless the last steps have grown by about the same factor. The
// steps of a growing buffer do: by 1.25 to 2, depending on its size.
func (w *Watch) next() uint64 {
	if w.steps[0] == 0 {
		return 0
	}
	first, second := float64(w.steps[1])/float64(w.steps[0]), float64(w.steps[2])/float64(w.steps[1])
	if min(first, second) < 1.15 || max(first, second) > 2.5 || max(first, second)-min(first, second) > 0.25 {
		return 0
	}
	return uint64(float64(w.steps[2]) * second)
}

// goMemory returns how many bytes the runtime holds from the operating system.
func goMemory() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}
