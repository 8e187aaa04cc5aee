package compile

import (
	"fmt"
	"runtime/metrics"
	"sync/atomic"

	"github.com/goanvil/notebook/anvil/memory"
)

// A Watch observes the memory of the process while a cell runs. Functions of cells check their own allocations;
// a Watch also sees those of packages.
type Watch struct {
	used       uint64       // the memory in use when the available memory was last measured
	allocated  uint64       // the bytes allocated until the last call of Exhausted
	steps      [3]uint64    // the last increases of allocated by at least stepSize, the latest last
	collecting *atomic.Bool // nil unless memory is short; then, whether a garbage collection is running
}

// Exhausted returns the error of the running cell if the process is about to run out of memory, and otherwise
// nil. It must be called every few milliseconds.
func (w *Watch) Exhausted() error {
	used, allocated := goMemory()
	if w.allocated == 0 {
		w.used, w.allocated = used, allocated
	}
	if step := allocated - w.allocated; step >= stepSize {
		w.steps = [3]uint64{w.steps[1], w.steps[2], step}
	}
	w.allocated = allocated
	if used < w.used+stepSize/4 { // the change is too small to measure the available memory
		w.used = min(w.used, used)
		if w.collecting == nil {
			return nil
		}
	}
	w.used = used
	next := w.next()
	switch {
	case w.collecting == nil && hasMemoryFor(next):
		return nil
	case availableMemory()+unusedMemory() < kernelReserve()/2: // too late for a collection
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
	case hasMemoryFor(next) && availableMemory()+unusedMemory() >= 2*kernelReserve():
		w.collecting = nil
		return nil
	default: // the collection has not freed enough
	}
	have := availableMemory() + unusedMemory()
	if next > 0 && !hasMemoryFor(next) {
		return runtimeError(fmt.Sprintf("out of memory: a growing buffer would soon need about %s; %s",
			memory.SizeText(int64(next)), availableText(have)))
	}
	return outOfMemory(have)
}

// Collecting reports whether a garbage collection is running because memory is short. Cells should not allocate until
// Exhausted has been called after its end: a buffer that grows may take more than the process has before that.
func (w *Watch) Collecting() bool { return w.collecting != nil }

// stepSize is the minimum increase, in bytes, that counts as a step.
const stepSize = 64 << 20

// next predicts the size of the next step. It returns 0 unless each of the last steps is larger than the one before by
// a factor that a growing buffer has: 1.25 to 2, depending on its size.
func (w *Watch) next() uint64 {
	if w.steps[0] == 0 {
		return 0
	}
	first, second := float64(w.steps[1])/float64(w.steps[0]), float64(w.steps[2])/float64(w.steps[1])
	if min(first, second) < 1.15 || max(first, second) > 2.5 {
		return 0
	}
	return uint64(float64(w.steps[2]) * second)
}

// goMemory returns how many bytes of memory the runtime uses, and how many it has allocated for objects since the
// process began. The memory that it holds but does not use is left out: a buffer may grow into it.
func goMemory() (used, allocated uint64) {
	samples := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}, {Name: "/gc/heap/allocs:bytes"},
	}
	metrics.Read(samples)
	value := func(i int) uint64 { return samples[i].Value.Uint64() }
	return value(0) - value(1) - value(2), value(3)
}
